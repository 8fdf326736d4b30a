//! Steps of the integrator: trials and their lengths.

use super::approach::SwitchAhead;
use super::initial_step::InitialStep;
use super::integrator::Integrator;
use super::right_hand_side::RightHandSide;
use super::stepper::{Start, Target, Trial};
use super::system::OdeSystem;
use super::{Advance, Method, OdeError};

/// Number of times that one explicit step is rejected before the system is considered stiff.
const MOST_REJECTIONS: usize = 10;

impl Integrator {
    /// Evaluates f and the guards for the first time, and computes the length of the first step.
    pub(super) fn begin(&mut self, system: &mut dyn OdeSystem, t_critical: f64) -> Result<(), OdeError> {
        let n = self.x.len();
        self.has_switches = (0..system.guards()).any(|guard| system.is_switch(guard));
        self.watch.restart(system, &mut self.statistics, self.t, &self.x)?;
        self.steppers.restart(n);
        self.read_mass(system)?;
        let mut rhs = RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
        rhs.f(self.t, &self.x_end, &mut self.f_end)?;
        // Output points must not change the steps, so the length must not depend on `t_out`.
        let longest = self.settings.h_max.min(t_critical - self.t);
        let order = self.steppers.order();
        let start = InitialStep { t: self.t, x: &self.x_end, f: &self.f_end, order, longest };
        let settings = &self.settings;
        let weight = |i: usize| settings.weight(i, start.x[i]);
        let proposed = || {
            let scratch = (&mut self.x_new[..], &mut self.f_new[..]);
            start.length(weight, scratch, |t, x, f| rhs.f(t, x, f).is_ok())
        };
        self.h = Some(settings.h_initial.map_or_else(proposed, |h| h.min(longest)));
        Ok(())
    }

    fn read_mass(&mut self, system: &mut dyn OdeSystem) -> Result<(), OdeError> {
        let n = self.x.len();
        let mass = self.steppers.mass();
        mass.clear();
        if !system.has_mass() {
            return Ok(());
        }
        mass.resize(n * n, 0.0);
        system.compute_mass(mass);
        if let Some(at) = mass.iter().position(|value| !value.is_finite()) {
            return Err(OdeError::Mass { row: at / n, column: at % n, value: mass[at] });
        }
        if self.settings.method == Method::Stiff {
            Ok(())
        } else {
            Err(OdeError::MassNeedsStiff { method: self.settings.method })
        }
    }

    /// Repeats trials until one step is accepted. Returns `None`, or the reason why no step could be taken.
    pub(super) fn take_step(
        &mut self,
        system: &mut dyn OdeSystem,
        t_critical: f64,
        trials: &mut usize,
    ) -> Result<Option<Advance<'static>>, OdeError> {
        let t = self.step.1;
        let left = t_critical - t;
        let wanted = self.h.unwrap_or(left).min(self.settings.h_max);
        let mut not_finite = None;
        let mut ahead = SwitchAhead::default();
        let mut h = wanted;
        let mut rejections = 0;
        loop {
            // A step that nearly reaches `t_critical` is extended to end there.
            let hits = 1.01 * h >= left && left <= self.settings.h_max;
            if hits {
                h = left;
            }
            let end = if hits { t_critical } else { t + h };
            if end <= t || h.is_nan() || (!hits && h < 4.0 * f64::EPSILON * t.abs()) {
                // The next call starts with a length that is not too small.
                self.h = Some(wanted);
                return not_finite
                    .map_or(Ok(Some(Advance::StepTooSmall { t, h })), |at| Err(OdeError::from(at)));
            }
            if *trials >= self.settings.max_steps {
                self.h = Some(h);
                return Ok(Some(Advance::MaxSteps { t }));
            }
            *trials += 1;
            let next = match self.try_step(system, t, h, end)? {
                Trial::Accepted { next } => {
                    self.statistics.steps += 1;
                    self.statistics.stiff_steps += usize::from(self.steppers.current() == Method::Stiff);
                    std::mem::swap(&mut self.x_end, &mut self.x_new);
                    std::mem::swap(&mut self.f_end, &mut self.f_new);
                    self.step = (t, end);
                    self.refinement.follow(&self.steppers);
                    // A step that ends at `t_critical` can be shorter than necessary, so the next step does
                    // not depend on its length.
                    self.h = Some(if hits && rejections == 0 { next.max(wanted) } else { next });
                    self.choose_method(h, false);
                    self.project(system)?;
                    return Ok(None);
                }
                Trial::Rejected { next } => next,
                Trial::NotFinite(at) => {
                    not_finite = Some(at);
                    0.25 * h
                }
            };
            match self.length_to_switch(system, (t, h, next), &mut ahead)? {
                Some(length) => h = length,
                None => {
                    self.h = Some(wanted);
                    self.step_across(system, t_critical)?;
                    return Ok(None);
                }
            }
            self.statistics.rejected_steps += 1;
            rejections += 1;
            if rejections % MOST_REJECTIONS == 0 {
                self.choose_method(h, true);
            }
        }
    }

    fn try_step(&mut self, system: &mut dyn OdeSystem, t: f64, h: f64, end: f64) -> Result<Trial, OdeError> {
        let mut rhs = RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
        let start = Start { t, h, end, x: &self.x_end, f: &self.f_end };
        let target = Target { x: &mut self.x_new, f: &mut self.f_new, segment: &mut self.segment };
        let trial = self.steppers.step(&mut rhs, start, target)?;
        if matches!(trial, Trial::Accepted { .. }) && !self.x_new.iter().all(|x| x.is_finite()) {
            // The solver has treated a NaN as a small error.
            self.steppers.begin_anew(self.x.len());
            return Ok(Trial::Rejected { next: 0.25 * h });
        }
        Ok(trial)
    }

    /// Calls the projection of the system for the end of the last step.
    pub(super) fn project(&mut self, system: &mut dyn OdeSystem) -> Result<(), OdeError> {
        let end = self.step.1;
        if system.project(end, &mut self.x_end) {
            let mut rhs =
                RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
            rhs.f(end, &self.x_end, &mut self.f_end)?;
            self.steppers.begin_anew(self.x.len());
        }
        Ok(())
    }

    /// Lets `Auto` change the method after a step of length h, or after many rejections.
    fn choose_method(&mut self, h: f64, many_rejections: bool) {
        let has_changed = self.steppers.choose(self.x.len(), h, many_rejections);
        self.statistics.switches += usize::from(has_changed);
    }
}
