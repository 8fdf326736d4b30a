//! Event-driven simulation: smooth motion from event to event, and impacts, take-off and the rest at events.
//!
//! # The algorithm
//!
//! The scheme of the manuals of Siconos ("Event-Driven schemes"), for Lagrangian systems with perfect
//! unilateral constraints. For the unitary relations in
//!
//! $$ I_1 = \lbrace \alpha \in I_0 : y_\alpha = 0 \rbrace, \qquad I_2 = \lbrace \alpha \in I_1 : \dot
//! y_\alpha = 0 \rbrace $$
//!
//! (I_0 all of them, I_1 those that touch, I_2 those that last) one event after the other is taken as
//! follows:
//!
//! ```text
//! advance_to_event              integrate  M a = F(t, q, v) + J^T lambda,  ydd = 0 on I_2,  lambda = 0 elsewhere,
//!                               to the next scheduled event, or to the first root of
//!                               y of I_0 - I_2  or  lambda of I_2
//! process_events
//!     update_index_sets         y, yd; I_1 and I_2 from them
//!     if I_1 - I_2 closes
//!         compute_one_step_ns_problem(Impact)
//!                               yd+ = J M^-1 J^T p + yd-,  0 <= yd+ + e yd-  _|_  p >= 0
//!                               on the part of I_1 that does not open (yd- <= 0); then I_1 - I_2 is empty
//!     if I_2 is not empty
//!         compute_one_step_ns_problem(Acceleration)
//!                               ydd = J M^-1 J^T lambda + J M^-1 F + Jd v,  0 <= ydd  _|_  lambda >= 0  on I_2
//!         update_index_sets_with_double_condition
//!                               ydd > 0, lambda = 0: out of I_2 and I_1;  both zero: the next derivative decides
//!     next_step                 the state becomes the right limit; the integrator begins anew
//! ```
//!
//! The problem at acceleration level inside f is reduced to its active set, I_2 itself, so that f is smooth
//! between events; of contacts in I_2 that carry the same load those of a maximal independent set are held.
//! The impact problem leaves out contacts that touch while they open, which the manuals keep in: see
//! [`OneStepProblem::Impact`].
//!
//! # First-order systems
//!
//! Complementarity systems of relative degree 0 (circuits with diodes, where D is regular or the modes that
//! are met are), and sweeping processes on sets of finitely many constraints (relative degree 1), run under
//! the same driver (Acary and Brogliato 2008, chapter 7): lambda is a function of x on the active set,
//! `update_index_sets` chooses the next set after a guard (y of the others, lambda of the active ones) has
//! fallen through zero, and a state that violates the constraints jumps first, to the projection. The two
//! problems have nothing to do then.
//!
//! # What is exact and what is not
//!
//! Event times are located to the tolerance of [`EventIntegrator::location`] on the dense output of the
//! integrator, and positions and velocities have its error. Drift on the held contacts is projected out at
//! every event, in the metric of M. A point of output costs no restart: steps go past it, and the state there
//! is interpolated; a user event other than a sensor or observer ends a step, because forces may change
//! there. Contacts are then settled once more before the next step, with the forces as the user has left
//! them, and so they are wherever a parameter was set.
//!
//! With equal restitution the energy does not grow at an impact. With several contacts of different
//! restitution that are hit at once, Newton's law can gain energy (Kane and Levinson 1985), as it does in
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

use siconos_ode::{Carried, Statistics};

use self::integrator::SmoothIntegrator;
use self::modes::Modes;
use self::stages::Stage;
use super::{EventsManager, Repeats, TimeDiscretisation, countable};
use crate::index::Table;
use crate::model::NonSmoothDynamicalSystem;
use crate::nonsmooth_problem::{UnitaryEntry, UnitaryPlace, UnitaryRelation};
use crate::simulation::{Error, SimulationError};
use crate::state::{ImpactHistory, State};

/// An event-driven simulation of a model.
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
/// // After infinitely many impacts, at three times the time of the fall, the ball rests.
/// assert_eq!((state.q(ball)[0], state.v(ball)[0]), (0.0, 0.0));
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Debug)]
pub struct EventDriven {
    settings: EventDrivenSettings,
    events: EventsManager,
    integrator: SmoothIntegrator,
    modes: Modes,
    /// By contact.
    impacts: Table<UnitaryEntry, ImpactHistory>,
    stage: Stage,
    /// Position and velocity as the integrator has them.
    x: Vec<f64>,
    /// The guards that fired at the event that is processed, in increasing order, and when.
    fired: Vec<usize>,
    root: Option<f64>,
    /// Time, position and velocity of the state that was committed last, with which the integrator can go on.
    committed: Option<f64>,
    committed_x: Vec<f64>,
    /// Whether the integration has to begin anew after the event.
    begins_anew: bool,
    /// Whether the user may have changed forces at the last event, so that contacts have to be settled once
    /// more.
    forces_may_change: bool,
    /// Whether the state of first-order systems has jumped where it was settled before the step, and the
    /// contacts that had an impact there.
    jumped_before: bool,
    impacts_before: Vec<UnitaryRelation>,
    /// Whether that has not been told yet, as there was no event to come.
    ends_untold: bool,
    /// Whether the policy has ended the simulation.
    is_stopped: bool,
    /// The step length of the time steps that come next, where impacts have accumulated.
    hand_over: Option<f64>,
    /// Where such steps have just been taken, the contacts that pressed in the last of them.
    pressing: Option<Vec<UnitaryPlace>>,
    /// Nonsmooth events at which the time has not moved on noticeably.
    repeats: Repeats,
    /// A stage has begun and not ended. It stays so if a function of the user panics.
    is_interrupted: bool,
}

impl EventDriven {
    /// The tolerances and policies that it has, with the integrator.
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

    /// Begins to build a simulation of a model.
    #[must_use]
    pub fn builder(model: &NonSmoothDynamicalSystem) -> EventDrivenBuilder<'_> {
        EventDrivenBuilder::new(model)
    }

    /// The state at the beginning of the time discretisation: index sets, accelerations and forces are
    /// computed, and contacts that touch and close at that time have had their impact, whose impulse is in
    /// `lambda` at [`Level::Velocity`](crate::Level::Velocity).
    ///
    /// # Errors
    ///
    /// [`SimulationError`]: bodies that lie in each other, a singular mass, values that are not finite, a
    /// model that has changed into one that the simulation cannot carry.
    pub fn initial_state(&mut self, model: &NonSmoothDynamicalSystem) -> Result<State, SimulationError> {
        let mut state = State::new(model, self.discretisation().t0());
        self.settle(model, &mut state)?;
        Ok(state)
    }

    /// Integrates to the next event and processes it; `None` when there is none left, or the simulation has
    /// been stopped at an accumulation.
    ///
    /// The model may have changed since the last step: simulation and state then adapt, and what is still
    /// there is kept.
    ///
    /// # Errors
    ///
    /// [`SimulationError`] with the time; the state is then bit for bit as it was.
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

    /// Takes all remaining steps, showing each to an observer.
    ///
    /// # Errors
    ///
    /// [`SimulationError`] of the step that failed.
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

    /// The events: what has been, what is to come, and the place to schedule events of one's own.
    #[must_use]
    pub fn events(&self) -> &EventsManager {
        &self.events
    }

    /// The events, to schedule and remove some.
    pub fn events_mut(&mut self) -> &mut EventsManager {
        &mut self.events
    }

    /// The name of the solver of one of the two problems at events, as of
    /// [`OneStepSolver::name`](crate::nonsmooth_problem::OneStepSolver::name).
    #[must_use]
    pub fn solver(&self, problem: OneStepProblem) -> &'static str {
        self.modes.problems_as_they_are().get(problem).solver()
    }

    /// Whether no solver was given for one of the two problems, and each class gets the usual one.
    #[must_use]
    pub fn has_usual_solver(&self, problem: OneStepProblem) -> bool {
        self.modes.problems_as_they_are().get(problem).is_automatic()
    }

    /// The points of output.
    #[must_use]
    pub fn discretisation(&self) -> &TimeDiscretisation {
        self.events.discretisation()
    }

    /// Goes on with other points of output, or beyond the last one; the motion is the same bit for bit.
    ///
    /// # Errors
    ///
    /// As for [`EventsManager::set_discretisation`].
    pub fn set_discretisation(&mut self, discretisation: TimeDiscretisation) -> Result<(), Error> {
        self.events.set_discretisation(discretisation)
    }

    /// What the smooth integration has cost so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.integrator.statistics()
    }

    /// What the integrator carries over a restart at the last event, besides what is in the state: at a
    /// nonsmooth event, and at one of the kind [`Restart`](super::EventKind::Restart), the two together are
    /// what a run goes on from to the same bits. [`recall`](Self::recall) takes it over.
    #[must_use]
    pub fn carried(&self) -> Carried {
        self.integrator.carried()
    }

    /// Goes on from a state at the time `t` \[s\] with what another simulation has
    /// [carried](Self::carried) there.
    pub fn recall(&mut self, t: f64, carried: &Carried) {
        self.integrator.recall(t, &countable(carried));
    }

    /// The index set I_2 after the last event.
    #[must_use]
    pub fn index_set(&self) -> &[UnitaryRelation] {
        &self.modes.outcome().closed
    }
}
