//! Scaling of a matrix, so that results do not depend on the units of its rows and columns.
//!
//! A smallest eigenvalue or singular value is meaningful only relative to the norm of the matrix, and the
//! norm is meaningful only if all entries have the same unit. The factors for rows and columns minimise the
//! sum of the squared logarithms of all nonzero entries (Curtis and Reid 1972, "On the automatic scaling of
//! matrices for Gaussian elimination"). A change of units changes only these factors, so the scaled matrix is
//! the same in all units. It would not be sufficient to scale the largest entry of each row and column to 1:
//! many scalings have this property, and in some of them relevant entries become too small to be detected.
//!
//! The scaling is computed from the *sizes* of the entries (sums of the magnitudes of their terms). Rounding
//! errors are small relative to these sizes even if terms cancel.

use ndarray::Array2;
use siconos_linalg::DenseCholesky;

/// Regularisation, added to the diagonal of the normal equations. Without it, the relative units of blocks
/// that are not connected by nonzero entries would be undetermined.
const RIDGE: f64 = 1e-9;

/// Linear least-squares problem with few unknowns per equation, solved with the normal equations. The normal
/// equations are sufficiently well conditioned, because all coefficients have magnitude 1 or 2.
pub(crate) struct LogarithmicFit {
    normal: Vec<f64>,
    right_hand_side: Vec<f64>,
}

impl LogarithmicFit {
    pub(crate) fn new(unknowns: usize) -> Self {
        Self { normal: vec![0.0; unknowns * unknowns], right_hand_side: vec![0.0; unknowns] }
    }

    /// Adds the equation "sum of all terms = `value`". A term is the product of an unknown, given by its
    /// index, and a coefficient.
    pub(crate) fn ask(&mut self, terms: &[(usize, f64)], value: f64) {
        let size = self.right_hand_side.len();
        for &(p, u) in terms {
            for &(q, v) in terms {
                self.normal[q * size + p] += u * v;
            }
            self.right_hand_side[p] += u * value;
        }
    }

    /// Returns the unknowns, or zeros if the normal equations are numerically singular despite the
    /// regularisation.
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

/// Returns factors r and c that bring the entries r_i s_ij c_j as close to 1 as possible. The matrix s is
/// `size`.
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

/// Returns factors d that bring the entries d_i s_ij d_j as close to 1 as possible. The symmetric matrix s is
/// `size`.
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

/// Returns the matrix with entries r_i a_ij c_j.
pub fn scaled(a: &Array2<f64>, r: &[f64], c: &[f64]) -> Array2<f64> {
    Array2::from_shape_fn(a.dim(), |(i, j)| a[[i, j]] * r[i] * c[j])
}

/// Returns the Frobenius norm, an upper bound of the spectral norm.
pub fn frobenius(a: &Array2<f64>) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}
