//! Errors of a simulation.

use siconos_linalg::{ExponentialError, SingularMatrix};
use siconos_numerics::{SolverError, Status};
use siconos_ode::OdeError;

use super::{EventError, ModeError};
use crate::analysis::{AnalysisError, SchemeMismatch};
use crate::integrator::FitError;
use crate::model::{DynamicalSystemId, InteractionId, ModelError};
use crate::nonsmooth_problem::Unsolved;
use crate::state::Level;

/// Why a simulation cannot be built, or why a step was not taken.
///
/// After an error of [`step`](crate::simulation::TimeStepping::step) the state is bit for bit that before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Systems, relations, laws, solvers and integrators that cannot be combined.
    #[error(transparent)]
    Fit(FitError),
    /// The motion of a first-order system cannot go on by events.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// The scheme is not for the class of solutions that the model has, and the simulation was asked to be
    /// strict.
    #[error(transparent)]
    Scheme(#[from] SchemeMismatch),
    /// The model could not be analysed, and the simulation was asked to be strict.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An integrator was given for a system that is not there.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The state was made for another model.
    #[error("this state belongs to another model")]
    OtherModel,
    /// The state is not at a point of the time discretisation.
    #[error(
        "the state is at t = {t}, which is no point of the time discretisation; the nearest is {nearest} (`step_to` \
         goes to any time)"
    )]
    OtherTime {
        /// Time of the state.
        t: f64,
        /// The nearest point.
        nearest: f64,
    },
    /// A panic of a user's function, which the caller has caught, ended an earlier step before its end.
    #[error(
        "an earlier step was ended by a panic, and the simulation has lost its workspace; build it again, and continue \
         from the state of the last step"
    )]
    Interrupted,
    /// A step has to end after it begins.
    #[error("a step from t = {now} cannot end at t = {t}: the time must be finite and later")]
    NotAhead {
        /// Time of the state \[s\].
        now: f64,
        /// Where the step was to end \[s\].
        t: f64,
    },
    /// A single step was called with another state, or after a change of the model, than the step was begun
    /// with.
    #[error("`{called}` was called with another state or model than `begin_step`")]
    OtherState {
        /// What was called.
        called: &'static str,
    },
    /// A single step was called out of order.
    #[error("`{called}` was called out of order: {expected} comes next")]
    OutOfOrder {
        /// What was called.
        called: &'static str,
        /// What may be called.
        expected: &'static str,
    },
    /// The iteration matrix W of a system is singular.
    #[error(
        "step {step}, t = {t}: the iteration matrix W of system {system} is singular to working precision for h = {h}: \
         {source}; another step length may help, unless W is the mass itself, as with theta = 0 or under a zero-order \
         hold"
    )]
    SingularIterationMatrix {
        /// The system.
        system: DynamicalSystemId,
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// The length of the step.
        h: f64,
        /// What showed it.
        source: SingularMatrix,
    },
    /// The exact solution of a system over a step is too large to be computed.
    #[error("step {step}, t = {t}: system {system} cannot be held over h = {h}: {source}")]
    Hold {
        /// The system.
        system: DynamicalSystemId,
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// The length of the step.
        h: f64,
        /// What showed it.
        source: ExponentialError,
    },
    /// The bounds of a relay are the wrong way round at a time.
    #[error("step {step}, t = {t}: interaction {interaction}: {source}")]
    Bounds {
        /// The interaction.
        interaction: InteractionId,
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Which bound.
        source: ModelError,
    },
    /// The mass matrix of a system is singular: accelerations and impulses are not determined.
    #[error(
        "t = {t}: the mass matrix of system {system} is singular to working precision: {source}; event-driven simulation \
         needs its inverse"
    )]
    SingularMass {
        /// The system.
        system: DynamicalSystemId,
        /// The time.
        t: f64,
        /// What showed it.
        source: SingularMatrix,
    },
    /// The forces of the constraints that are held closed are not determined.
    #[error(
        "t = {t}: the constraints that are held closed depend on each other: {source}; drop those that follow from others"
    )]
    DependentConstraints {
        /// The time.
        t: f64,
        /// What showed it.
        source: SingularMatrix,
    },
    /// Bodies lie in each other, which no event-driven simulation can begin from.
    #[error(
        "t = {t}: the gap of interaction {interaction} is {gap:e}; it must not be below zero by more than the tolerance"
    )]
    Penetration {
        /// The interaction.
        interaction: InteractionId,
        /// Its gap.
        gap: f64,
        /// The time.
        t: f64,
    },
    /// A joint does not hold at the start: its equation, or the velocity of that, is not 0.
    #[error(
        "joint {interaction} does not hold at the start: component {component} of its {} is {value:e} and should be 0",
        if *.level == Level::Position { "equation" } else { "velocity" }
    )]
    InconsistentStart {
        /// The interaction.
        interaction: InteractionId,
        /// Which component of it.
        component: usize,
        /// Whether the equation is off, or its velocity.
        level: Level,
        /// By how much.
        value: f64,
    },
    /// An event cannot be scheduled, or the state is at a time outside the discretisation.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The smooth integration between events cannot begin or go on.
    #[error("after t = {t}: the smooth integration: {source}")]
    Integration {
        /// The time of the state.
        t: f64,
        /// What the integrator said.
        source: OdeError,
    },
    /// The smooth integration came to a standstill.
    #[error(
        "after t = {t}: the smooth integration needs steps of {h:e} at t = {reached}: a singularity of the motion, or \
         tolerances that are too small"
    )]
    StepTooSmall {
        /// The time of the state.
        t: f64,
        /// The time that was reached.
        reached: f64,
        /// The step that would have been needed.
        h: f64,
    },
    /// The smooth integration took more steps than are allowed between two events.
    #[error(
        "after t = {t}: the smooth integration took {steps} steps and came to t = {reached} only; allow more `max_steps`"
    )]
    TooManySteps {
        /// The time of the state.
        t: f64,
        /// The time that was reached.
        reached: f64,
        /// The number allowed.
        steps: usize,
    },
    /// An integrator for positions and velocities was given first-order systems.
    #[error(
        "NewmarkAlpha and HalfExplicit integrate positions and velocities; for first-order systems take the settings of an \
         ODE method"
    )]
    MechanicalIntegrator,
    /// Time-stepping cannot take over where impacts accumulate.
    #[error("t = {t}: time-stepping cannot take over: {source}")]
    HandOver {
        /// The time.
        t: f64,
        /// Why.
        source: Box<super::Error>,
    },
    /// A contact opens and closes, or a constraint becomes active and inactive, again and again without the
    /// time moving on.
    #[error(
        "t = {t}: {events} nonsmooth events at the same contact or constraint without the time moving on: no common state is \
         found; the solution slides, or events accumulate, which time-stepping carries"
    )]
    EventCycle {
        /// The time.
        t: f64,
        /// The number of events.
        events: usize,
    },
    /// A velocity, position, state or input became NaN or infinite: a user function returned such a value, or
    /// the motion diverged.
    #[error("step {step}, t = {t}: component {index} of `{what}` of system {system} is {value}")]
    NotFinite {
        /// The system.
        system: DynamicalSystemId,
        /// Which vector.
        what: &'static str,
        /// Component.
        index: usize,
        /// Its value.
        value: f64,
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
    },
    /// A relation returned NaN or an infinite value.
    #[error("step {step}, t = {t}: component {index} of `{what}` of interaction {interaction} is {value}")]
    NotFiniteOutput {
        /// The interaction.
        interaction: InteractionId,
        /// Which vector.
        what: &'static str,
        /// Component.
        index: usize,
        /// Its value.
        value: f64,
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
    },
    /// The solver of the one-step nonsmooth problem returned an error.
    #[error("step {step}, t = {t}: the one-step nonsmooth problem: {source}")]
    OneStepProblem {
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// What the solver said.
        source: SolverError,
    },
    /// The solver of the one-step nonsmooth problem did not converge, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: the one-step nonsmooth problem did not converge: {status} after {iterations} \
         iterations, error {error:e}"
    )]
    NotConverged {
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// How the solver ended.
        status: Status,
        /// Its iterations.
        iterations: usize,
        /// Its error measure.
        error: f64,
    },
    /// Newton's loop did not converge, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: Newton's loop did not converge: error {error:e} after {iterations} iterations; a shorter step may help, or a wrong derivative is the reason: `check_jacobians` of systems and relations compares them with differences"
    )]
    NewtonNotConverged {
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// The error measure of the last iterate.
        error: f64,
    },
    /// A closed loop of joints stays near a singular position, where two branches of its motion meet, longer
    /// than a step; Newton's loop converged to the other branch, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: the closed loop of joint {joint} is near a singular position, and the step ends on another branch of its motion; take shorter steps, or project positions if the joints have drifted"
    )]
    SingularLoop {
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// A joint of the loop.
        joint: InteractionId,
    },
    /// Positions could not be put back onto joints and contacts, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: positions cannot be projected{}; constraints may contradict each other, or a Jacobian is wrong: `check_jacobians` of relations compares it with differences",
        off.map_or_else(String::new, |(interaction, index, y)| format!(": component {index} of y of {interaction:?} is {y:e}"))
    )]
    NotProjected {
        /// Step number.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// The interaction, the component and its y that was furthest off; none where a solver failed.
        off: Option<(InteractionId, usize, f64)>,
    },
}

impl SimulationError {
    /// Returns `true` for failures within a step, which a shorter step may not have.
    pub(crate) fn is_of_step_length(&self) -> bool {
        matches!(
            self,
            Self::NotConverged { .. }
                | Self::NewtonNotConverged { .. }
                | Self::SingularLoop { .. }
                | Self::NotProjected { .. }
                | Self::OneStepProblem { .. }
                | Self::SingularIterationMatrix { .. }
                | Self::Bounds { .. }
                | Self::NotFinite { .. }
                | Self::NotFiniteOutput { .. }
        )
    }
}

impl From<FitError> for SimulationError {
    fn from(error: FitError) -> Self {
        match error {
            FitError::Model(error) => Self::Model(error),
            error => Self::Fit(error),
        }
    }
}

impl Unsolved {
    /// The error of the step in which it was posed.
    pub(crate) fn at(self, step: usize, t: f64) -> SimulationError {
        match self {
            Self::Bounds(interaction, source) => SimulationError::Bounds { interaction, step, t, source },
            Self::Solver(source) => SimulationError::OneStepProblem { step, t, source },
        }
    }
}
