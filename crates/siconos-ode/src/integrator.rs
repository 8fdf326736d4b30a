//! Integrator: restarts, access to its state, and the solution within its steps.

use super::answers::Indicator;
use super::course::{DenseSolution, ValueBounds};
use super::dense_output::DenseOutput;
use super::guards::{Fired, GuardScanner};
use super::methods::Steppers;
use super::refinement::Refinement;
use super::segment::Segment;
use super::switch_search::Line;
use super::{Method, OdeError, OdeSettings, Statistics};
use siconos_linalg::SettingsError;

/// State of the approach to a root in a system with switches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Approach {
    /// No root is known.
    #[default]
    None,
    /// The next steps end at `target` \[s\], just before the root. After the step across the root, the next
    /// step has length `h` \[s\].
    Before { target: f64, h: Option<f64> },
    /// The last step crossed the root.
    Across,
}

/// Integrator of an [`OdeSystem`](super::OdeSystem), which advances from one time to the next and stops where
/// guards fire.
///
/// The integrator stores the state and its workspace, but not the system, which is passed to each call. See
/// [the crate documentation](super) for the definition of a root.
///
/// ```
/// use siconos_ode::{Advance, Crossing, Integrator, OdeFunctions, OdeSettings};
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
/// # Ok::<(), siconos_ode::OdeError>(())
/// ```
#[doc(alias("Lsodar", "LsodarOSI"))]
#[derive(Clone, Debug)]
pub struct Integrator {
    pub(super) settings: OdeSettings,
    pub(super) steppers: Steppers,
    pub(super) watch: GuardScanner,
    /// Time \[s\] and state that are reported to the caller.
    pub(super) t: f64,
    pub(super) x: Vec<f64>,
    /// Last step, its dense output, and the data at its end.
    pub(super) step: (f64, f64),
    pub(super) segment: Segment,
    pub(super) refinement: Refinement,
    pub(super) x_end: Vec<f64>,
    pub(super) f_end: Vec<f64>,
    pub(super) x_new: Vec<f64>,
    pub(super) f_new: Vec<f64>,
    /// Length proposed for the next step \[s\]; `None` before the first step.
    pub(super) h: Option<f64>,
    /// Time up to which the guards have been scanned \[s\].
    pub(super) scanned: f64,
    /// Earliest root \[s\] that has been found but not reached.
    pub(super) root: Option<f64>,
    pub(super) indicator: Indicator,
    pub(super) is_started: bool,
    pub(super) has_switches: bool,
    pub(super) approach: Approach,
    pub(super) line: Line,
    /// All steps since the first restart, if steps are recorded.
    pub(super) record: Option<DenseOutput>,
    pub(super) statistics: Statistics,
}

impl Integrator {
    /// Creates an integrator without a state; [`restart`](Self::restart) sets the state.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if a setting is outside its range, for example a tolerance of 0.
    pub fn new(settings: OdeSettings) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self {
            steppers: Steppers::new(&settings),
            refinement: Refinement::new(&settings),
            settings,
            segment: Segment::default(),
            watch: GuardScanner::default(),
            t: 0.0,
            x: Vec::new(),
            step: (0.0, 0.0),
            x_end: Vec::new(),
            f_end: Vec::new(),
            x_new: Vec::new(),
            f_new: Vec::new(),
            h: None,
            scanned: 0.0,
            root: None,
            indicator: Indicator::default(),
            is_started: false,
            has_switches: false,
            approach: Approach::None,
            line: Line::default(),
            record: None,
            statistics: Statistics::default(),
        })
    }

    /// Starts or restarts the integration at time `t` \[s\] with the state `x`. Call it after a jump of the
    /// state and after a change of f or of the guards.
    ///
    /// The integrator keeps the method that [`Method::Auto`] has chosen, and the guards that fired last. If
    /// these guards fired at the time `t`, they count as zero. The exception is a guard that fires in only
    /// one direction and is back on the side from which it fires; see [`forget_roots`](Self::forget_roots).
    ///
    /// # Errors
    ///
    /// [`OdeError`] if the time or the state is not finite, or if the number of tolerances per component
    /// differs from the length of `x`.
    pub fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), OdeError> {
        if !t.is_finite() {
            return Err(OdeError::Time { what: "t", value: t });
        }
        if let Some(index) = x.iter().position(|value| !value.is_finite()) {
            return Err(OdeError::State { index, value: x[index] });
        }
        self.settings.check_lengths(x.len())?;
        self.close_record(t, x.len());
        for vector in [&mut self.x, &mut self.x_end] {
            vector.clear();
            vector.extend_from_slice(x);
        }
        for vector in [&mut self.f_end, &mut self.x_new, &mut self.f_new] {
            vector.clear();
            vector.resize(x.len(), 0.0);
        }
        self.segment.reset(x.len());
        self.refinement.restart(x.len());
        self.t = t;
        self.step = (t, t);
        self.scanned = t;
        self.root = None;
        self.h = None;
        self.approach = Approach::None;
        self.indicator = Indicator::FirstCall;
        self.is_started = true;
        Ok(())
    }

    /// Discards the record of the guards that fired last. The next restart then sets the side of each guard
    /// from its sign or its [`zero_band`](super::OdeSystem::zero_band). Call it if the caller knows the
    /// effect of an event on each guard.
    pub fn forget_roots(&mut self) {
        self.watch.forget_roots();
    }

    /// Writes the state at time `t` \[s\] to `x`. The time must lie between the start of the last step and
    /// the current time. If a root was found, the start of the last step lies before the root.
    ///
    /// The state is read from the present dense output. If [`advance`](Self::advance) stopped within the
    /// step, the dense output has been refined. Otherwise it can be [less accurate](super) than the state at
    /// the ends of the step.
    ///
    /// # Errors
    ///
    /// [`OdeError::NotStarted`] before the first restart, [`OdeError::WrongLength`] if the length of `x`
    /// differs from the number of components, [`OdeError::OutsideStep`] if the time is outside this range.
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
            LastStep { step: self.step, segment: &self.segment, x_end: &self.x_end }.state(t, x);
        } else {
            return Err(OdeError::OutsideStep { t, first: self.step.0, last: self.t });
        }
        Ok(())
    }

    /// Turns the recording of all steps on or off. Default: off. Each call deletes the steps that have been
    /// recorded. Recorded steps are read by [`recorded`](Self::recorded).
    ///
    /// Recording takes one more evaluation of f per step, to check that the dense output is as accurate as
    /// the tolerances require. If it is not, the dense output is [refined](super).
    pub fn set_recording(&mut self, is_on: bool) {
        let kept = self.record.take().unwrap_or_default();
        self.record = is_on.then_some(kept);
        if let Some(record) = &mut self.record {
            record.clear(self.x.len());
        }
    }

    /// Returns the recorded steps up to the start of the current step, or `None` if steps are not
    /// [recorded](Self::set_recording).
    #[must_use]
    pub fn record(&self) -> Option<&DenseOutput> {
        self.record.as_ref()
    }

    /// Writes the state at time `t` \[s\] to `x`. The time must lie between the start of the first recorded
    /// step and the current time. At a jump, this is the state after the jump. A restart at an earlier time
    /// deletes the record after that time.
    ///
    /// # Errors
    ///
    /// [`OdeError::NotStarted`] before the first restart, [`OdeError::WrongLength`] if the length of `x`
    /// differs from the number of components, [`OdeError::OutsideStep`] if no step was recorded at that time.
    pub fn recorded(&self, t: f64, x: &mut [f64]) -> Result<(), OdeError> {
        let Some(record) = self.record.as_ref().filter(|_| self.is_started) else {
            return self.interpolate(t, x);
        };
        let first = record.span().map_or(self.step.0, |(first, _)| first);
        if t < first || t > self.t {
            return Err(OdeError::OutsideStep { t, first, last: self.t });
        }
        if t < self.step.0 { record.interpolate(t, x) } else { self.interpolate(t, x) }
    }

    /// Records the current step up to the time `t` of a restart, if steps are recorded. If `t` is later than
    /// the current time, or if the number of components changes, the record is deleted instead.
    fn close_record(&mut self, t: f64, n: usize) {
        let Some(record) = &mut self.record else { return };
        if self.is_started && n == self.x.len() && t <= self.t {
            record.push(self.step, self.t, &self.segment);
            record.cut(t);
        } else {
            record.clear(n);
        }
    }

    /// Returns the current time \[s\]: the time of the last restart, of a root, or of the end of the last
    /// call.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Returns the state at the current time.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// Returns the start and the end of the last step \[s\]. The end can be later than the current time.
    #[must_use]
    pub fn last_step(&self) -> (f64, f64) {
        self.step
    }

    /// Returns f at the start of the last step. After the step across the root of a
    /// [switch](super::OdeSystem::is_switch), this is f before the switch.
    #[must_use]
    pub fn slope_before(&self) -> &[f64] {
        &self.f_new
    }

    /// Returns the guards that fired at the last root; empty if the last call found no root.
    #[must_use]
    pub fn fired(&self) -> &[Fired] {
        if self.indicator == Indicator::RootFound { &self.watch.fired } else { &[] }
    }

    /// Returns the state of the integration: first call, no root, or root found.
    #[must_use]
    pub fn indicator(&self) -> Indicator {
        self.indicator
    }

    /// Returns the method of the next step. With [`Method::Auto`] it is [`Method::Explicit`],
    /// [`Method::HighOrder`] or [`Method::Stiff`].
    #[must_use]
    pub fn current_method(&self) -> Method {
        self.steppers.current()
    }

    /// Returns the counts since the integrator was created.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Returns the settings of the integrator.
    #[must_use]
    pub fn settings(&self) -> &OdeSettings {
        &self.settings
    }

    pub(super) fn move_to(&mut self, t: f64) {
        let Self { step, ref segment, ref x_end, .. } = *self;
        LastStep { step, segment, x_end }.state(t, &mut self.x);
        self.t = t;
    }
}

/// Solution within the last step of an integrator.
pub(super) struct LastStep<'a> {
    pub(super) step: (f64, f64),
    pub(super) segment: &'a Segment,
    pub(super) x_end: &'a [f64],
}

impl DenseSolution for LastStep<'_> {
    fn state(&self, t: f64, x: &mut [f64]) {
        let (first, last) = self.step;
        if t >= last {
            x.copy_from_slice(self.x_end);
        } else {
            self.segment.interpolate((t - first) / (last - first), x);
        }
    }

    fn state_near(&self, _: (f64, f64), fraction: f64, x: &mut [f64]) -> f64 {
        if fraction == 1.0 {
            x.copy_from_slice(self.x_end);
        } else {
            self.segment.interpolate(fraction, x);
        }
        fraction
    }

    fn course(&self, (from, to): (f64, f64), component: usize) -> ValueBounds {
        let (first, last) = self.step;
        let length = last - first;
        self.segment.course(component, ((from - first) / length, (to - first) / length), length)
    }
}
