//! The parameter of proximal point methods, in the reactions and in the velocities.

/// What the compliance of each contact gets in addition, as a part of it: less and less where the regularised
/// problems are solved quickly, and more where they are not solved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProximalParameter {
    pub(super) value: f64,
    /// What has failed last, over the error there.
    failed: f64,
}

/// The least error to begin as with: a point from elsewhere may be near a solution that it does not lead to.
const LEAST_FIRST_ERROR: f64 = 1e-2;

/// The parameter keeps above that many times what has failed last, of which each success forgets a part.
const KEPT_ABOVE: f64 = 2.0;
const FORGOTTEN: f64 = 0.8;

/// Newton steps up to which an inner solve has been quick, or not slow, and what the parameter is divided by
/// then, and otherwise. Slow is where the set of contacts that slide changes many times on the way, along a
/// valley in which the error hardly changes: short ways take the fewest steps in all, and with a smaller
/// parameter the next inner solve would not arrive.
const QUICK: f64 = 2.0;
const NOT_SLOW: f64 = 5.0;
const RELIEFS: [f64; 3] = [16.0, 4.0, 1.0];

/// Above this reactions would not move any more. Below the other nothing is left of what regularises, and its
/// inverse would not be finite in the end.
const LARGEST: f64 = 1e6;
const SMALLEST: f64 = 1e-30;

impl ProximalParameter {
    /// `sigma` times the error, at first.
    pub(super) fn begin(sigma: f64, error: f64) -> Self {
        Self { value: (sigma * error.max(LEAST_FIRST_ERROR)).clamp(SMALLEST, LARGEST), failed: 0.0 }
    }

    /// After an inner solver has arrived in the time of so many Newton steps, at a point with this error.
    pub(super) fn after_success(&mut self, steps: f64, error: f64) {
        self.failed *= FORGOTTEN;
        let relief = RELIEFS[usize::from(steps > QUICK) + usize::from(steps > NOT_SLOW)];
        let least = KEPT_ABOVE * self.failed * error;
        self.value = (self.value / relief).max(least.min(self.value)).max(SMALLEST);
    }

    /// After an inner solver has failed; the error is that of the point to go on from.
    pub(super) fn after_failure(&mut self, retreat: f64, error: f64) {
        self.failed = self.value / error;
        self.value *= retreat;
    }

    /// Whether reactions still move.
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
        // 2 times 0.8 times what has failed, and not a sixteenth.
        assert!((parameter.value / (1.6 * 5e-3 / 16.0) - 1.0).abs() < 1e-12);
        // The error may grow for a while; a success never makes the parameter larger.
        let before = parameter.value;
        parameter.after_success(30.0, 1.0);
        assert_eq!(parameter.value, before);
        // Nor smaller, where it has come slowly.
        parameter.after_success(6.0, 1e-9);
        assert_eq!(parameter.value, before);
        assert!(ProximalParameter::begin(0.5, 1e9).is_of_use());
        // Successes without end, or a first factor that is nearly nothing, leave a parameter to divide by.
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
