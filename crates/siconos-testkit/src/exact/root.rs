//! Bisection to rounding accuracy.

/// Finds a sign change of `f` from `f(a) >= 0` to `f(b) < 0`. Returns the last floating-point number at which
/// `f` is still nonnegative.
///
/// Bisection does not require smoothness and takes about 60 evaluations. The result is as accurate as `f`.
pub(super) fn last_not_negative(mut f: impl FnMut(f64) -> f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (a, b);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        if f(middle) >= 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}
