//! Numbers beside the sizes of their terms.

/// An error by the size of its terms: 0 where it is 0, whatever these are.
pub(super) fn relative(error: f64, size: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / size }
}

/// The larger of two errors; NaN where one is NaN, which `f64::max` passes over.
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
