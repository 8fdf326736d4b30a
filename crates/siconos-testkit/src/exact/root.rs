//! Bisection to the last bit.

/// Finds where `f` changes from `f(a) >= 0` to `f(b) < 0`: the last point, as far as numbers are dense, at
/// which `f` is still not negative.
///
/// Bisection needs no smoothness, and 60 evaluations are cheap here; the point is as exact as `f` is.
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
