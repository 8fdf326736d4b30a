//! Steps that end before a switch of f.
//!
//! If f jumps inside a step, the stages are evaluated on both sides of the jump. The dense output is then
//! wrong before the jump too, even if the step passes error control. If an accepted step of a system with
//! [switches](super::OdeSystem::is_switch) contains a root, the step is therefore discarded and repeated up
//! to just before the root. If error control rejects a step because of a jump, the next trial ends where a
//! straight line from the start of the step meets the switch. A straight step then crosses the switch, with
//! the slope on the near side. It is a few times longer than the width to which roots are located, the
//! location width.

use super::OdeError;
use super::evaluate_guards::evaluate;
use super::integrator::Integrator;
use super::right_hand_side::RightHandSide;
use super::root::find_crossing;
use super::system::OdeSystem;

/// Distance between the end of a step and the root after it, in location widths.
const BEFORE: f64 = 2.0;
/// Length of the step across a root, in location widths.
const ACROSS: f64 = 6.0;

/// Fraction of the time to a switch that the next trial may cover after a trial up to the switch was
/// rejected.
const PART: f64 = 0.9;

/// State of the approach to a switch or another root in a system with switches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Approach {
    /// No root is known.
    #[default]
    None,
    /// The next steps end at `target`. After the step across the root, the next step has length `h` \[s\].
    Before { target: f64, h: Option<f64> },
    /// The last step has crossed the root.
    Across,
}

/// Switch ahead of the present step, if it has been searched for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum SwitchAhead {
    /// The switch has not been searched for.
    #[default]
    Unknown,
    /// There is no switch ahead.
    None,
    /// Time to the switch \[s\], and number of trials rejected since it was found.
    After(f64, u32),
}

/// Workspace of the search along a straight line: the state, and the guards at the start, at the end and in
/// between.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    x: Vec<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
    between: Vec<f64>,
}

impl Integrator {
    /// Discards the last step if it contains a root that has to be approached. Returns `true` if it did.
    pub(super) fn take_back(&mut self, root: f64) -> bool {
        let width = self.settings.location().width(root);
        let (first, target) = (self.step.0, root - BEFORE * width);
        if !self.has_switches || self.approach == Approach::Across || target - first <= ACROSS * width {
            return false;
        }
        // Accepting the step swapped its start and its end.
        std::mem::swap(&mut self.x_end, &mut self.x_new);
        std::mem::swap(&mut self.f_end, &mut self.f_new);
        self.step = (first, first);
        self.steppers.begin_anew(self.x.len());
        self.approach = Approach::Before { target, h: self.h };
        self.h = Some(target - first);
        true
    }

    /// Returns the time that the next step must not pass, at most `t_critical`, or `None` if the next step is
    /// the straight step across a root.
    pub(super) fn step_limit(&mut self, t_critical: f64) -> Option<f64> {
        match self.approach {
            Approach::Before { target, .. } if self.step.1 < target => Some(target.min(t_critical)),
            Approach::Before { h, .. } => {
                self.h = h;
                // With a mass matrix f is not the slope: the integration method takes a short step across the
                // root.
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

    /// Takes a straight step of a few location widths across a root.
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

    /// Returns the length of the next trial after a trial of length `tried` from `t` was rejected. The length
    /// is `next`, which the method proposes, unless there is a switch ahead: the next trial then ends before
    /// the switch. Returns `None` if the switch is too close for another step before it.
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
        let (time, trials) = match *ahead {
            SwitchAhead::None => return Ok(Some(next)),
            SwitchAhead::Unknown => match self.time_to_switch(system, t, tried)? {
                None => {
                    *ahead = SwitchAhead::None;
                    return Ok(Some(next));
                }
                Some(time) => (time, 0),
            },
            SwitchAhead::After(time, trials) => (time, trials + 1),
        };
        *ahead = SwitchAhead::After(time, trials);
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

    /// Returns the time \[s\] from `t` until a straight line from the end of the last step meets a switch, or
    /// `None` if it meets no switch within the time `within` \[s\].
    fn time_to_switch(
        &mut self,
        system: &mut dyn OdeSystem,
        t: f64,
        within: f64,
    ) -> Result<Option<f64>, OdeError> {
        let mut work = std::mem::take(&mut self.line);
        let time = self.time_on_line(system, &mut work, (t, within));
        self.line = work;
        time
    }

    fn time_on_line(
        &mut self,
        system: &mut dyn OdeSystem,
        work: &mut Line,
        (t, within): (f64, f64),
    ) -> Result<Option<f64>, OdeError> {
        let guards = system.guards();
        let Line { x, here, there, between } = work;
        for vector in [&mut *here, &mut *there, &mut *between] {
            vector.clear();
            vector.resize(guards, 0.0);
        }
        x.clone_from(&self.x_end);
        let width = self.settings.location().width(t);
        let (statistics, start, slope) = (&mut self.statistics, &self.x_end, &self.f_end);
        let mut look = |system: &mut dyn OdeSystem, time: f64, g: &mut [f64]| {
            for ((x, start), slope) in x.iter_mut().zip(start).zip(slope) {
                *x = start + time * slope;
            }
            evaluate(system, statistics, t + time, x, g)
        };
        look(system, 0.0, here)?;
        look(system, within, there)?;
        let mut first = None;
        for guard in 0..guards {
            let (a, b) = (here[guard], there[guard]);
            if a * b >= 0.0 || !system.is_switch(guard) {
                continue;
            }
            let sign = a.signum();
            let bracket = find_crossing((0.0, within), (sign * a, sign * b), width, |time| {
                look(system, time, between)?;
                Ok::<f64, OdeError>(sign * between[guard])
            })?;
            first = Some(first.map_or(bracket.before, |first: f64| first.min(bracket.before)));
        }
        Ok(first)
    }
}
