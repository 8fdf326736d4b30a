//! Integration up to a time or a root: steps of the methods, and search for roots on their dense output.

use super::answers::{Advance, Indicator};
use super::guards::ScannedInterval;
use super::integrator::{Integrator, LastStep};
use super::right_hand_side::RightHandSide;
use super::{OdeError, OdeSystem};

impl Integrator {
    /// Integrates to `t_out` \[s\], or to the earliest root if it is before `t_out`.
    ///
    /// The first call after a restart searches for roots in `(t, t_out]`. If a call ended at roots, the next
    /// call continues from there.
    ///
    /// # Errors
    ///
    /// [`OdeError`] if no restart has been made; if the dimension of the system differs from the length of
    /// the state; if `t_out` is before the current time; or if f, the Jacobian or a guard is not finite. The
    /// integrator is then at the last time up to which the integration succeeded.
    pub fn advance(&mut self, system: &mut dyn OdeSystem, t_out: f64) -> Result<Advance<'_>, OdeError> {
        self.advance_within(system, t_out, t_out)
    }

    /// Integrates like [`advance`](Self::advance), but steps can end after `t_out`. The state at `t_out` is
    /// then interpolated, so output points require no additional steps.
    ///
    /// No step ends after `t_critical` \[s\] (`tcrit` of LSODAR with `itask = 4`). It can be infinite if f is
    /// smooth beyond `t_out`.
    ///
    /// # Errors
    ///
    /// The errors of [`advance`](Self::advance), and [`OdeError::Backward`] if `t_critical` is before
    /// `t_out`.
    pub fn advance_within(
        &mut self,
        system: &mut dyn OdeSystem,
        t_out: f64,
        t_critical: f64,
    ) -> Result<Advance<'_>, OdeError> {
        self.check(system, t_out)?;
        if t_critical.is_nan() {
            return Err(OdeError::Time { what: "t_critical", value: t_critical });
        }
        if t_critical < t_out {
            return Err(OdeError::Backward { t: t_out, t_out: t_critical });
        }
        if t_out == self.t {
            if self.indicator == Indicator::RootFound {
                self.indicator = Indicator::NoRoot;
            }
            return Ok(Advance::Reached { t: t_out });
        }
        match self.go_on(system, t_out, t_critical) {
            Ok(Advance::Roots { t, .. }) => {
                self.indicator = Indicator::RootFound;
                Ok(Advance::Roots { t, fired: &self.watch.fired })
            }
            Ok(advance) => {
                self.indicator = Indicator::NoRoot;
                Ok(advance)
            }
            Err(error) => {
                self.move_to(self.scanned);
                self.indicator = Indicator::NoRoot;
                Err(error)
            }
        }
    }

    /// Takes steps until `t_out`, a root or a failed step. The caller adds the guards that fired to the
    /// result.
    fn go_on(
        &mut self,
        system: &mut dyn OdeSystem,
        t_out: f64,
        t_critical: f64,
    ) -> Result<Advance<'static>, OdeError> {
        if self.h.is_none() {
            self.begin(system, t_critical)?;
        }
        let mut trials = 0;
        loop {
            self.scan(system, t_critical)?;
            if let Some(t) = self.root.filter(|t| *t <= t_out) {
                self.root = None;
                self.move_to(t);
                return Ok(Advance::Roots { t, fired: &[] });
            }
            if t_out <= self.step.1 {
                if t_out < self.step.1 || self.record.is_some() {
                    self.refine(system)?;
                }
                self.move_to(t_out);
                return Ok(Advance::Reached { t: t_out });
            }
            self.record_step(system)?;
            let Some(limit) = self.step_limit(t_critical) else {
                self.step_across(system, t_critical)?;
                continue;
            };
            if let Some(status) = self.take_step(system, limit, &mut trials)? {
                self.move_to(self.step.1);
                return Ok(status);
            }
        }
    }

    /// Records the finished step, if steps are recorded.
    fn record_step(&mut self, system: &mut dyn OdeSystem) -> Result<(), OdeError> {
        if self.record.is_some() && self.step.1 > self.step.0 {
            self.refine(system)?;
            self.record.iter_mut().for_each(|record| record.push(self.step, self.step.1, &self.segment));
        }
        Ok(())
    }

    fn check(&self, system: &dyn OdeSystem, t_out: f64) -> Result<(), OdeError> {
        if !self.is_started {
            return Err(OdeError::NotStarted);
        }
        if !t_out.is_finite() {
            return Err(OdeError::Time { what: "t_out", value: t_out });
        }
        let (expected, found) = (system.dimension(), self.x.len());
        if expected != found {
            return Err(OdeError::WrongLength { what: "x", expected, found });
        }
        if t_out < self.t {
            return Err(OdeError::Backward { t: self.t, t_out });
        }
        let (expected, found) = (self.watch.guards(), system.guards());
        if self.h.is_some() && expected != found {
            return Err(OdeError::GuardsChanged { expected, found });
        }
        Ok(())
    }

    /// Searches for the earliest root of the guards in the part of the last step that has not been searched.
    /// If a root is found and the dense output is too coarse, the dense output is refined and the search is
    /// repeated.
    fn scan(&mut self, system: &mut dyn OdeSystem, t_critical: f64) -> Result<(), OdeError> {
        let to = self.step.1;
        if to <= self.scanned || self.root.is_some() {
            return Ok(());
        }
        let may_be_coarse = self.refinement.may_refine(self.step, &self.segment);
        if may_be_coarse || self.has_switches {
            self.watch.remember();
        }
        let mut root = self.look(system, t_critical)?;
        if root.is_some() && may_be_coarse && self.refine(system)? {
            self.watch.go_back();
            root = self.look(system, t_critical)?;
        }
        if root.is_some_and(|root| self.take_back(root)) {
            self.watch.go_back();
            return Ok(());
        }
        self.root = root;
        self.scanned = root.unwrap_or(to);
        Ok(())
    }

    /// Returns the earliest root of the guards on the present dense output of the last step.
    fn look(&mut self, system: &mut dyn OdeSystem, t_critical: f64) -> Result<Option<f64>, OdeError> {
        let Self { step, scanned, ref segment, ref x_end, .. } = *self;
        let (to, degree) = (step.1, segment.degree());
        let stretch = ScannedInterval { from: scanned, to, is_end: to == t_critical, step, degree };
        let dense = LastStep { step, segment, x_end };
        self.watch.scan(system, self.settings.location(), &mut self.statistics, &stretch, dense)
    }

    /// Refines the dense output of the last step if it is less accurate than the tolerances. Returns `true`
    /// if it was refined.
    fn refine(&mut self, system: &mut dyn OdeSystem) -> Result<bool, OdeError> {
        let mut rhs = RightHandSide { system, settings: &self.settings, statistics: &mut self.statistics };
        // When the step was accepted, the states at its start and at its end were swapped.
        let states = (&self.x_new[..], &self.f_new[..], &self.x_end[..]);
        self.refinement.refine(&mut rhs, &mut self.steppers, self.step, &mut self.segment, states)
    }
}
