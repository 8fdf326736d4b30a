//! Rule for reducing the complementarity along the central path.

/// Rule that chooses the target complementarity of each step along the central path.
pub(super) struct ReductionRule {
    /// Target complementarity of the next step, as a fraction of the current complementarity.
    pub(super) part: f64,
    /// Value of `part` in the most recent step.
    last: f64,
}

impl Default for ReductionRule {
    fn default() -> Self {
        Self { part: 0.3, last: 1.0 }
    }
}

/// Factor by which the reduction of the complementarity is multiplied after a rejected step.
const SHORTER: f64 = 0.3;

/// The search ends if the relative reduction of the complementarity would be below this value.
const LEAST_REDUCTION: f64 = 1e-3;

impl ReductionRule {
    /// Updates `part` after an accepted step of length `step`. `part` decreases if the step was taken in full
    /// (`step` = 1), and increases if the step had to be shortened.
    pub(super) fn after(&mut self, step: f64) {
        self.last = self.part;
        let factor = if step == 1.0 {
            0.6
        } else if step > 0.3 {
            1.2
        } else {
            1.6
        };
        self.part = (factor * self.part).clamp(0.02, 0.95);
    }

    /// Updates `part` after a step from which the iterates did not return to the path. Returns `None` if the
    /// search has to end.
    pub(super) fn after_failure(&mut self) -> Option<()> {
        let reduction = SHORTER * (1.0 - self.last);
        self.last = 1.0 - reduction;
        self.part = self.last;
        (reduction >= LEAST_REDUCTION).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_steps_encourage_and_a_lost_path_gives_up_in_the_end() {
        let mut reduction_rule = ReductionRule::default();
        reduction_rule.after(1.0);
        assert!(reduction_rule.part < 0.2);
        let aimed = reduction_rule.part;
        reduction_rule.after(0.1);
        assert!(reduction_rule.part > aimed);
        let failures = std::iter::from_fn(|| reduction_rule.after_failure()).count();
        assert!((3..10).contains(&failures), "{failures}");
        assert!(reduction_rule.part < 1.0);
    }
}
