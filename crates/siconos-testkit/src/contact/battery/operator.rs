//! Battery problems in the global formulation, which has the bodies instead of W.

use ndarray::Array2;
use siconos_linalg::{Csc, DenseLu, Matrix, MatrixRef};

use super::Drawn;

impl Drawn {
    /// Returns the mass matrix M and the matrix H of the problem. Each is stored dense or sparse. M is not
    /// symmetric if the bodies have gyroscopic terms. H has a row for each degree of freedom and a column for
    /// each unknown of the contacts. $H^T M^{-1} H$ equals W up to rounding.
    ///
    /// # Panics
    ///
    /// Never, because the drawn inverse mass matrices are regular.
    #[must_use]
    pub fn bodies(&self) -> (Matrix, Matrix) {
        let (m, h) = (inverted(&self.bodies.inverse), self.bodies.jacobian.t().to_owned());
        if self.number.is_multiple_of(2) {
            return (Matrix::from(m), Matrix::from(h));
        }
        let sparse = |a: &Array2<f64>| Matrix::from(Csc::from_matrix(MatrixRef::from(a)));
        (sparse(&m), sparse(&h))
    }
}

/// Returns the inverse of a matrix; a diagonal matrix is inverted entry by entry.
fn inverted(a: &Array2<f64>) -> Array2<f64> {
    let n = a.nrows();
    if a.indexed_iter().all(|((i, j), x)| i == j || *x == 0.0) {
        return Array2::from_diag(&a.diag().mapv(|x| 1.0 / x));
    }
    let mut lu = DenseLu::default();
    lu.factor(a.view()).expect("what is drawn is regular");
    let mut inverse = Array2::zeros((n, n));
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        lu.solve(&mut column);
        inverse.column_mut(j).assign(&ndarray::ArrayView1::from(&column));
    }
    inverse
}
