//! Event-driven simulation: integration of the smooth motion between events, and computation of the changes
//! at events.
//!
//! # Algorithm
//!
//! The algorithm follows Siconos (Siconos documentation, "Event-Driven schemes"), for Lagrangian systems with
//! perfect (frictionless) unilateral constraints. It uses three index sets of unitary relations: all
//! relations (I_0), touching contacts (I_1), and lasting contacts (I_2),
//!
//! $$ I_1 = \lbrace \alpha \in I_0 : y_\alpha = 0 \rbrace, \qquad I_2 = \lbrace \alpha \in I_1 : \dot
//! y_\alpha = 0 \rbrace . $$
//!
//! One event is handled as follows:
//!
//! ```text
//! advance_to_event              integrate  M a = F(t, q, v) + J^T lambda,  ydd = 0 on I_2,  lambda = 0 elsewhere,
//!                               to the next scheduled event, or to the first root of
//!                               y of I_0 - I_2  or  lambda of I_2
//! process_events
//!     update_index_sets         evaluate y and yd; choose I_1 and I_2
//!     if a contact of I_1 - I_2 closes
//!         compute_one_step_ns_problem(Impact)
//!                               yd+ = J M^-1 J^T p + yd-,  0 <= yd+ + e yd-  _|_  p >= 0
//!                               over the contacts of I_1 with yd- <= 0; afterwards I_1 - I_2 is empty
//!     if I_2 is not empty
//!         compute_one_step_ns_problem(Acceleration)
//!                               ydd = J M^-1 J^T lambda + J M^-1 F + Jd v,  0 <= ydd  _|_  lambda >= 0  on I_2
//!         update_index_sets_with_double_condition
//!                               ydd > 0, lambda = 0: remove from I_2, I_1;  both zero: next derivative decides
//!     next_step                 set the state to its right limit; restart the integrator
//! ```
//!
//! Between events, the right-hand side of the smooth dynamics does not solve the problem at acceleration
//! level. It imposes $\ddot y = 0$ at the contacts of I_2, so it is a smooth function. If contacts of I_2 are
//! linearly dependent because they share a load, only a maximal independent subset is imposed. Unlike in
//! Siconos, the impact problem does not contain contacts that touch but are opening; see
//! [`OneStepProblem::Impact`].
//!
//! # First-order systems
//!
//! Two classes of first-order systems are supported (Acary and Brogliato 2008, chapter 7): complementarity
//! systems of relative degree 0 (circuits with diodes, if D is regular or at least regular in the modes that
//! occur), and sweeping processes on sets with finitely many constraints (relative degree 1). On the active
//! set, lambda is a function of x. The guards are y of the inactive constraints and lambda of the active
//! constraints. After a guard has become negative, `update_index_sets` chooses the next active set. If the
//! state violates a constraint, it first jumps to its projection onto the admissible set. The stages of the
//! two one-step problems are skipped for these systems.
//!
//! # Accuracy
//!
//! Event times are located on the dense output of the integrator, to the tolerance of
//! [`EventIntegrator::location`]. Positions and velocities have the error of the dense output. The drift of
//! the closed contacts is removed at every event by a projection in the metric of M.
//!
//! An output point does not restart the integrator. Steps pass over the output point, and the state at this
//! time is interpolated. A user event ends a step, because forces can change at the event. Events of sensors
//! and observers are an exception. After a user event, and after a parameter is set, the contacts are
//! evaluated again with the new forces before the next step.
//!
//! If all coefficients of restitution are equal, no impact gains energy. If several contacts with different
//! coefficients have impacts at the same time, Newton's law can gain energy (Kane and Levinson 1985), as in
//! time-stepping.

mod builder;
mod check;
mod first_order;
mod hand_over;
mod integrator;
mod lagrangian;
mod modes;
mod outcome;
mod problems;
mod progress;
mod report;
mod settings;
mod stages;
mod synchronise;
mod view;

pub use builder::EventDrivenBuilder;
pub use first_order::ModeError;
pub use integrator::{AlphaParameters, ConstraintLevel, EventIntegrator, HalfExplicit, NewmarkAlpha};
pub use problems::OneStepProblem;
pub use report::{Accumulation, EventReport};
pub use settings::{AccumulationPolicy, AccumulationSettings, EventDrivenSettings};

use siconos_ode::{IntegratorState, Statistics};

use self::integrator::SmoothIntegrator;
use self::modes::Modes;
use self::stages::Stage;
use super::{EventsManager, FiringCounter, TimeDiscretisation, countable};
use crate::index::Table;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::{UnitaryEntry, UnitaryIndex, UnitaryRelation};
use crate::simulation::{Error, SimulationError};
use crate::state::{ImpactHistory, State};

/// Event-driven simulation of a model.
///
/// The smooth motion is integrated from event to event. Impacts, take-off and changes of mode are located by
/// root finding and handled at the time at which they occur. The error of the motion between events is the
/// error of the integrator. Every impact and every take-off requires a root search and a restart of the
/// integrator, so prefer [`TimeStepping`](super::TimeStepping) for models with very many impacts.
///
/// | model | requirements |
/// |---|---|
/// | Lagrangian systems | contacts without friction and without compliance; bilateral constraints |
/// | first-order systems | complementarity conditions and equalities of relative degree 0 or 1 |
///
/// [`build`](EventDrivenBuilder::build) rejects all other models and names a supported alternative.
/// Tolerances, the integrator and the treatment of accumulating impacts are chosen in
/// [`EventDrivenSettings`].
///
/// Event times are located to the tolerance of [`EventIntegrator::location`]. Output points do not influence
/// the motion: the state there is interpolated. With equal coefficients of restitution, no impact gains
/// energy. If several contacts with different coefficients have impacts at the same time, Newton's law can
/// gain energy (Kane and Levinson 1985).
///
/// There are three levels of use: [`run`](Self::run) takes all steps, [`step`](Self::step) takes one, and
/// [`advance_to_event`](Self::advance_to_event) with [`process_events`](Self::process_events) takes one in
/// two halves. The second half can be divided further: [`update_index_sets`](Self::update_index_sets),
/// [`compute_one_step_ns_problem`](Self::compute_one_step_ns_problem),
/// [`update_index_sets_with_double_condition`](Self::update_index_sets_with_double_condition) and
/// [`next_step`](Self::next_step).
///
/// A ball falls from a height of 1 m and bounces until it rests:
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
///     .with_constant_external_force(vec![-9.81]))?;
/// model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), NewtonImpact::new(0.5)?)?;
///
/// let mut sim = EventDriven::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 2.0, 0.1)?).build()?;
/// let mut state = sim.initial_state(&model)?;
/// let mut impacts = Vec::new();
/// sim.run(&model, &mut state, |report, _state| {
///     if !report.impacts.is_empty() {
///         impacts.push(report.t);
///     }
/// })?;
/// let fall = (2.0_f64 / 9.81).sqrt();
/// assert!((impacts[0] - fall).abs() < 1e-12);
/// assert!((impacts[1] - 2.0 * fall).abs() < 1e-12);
/// // After infinitely many impacts, at three times the fall time, the ball rests.
/// assert_eq!((state.q(ball)[0], state.v(ball)[0]), (0.0, 0.0));
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Debug)]
pub struct EventDriven {
    settings: EventDrivenSettings,
    events: EventsManager,
    integrator: SmoothIntegrator,
    modes: Modes,
    /// Impact history of each contact.
    impacts: Table<UnitaryEntry, ImpactHistory>,
    stage: Stage,
    /// Current state of the integrator: positions and velocities, or states of first-order systems.
    x: Vec<f64>,
    /// Guards that fired at the current event, in increasing order.
    fired: Vec<usize>,
    /// Time of the root at which the guards fired; `None` if no guard fired.
    root: Option<f64>,
    /// Time of the last committed state, if the integrator can continue from this state.
    committed: Option<f64>,
    /// State of the integrator at the last committed state.
    committed_x: Vec<f64>,
    /// `true` if the integrator has to restart after the event.
    needs_restart: bool,
    /// `true` if the user may have changed forces at the last event. The contacts must then be evaluated
    /// again before the next step.
    forces_may_change: bool,
    /// `true` if the state of first-order systems jumped when it was evaluated before the step.
    jumped_before: bool,
    /// Contacts that had an impact when the state was evaluated before the step.
    impacts_before: Vec<UnitaryRelation>,
    /// `true` if the jump and the impacts before the step have not been reported, because there was no
    /// further event.
    has_unreported_start: bool,
    /// `true` if the accumulation policy has ended the simulation.
    is_stopped: bool,
    /// Maximum length of the time steps to the next event, if impacts have accumulated.
    hand_over: Option<f64>,
    /// Contacts with a reaction in the last time step, if time steps were taken to the current event.
    pressing: Option<Vec<UnitaryIndex>>,
    /// Number of times that each guard has fired without noticeable progress in time.
    repeats: FiringCounter,
    /// `true` while a stage runs. It remains `true` if a user function panics.
    is_interrupted: bool,
}

impl EventDriven {
    /// Returns the tolerances, the policies and the choice of the integrator.
    ///
    /// ```
    /// # use ndarray::array;
    /// use siconos_kernel::prelude::*;
    ///
    /// # let mut model = NonSmoothDynamicalSystem::new();
    /// # model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]))?;
    /// let settings = EventDrivenSettings::default();
    /// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
    /// let simulation =
    ///     EventDriven::builder(&model).discretisation(grid).settings(settings.clone()).build()?;
    /// assert_eq!(simulation.settings(), &settings);
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn settings(&self) -> &EventDrivenSettings {
        &self.settings
    }

    /// Returns a builder for a simulation of a model.
    #[must_use]
    pub fn builder(model: &NonSmoothDynamicalSystem) -> EventDrivenBuilder<'_> {
        EventDrivenBuilder::new(model)
    }

    /// Creates the state at the start of the time discretisation.
    ///
    /// Index sets, accelerations and forces are computed. Contacts that touch and close at this time have an
    /// impact; its impulse is in `lambda` at [`Level::Velocity`](crate::Level::Velocity).
    ///
    /// # Errors
    ///
    /// If bodies overlap, a mass matrix is singular, a value is not finite, or the model has changed into one
    /// that the simulation does not support: [`SimulationError`].
    pub fn initial_state(&mut self, model: &NonSmoothDynamicalSystem) -> Result<State, SimulationError> {
        let mut state = State::new(model, self.discretisation().t0());
        self.update_state(model, &mut state)?;
        Ok(state)
    }

    /// Integrates to the next event and processes it. Returns `None` if no event is left, or if an
    /// accumulation of impacts has stopped the simulation.
    ///
    /// If the model has changed since the last step, the simulation and the state adapt to the model. The
    /// values of systems and interactions that still exist are kept.
    ///
    /// # Errors
    ///
    /// [`SimulationError`] with the time if the integration or a problem at the event fails. The state is
    /// then unchanged, bit for bit.
    #[doc(alias = "computeOneStep")]
    pub fn step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<Option<EventReport<'_>>, SimulationError> {
        if !self.advance_to_event(model, state)? {
            return Ok(None);
        }
        self.process_events(model, state).map(Some)
    }

    /// Takes all remaining steps, and calls `observer` with each report and the state after each step.
    ///
    /// # Errors
    ///
    /// If a step fails: the [`SimulationError`] of that step.
    pub fn run(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
        mut observer: impl FnMut(&EventReport<'_>, &State),
    ) -> Result<(), SimulationError> {
        let _span = tracing::debug_span!("run").entered();
        while let Some(report) = self.step(model, state)? {
            observer(&report, state);
        }
        Ok(())
    }

    /// Returns the events manager: past, current and future events.
    #[must_use]
    pub fn events(&self) -> &EventsManager {
        &self.events
    }

    /// Returns the events manager, with which events can be scheduled and removed.
    pub fn events_mut(&mut self) -> &mut EventsManager {
        &mut self.events
    }

    /// Returns the name of the solver of one of the two problems at events, as returned by
    /// [`OneStepSolver::name`](crate::nonsmooth_problem::OneStepSolver::name).
    #[must_use]
    pub fn solver(&self, problem: OneStepProblem) -> &'static str {
        self.modes.problems_as_they_are().get(problem).solver()
    }

    /// Returns `true` if the user has not set a solver for this problem. Each problem class then uses its
    /// default solver.
    #[must_use]
    pub fn has_default_solver(&self, problem: OneStepProblem) -> bool {
        self.modes.problems_as_they_are().get(problem).is_automatic()
    }

    /// Returns the output points.
    #[must_use]
    pub fn discretisation(&self) -> &TimeDiscretisation {
        self.events.discretisation()
    }

    /// Replaces the output points, for example to continue beyond the last output point. The motion is
    /// bit-identical for any choice of output points.
    ///
    /// # Errors
    ///
    /// As for [`EventsManager::set_discretisation`].
    pub fn set_discretisation(&mut self, discretisation: TimeDiscretisation) -> Result<(), Error> {
        self.events.set_discretisation(discretisation)
    }

    /// Returns the numbers of steps and evaluations of the smooth integration since the start.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.integrator.statistics()
    }

    /// Returns the data that the integrator keeps across a restart at the last event, in addition to the
    /// state.
    ///
    /// After a nonsmooth event or a [`Restart`](super::EventKind::Restart) event, the run can be resumed bit
    /// for bit from the state and these data, with [`recall`](Self::recall).
    #[must_use]
    pub fn carried(&self) -> IntegratorState {
        self.integrator.carried()
    }

    /// Resumes a run at the time `t` \[s\]. `carried` are the data returned by [`carried`](Self::carried) of
    /// the simulation that was interrupted at this time.
    pub fn recall(&mut self, t: f64, carried: &IntegratorState) {
        self.integrator.recall(t, &countable(carried));
    }

    /// Returns the index set I_2 after the last event.
    #[must_use]
    pub fn index_set(&self) -> &[UnitaryRelation] {
        &self.modes.outcome().closed
    }
}
