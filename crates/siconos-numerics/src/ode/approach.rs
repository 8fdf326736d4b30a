//! Steps that end before a switch of f.
//!
//! The stages of a step across a place at which f jumps see both of its sides, and so does the dense output:
//! what is read from it before that place is wrong, even if the error estimate has seen nothing. So where a
//! root lies in a step of a system with [switches](super::OdeSystem::is_switch), the step is taken back, and
//! taken again up to just before the root. Where the error estimate has seen the jump, the step is tried
//! again up to where a straight line meets the switch. A straight step of a few widths to which roots are
//! located then goes across, with the slope of the side before.

use super::OdeError;
use super::evaluate_guards::evaluate;
use super::integrator::Integrator;
use super::right_hand_side::RightHandSide;
use super::root::find_crossing;
use super::system::OdeSystem;

/// So many widths before a root a step ends, and so many widths long is the step across.
const BEFORE: f64 = 2.0;
const ACROSS: f64 = 6.0;

/// The fraction of the time to a switch that is tried if the whole of it was rejected.
const PART: f64 = 0.9;

/// The way to a switch or another root, while a system with switches is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Approach {
    /// No root is known.
    #[default]
    None,
    /// The next steps end at `target`, and the one after the step across has the length `h` \[s\].
    Before { target: f64, h: Option<f64> },
    /// The last step has gone across.
    Across,
}

/// The trials of one step, as far as a switch in its way is concerned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum SwitchAhead {
    /// Not searched.
    #[default]
    Unknown,
    /// No switch is ahead.
    None,
    /// Time to the switch \[s\], and the number of trials rejected since it is known.
    After(f64, u32),
}

/// The workspace of a look along a straight line: the state there, and the guards at its ends and between.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    x: Vec<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
    between: Vec<f64>,
}

impl Integrator {
    /// Takes the last step back if there is a root in it that is to be approached; says whether it did.
    pub(super) fn take_back(&mut self, root: f64) -> bool {
        let width = self.settings.location().width(root);
        let (first, target) = (self.step.0, root - BEFORE * width);
        if !self.has_switches || self.approach == Approach::Across || target - first <= ACROSS * width {
            return false;
        }
        // The acceptance of the step has exchanged its start with its end.
        std::mem::swap(&mut self.x_end, &mut self.x_new);
        std::mem::swap(&mut self.f_end, &mut self.f_new);
        self.step = (first, first);
        self.steppers.begin_anew(self.x.len());
        self.approach = Approach::Before { target, h: self.h };
        self.h = Some(target - first);
        true
    }

    /// The time that the next step may not pass, given the one that no step may pass; none if the next step
    /// goes across.
    pub(super) fn step_limit(&mut self, t_critical: f64) -> Option<f64> {
        match self.approach {
            Approach::Before { target, .. } if self.step.1 < target => Some(target.min(t_critical)),
            Approach::Before { h, .. } => {
                self.h = h;
                // With a mass matrix f is not the slope: a short step of the method goes across.
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

    /// A straight step of a few widths.
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

    /// The length of the next trial after one of length `tried` from `t` was rejected, given the length that
    /// the method proposes: if there is a switch in the way, up to just before it. None if the switch is
    /// here.
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

    /// How far ahead a straight line from the end of the last step meets a switch, if it does within a time
    /// \[s\].
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
