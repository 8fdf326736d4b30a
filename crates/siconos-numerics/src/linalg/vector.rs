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

/// From this length on [`dot`] adds in [`LANES`] sums at once; below, the order of addition is that of the entries.
const SHORT: usize = 32;

/// Partial sums that do not wait for one another.
const LANES: usize = 16;

/// The scalar product $a^T b$ over the shorter of the two lengths.
#[inline]
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    if n < SHORT {
        return a.iter().zip(b).map(|(x, y)| x * y).sum();
    }
    let mut sums = [0.0; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| x * y).sum::<f64>();
    for (a, b) in a_chunks.zip(b_chunks) {
        for ((sum, x), y) in sums.iter_mut().zip(a).zip(b) {
            *sum += x * y;
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The Euclidean norm.
#[inline]
#[must_use]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
