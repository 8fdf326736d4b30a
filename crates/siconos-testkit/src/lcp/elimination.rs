//! Simple Gaussian elimination, independent of the code under test.

use crate::compare::worse;
use ndarray::{Array2, ArrayView2};

/// Fraction of the largest entry below which an entry counts as zero.
const ZERO: f64 = 1e-11;

/// Solves $A x = b$ for a matrix with at least as many rows as columns. Returns `None` if the columns are
/// linearly dependent or if `b` is not in their span.
pub(super) fn solve_exactly(mut a: Array2<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let (rows, columns) = a.dim();
    if rows < columns {
        return None;
    }
    let largest = |values: &mut dyn Iterator<Item = &f64>| values.fold(0.0_f64, |m, x| m.max(x.abs()));
    let (zero_a, zero_b) = (ZERO * largest(&mut a.iter()), ZERO * largest(&mut b.iter()).max(1.0));
    for k in 0..columns {
        let pivot_row = (k..rows).max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs()))?;
        if a[[pivot_row, k]].abs() <= zero_a {
            return None;
        }
        for j in 0..columns {
            a.swap([k, j], [pivot_row, j]);
        }
        b.swap(k, pivot_row);
        for i in k + 1..rows {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..columns {
                a[[i, j]] -= factor * a[[k, j]];
            }
            b[i] -= factor * b[k];
        }
    }
    if b[columns..].iter().any(|x| x.abs() > zero_b) {
        return None;
    }
    for k in (0..columns).rev() {
        let known: f64 = (k + 1..columns).map(|j| a[[k, j]] * b[j]).sum();
        b[k] = (b[k] - known) / a[[k, k]];
    }
    b.truncate(columns);
    Some(b)
}

/// Returns the condition number in the maximum row sum norm, or infinity if the matrix is singular.
///
/// # Panics
///
/// If the matrix is not square.
#[track_caller]
#[must_use]
pub fn condition_number(a: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(a.nrows(), a.ncols(), "only a square matrix has a condition number here");
    let Some(inverse) = inverse(a.to_owned()) else { return f64::INFINITY };
    let norm = |a: ArrayView2<'_, f64>| {
        a.rows().into_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, worse)
    };
    norm(a) * norm(inverse.view())
}

/// Returns the inverse by Gauss-Jordan elimination, or `None` if the matrix is singular to working precision.
pub(super) fn inverse(mut a: Array2<f64>) -> Option<Array2<f64>> {
    let n = a.nrows();
    let zero = ZERO * a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut inverse = Array2::eye(n);
    for k in 0..n {
        let pivot_row = (k..n).max_by(|&i, &j| a[[i, k]].abs().total_cmp(&a[[j, k]].abs()))?;
        if a[[pivot_row, k]].abs() <= zero {
            return None;
        }
        for j in 0..n {
            a.swap([k, j], [pivot_row, j]);
            inverse.swap([k, j], [pivot_row, j]);
        }
        let pivot = a[[k, k]];
        let (row, inverse_row) = (a.row(k).to_owned() / pivot, inverse.row(k).to_owned() / pivot);
        for i in 0..n {
            let factor = a[[i, k]];
            if i == k {
                a.row_mut(i).assign(&row);
                inverse.row_mut(i).assign(&inverse_row);
            } else if factor != 0.0 {
                a.row_mut(i).scaled_add(-factor, &row);
                inverse.row_mut(i).scaled_add(-factor, &inverse_row);
            }
        }
    }
    Some(inverse)
}
