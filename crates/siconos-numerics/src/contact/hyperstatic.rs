//! Hyperstatic test problem, which has more contact unknowns than degrees of freedom. Gauss-Seidel sweeps
//! converge slowly for it.

use ndarray::Array2;

use super::ContactLaw;

fn number(i: usize, j: usize) -> f64 {
    ((7 * i + 13 * j + i * j) as f64).sin()
}

/// Returns a matrix W whose rank is half its size, and a vector q.
pub(super) fn hyperstatic(law: &ContactLaw<'_>) -> (Array2<f64>, Vec<f64>) {
    let h = directions(law);
    (h.t().dot(&h), (0..law.size()).map(|i| number(i, 3) - 2.0).collect())
}

/// Returns the matrix H of the problem, for bodies of unit mass: [`hyperstatic`] returns W = H^T H.
pub(super) fn directions(law: &ContactLaw<'_>) -> Array2<f64> {
    Array2::from_shape_fn((law.size() / 2, law.size()), |(i, j)| 8.0 * number(i, j))
}
