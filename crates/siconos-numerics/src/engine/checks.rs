//! Checks of problem data at the start of a solve.

use ndarray::ArrayView2;
use siconos_linalg::{MatrixRef, first_non_finite};

use crate::error::{ProblemError, Unsupported};

/// Checks that a matrix is square, and that q has one entry per row of the matrix.
///
/// # Errors
///
/// If the matrix is not square ([`ProblemError::NotSquare`]), or if the length of `q` differs from the number
/// of rows ([`ProblemError::WrongLength`]).
pub fn check_square(rows: usize, columns: usize, q: &[f64]) -> Result<(), ProblemError> {
    if rows != columns {
        return Err(ProblemError::NotSquare { rows, columns });
    }
    check_length("q", rows, q.len())
}

/// Checks that `z` and `w` have the length of `q`, and that `q` and the initial `z` are finite.
pub(crate) fn check_solve(q: &[f64], z: &[f64], w: &[f64]) -> Result<(), ProblemError> {
    check_length("z", q.len(), z.len())?;
    check_length("w", q.len(), w.len())?;
    check_finite("q", q)?;
    check_finite("z", z)
}

/// Checks the length of the vector `what`.
///
/// # Errors
///
/// If `found` differs from `expected` ([`ProblemError::WrongLength`]).
pub fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), ProblemError> {
    if expected == found { Ok(()) } else { Err(ProblemError::WrongLength { what, expected, found }) }
}

/// Checks that all entries of a matrix are finite.
///
/// # Errors
///
/// If an entry is NaN or infinite ([`ProblemError::NotFinite`], with the first such entry).
pub fn check_finite_matrix(what: &'static str, m: MatrixRef<'_>) -> Result<(), ProblemError> {
    match m.first_non_finite() {
        None => Ok(()),
        Some((index, value)) => Err(ProblemError::NotFinite { what, index, value }),
    }
}

/// Checks that all entries of a vector are finite.
///
/// # Errors
///
/// If an entry is NaN or infinite ([`ProblemError::NotFinite`], with the first such entry).
pub fn check_finite(what: &'static str, values: &[f64]) -> Result<(), ProblemError> {
    match first_non_finite(values) {
        None => Ok(()),
        Some(index) => Err(ProblemError::NotFinite { what, index, value: values[index] }),
    }
}

/// Returns the entries of a dense matrix, or an error if the matrix has another storage.
pub(crate) fn require_dense<'a>(
    solver: &'static str,
    m: MatrixRef<'a>,
) -> Result<ArrayView2<'a, f64>, Unsupported> {
    match m {
        MatrixRef::Dense(m) => Ok(m),
        other => Err(Unsupported { solver, found: other.storage(), takes: "a dense matrix" }),
    }
}
