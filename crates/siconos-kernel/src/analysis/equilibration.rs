//! Scaling of a matrix so that its units no longer matter.
//!
//! A smallest eigenvalue or singular value says something only beside the size of the matrix, and a size is a number only
//! when all entries have the same unit. Ruiz's iteration ("A scaling algorithm to equilibrate both rows and columns norms
//! in matrices", 2001) divides rows and columns by the square roots of their largest entries until all of these are 1.
//! It is applied to the *sizes* of the entries (sums of the magnitudes of their terms), so that rounding errors after the
//! scaling are below a multiple of the machine precision in every entry.

use ndarray::Array2;

/// The distance of the largest entries from 1, in powers of two, halves each time: enough for any two numbers of type f64.
const SWEEPS: usize = 30;

/// Factors r and c, so that the largest of r_i s_ij c_j in each row and column is near 1; 1 for rows and columns of zeros.
pub(super) fn row_column_scaling(size: &Array2<f64>) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = size.dim();
    let (mut r, mut c) = (vec![1.0; rows], vec![1.0; columns]);
    for _ in 0..SWEEPS {
        let (mut of_row, mut of_column) = (vec![0.0_f64; rows], vec![0.0_f64; columns]);
        for ((i, j), s) in size.indexed_iter() {
            let entry = s * r[i] * c[j];
            of_row[i] = of_row[i].max(entry);
            of_column[j] = of_column[j].max(entry);
        }
        for (factor, largest) in r.iter_mut().zip(of_row).chain(c.iter_mut().zip(of_column)) {
            if largest > 0.0 {
                *factor /= largest.sqrt();
            }
        }
    }
    (r, c)
}

/// Factors d, so that the largest of d_i s_ij d_j in each row of a symmetric matrix is near 1; 1 for rows of zeros.
pub(super) fn symmetric_scaling(size: &Array2<f64>) -> Vec<f64> {
    let n = size.nrows();
    let mut d = vec![1.0; n];
    for _ in 0..SWEEPS {
        let mut largest = vec![0.0_f64; n];
        for ((i, j), s) in size.indexed_iter() {
            largest[i] = largest[i].max(s * d[i] * d[j]);
        }
        for (factor, largest) in d.iter_mut().zip(largest) {
            if largest > 0.0 {
                *factor /= largest.sqrt();
            }
        }
    }
    d
}

/// The matrix with entries r_i a_ij c_j.
pub(super) fn scaled(a: &Array2<f64>, r: &[f64], c: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn(a.dim(), |(i, j)| a[[i, j]] * r[i] * c[j])
}

/// The largest sum of the magnitudes of a row: a bound of the spectral norm of a symmetric matrix.
pub(super) fn largest_row_sum(a: &Array2<f64>) -> f64 {
    a.rows().into_iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}
