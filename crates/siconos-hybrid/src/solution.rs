//! Solution of a hybrid system, computed only up to the times that are requested.

use std::fmt;

use siconos_linalg::DenseLu;
use siconos_ode::{Crossing, Integrator, Method, Statistics};

use super::answer::{Direction, IntegrationOutcome};
use super::consistency::Consistency;
use super::event_workspace::EventWorkspace;
use super::iteration::Iteration;
use super::located::Located;
use super::motion::{Watched, guards_of};
use super::probe::Probe;
use super::record::Record;
use super::required::{Pair, pairs_of};
use super::restart::{Firings, Restart};
use super::settings::is_one_instant;
use super::switch::Piece;
use super::{DiscreteId, HybridError, HybridSettings, HybridSystem, Variable};
use siconos_kernel::engine::{ImpactHistory, check_finite, check_shape};
use siconos_kernel::model::{ParameterId, Parameters};

/// State of the computation at the current point of the integration.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// Nothing has been computed.
    AtStart,
    /// Between two events, or after an event.
    Underway,
    /// In an event iteration. The iteration resumes if an event has halted it.
    Iterating,
    /// An event halted the integration at the end of an iteration, and the halt has been cleared; index of
    /// the event.
    Resuming(usize),
    /// An event has halted the integration.
    Halted { event: usize, is_over: bool },
    /// Events accumulate.
    Ended { t: f64, events: Vec<usize> },
    /// The motion stays at a switch; index of the switch.
    Sliding { switch: usize },
    /// An error has ended the integration.
    Failed(Box<HybridError>),
}

/// Solution of a [`HybridSystem`] from given initial values at an initial time. The solution is integrated on
/// demand, forward or backward from the initial time, as far as the requested times. The events of the system
/// can be queried, enabled and disabled.
///
/// [`at`](Self::at) computes the solution up to a time, if necessary, and selects this time. Methods such as
/// [`x`](Self::x) then return the values of variables at this time:
///
/// ```
/// use siconos_hybrid::{Action, IntegrationOutcome, HybridSettings, HybridSolution, HybridSystem, Trigger, View};
///
/// let mut oscillator = HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -p.x[0])?;
/// oscillator.event(Trigger::increasing("y"), Action::halt())?;
/// oscillator.event(Trigger::decreasing("y"), Action::halt())?;
/// let mut solution = HybridSolution::new(&oscillator, 0.0, &[0.0, 1.0], HybridSettings::default())?;
/// let answer = solution.at(10.0)?;
/// assert!(matches!(answer, IntegrationOutcome::Halted { event: 2, .. }));
/// assert_eq!(&answer.to_string()[..52], "cannot evaluate the solution to the right of 3.14159");
/// solution.disable(2)?;
/// assert!(matches!(solution.at(10.0)?, IntegrationOutcome::Halted { event: 1, .. }));
/// assert!((solution.t() - 2.0 * std::f64::consts::PI).abs() < 1e-9);
/// # Ok::<(), siconos_hybrid::HybridError>(())
/// ```
#[derive(Clone)]
pub struct HybridSolution {
    pub(super) system: HybridSystem,
    pub(super) settings: HybridSettings,
    pub(super) t0: f64,
    /// All variables at the initial point.
    pub(super) initial: Vec<f64>,
    /// Parameters at the initial point.
    pub(super) initial_parameters: Parameters,
    pub(super) parameters: Parameters,
    pub(super) direction: Option<Direction>,
    pub(super) enabled: Vec<bool>,
    pub(super) last_fired: Vec<Option<f64>>,
    /// Present point of the integration.
    pub(super) event_workspace: EventWorkspace,
    pub(super) stage: Stage,
    /// Time of the last events, or the initial time \[s\].
    pub(super) instant: f64,
    /// `true` if the integrator has to restart before it continues.
    pub(super) is_stale: bool,
    /// All variables before the events at the current time.
    pub(super) before: Vec<f64>,
    pub(super) integrator: Integrator,
    pub(super) guards: Vec<Watched>,
    pub(super) pairs: Vec<Pair>,
    /// Histories of the events, followed by the histories of the switches.
    pub(super) histories: Vec<ImpactHistory>,
    /// Time interval, between two switches of the equations, in which the integration proceeds.
    pub(super) piece: Piece,
    /// `true` if the equations have switched at the current time.
    pub(super) has_switched: bool,
    pub(super) iteration: Iteration,
    pub(super) consistency: Consistency,
    pub(super) probe: Probe,
    /// For each guard that has crossed zero at the current time, whether it rises or falls, as seen in the
    /// direction of integration.
    pub(super) ways: Vec<Option<Crossing>>,
    /// For each guard that will cross back without firing: the direction of this crossing, and the latest
    /// expected time, multiplied by the sign of the direction of integration.
    pub(super) awaited: Vec<Option<(Crossing, f64)>>,
    /// Values of the guards at the last instant, before its events.
    pub(super) located: Located,
    pub(super) record: Record,
    pub(super) firings: Vec<Firings>,
    /// State at the last restart of the integration.
    pub(super) restart: Option<Restart>,
    /// Largest magnitude of each continuous variable at the points where the integration has stopped.
    pub(super) largest: Vec<f64>,
    /// Time at which the solution is read, and all variables at this time.
    shown: (f64, Vec<f64>),
}

impl HybridSolution {
    /// Creates the solution from `t0` \[s\] with the continuous variables `x0`. `x0` contains the states (for
    /// a second-order system, the variables followed by their derivatives), followed by initial guesses of
    /// the algebraic variables. Consistent values of the algebraic variables are computed from the guesses.
    ///
    /// # Errors
    ///
    /// [`HybridError`] if settings are outside their ranges, if lengths differ, if a value is not finite, if
    /// a trigger that requires a variable has no partner, if the method is not suitable for the system, or if
    /// the algebraic equations cannot be solved.
    pub fn new(
        system: &HybridSystem,
        t0: f64,
        x0: &[f64],
        settings: HybridSettings,
    ) -> Result<Self, HybridError> {
        settings.validate()?;
        check_shape("x0", (system.names.len(), 1), (x0.len(), 1))?;
        check_finite("t0", [&t0])?;
        check_finite("x0", x0)?;
        let mut ode = settings.ode.clone();
        if system.is_implicit() {
            ode.method = match ode.method {
                Method::Auto | Method::Stiff => Method::Stiff,
                Method::Explicit | Method::HighOrder => {
                    let what = if system.mass.is_some() { "a mass matrix" } else { "algebraic equations" };
                    return Err(HybridError::MethodNeedsStiff { what });
                }
            };
        }
        let integrator = Integrator::new(ode)
            .map_err(|error| HybridError::Settings(siconos_kernel::SettingsError::Solver(error)))?;
        settings.ode.check_lengths(x0.len()).map_err(|source| HybridError::Integration { t: t0, source })?;
        let mass = match &system.mass {
            None => None,
            Some(matrix) => {
                let mut lu = DenseLu::default();
                lu.factor_in_any_units(matrix.view()).map_err(|_singular| HybridError::SingularMass)?;
                Some(lu)
            }
        };
        let events = system.events.len();
        let guards = guards_of(system);
        let mut initial = x0.to_vec();
        initial.extend(system.discrete.iter().map(|variable| variable.initial));
        let mut solution = Self {
            system: system.clone(),
            t0,
            initial,
            initial_parameters: system.parameters.clone(),
            parameters: system.parameters.clone(),
            direction: None,
            enabled: vec![true; events],
            last_fired: vec![None; events],
            event_workspace: EventWorkspace::default(),
            stage: Stage::AtStart,
            instant: t0,
            is_stale: true,
            before: Vec::new(),
            integrator,
            ways: vec![None; guards.len()],
            awaited: vec![None; guards.len()],
            located: Located::default(),
            guards,
            pairs: pairs_of(system)?,
            histories: vec![ImpactHistory::default(); events + system.switches.len()],
            piece: Piece::all(Direction::Right),
            has_switched: false,
            iteration: Iteration::default(),
            consistency: Consistency::default(),
            probe: Probe::new(mass),
            record: Record::new(settings.record),
            firings: vec![Firings::default(); events],
            restart: None,
            largest: Vec::new(),
            shown: (t0, Vec::new()),
            settings,
        };
        solution.check_periods()?;
        solution.reset();
        solution.make_consistent()?;
        solution.initial.copy_from_slice(&solution.event_workspace.values);
        solution.record.clear(t0, &solution.event_workspace.values);
        solution.show_present();
        Ok(solution)
    }

    /// Discards all results. Each event stays enabled or disabled.
    pub(super) fn reset(&mut self) {
        self.direction = None;
        self.parameters.copy_from(&self.initial_parameters);
        self.event_workspace.t = self.t0;
        self.event_workspace.values.clone_from(&self.initial);
        self.event_workspace.previous.clone_from(&self.initial);
        self.iteration.clear(self.system.events.len());
        self.stage = Stage::AtStart;
        self.instant = self.t0;
        self.is_stale = true;
        self.before.clone_from(&self.initial);
        self.ways.fill(None);
        self.awaited.fill(None);
        self.located.clear();
        self.last_fired.fill(None);
        self.histories.fill(ImpactHistory::default());
        self.firings.fill(Firings::default());
        (self.piece, self.has_switched) = (Piece::all(Direction::Right), false);
        self.restart = None;
        self.record.clear(self.t0, &self.initial);
        self.integrator.set_recording(self.settings.record);
        self.show_present();
    }

    /// Selects the last computed point as the point at which the solution is read.
    pub(super) fn show_present(&mut self) {
        self.shown.0 = self.event_workspace.t;
        self.shown.1.clone_from(&self.event_workspace.values);
    }

    /// Computes the solution up to a time \[s\], if necessary, and selects this time as the point at which
    /// the solution is read. If the solution ends earlier, its end is selected.
    ///
    /// If an event and the requested time count as [one instant](Self::is_one_instant), the event is
    /// processed, and the time of the event is selected. If the requested time is on the other side of the
    /// initial time, the integration restarts in the opposite direction. If the initial time is requested
    /// before a direction is known, the solution is the initial point, before any event.
    ///
    /// # Errors
    ///
    /// [`HybridError`] if an action, a trigger or an equation returns a value that is not finite, if an event
    /// iteration does not end, or if the solution at the time was not recorded. After an error, the solution
    /// can be read up to the time of the error.
    pub fn at(&mut self, t: f64) -> Result<IntegrationOutcome, HybridError> {
        self.go_to(t, false)
    }

    /// Computes the solution like [`at`](Self::at), but stops after the first instant at which a trigger
    /// fires or the integration restarts. The outcome is then [`IntegrationOutcome::Reached`], and
    /// [`t`](Self::t) is before the requested time.
    ///
    /// ```
    /// use siconos_hybrid::{Action, IntegrationOutcome, HybridSettings, HybridSolution, HybridSystem, Trigger, View};
    ///
    /// let mut clock = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)?;
    /// clock.event(Trigger::periodic(1.0, 1.0), Action::set(|p| p.set(0, 0.0)))?;
    /// let mut solution = HybridSolution::new(&clock, 0.0, &[0.0], HybridSettings::default())?;
    /// let mut stops = Vec::new();
    /// while solution.t() < 2.5 {
    ///     assert_eq!(solution.step_towards(2.5)?, IntegrationOutcome::Reached);
    ///     stops.push(solution.t());
    /// }
    /// assert_eq!(stops, [1.0, 2.0, 2.5]);
    /// # Ok::<(), siconos_hybrid::HybridError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`at`](Self::at).
    pub fn step_towards(&mut self, t: f64) -> Result<IntegrationOutcome, HybridError> {
        self.go_to(t, true)
    }

    fn go_to(&mut self, t: f64, stops: bool) -> Result<IntegrationOutcome, HybridError> {
        check_finite("t", [&t])?;
        let Some(asked) = Direction::of(self.t0, t) else {
            return if self.direction.is_some() { self.show(t) } else { Ok(IntegrationOutcome::Reached) };
        };
        if self.direction != Some(asked) {
            if self.direction.is_some() {
                self.reset();
            }
            self.direction = Some(asked);
        }
        if self.stage != Stage::AtStart
            && asked.sign() * (t - self.event_workspace.t) <= 0.0
            && self.is_settled(t)
        {
            let is_here =
                self.event_workspace.t == self.instant && self.is_one_instant(t, self.event_workspace.t);
            return self.show(if is_here { self.event_workspace.t } else { t });
        }
        if self.stage == Stage::AtStart {
            self.warn_of_short_way(t);
        }
        let answer = self.advance_to(t, stops);
        self.show_present();
        answer
    }

    /// Returns `true` if two times \[s\] count as
    /// [one instant](siconos_kernel::simulation::EventSettings::gap). An event at one of the times is then
    /// also an event at the other time.
    #[must_use]
    pub fn is_one_instant(&self, a: f64, b: f64) -> bool {
        is_one_instant(&self.settings.instant, a, b)
    }

    /// Returns `true` if the integration has no work left at a time that has been reached. (If a halt at this
    /// time has been cleared, the iteration must resume.)
    fn is_settled(&self, t: f64) -> bool {
        t != self.event_workspace.t || !matches!(self.stage, Stage::Iterating | Stage::Resuming(_))
    }

    /// Selects a time that has been reached as the point at which the solution is read.
    fn show(&mut self, t: f64) -> Result<IntegrationOutcome, HybridError> {
        self.shown.0 = t;
        if t == self.event_workspace.t {
            self.shown.1.copy_from_slice(&self.event_workspace.values);
            return Ok(IntegrationOutcome::Reached);
        }
        let mut values = std::mem::take(&mut self.shown.1);
        let written = self.trajectory().write(t, siconos_kernel::EventSide::After, &mut values);
        self.shown.1 = values;
        written.map(|()| IntegrationOutcome::Reached)
    }

    /// Returns the time \[s\] at which the solution is read.
    #[must_use]
    pub fn t(&self) -> f64 {
        self.shown.0
    }

    /// Returns the continuous variables at the time [`t`](Self::t); at an event, the values after the event.
    #[must_use]
    pub fn x(&self) -> &[f64] {
        &self.shown.1[..self.system.names.len()]
    }

    /// Returns the discrete variables at the time [`t`](Self::t), in the order of their declaration.
    #[must_use]
    pub fn discrete(&self) -> &[f64] {
        &self.shown.1[self.system.names.len()..]
    }

    /// Returns the value of a variable at the time [`t`](Self::t).
    ///
    /// # Panics
    ///
    /// If the system has no such variable, which is a programming error.
    #[must_use]
    #[track_caller]
    pub fn value(&self, variable: impl Into<Variable>) -> f64 {
        match variable.into() {
            Variable::Continuous(index) => self.x()[index],
            Variable::Discrete(DiscreteId(index)) => self.discrete()[index],
        }
    }

    /// Returns the system.
    #[must_use]
    pub fn system(&self) -> &HybridSystem {
        &self.system
    }

    /// Returns the statistics of the integration.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.integrator.statistics()
    }

    /// Returns the current values of the parameters.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Sets a parameter for the integration from the current point onwards. If nothing has been computed yet,
    /// the initial value of the parameter changes as well. Consistent values of the algebraic variables are
    /// computed immediately, so they can be read at the current time.
    ///
    /// # Errors
    ///
    /// [`HybridError::Model`] if the id belongs to another system, if the length is wrong, or if an entry is
    /// not finite; [`HybridError`] if the algebraic equations cannot be solved.
    pub fn set_parameter(&mut self, id: ParameterId, values: &[f64]) -> Result<(), HybridError> {
        self.parameters.set(id, values)?;
        self.is_stale = true;
        self.make_consistent()?;
        if self.stage == Stage::AtStart {
            self.initial_parameters.copy_from(&self.parameters);
            self.initial.copy_from_slice(&self.event_workspace.values);
            self.record.clear(self.t0, &self.initial);
        }
        if self.shown.0 == self.event_workspace.t {
            self.show_present();
        }
        Ok(())
    }

    /// Returns 1 for forward integration, -1 for backward integration.
    pub(super) fn sign(&self) -> f64 {
        self.direction.map_or(1.0, Direction::sign)
    }
}

impl fmt::Debug for HybridSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HybridSolution")
            .field("t", &self.event_workspace.t)
            .field("values", &self.event_workspace.values)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
