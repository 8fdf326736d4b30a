//! Operations on slices that are written once.

use ndarray::ArrayView2;

/// A square matrix over a slice that holds it row by row.
///
/// # Panics
///
/// When the slice has not `n` times `n` entries.
#[track_caller]
#[must_use]
pub fn square(entries: &[f64], n: usize) -> ArrayView2<'_, f64> {
    match ArrayView2::from_shape((n, n), entries) {
        Ok(view) => view,
        Err(_) => panic!("{} entries make no {n} x {n} matrix", entries.len()),
    }
}

/// The scalar product $a^T b$ over the shorter of the two lengths.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The Euclidean norm.
#[inline]
#[must_use]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
