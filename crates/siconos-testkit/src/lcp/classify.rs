//! Classification of a matrix.

use ndarray::{Array2, Axis};

use siconos_numerics::method::MatrixClass;

/// Maximum number of rows for which all principal minors are computed.
const LARGEST_WITH_MINORS: usize = 10;

/// Fraction of the largest entry above which pivots and minors count as positive.
const POSITIVE: f64 = 1e-10;

/// Returns the smallest class that a few checks can establish. Positive definite matrices and H-matrices are
/// recognised by elimination, and diagonally dominant matrices by row sums, at any size. P-matrices and
/// semidefinite matrices are recognised by their principal minors, up to ten rows. If no check succeeds, the
/// result is [`MatrixClass::General`].
///
/// # Panics
///
/// If the matrix is not square.
#[track_caller]
#[must_use]
pub fn class_of(m: &Array2<f64>) -> MatrixClass {
    assert_eq!(m.nrows(), m.ncols(), "only a square matrix has a class");
    let largest = m.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let is_symmetric = m.indexed_iter().all(|((i, j), x)| (x - m[[j, i]]).abs() <= 1e-13 * largest);
    let symmetric_part = (m + &m.t()) * 0.5;
    let comparison =
        Array2::from_shape_fn(m.dim(), |(i, j)| if i == j { m[[i, j]] } else { -m[[i, j]].abs() });
    let is_dominant = comparison.rows().into_iter().all(|row| row.sum() > POSITIVE * largest);
    let small = m.nrows() <= LARGEST_WITH_MINORS;
    if has_positive_pivots(symmetric_part.clone()) {
        if is_symmetric { MatrixClass::SymmetricPositiveDefinite } else { MatrixClass::PositiveDefinite }
    } else if is_dominant {
        MatrixClass::DiagonallyDominant
    } else if has_positive_pivots(comparison) {
        MatrixClass::HMatrix
    } else if small && least_minor(m) > POSITIVE {
        MatrixClass::PMatrix
    } else if small && least_minor(&symmetric_part) > -POSITIVE {
        if is_symmetric {
            MatrixClass::SymmetricPositiveSemidefinite
        } else {
            MatrixClass::PositiveSemidefinite
        }
    } else {
        MatrixClass::General
    }
}

/// Returns `true` if all pivots of an elimination without row exchanges are positive. A symmetric matrix with
/// positive pivots is positive definite. A matrix with positive pivots and without positive entries off the
/// diagonal is an M-matrix.
fn has_positive_pivots(mut a: Array2<f64>) -> bool {
    let n = a.nrows();
    let zero = POSITIVE * a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for k in 0..n {
        if a[[k, k]] <= zero {
            return false;
        }
        let pivot_row = a.row(k).to_owned();
        for i in k + 1..n {
            let factor = a[[i, k]] / pivot_row[k];
            if factor != 0.0 {
                a.row_mut(i).scaled_add(-factor, &pivot_row);
            }
        }
    }
    true
}

/// Returns the smallest principal minor. Rows and columns are first scaled so that positive diagonal entries
/// are 1.
fn least_minor(m: &Array2<f64>) -> f64 {
    let scale: Vec<f64> = m.diag().iter().map(|d| if *d > 0.0 { d.sqrt().recip() } else { 1.0 }).collect();
    let m = Array2::from_shape_fn(m.dim(), |(i, j)| scale[i] * m[[i, j]] * scale[j]);
    let minors = (1_u32..1 << m.nrows()).map(|set| {
        let indices: Vec<usize> = (0..m.nrows()).filter(|i| set & (1 << i) != 0).collect();
        determinant(m.select(Axis(0), &indices).select(Axis(1), &indices))
    });
    minors.fold(f64::INFINITY, f64::min)
}

fn determinant(mut a: Array2<f64>) -> f64 {
    let n = a.nrows();
    let mut determinant = 1.0;
    for k in 0..n {
        let pivot_row = (k..n).fold(k, |best, i| if a[[i, k]].abs() > a[[best, k]].abs() { i } else { best });
        if a[[pivot_row, k]] == 0.0 {
            return 0.0;
        }
        if pivot_row != k {
            determinant = -determinant;
            (0..n).for_each(|j| a.swap([k, j], [pivot_row, j]));
        }
        determinant *= a[[k, k]];
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
        }
    }
    determinant
}
