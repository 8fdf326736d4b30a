//! Observed order of convergence.
//!
//! The error of a scheme that does not locate impacts depends irregularly on the position of the impact
//! within the step. If successive step sizes have a ratio of 2, the same few positions recur, and the
//! observed order is wrong. Use many step sizes with irrational ratios, as returned by [`steps`], and fit all
//! errors with [`observed_order`].

use crate::compare::worse;

/// Returns `n` step sizes in decreasing order, from `coarsest` to `finest`, both included. They are evenly
/// spaced on a logarithmic scale, except for a deterministic shift by less than 0.3 of the spacing, computed
/// from multiples of the golden ratio.
///
/// # Panics
///
/// If `n < 2`, or if `0 < finest < coarsest` does not hold.
#[track_caller]
#[must_use]
pub fn steps(n: usize, coarsest: f64, finest: f64) -> Vec<f64> {
    assert!(n >= 2, "a slope needs two steps");
    assert!(0.0 < finest && finest < coarsest, "0 < finest < coarsest, not {finest} and {coarsest}");
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let last = n - 1;
    let exponent = |i: usize| {
        let shift = 0.6 * ((i as f64 * GOLDEN).fract() - 0.5);
        (i as f64 + shift) / last as f64
    };
    (0..n)
        .map(|i| match i {
            0 => coarsest,
            _ if i == last => finest,
            _ => coarsest * (finest / coarsest).powf(exponent(i)),
        })
        .collect()
}

/// Line log(error) = order * log(h) + log(constant), fitted by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservedOrder {
    /// Slope of the line.
    pub order: f64,
    /// Error on the line at h = 1.
    pub constant: f64,
    /// Largest ratio of an error to the line, or of the line to an error; at least 1.
    pub scatter: f64,
}

/// Fits the observed order to pairs of step size and error.
///
/// # Panics
///
/// If the lengths differ, if there are fewer than two different step sizes, or if an entry is not positive
/// and finite. In particular, an error of exactly 0 panics, because it has no logarithm.
#[track_caller]
#[must_use]
pub fn observed_order(steps: &[f64], errors: &[f64]) -> ObservedOrder {
    assert_eq!(steps.len(), errors.len(), "as many errors as steps");
    let positive = |x: &f64| *x > 0.0 && x.is_finite();
    assert!(
        steps.iter().chain(errors).all(positive),
        "steps and errors must be positive: {steps:?} {errors:?}"
    );
    let n = steps.len() as f64;
    let mean = |values: &[f64]| values.iter().map(|x| x.ln()).sum::<f64>() / n;
    let (mean_h, mean_e) = (mean(steps), mean(errors));
    let (mut above, mut below) = (0.0, 0.0);
    for (h, e) in steps.iter().zip(errors) {
        above += (h.ln() - mean_h) * (e.ln() - mean_e);
        below += (h.ln() - mean_h).powi(2);
    }
    assert!(below > 0.0, "a slope needs two different steps");
    let order = above / below;
    let intercept = mean_e - order * mean_h;
    let off = |(h, e): (&f64, &f64)| (e.ln() - order * h.ln() - intercept).abs();
    let scatter = steps.iter().zip(errors).map(off).fold(0.0, worse).exp();
    ObservedOrder { order, constant: intercept.exp(), scatter }
}
