//! Relative errors.

/// Returns error / size; 0 if the error is 0, even if the size is 0.
pub(super) fn relative(error: f64, size: f64) -> f64 {
    if error == 0.0 { 0.0 } else { error / size }
}

/// Returns the larger of two errors, or NaN if one of them is NaN (`f64::max` would ignore NaN).
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
