//! Errors of the crate: in problem data, in settings, and during a solve.
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
    #[error("the matrix must be square, not {rows} x {columns}")]
    NotSquare {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// A vector has the wrong length.
    #[error("`{what}` has {found} entries; expected {expected}")]
    WrongLength {
        /// Name of the vector.
        what: &'static str,
        /// Expected length.
        expected: usize,
        /// Length found.
        found: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, but entry {index} is {value}")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the first NaN or infinite entry; for a matrix, the index in row-major order.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
    /// A lower bound exceeds the upper bound of the same unknown.
    #[error("unknown {index}: the lower bound {lower} must not exceed the upper bound {upper}")]
    Bounds {
        /// Index of the unknown.
        index: usize,
        /// Lower bound of the unknown.
        lower: f64,
        /// Upper bound of the unknown.
        upper: f64,
    },
    /// The matrix of a contact problem does not have the number of rows that its contacts require.
    #[error(
        "{blocks} contacts or cones, one for each coefficient, require a matrix with {expected} rows; it has {rows}"
    )]
    ContactRows {
        /// Number of rows of the matrix.
        rows: usize,
        /// Number of contacts or cones.
        blocks: usize,
        /// Expected number of rows.
        expected: usize,
    },
    /// H does not have the number of columns that the contacts require.
    #[error("{blocks} contacts require {expected} columns of H; it has {columns}")]
    ContactColumns {
        /// Number of columns of H.
        columns: usize,
        /// Number of contacts.
        blocks: usize,
        /// Expected number of columns.
        expected: usize,
    },
    /// A coefficient of friction or the slope of a cone is negative or NaN, or it is infinite where a finite
    /// value is required.
    #[error("`{what}` of contact {contact} is {value}; it must be a nonnegative number")]
    Coefficient {
        /// Name of the coefficient.
        what: &'static str,
        /// Index of the contact.
        contact: usize,
        /// Value of the coefficient.
        value: f64,
    },
    /// A parameter of a contact is outside its range.
    #[error("`{what}` of contact {contact} is {value}; it must be {range}")]
    ContactNumber {
        /// Name of the parameter.
        what: &'static str,
        /// Index of the contact.
        contact: usize,
        /// Value of the parameter.
        value: f64,
        /// Valid range, in words.
        range: &'static str,
    },
    /// The law is not defined for blocks with this number of components.
    #[error("the law does not support blocks of {dimension} components; it supports {possible:?}")]
    ContactDimension {
        /// Number of components per block in the problem.
        dimension: usize,
        /// Numbers of components for which the law is defined.
        possible: &'static [usize],
    },
    /// The list of the indices of the first components of second-order cones does not begin with 0, or does
    /// not increase.
    #[error(
        "the starts of cones must begin with 0 and increase, since every cone has at least one component"
    )]
    ConePartition,
}

/// Error that `supports` returns if the solver does not support the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{solver} does not support {found}; it supports {takes}")]
pub struct Unsupported {
    /// Name of the solver.
    pub solver: &'static str,
    /// Unsupported kind of the given problem, such as its matrix storage.
    pub found: &'static str,
    /// Kinds of problems that the solver supports.
    pub takes: &'static str,
}

/// Error that ended a solve without a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The data of the problem are inconsistent, or z or w has the wrong length.
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
