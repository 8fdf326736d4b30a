//! Bisection to rounding accuracy.

/// Finds a sign change of `f` between `a`, where `f` is nonnegative, and `b`, where `f` is negative. Returns
/// a floating-point number at which `f` is nonnegative. At the next larger floating-point number, `f` is
/// negative.
///
/// Bisection does not require a smooth function and takes about 60 evaluations. The result is as accurate as
/// the values of `f`.
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
