//! Parameter of the proximal point methods, with W and in velocity space.

/// Compliance that is added to each contact, as a fraction of its own. The fraction decreases while the
/// regularised problems are solved quickly, and increases if they are not solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProximalParameter {
    pub(super) value: f64,
    /// Last value that failed, divided by the error at that point.
    failed: f64,
}

/// Smallest error from which the first value is computed: an initial guess from elsewhere may have a small
/// error and yet not lead to a solution.
const LEAST_FIRST_ERROR: f64 = 1e-2;

/// The value stays above `KEPT_ABOVE` times the value that failed last, in proportion to the error. Each
/// success multiplies the remembered failure by `FORGOTTEN`.
const KEPT_ABOVE: f64 = 2.0;
const FORGOTTEN: f64 = 0.8;

/// Largest numbers of Newton steps of a quick and of a moderate inner solve, and the divisors of the value
/// after a quick, a moderate and a slow solve. In a slow solve the set of sliding contacts changes many
/// times, along a valley in which the error hardly changes. Short outer steps then take the fewest Newton
/// steps in total, and with a smaller value the next inner solve would fail.
const QUICK: f64 = 2.0;
const NOT_SLOW: f64 = 5.0;
const RELIEFS: [f64; 3] = [16.0, 4.0, 1.0];

/// Bounds of the value. Above `LARGEST` the reactions hardly move. Below `SMALLEST` nothing is regularised,
/// and the inverse of the value could overflow.
const LARGEST: f64 = 1e6;
const SMALLEST: f64 = 1e-30;

impl ProximalParameter {
    /// Creates the first value: `sigma` times the error of the initial guess.
    pub(super) fn begin(sigma: f64, error: f64) -> Self {
        Self { value: (sigma * error.max(LEAST_FIRST_ERROR)).clamp(SMALLEST, LARGEST), failed: 0.0 }
    }

    /// Updates the value after an inner solve that succeeded in the time of `steps` Newton steps, at a point
    /// with this error.
    pub(super) fn after_success(&mut self, steps: f64, error: f64) {
        self.failed *= FORGOTTEN;
        let relief = RELIEFS[usize::from(steps > QUICK) + usize::from(steps > NOT_SLOW)];
        let least = KEPT_ABOVE * self.failed * error;
        self.value = (self.value / relief).max(least.min(self.value)).max(SMALLEST);
    }

    /// Updates the value after an inner solve that failed; `error` is the error of the point from which the
    /// iteration continues.
    pub(super) fn after_failure(&mut self, retreat: f64, error: f64) {
        self.failed = self.value / error;
        self.value *= retreat;
    }

    /// Returns `true` if the value is small enough for the reactions to move.
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
        // The bound is 2 times 0.8 times the value that failed; a sixteenth would be smaller.
        assert!((parameter.value / (1.6 * 5e-3 / 16.0) - 1.0).abs() < 1e-12);
        // The error may grow for a while; a success never makes the parameter larger.
        let before = parameter.value;
        parameter.after_success(30.0, 1.0);
        assert_eq!(parameter.value, before);
        // A slow success does not make it smaller either.
        parameter.after_success(6.0, 1e-9);
        assert_eq!(parameter.value, before);
        assert!(ProximalParameter::begin(0.5, 1e9).is_of_use());
        // After many successes, or with a tiny sigma, the value can still be inverted.
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
