//! The same problems with the velocities of the bodies as unknowns: M v = H r + f, u = H^T v + w.

use ndarray::Array2;
use siconos_linalg::{Csc, DenseLu, Matrix, MatrixRef};

use super::Drawn;
use crate::random::RandomState;

/// A problem in global form: $M v = H r + f$, $u = H^T v + w$, with $H^T M^{-1} H$ and $H^T M^{-1} f + w$
/// those of the local form to rounding.
#[derive(Clone, Debug)]
pub struct GlobalForm {
    /// The mass matrix; not symmetric where there are gyroscopic terms.
    pub m: Matrix,
    /// A row per degree of freedom, a column per unknown of the contacts.
    pub h: Matrix,
    /// The free momentum.
    pub f: Vec<f64>,
    /// The part of the velocity that is given.
    pub w: Vec<f64>,
}

impl Drawn {
    /// The problem in global form, dense or sparse.
    ///
    /// # Panics
    ///
    /// Never: the inverse masses that are drawn are regular.
    #[must_use]
    pub fn global_form(&self) -> GlobalForm {
        let (jacobian, freedoms) = (&self.bodies.jacobian, self.bodies.inverse.nrows());
        let m = inverted(&self.bodies.inverse);
        let mut random = RandomState::new((self.number as u32 + 1).wrapping_mul(0x85EB_CA6B));
        let size = self.q.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
        // Velocities of the size of the free ones at the contacts.
        let entries = jacobian.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        let of_velocity = if entries > 0.0 { size / entries } else { size };
        let free = ndarray::Array1::from_shape_simple_fn(freedoms, || of_velocity * random.standard_normal());
        let w = self.q.iter().zip(jacobian.dot(&free)).map(|(q, u)| q - u).collect();
        let f = m.dot(&free).to_vec();
        let h = jacobian.t().to_owned();
        let (m, h) = if self.number.is_multiple_of(2) {
            (Matrix::from(m), Matrix::from(h))
        } else {
            let sparse = |a: &Array2<f64>| Matrix::from(Csc::from_matrix(MatrixRef::from(a)));
            (sparse(&m), sparse(&h))
        };
        GlobalForm { m, h, f, w }
    }
}

/// The inverse of a matrix, of a diagonal one entry by entry.
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
