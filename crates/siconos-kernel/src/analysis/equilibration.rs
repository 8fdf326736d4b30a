//! Scaling of a matrix so that its units no longer matter.
//!
//! A smallest eigenvalue or singular value says something only beside the size of the matrix, and a size is a
//! number only when all entries have the same unit. The factors for rows and columns are chosen so that the
//! squares of the logarithms of all entries that are not zero have the smallest sum (Curtis and Reid 1972,
//! "On the automatic scaling of matrices for Gaussian elimination"). A change of units adds to the logarithms
//! what the unknowns take off again: the scaled matrix is the same in all units. (To make the largest entry
//! of each row and column 1 would not do: many scalings have that property, and in some of them what matters
//! is too small to be seen.)
//!
//! It is applied to the *sizes* of the entries (sums of the magnitudes of their terms), next to which
//! rounding errors are small whatever cancels.

use ndarray::Array2;
use siconos_linalg::DenseCholesky;

/// Keeps the least squares problem regular: the units of parts that are not connected are not determined.
const RIDGE: f64 = 1e-9;

/// A linear least squares problem of a few unknowns per equation, by its normal equations; coefficients are 1
/// or 2 in magnitude, so that these are well enough conditioned.
pub(crate) struct LogarithmicFit {
    normal: Vec<f64>,
    right_hand_side: Vec<f64>,
}

impl LogarithmicFit {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self { normal: vec![0.0; unknowns * unknowns], right_hand_side: vec![0.0; unknowns] }
    }

    /// Asks that the sum of coefficient times unknown be `value`.
    pub(crate) fn ask(&mut self, terms: &[(usize, f64)], value: f64) {
        let size = self.right_hand_side.len();
        for &(p, u) in terms {
            for &(q, v) in terms {
                self.normal[q * size + p] += u * v;
            }
            self.right_hand_side[p] += u * value;
        }
    }

    /// The unknowns; zeros should the normal equations be singular to rounding in spite of the ridge.
    pub(crate) fn solve(self) -> Vec<f64> {
        let mut solution = self.right_hand_side;
        let size = solution.len();
        let mut cholesky = DenseCholesky::default();
        cholesky.entries_mut(size).copy_from_slice(&self.normal);
        for k in 0..size {
            cholesky.entries_mut(size)[k * size + k] += RIDGE;
        }
        match cholesky.factor() {
            Ok(()) => cholesky.solve(&mut solution),
            Err(_) => solution.fill(0.0),
        }
        solution
    }
}

/// Factors r and c, so that the entries r_i s_ij c_j are as near to 1 as can be.
pub fn row_column_scaling(size: &Array2<f64>) -> (Vec<f64>, Vec<f64>) {
    let (rows, columns) = size.dim();
    let mut fit = LogarithmicFit::new(rows + columns);
    for ((i, j), s) in size.indexed_iter().filter(|(_, s)| **s > 0.0) {
        fit.ask(&[(i, 1.0), (rows + j, 1.0)], -s.log2());
    }
    let mut r: Vec<f64> = fit.solve().iter().map(|x| x.exp2()).collect();
    let c = r.split_off(rows);
    (r, c)
}

/// Factors d, so that the entries d_i s_ij d_j of a symmetric matrix are as near to 1 as can be.
pub(crate) fn symmetric_scaling(size: &Array2<f64>) -> Vec<f64> {
    let mut fit = LogarithmicFit::new(size.nrows());
    for ((i, j), s) in size.indexed_iter().filter(|((i, j), s)| j <= i && **s > 0.0) {
        if i == j {
            fit.ask(&[(i, 2.0)], -s.log2());
        } else {
            fit.ask(&[(i, 1.0), (j, 1.0)], -s.log2());
        }
    }
    fit.solve().iter().map(|x| x.exp2()).collect()
}

/// The matrix with entries r_i a_ij c_j.
pub fn scaled(a: &Array2<f64>, r: &[f64], c: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn(a.dim(), |(i, j)| a[[i, j]] * r[i] * c[j])
}

/// The root of the sum of squares of the entries, a bound of the spectral norm.
pub fn frobenius(a: &Array2<f64>) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}
