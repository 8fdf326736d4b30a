//! The errors of the crate: of problem data, of settings, of solvers.
//!
//! A solver that merely does not converge returns no error but a [`Status`](crate::Status).

use siconos_linalg::{MatrixError, SingularMatrix};
pub use siconos_linalg::{SettingsError, display_number};

use crate::info::SolveInfo;

/// Problem data that do not fit together or are not finite.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The parts of a matrix are inconsistent.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The matrix has to be square.
    #[error("the matrix must be square, it is {rows} x {columns}")]
    NotSquare {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// A vector has the wrong length.
    #[error("`{what}` must have {expected} entries as the matrix has rows, it has {found}")]
    WrongLength {
        /// Which vector.
        what: &'static str,
        /// The length that fits.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, entry {index} is {value}")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// Index of the first such entry; row-major for a matrix.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The lower bound of an unknown exceeds the upper one.
    #[error("bounds of unknown {index}: the lower one, {lower}, must not exceed the upper one, {upper}")]
    Bounds {
        /// The unknown.
        index: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// The matrix of a contact problem has another number of rows than its contacts ask for.
    #[error("{blocks} contacts or cones make a matrix of {expected} rows, it has {rows}")]
    ContactRows {
        /// Rows of the matrix.
        rows: usize,
        /// Contacts, or cones.
        blocks: usize,
        /// The rows that fit.
        expected: usize,
    },
    /// H has another number of columns than the contacts ask for.
    #[error("{blocks} contacts ask for {expected} columns of H, it has {columns}")]
    ContactColumns {
        /// Columns of H.
        columns: usize,
        /// Contacts.
        blocks: usize,
        /// The columns that fit.
        expected: usize,
    },
    /// A coefficient of friction, or the slope of a cone, is negative or not finite.
    #[error("`{what}` of contact {contact} is {value}; it must be a number at or above 0")]
    Coefficient {
        /// Which coefficient.
        what: &'static str,
        /// The contact.
        contact: usize,
        /// Its value.
        value: f64,
    },
    /// A number of a contact is outside its range.
    #[error("`{what}` of contact {contact} is {value}; it must be {range}")]
    ContactNumber {
        /// Which number.
        what: &'static str,
        /// The contact.
        contact: usize,
        /// Its value.
        value: f64,
        /// The range in words.
        range: &'static str,
    },
    /// The blocks of a law have another size.
    #[error("blocks of {dimension} components have no such law; it is for {possible:?}")]
    ContactDimension {
        /// The size given.
        dimension: usize,
        /// The sizes that the law has.
        possible: &'static [usize],
    },
    /// The starts of second-order cones do not begin with 0 and rise.
    #[error("the starts of cones must begin with 0 and rise: every cone has at least one component")]
    ConePartition,
}

/// Why a solver cannot take a problem; the answer of `supports`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{solver} does not take {found}; it takes {takes}")]
pub struct Unsupported {
    /// The solver.
    pub solver: &'static str,
    /// What it was given.
    pub found: &'static str,
    /// What it takes.
    pub takes: &'static str,
}

/// Why a solver stopped without an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The problem or the arrays for the solution do not fit.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The solver does not take this kind of problem.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A matrix that the method has to factorise is singular to working precision.
    #[error("{what} is singular to working precision: {singular}")]
    Singular {
        /// Which matrix.
        what: &'static str,
        /// What showed it.
        singular: SingularMatrix,
    },
    /// Only from [`SolveInfo::require_converged`].
    #[error("not converged: {}, {} iterations, error {:e}", .info.status, .info.iterations, .info.error)]
    NotConverged {
        /// What the solver told.
        info: SolveInfo,
    },
}

impl SolveInfo {
    /// Turns every status that is not a [success](crate::Status::is_success) into an error.
    ///
    /// # Errors
    ///
    /// [`SolverError::NotConverged`] with the status, the iterations and the error.
    pub fn require_converged(self) -> Result<Self, SolverError> {
        if self.status.is_success() { Ok(self) } else { Err(SolverError::NotConverged { info: self }) }
    }
}
