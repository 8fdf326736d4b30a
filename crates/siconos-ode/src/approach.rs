//! Steps that end before a switch of f.
//!
//! If f jumps inside a step, the stages are evaluated on both sides of the jump. The dense output is then
//! wrong even before the jump, although the step may pass error control. Therefore, if an accepted step of a
//! system with [switches](super::OdeSystem::is_switch) contains a root, the step is discarded and repeated so
//! that it ends just before the root.
//!
//! If error control rejects a step because of a jump, the next trial ends where a straight line from the
//! start of the step meets the switch.
//!
//! A step of linear extrapolation then crosses the switch. It uses the slope before the switch, and its
//! length is a few root location widths. The root location width is the width to which roots are located.

use super::OdeError;
use super::integrator::{Approach, Integrator};
use super::right_hand_side::RightHandSide;
use super::system::OdeSystem;

/// Distance between the end of a step and the root that follows it, in root location widths.
const BEFORE: f64 = 2.0;
/// Length of the step of linear extrapolation across a root, in root location widths.
const ACROSS: f64 = 6.0;

/// Length of the next trial as a fraction of the time to a switch, after a trial that ended at the switch was
/// rejected.
const PART: f64 = 0.9;

/// Result of the search for a switch after the start of the current step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum SwitchAhead {
    /// The switch has not been searched for.
    #[default]
    Unknown,
    /// No switch lies ahead.
    None,
    /// Time to the switch \[s\], and number of trials rejected since it was found.
    After(f64, u32),
}

impl Integrator {
    /// Discards the last step if it contains the root `root` and the step must be repeated to end before it.
    /// Returns `true` if the step was discarded.
    pub(super) fn take_back(&mut self, root: f64) -> bool {
        let width = self.settings.location().width(root);
        let (first, target) = (self.step.0, root - BEFORE * width);
        if !self.has_switches || self.approach == Approach::Across || target - first <= ACROSS * width {
            return false;
        }
        // The states at both ends were swapped when the step was accepted.
        std::mem::swap(&mut self.x_end, &mut self.x_new);
        std::mem::swap(&mut self.f_end, &mut self.f_new);
        self.step = (first, first);
        self.steppers.begin_anew(self.x.len());
        self.approach = Approach::Before { target, h: self.h };
        self.h = Some(target - first);
        true
    }

    /// Returns the latest time at which the next step can end, at most `t_critical`. Returns `None` if the
    /// next step is the linear extrapolation across a root ([`step_across`](Self::step_across)).
    pub(super) fn step_limit(&mut self, t_critical: f64) -> Option<f64> {
        match self.approach {
            Approach::Before { target, .. } if self.step.1 < target => Some(target.min(t_critical)),
            Approach::Before { h, .. } => {
                self.h = h;
                // With a mass matrix, f is not the slope of the state. The integration method itself then
                // takes the short step across the root.
                let goes_across = self.steppers.mass().is_empty() && self.step.1 < t_critical;
                self.approach = Approach::Across;
                (!goes_across).then_some(t_critical)
            }
            Approach::None | Approach::Across => {
                self.approach = Approach::None;
                Some(t_critical)
            }
        }
    }

    /// Takes a step across a root by linear extrapolation. Its length is a few root location widths.
    pub(super) fn step_across(
        &mut self,
        system: &mut dyn OdeSystem,
        t_critical: f64,
    ) -> Result<(), OdeError> {
        let t = self.step.1;
        let end = (t + ACROSS * self.settings.location().width(t)).min(t_critical);
        let h = end - t;
        for ((new, x), f) in self.x_new.iter_mut().zip(&self.x_end).zip(&self.f_end) {
            *new = x + h * f;
        }
        let mut rhs = RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
        rhs.f(end, &self.x_new, &mut self.f_new)?;
        self.segment.set_line(&self.x_end, &self.x_new);
        self.statistics.steps += 1;
        std::mem::swap(&mut self.x_end, &mut self.x_new);
        std::mem::swap(&mut self.f_end, &mut self.f_new);
        self.step = (t, end);
        self.refinement.leave(self.step);
        self.steppers.begin_anew(self.x.len());
        self.approach = Approach::Across;
        self.project(system)
    }

    /// Returns the length of the next trial, after a trial of length `tried` from `t` was rejected. The
    /// length is `next`, which the method proposes. If there is a switch ahead, the length is reduced so that
    /// the trial ends before the switch. Returns `None` if the switch is too close for another step before
    /// it.
    pub(super) fn length_to_switch(
        &mut self,
        system: &mut dyn OdeSystem,
        (t, tried, next): (f64, f64, f64),
        ahead: &mut SwitchAhead,
    ) -> Result<Option<f64>, OdeError> {
        if !self.has_switches || !self.steppers.mass().is_empty() {
            return Ok(Some(next));
        }
        if let Approach::Before { h, .. } = self.approach {
            (self.approach, self.h) = (Approach::None, h);
        }
        let width = self.settings.location().width(t);
        match ahead {
            SwitchAhead::None => {}
            SwitchAhead::Unknown => {
                let line = (&self.x_end[..], &self.f_end[..]);
                let time = self.line.time_to_switch(system, &mut self.statistics, line, (t, tried), width)?;
                *ahead = time.map_or(SwitchAhead::None, |time| SwitchAhead::After(time, 0));
            }
            SwitchAhead::After(_, trials) => *trials += 1,
        }
        let SwitchAhead::After(time, trials) = *ahead else { return Ok(Some(next)) };
        if time <= ACROSS * width {
            return Ok(None);
        }
        if trials == 0 {
            let h = time - BEFORE * width;
            self.approach = Approach::Before { target: t + h, h: self.h };
            return Ok(Some(h));
        }
        Ok(Some(next.min(PART * time)))
    }
}
