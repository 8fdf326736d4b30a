//! Contacts that outnumber what moves, on which sweeps are tested: they do not end soon.

use ndarray::Array2;

use super::ContactLaw;

/// W of half the rank, and q.
pub(super) fn hyperstatic(law: &ContactLaw<'_>) -> (Array2<f64>, Vec<f64>) {
    let number = |i: usize, j: usize| ((7 * i + 13 * j + i * j) as f64).sin();
    let n = law.size();
    let columns = Array2::from_shape_fn((n / 2, n), |(i, j)| number(i, j));
    let q = (0..n).map(|i| number(i, 3) - 2.0).collect();
    (columns.t().dot(&columns) * 64.0, q)
}
