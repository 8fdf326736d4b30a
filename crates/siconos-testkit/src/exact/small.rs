//! Gaussian elimination for a few unknowns, independent of the crates under test.

use ndarray::{Array1, Array2};

/// Fraction of the largest entry below which a pivot counts as zero.
const SMALL: f64 = 1e-11;

/// Solves $A x = b$ by elimination with partial pivoting. Returns `None` if the matrix is singular up to
/// rounding.
pub(super) fn solve(mut a: Array2<f64>, mut b: Array1<f64>) -> Option<Array1<f64>> {
    let n = b.len();
    // The rows are scaled to a largest entry of 1, so that the choice of pivots does not depend on units.
    for i in 0..n {
        let size = a.row(i).iter().fold(0.0_f64, |s, x| s.max(x.abs()));
        if size == 0.0 {
            return None;
        }
        a.row_mut(i).mapv_inplace(|x| x / size);
        b[i] /= size;
    }
    let columns: Vec<f64> =
        a.columns().into_iter().map(|c| c.iter().fold(0.0, |s: f64, x| s.max(x.abs()))).collect();
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| if a[[i, k]].abs() > a[[best, k]].abs() { i } else { best });
        if a[[pivot, k]].abs() <= SMALL * columns[k] {
            return None;
        }
        swap_rows(&mut a, k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[[i, k]] / a[[k, k]];
            for j in k..n {
                a[[i, j]] -= factor * a[[k, j]];
            }
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[[i, j]] * b[j]).sum();
        b[i] = (b[i] - known) / a[[i, i]];
    }
    Some(b)
}

/// Returns the null vector of a matrix, scaled so that its entry of largest magnitude is 1 or -1. Returns
/// `None` if the dimension of the null space is not one.
pub(super) fn single_null_direction(mut a: Array2<f64>) -> Option<Array1<f64>> {
    let (rows, n) = a.dim();
    let size = a.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    let (mut row, mut free) = (0, None);
    for column in 0..n {
        let pivot = (row..rows)
            .reduce(|best, i| if a[[i, column]].abs() > a[[best, column]].abs() { i } else { best });
        match pivot {
            Some(pivot) if a[[pivot, column]].abs() > SMALL * size => {
                swap_rows(&mut a, row, pivot);
                let lead = a[[row, column]];
                a.row_mut(row).mapv_inplace(|x| x / lead);
                let leading = a.row(row).to_owned();
                for i in (0..rows).filter(|i| *i != row) {
                    let factor = a[[i, column]];
                    a.row_mut(i).scaled_add(-factor, &leading);
                }
                row += 1;
            }
            _ if free.is_some() => return None,
            _ => free = Some(column),
        }
    }
    let free = free?;
    let mut direction = Array1::zeros(n);
    direction[free] = 1.0;
    for column in (0..n).filter(|c| *c != free) {
        let row = column - usize::from(column > free);
        direction[column] = -a[[row, free]];
    }
    let largest = direction.iter().fold(0.0_f64, |s, x| s.max(x.abs()));
    Some(direction / largest)
}

fn swap_rows(a: &mut Array2<f64>, i: usize, k: usize) {
    for j in 0..a.ncols() {
        a.swap([i, j], [k, j]);
    }
}
