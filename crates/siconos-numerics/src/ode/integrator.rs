//! The integrator: steps of one method or the other, and the guards along their dense output.

use serde::Serialize;

use super::OdeError;
use super::dormand_prince::{DormandPrince, STABILITY_LIMIT};
use super::guards::{Fired, GuardWatch, Stretch};
use super::initial_step::initial_step;
use super::radau::Radau;
use super::right_hand_side::RightHandSide;
use super::settings::{Method, OdeSettings};
use super::stepper::Trial;
use super::system::OdeSystem;
use crate::error::SettingsError;

/// Rejections of one explicit step that count as stiffness.
const MOST_REJECTIONS: usize = 10;
/// Steps of the stiff method in a row that the explicit one could have taken, before it takes over.
const EASY_STEPS: u32 = 10;

/// How a call of [`Integrator::advance`] ended.
#[must_use = "whether the end was reached or a root found is reported here"]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Advance<'a> {
    /// No root up to `t_out`, which is the current time now.
    Reached {
        /// The current time, `t_out`.
        t: f64,
    },
    /// Guards fired, before `t_out` or at it.
    Roots {
        /// The current time, that of the root.
        t: f64,
        /// All guards that fired there, in the order of their indices.
        fired: &'a [Fired],
    },
    /// The tolerances ask for a step that rounding makes nothing of: a singularity of the solution, or tolerances that
    /// are too small. The state up to `t` is good.
    StepTooSmall {
        /// The current time, the last that was reached.
        t: f64,
        /// The step that would have been needed.
        h: f64,
    },
    /// [`OdeSettings::max_steps`] steps were taken; calling again goes on.
    MaxSteps {
        /// The current time, the last that was reached.
        t: f64,
    },
}

/// Where the integration stands, as LSODAR and Siconos number it in `iout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Indicator {
    /// 1: nothing has been integrated since the last restart.
    #[default]
    FirstCall = 1,
    /// 2: the last call found no root.
    NoRoot = 2,
    /// 3: the last call ended at a root.
    RootFound = 3,
}

/// Counts since the integrator was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Those of them that the stiff method took.
    pub stiff_steps: usize,
    /// Rejected steps.
    pub rejected_steps: usize,
    /// Evaluations of f.
    pub f_evaluations: usize,
    /// Jacobians, each by n evaluations of f where the system has none.
    pub jacobian_evaluations: usize,
    /// Pairs of factorisations of the stiff method.
    pub factorisations: usize,
    /// Evaluations of all guards.
    pub guard_evaluations: usize,
    /// Changes of method by [`Method::Auto`].
    pub switches: usize,
}

/// Integrates an [`OdeSystem`] from one time to the next, and stops where guards fire.
///
/// It holds the memory and the state, not the system: that is given at each call. See [the module](super)
/// for what counts as a root.
///
/// ```
/// use siconos_numerics::ode::{Advance, Crossing, Integrator, OdeFunctions, OdeSettings};
///
/// // A ball falls from 1 m and loses half of its speed at each impact.
/// let mut ball = OdeFunctions::new(2, |_t, x: &[f64], f: &mut [f64]| {
///     f[0] = x[1];
///     f[1] = -10.0;
/// })
/// .with_guards(vec![Crossing::Falling], |_t, x: &[f64], g: &mut [f64]| g[0] = x[0]);
///
/// let mut integrator = Integrator::new(OdeSettings::default())?;
/// integrator.restart(0.0, &[1.0, 0.0])?;
/// let mut impacts = Vec::new();
/// while let Advance::Roots { t, .. } = integrator.advance(&mut ball, 1.2)? {
///     impacts.push(t);
///     let after = [0.0, -0.5 * integrator.x()[1]];
///     integrator.restart(t, &after)?;
/// }
/// assert_eq!(impacts.len(), 3);
/// assert!((impacts[0] - 0.2_f64.sqrt()).abs() < 1e-12);
/// assert!((impacts[1] - 2.0 * 0.2_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::ode::OdeError>(())
/// ```
#[doc(alias("Lsodar", "LsodarOSI"))]
#[derive(Clone, Debug)]
pub struct Integrator {
    settings: OdeSettings,
    explicit: DormandPrince,
    radau: Radau,
    /// Whether the next step, and whether the last one, is the stiff method's.
    is_stiff: bool,
    last_was_stiff: bool,
    easy_steps: u32,
    watch: GuardWatch,
    /// The time and state that the caller sees.
    t: f64,
    x: Vec<f64>,
    /// The last step, and what is known at its end.
    step: (f64, f64),
    x_end: Vec<f64>,
    f_end: Vec<f64>,
    x_new: Vec<f64>,
    f_new: Vec<f64>,
    /// The length proposed for the next step; none before the first.
    h: Option<f64>,
    /// The guards have been looked at up to here.
    scanned: f64,
    indicator: Indicator,
    is_started: bool,
    statistics: Statistics,
}

impl Integrator {
    /// Makes an integrator without a state; [`restart`](Self::restart) gives it one.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range, for instance a tolerance 0.
    pub fn new(settings: OdeSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            is_stiff: settings.method == Method::Stiff,
            settings,
            explicit: DormandPrince::default(),
            radau: Radau::default(),
            last_was_stiff: false,
            easy_steps: 0,
            watch: GuardWatch::default(),
            t: 0.0,
            x: Vec::new(),
            step: (0.0, 0.0),
            x_end: Vec::new(),
            f_end: Vec::new(),
            x_new: Vec::new(),
            f_new: Vec::new(),
            h: None,
            scanned: 0.0,
            indicator: Indicator::default(),
            is_started: false,
            statistics: Statistics::default(),
        })
    }

    /// Begins, or begins anew, at time `t` \[s\] with the state `x`: after a jump of the state, or a change of f or
    /// of the guards.
    ///
    /// Nothing of the past is kept but which method [`Method::Auto`] has come to, and which guards fired last: at the
    /// same time `t` they count as zero.
    ///
    /// # Errors
    ///
    /// [`OdeError`] for a time or state that is not finite, and when a tolerance per component has not as many
    /// entries as `x`.
    pub fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), OdeError> {
        if !t.is_finite() {
            return Err(OdeError::Time { what: "t", value: t });
        }
        if let Some(index) = x.iter().position(|value| !value.is_finite()) {
            return Err(OdeError::State { index, value: x[index] });
        }
        self.settings.check_lengths(x.len())?;
        for vector in [&mut self.x, &mut self.x_end] {
            vector.clear();
            vector.extend_from_slice(x);
        }
        for vector in [&mut self.f_end, &mut self.x_new, &mut self.f_new] {
            vector.clear();
            vector.resize(x.len(), 0.0);
        }
        self.t = t;
        self.step = (t, t);
        self.scanned = t;
        self.h = None;
        self.indicator = Indicator::FirstCall;
        self.is_started = true;
        Ok(())
    }

    /// Integrates to `t_out` \[s\], or to the first root before it.
    ///
    /// With the contract of the module: the first call after a restart looks at the guards in `(t, t_out]`; a call
    /// after roots goes on from there.
    ///
    /// # Errors
    ///
    /// [`OdeError`] without a state; for a dimension that does not fit; for `t_out` before the current time; when f,
    /// the Jacobian or a guard is not finite. The current time and state are then those of the last good call.
    pub fn advance(&mut self, system: &mut dyn OdeSystem, t_out: f64) -> Result<Advance<'_>, OdeError> {
        self.advance_within(system, t_out, t_out)
    }

    /// As [`advance`](Self::advance), with steps that may go past `t_out`, which is then reached by interpolation, but not past
    /// `t_critical` \[s\] (LSODAR's `itask = 4` with `tcrit`): many points of output cost no steps of their own. Infinite where
    /// f is smooth for good.
    ///
    /// # Errors
    ///
    /// Those of [`advance`](Self::advance); [`OdeError::Backward`] for a `t_critical` before `t_out`.
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
        if self.h.is_none() {
            self.begin(system, t_out, t_critical)?;
        }
        let mut trials = 0;
        loop {
            if let Some(t) = self.scan(system, t_out)? {
                self.move_to(t);
                self.indicator = Indicator::RootFound;
                return Ok(Advance::Roots { t, fired: &self.watch.fired });
            }
            if t_out <= self.step.1 {
                self.move_to(t_out);
                self.indicator = Indicator::NoRoot;
                return Ok(Advance::Reached { t: t_out });
            }
            if let Some(status) = self.take_step(system, t_critical, &mut trials)? {
                self.move_to(self.step.1);
                self.indicator = Indicator::NoRoot;
                return Ok(status);
            }
        }
    }

    /// Writes the state at a time within the last step, from its start (which lies before the last root, if there was
    /// one) to the current time.
    ///
    /// # Errors
    ///
    /// [`OdeError::OutsideStep`], and [`OdeError::WrongLength`] for a vector that does not fit.
    pub fn interpolate(&self, t: f64, x: &mut [f64]) -> Result<(), OdeError> {
        if !self.is_started {
            return Err(OdeError::NotStarted);
        }
        if x.len() != self.x.len() {
            return Err(OdeError::WrongLength { what: "x", expected: self.x.len(), found: x.len() });
        }
        if t == self.t {
            x.copy_from_slice(&self.x);
        } else if t >= self.step.0 && t <= self.t {
            self.dense(t, x);
        } else {
            return Err(OdeError::OutsideStep { t, first: self.step.0, last: self.t });
        }
        Ok(())
    }

    /// The current time \[s\]: of the last restart, root or end.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// The state at the current time.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The last step, from its start to its end; the end may lie after the current time.
    #[must_use]
    pub fn last_step(&self) -> (f64, f64) {
        self.step
    }

    /// The guards that fired at the last root; empty when the last call found none.
    #[must_use]
    pub fn fired(&self) -> &[Fired] {
        if self.indicator == Indicator::RootFound { &self.watch.fired } else { &[] }
    }

    /// First call, no root, or root found.
    #[must_use]
    pub fn indicator(&self) -> Indicator {
        self.indicator
    }

    /// The method of the next step, [`Method::Explicit`] or [`Method::Stiff`].
    #[must_use]
    pub fn current_method(&self) -> Method {
        if self.is_stiff { Method::Stiff } else { Method::Explicit }
    }

    /// The counts since the integrator was made.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &OdeSettings {
        &self.settings
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
        let (expected, found) = (self.watch.len(), system.guards());
        if self.h.is_some() && expected != found {
            return Err(OdeError::GuardsChanged { expected, found });
        }
        Ok(())
    }

    /// The first evaluation of f and of the guards, and the length of the first step.
    fn begin(&mut self, system: &mut dyn OdeSystem, t_out: f64, t_critical: f64) -> Result<(), OdeError> {
        let n = self.x.len();
        self.watch.restart(system, &mut self.statistics, self.t, &self.x)?;
        self.explicit.restart(n);
        self.radau.restart(n);
        self.easy_steps = 0;
        let mut rhs = RightHandSide { system, statistics: &mut self.statistics };
        rhs.f(self.t, &self.x_end, &mut self.f_end)?;
        let end = if t_critical.is_finite() { t_critical } else { t_out };
        let longest = self.settings.h_max.min(end - self.t);
        let point = (&self.x_end[..], &self.f_end[..]);
        let scratch = (&mut self.x_new[..], &mut self.f_new[..]);
        let proposed = initial_step(&mut rhs, &self.settings, self.t, point, scratch, longest);
        // Where f is not finite a little further on, the trial steps find out how far one can go.
        self.h = Some(proposed.unwrap_or(1e-6 * longest));
        Ok(())
    }

    /// Looks at the guards on what the last step has added before `t_out`.
    fn scan(&mut self, system: &mut dyn OdeSystem, t_out: f64) -> Result<Option<f64>, OdeError> {
        let to = self.step.1.min(t_out);
        if to <= self.scanned {
            return Ok(None);
        }
        let stretch = Stretch { from: self.scanned, to, is_end: to == t_out, step: self.step };
        let mut watch = std::mem::take(&mut self.watch);
        let mut statistics = self.statistics;
        let dense = |t: f64, x: &mut [f64]| self.dense(t, x);
        let root = watch.scan(system, &self.settings, &mut statistics, &stretch, dense);
        self.watch = watch;
        self.statistics = statistics;
        let root = root?;
        self.scanned = root.unwrap_or(to);
        Ok(root)
    }

    /// The state at a time of the last step.
    fn dense(&self, t: f64, x: &mut [f64]) {
        let (first, last) = self.step;
        if t >= last {
            x.copy_from_slice(&self.x_end);
            return;
        }
        let s = (t - first) / (last - first);
        if self.last_was_stiff {
            self.radau.interpolate(s, x);
        } else {
            self.explicit.interpolate(s, x);
        }
    }

    fn move_to(&mut self, t: f64) {
        let mut x = std::mem::take(&mut self.x);
        self.dense(t, &mut x);
        self.x = x;
        self.t = t;
    }

    /// One accepted step, or the reason why there is none.
    fn take_step(
        &mut self,
        system: &mut dyn OdeSystem,
        t_critical: f64,
        trials: &mut usize,
    ) -> Result<Option<Advance<'static>>, OdeError> {
        let t = self.step.1;
        let left = t_critical - t;
        let wanted = self.h.unwrap_or(left).min(self.settings.h_max);
        let mut not_finite = None;
        let mut h = wanted;
        let mut rejections = 0;
        loop {
            // A step that nearly reaches the end is made to reach it.
            let hits = 1.01 * h >= left;
            if hits {
                h = left;
            }
            let end = if hits { t_critical } else { t + h };
            if end <= t || h.is_nan() || (!hits && h < 4.0 * f64::EPSILON * t.abs()) {
                // Going on later begins with a length that can be tried.
                self.h = Some(wanted);
                return not_finite
                    .map_or(Ok(Some(Advance::StepTooSmall { t, h })), |at| Err(OdeError::from(at)));
            }
            if *trials >= self.settings.max_steps {
                self.h = Some(h);
                return Ok(Some(Advance::MaxSteps { t }));
            }
            *trials += 1;
            match self.try_step(system, t, h)? {
                Trial::Accepted { next } => {
                    self.statistics.steps += 1;
                    self.statistics.stiff_steps += usize::from(self.is_stiff);
                    std::mem::swap(&mut self.x_end, &mut self.x_new);
                    std::mem::swap(&mut self.f_end, &mut self.f_new);
                    self.step = (t, end);
                    self.last_was_stiff = self.is_stiff;
                    // A step cut short by the end says little about the one that follows.
                    self.h = Some(if hits && rejections == 0 { next.max(wanted) } else { next });
                    self.choose_method(h, false);
                    return Ok(None);
                }
                Trial::Rejected { next } => h = next,
                Trial::NotFinite(at) => {
                    not_finite = Some(at);
                    h *= 0.25;
                }
            }
            self.statistics.rejected_steps += 1;
            rejections += 1;
            if rejections % MOST_REJECTIONS == 0 {
                self.choose_method(h, true);
            }
        }
    }

    fn try_step(&mut self, system: &mut dyn OdeSystem, t: f64, h: f64) -> Result<Trial, OdeError> {
        let mut rhs = RightHandSide { system, statistics: &mut self.statistics };
        let new = (&mut self.x_new[..], &mut self.f_new[..]);
        if self.is_stiff {
            let point = (&mut self.x_end[..], &self.f_end[..]);
            self.radau.step(&mut rhs, &self.settings, (t, h), point, new)
        } else {
            let point = (&self.x_end[..], &self.f_end[..]);
            Ok(self.explicit.step(&mut rhs, &self.settings, (t, h), point, new))
        }
    }

    /// Changes the method after a step of length h, or after many rejections, where the criteria of the module say so.
    fn choose_method(&mut self, h: f64, many_rejections: bool) {
        if self.settings.method != Method::Auto {
            return;
        }
        let n = self.x.len();
        if !self.is_stiff {
            if self.explicit.is_stiff() || many_rejections {
                self.is_stiff = true;
                self.easy_steps = 0;
                self.radau.restart(n);
                self.statistics.switches += 1;
            }
        } else if !many_rejections {
            let is_easy = h * self.radau.jacobian_norm() < 0.5 * STABILITY_LIMIT;
            self.easy_steps = if is_easy { self.easy_steps + 1 } else { 0 };
            if self.easy_steps >= EASY_STEPS {
                self.is_stiff = false;
                self.explicit.restart(n);
                self.statistics.switches += 1;
            }
        }
    }
}
