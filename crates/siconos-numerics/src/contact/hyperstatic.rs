//! Contacts that outnumber what moves, on which sweeps are tested: they do not end soon.

use ndarray::Array2;

use super::ContactLaw;

fn number(i: usize, j: usize) -> f64 {
    ((7 * i + 13 * j + i * j) as f64).sin()
}

/// W of half the rank, and q.
pub(super) fn hyperstatic(law: &ContactLaw<'_>) -> (Array2<f64>, Vec<f64>) {
    let h = directions(law);
    (h.t().dot(&h), (0..law.size()).map(|i| number(i, 3) - 2.0).collect())
}

/// H of the same W, of bodies with unit mass.
pub(super) fn directions(law: &ContactLaw<'_>) -> Array2<f64> {
    Array2::from_shape_fn((law.size() / 2, law.size()), |(i, j)| 8.0 * number(i, j))
}
