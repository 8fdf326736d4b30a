//! Errors of the crate: in problem data, in settings, and of solvers.
//!
//! A solver that does not converge returns a [`Status`](crate::Status), not an error.

use siconos_linalg::{MatrixError, SingularMatrix};
pub use siconos_linalg::{SettingsError, display_number};

use crate::info::SolveInfo;

/// Problem data that are inconsistent or not finite.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The data of a matrix are inconsistent.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The matrix is not square.
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
        /// Name of the vector.
        what: &'static str,
        /// Expected length.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, entry {index} is {value}")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the first such entry; row-major for a matrix.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
    /// The lower bound of an unknown exceeds the upper one.
    #[error("bounds of unknown {index}: the lower one, {lower}, must not exceed the upper one, {upper}")]
    Bounds {
        /// Index of the unknown.
        index: usize,
        /// Lower bound of the unknown.
        lower: f64,
        /// Upper bound of the unknown.
        upper: f64,
    },
    /// The number of rows of the matrix of a contact problem differs from what its contacts require.
    #[error("{blocks} contacts or cones make a matrix of {expected} rows, it has {rows}")]
    ContactRows {
        /// Number of rows of the matrix.
        rows: usize,
        /// Number of contacts or cones.
        blocks: usize,
        /// Expected number of rows.
        expected: usize,
    },
    /// The number of columns of H differs from what the contacts require.
    #[error("{blocks} contacts ask for {expected} columns of H, it has {columns}")]
    ContactColumns {
        /// Number of columns of H.
        columns: usize,
        /// Number of contacts.
        blocks: usize,
        /// Expected number of columns.
        expected: usize,
    },
    /// A coefficient of friction or the slope of a cone is negative or NaN, or infinite where it must be
    /// finite.
    #[error("`{what}` of contact {contact} is {value}; it must be a number at or above 0")]
    Coefficient {
        /// Name of the coefficient.
        what: &'static str,
        /// Index of the contact.
        contact: usize,
        /// Value of the coefficient.
        value: f64,
    },
    /// A number of a contact is outside its range.
    #[error("`{what}` of contact {contact} is {value}; it must be {range}")]
    ContactNumber {
        /// Name of the number.
        what: &'static str,
        /// Index of the contact.
        contact: usize,
        /// Value of the number.
        value: f64,
        /// Valid range, in words.
        range: &'static str,
    },
    /// The law is not defined for blocks of this size.
    #[error("blocks of {dimension} components have no such law; it is for {possible:?}")]
    ContactDimension {
        /// Block size given.
        dimension: usize,
        /// Block sizes for which the law is defined.
        possible: &'static [usize],
    },
    /// The starts of second-order cones do not begin with 0, or do not increase.
    #[error("the starts of cones must begin with 0 and rise: every cone has at least one component")]
    ConePartition,
}

/// Reason for which a solver does not support a problem; returned by `supports`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{solver} does not take {found}; it takes {takes}")]
pub struct Unsupported {
    /// Name of the solver.
    pub solver: &'static str,
    /// Kind of problem that was given.
    pub found: &'static str,
    /// Kind of problem that the solver supports.
    pub takes: &'static str,
}

/// Error that ended a solve without a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The data of the problem, or the lengths of the arrays for the solution, are inconsistent.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The solver does not support this kind of problem.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A matrix that the method has to factorise is singular to working precision.
    #[error("{what} is singular to working precision: {singular}")]
    Singular {
        /// Name of the matrix.
        what: &'static str,
        /// Details of the singularity.
        singular: SingularMatrix,
    },
    /// The solve did not converge; returned only by [`SolveInfo::require_converged`].
    #[error("not converged: {}, {} iterations, error {:e}", .info.status, .info.iterations, .info.error)]
    NotConverged {
        /// Result of the solver.
        info: SolveInfo,
    },
}

impl SolveInfo {
    /// Returns an error for every status that is not a [success](crate::Status::is_success).
    ///
    /// # Errors
    ///
    /// If the status is not a success ([`SolverError::NotConverged`], with the status, the iterations and the
    /// error).
    pub fn require_converged(self) -> Result<Self, SolverError> {
        if self.status.is_success() { Ok(self) } else { Err(SolverError::NotConverged { info: self }) }
    }
}
