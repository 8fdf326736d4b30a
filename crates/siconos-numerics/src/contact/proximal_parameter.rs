//! Parameter of the two proximal point methods, with W and in velocity space.

/// Compliance that a proximal point method adds to each contact, as a fraction of the compliance of the
/// contact. The fraction is decreased while the regularised problems are solved quickly, and increased if
/// they are not solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProximalParameter {
    pub(super) value: f64,
    /// Value of the parameter at the last failure, divided by the error of the point at that time.
    failed: f64,
}

/// Minimum error from which the initial value of the parameter is computed. An initial guess that was not
/// computed by this method can have a small error although the method does not converge from it.
const LEAST_FIRST_ERROR: f64 = 1e-2;

/// Lower bound of the parameter after a failure, as a multiple of its value at the last failure. This value
/// is first scaled in proportion to the error.
const KEPT_ABOVE: f64 = 2.0;

/// Factor by which each success multiplies the stored value of the last failure.
const FORGOTTEN: f64 = 0.8;

/// An inner solve of at most this many Newton steps is quick.
const QUICK: f64 = 2.0;

/// An inner solve of at most this many Newton steps is quick or moderate; with more steps it is slow.
const NOT_SLOW: f64 = 5.0;

/// Divisors of the parameter after a quick, a moderate and a slow inner solve. In a slow solve, the set of
/// sliding contacts changes many times along a valley in which the error hardly changes. Short outer steps
/// then need the fewest Newton steps in total. If the parameter became smaller, the next inner solve would
/// fail.
const RELIEFS: [f64; 3] = [16.0, 4.0, 1.0];

/// Upper bound of the parameter, above which the reactions hardly change.
const LARGEST: f64 = 1e6;

/// Lower bound of the parameter. Below it, the regularisation has no effect, and the reciprocal of the
/// parameter could overflow.
const SMALLEST: f64 = 1e-30;

impl ProximalParameter {
    /// Creates the parameter. Its initial value is `sigma` times the error of the initial guess.
    pub(super) fn begin(sigma: f64, error: f64) -> Self {
        Self { value: (sigma * error.max(LEAST_FIRST_ERROR)).clamp(SMALLEST, LARGEST), failed: 0.0 }
    }

    /// Updates the parameter after a successful inner solve that cost as much as `steps` Newton steps.
    /// `error` is the error of the new point.
    pub(super) fn after_success(&mut self, steps: f64, error: f64) {
        self.failed *= FORGOTTEN;
        let relief = RELIEFS[usize::from(steps > QUICK) + usize::from(steps > NOT_SLOW)];
        let least = KEPT_ABOVE * self.failed * error;
        self.value = (self.value / relief).max(least.min(self.value)).max(SMALLEST);
    }

    /// Updates the parameter after an inner solve that failed. `error` is the error of the point from which
    /// the iteration continues.
    pub(super) fn after_failure(&mut self, retreat: f64, error: f64) {
        self.failed = self.value / error;
        self.value *= retreat;
    }

    /// Returns `true` if the parameter is small enough for the reactions to change.
    pub(super) fn is_of_use(&self) -> bool {
        self.value <= LARGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_with_quick_successes_and_keeps_away_from_what_has_failed() {
        let mut parameter = ProximalParameter::begin(0.5, 1e-5);
        assert_eq!(parameter.value, 5e-3);
        parameter.after_success(1.0, 1e-6);
        assert_eq!(parameter.value, 5e-3 / 16.0);
        parameter.after_failure(5.0, 1e-6);
        assert_eq!(parameter.value, 5.0 * 5e-3 / 16.0);
        parameter.after_success(1.0, 1e-6);
        // The bound is 2 times 0.8 times the value that failed. A sixteenth of the value would be below it.
        assert!((parameter.value / (1.6 * 5e-3 / 16.0) - 1.0).abs() < 1e-12);
        // The error can increase for a while. A success never increases the parameter.
        let before = parameter.value;
        parameter.after_success(30.0, 1.0);
        assert_eq!(parameter.value, before);
        // A slow success does not decrease the parameter either.
        parameter.after_success(6.0, 1e-9);
        assert_eq!(parameter.value, before);
        assert!(ProximalParameter::begin(0.5, 1e9).is_of_use());
        // After many successes, or with a tiny sigma, the reciprocal of the value is still finite.
        for sigma in [0.5, f64::MIN_POSITIVE] {
            let mut idle = ProximalParameter::begin(sigma, 1.0);
            (0..1000).for_each(|_| idle.after_success(0.0, 1.0));
            assert!(idle.is_of_use() && (1.0 / idle.value).is_finite());
        }
        let failures = (0..100).take_while(|_| {
            parameter.after_failure(5.0, 1e-6);
            parameter.is_of_use()
        });
        assert!((5..20).contains(&failures.count()));
    }
}
