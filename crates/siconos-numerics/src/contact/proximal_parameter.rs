//! Regularisation parameter of the two proximal point methods, with W and in velocity space.

/// Regularisation parameter $\alpha$. A proximal point method adds $\alpha$ times the compliance of a contact
/// to this compliance. $\alpha$ decreases after inner solves with few steps, and increases after inner solves
/// that fail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProximalParameter {
    pub(super) value: f64,
    /// Value of the parameter in the most recent inner solve that failed, divided by the error at that time.
    failed: f64,
}

/// Errors below this value are replaced by it when the initial parameter is computed. An initial guess from
/// another method can have a small error, although this method does not converge from it with a small
/// parameter.
const LEAST_FIRST_ERROR: f64 = 1e-2;

/// After a success, the parameter stays above this factor times `failed` times the current error.
const KEPT_ABOVE: f64 = 2.0;

/// Factor by which each successful inner solve multiplies `failed`.
const FORGOTTEN: f64 = 0.8;

/// Maximum number of Newton steps of a quick inner solve.
const QUICK: f64 = 2.0;

/// Maximum number of Newton steps of a moderate inner solve. An inner solve with more steps is slow.
const NOT_SLOW: f64 = 5.0;

/// Divisors of the parameter after a quick, a moderate and a slow inner solve. The parameter is kept after a
/// slow solve, because a smaller parameter would make the next inner solve fail. In slow solves, the set of
/// sliding contacts changes many times while the error hardly changes; short outer steps then need the fewest
/// Newton steps in total.
const RELIEFS: [f64; 3] = [16.0, 4.0, 1.0];

/// Upper bound of the parameter. Above it, the reactions hardly change.
const LARGEST: f64 = 1e6;

/// Lower bound of the parameter. Below it, the regularisation has no effect, and the reciprocal of the
/// parameter could overflow.
const SMALLEST: f64 = 1e-30;

impl ProximalParameter {
    /// Creates the parameter with the initial value `sigma` times `error`, the error of the initial guess.
    pub(super) fn begin(sigma: f64, error: f64) -> Self {
        Self { value: (sigma * error.max(LEAST_FIRST_ERROR)).clamp(SMALLEST, LARGEST), failed: 0.0 }
    }

    /// Updates the parameter after a successful inner solve. `steps` is the cost of the solve in Newton
    /// steps, and `error` is the error of its result.
    pub(super) fn after_success(&mut self, steps: f64, error: f64) {
        self.failed *= FORGOTTEN;
        let relief = RELIEFS[usize::from(steps > QUICK) + usize::from(steps > NOT_SLOW)];
        let least = KEPT_ABOVE * self.failed * error;
        self.value = (self.value / relief).max(least.min(self.value)).max(SMALLEST);
    }

    /// Updates the parameter after an inner solve that failed. `error` is the error of the reactions from
    /// which the iteration continues.
    pub(super) fn after_failure(&mut self, retreat: f64, error: f64) {
        self.failed = self.value / error;
        self.value *= retreat;
    }

    /// Returns `true` if the parameter is small enough for the next inner solve to change the reactions.
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
        // The bound is 2 times 0.8 times the value that failed. Dividing the parameter by 16 would violate
        // it.
        assert!((parameter.value / (1.6 * 5e-3 / 16.0) - 1.0).abs() < 1e-12);
        // The error can increase temporarily, but a success never increases the parameter.
        let before = parameter.value;
        parameter.after_success(30.0, 1.0);
        assert_eq!(parameter.value, before);
        // A slow success does not change the parameter either.
        parameter.after_success(6.0, 1e-9);
        assert_eq!(parameter.value, before);
        assert!(ProximalParameter::begin(0.5, 1e9).is_of_use());
        // The reciprocal of the value stays finite after many successes and with a tiny sigma.
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
