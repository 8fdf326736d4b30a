//! Errors in the definition of convex sets.

use ndarray::ArrayView2;
use siconos_linalg::SpectrumError;

use crate::engine::{check_finite_matrix, check_length};
use crate::error::ProblemError;

/// Tolerance, per row of the matrix, in the test for orthogonality. It applies to the inner products and to
/// the squared lengths of the columns.
const ORTHOGONAL: f64 = 16.0 * f64::EPSILON;

/// Tolerance of the difference of two symmetric entries $a_{ij}$ and $a_{ji}$, relative to
/// $|a_{ii} a_{jj}|^{1/2}$.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Error in the definition of a convex set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvexSetError {
    /// A wrong length, a wrong shape, or a value that is not finite.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A number, for example a radius, is not finite and positive.
    #[error("`{what}` must be finite and positive, not {value}")]
    NotPositive {
        /// Name of the number.
        what: &'static str,
        /// Value of the number.
        value: f64,
    },
    /// A matrix is not symmetric positive definite.
    #[error("`{what}` must be symmetric and positive definite: {why}")]
    NotPositiveDefinite {
        /// Name of the matrix.
        what: &'static str,
        /// Reason why the matrix is rejected.
        why: String,
    },
    /// A matrix is not orthogonal.
    #[error("`{what}` must be orthogonal: columns {first} and {second} have the inner product {product}")]
    NotOrthogonal {
        /// Name of the matrix.
        what: &'static str,
        /// Index of the first column.
        first: usize,
        /// Index of the second column.
        second: usize,
        /// Inner product of the two columns. It should be 1 for a column with itself, and 0 for two different
        /// columns.
        product: f64,
    },
    /// A row of a matrix is zero.
    #[error("row {row} of `{what}` is zero and bounds nothing; remove it")]
    ZeroRow {
        /// Name of the matrix.
        what: &'static str,
        /// Index of the row.
        row: usize,
    },
    /// An intersection contains no set.
    #[error("an intersection requires at least one set")]
    NoSet,
    /// LAPACK did not find the eigenvalues.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
}

/// Checks that a matrix is n x n, finite, and symmetric within rounding errors.
pub(super) fn check_symmetric(
    what: &'static str,
    a: ArrayView2<'_, f64>,
    n: usize,
) -> Result<(), ConvexSetError> {
    if a.nrows() != a.ncols() {
        return Err(ProblemError::NotSquare { rows: a.nrows(), columns: a.ncols() }.into());
    }
    check_length(what, n, a.ncols())?;
    check_finite_matrix(what, a.into())?;
    for ((i, j), value) in a.indexed_iter().filter(|((i, j), _)| i < j) {
        let other = a[[j, i]];
        if (value - other).abs() > ROUNDING * (a[[i, i]] * a[[j, j]]).abs().sqrt() {
            let why = format!("entry ({i}, {j}) is {value}, but entry ({j}, {i}) is {other}");
            return Err(ConvexSetError::NotPositiveDefinite { what, why });
        }
    }
    Ok(())
}

/// Checks that the columns of a matrix are orthogonal and have length 1, within rounding errors. Rotations
/// and reflections satisfy this condition.
///
/// # Errors
///
/// If two columns are not orthogonal, or if the length of a column is not 1. The error
/// [`ConvexSetError::NotOrthogonal`] names the first pair of columns that fails. A NaN also leads to an
/// error.
pub fn check_orthogonal(what: &'static str, r: ArrayView2<'_, f64>) -> Result<(), ConvexSetError> {
    for first in 0..r.ncols() {
        for second in first..r.ncols() {
            let product = r.column(first).dot(&r.column(second));
            let exact = if first == second { 1.0 } else { 0.0 };
            // This form of the comparison rejects NaN.
            let is_orthogonal = (product - exact).abs() <= ORTHOGONAL * r.nrows() as f64;
            if !is_orthogonal {
                return Err(ConvexSetError::NotOrthogonal { what, first, second, product });
            }
        }
    }
    Ok(())
}

/// Checks that a value is finite and positive.
pub(super) fn check_positive(what: &'static str, value: f64) -> Result<(), ConvexSetError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(ConvexSetError::NotPositive { what, value }) }
}
