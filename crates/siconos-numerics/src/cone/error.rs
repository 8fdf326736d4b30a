//! Why numbers make no set.

use ndarray::ArrayView2;
use siconos_linalg::SpectrumError;

use crate::engine::{check_finite_matrix, check_length};
use crate::error::ProblemError;

/// Columns are orthogonal, and of length 1, to so many units in the last place of each of their components.
const ORTHOGONAL: f64 = 16.0 * f64::EPSILON;

/// Two entries of a symmetric matrix may differ by so much of the root of their diagonal entries.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Why numbers make no convex set, or an empty one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// A length, a shape, or a number that is not finite.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A size is not above 0.
    #[error("`{what}` is {value}; it must be finite and above 0")]
    NotPositive {
        /// Which size.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A matrix is not symmetric positive definite.
    #[error("`{what}` must be symmetric and positive definite: {why}")]
    NotPositiveDefinite {
        /// Which matrix.
        what: &'static str,
        /// What shows it.
        why: String,
    },
    /// A matrix is no rotation.
    #[error("`{what}` must be orthogonal: columns {first} and {second} have the product {product}")]
    NotOrthogonal {
        /// Which matrix.
        what: &'static str,
        /// The first column.
        first: usize,
        /// The second column.
        second: usize,
        /// Their product, which should be 1 for a column with itself and 0 otherwise.
        product: f64,
    },
    /// A row of zeros bounds nothing.
    #[error("row {row} of `{what}` is zero: it bounds nothing; leave it out")]
    ZeroRow {
        /// Which matrix.
        what: &'static str,
        /// The row.
        row: usize,
    },
    /// No set is given.
    #[error("an intersection needs at least one set")]
    NoSet,
    /// LAPACK found no eigenvalues.
    #[error(transparent)]
    Spectrum(#[from] SpectrumError),
}

/// Accepts n x n matrices that are finite and symmetric to rounding.
pub(super) fn check_symmetric(what: &'static str, a: ArrayView2<'_, f64>, n: usize) -> Result<(), SetError> {
    if a.nrows() != a.ncols() {
        return Err(ProblemError::NotSquare { rows: a.nrows(), columns: a.ncols() }.into());
    }
    check_length(what, n, a.ncols())?;
    check_finite_matrix(what, a.into())?;
    for ((i, j), value) in a.indexed_iter().filter(|((i, j), _)| i < j) {
        let other = a[[j, i]];
        if (value - other).abs() > ROUNDING * (a[[i, i]] * a[[j, j]]).abs().sqrt() {
            let why = format!("entry ({i}, {j}) is {value}, entry ({j}, {i}) is {other}");
            return Err(SetError::NotPositiveDefinite { what, why });
        }
    }
    Ok(())
}

/// Accepts matrices with orthogonal columns of length 1, to rounding: rotations and reflections.
///
/// # Errors
///
/// [`SetError::NotOrthogonal`] with the first two columns that are not, NaN included.
pub fn check_orthogonal(what: &'static str, r: ArrayView2<'_, f64>) -> Result<(), SetError> {
    for first in 0..r.ncols() {
        for second in first..r.ncols() {
            let product = r.column(first).dot(&r.column(second));
            let exact = if first == second { 1.0 } else { 0.0 };
            // Written so that NaN is refused.
            let is_orthogonal = (product - exact).abs() <= ORTHOGONAL * r.nrows() as f64;
            if !is_orthogonal {
                return Err(SetError::NotOrthogonal { what, first, second, product });
            }
        }
    }
    Ok(())
}

/// Accepts finite numbers above 0.
pub(super) fn check_positive(what: &'static str, value: f64) -> Result<(), SetError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(SetError::NotPositive { what, value }) }
}
