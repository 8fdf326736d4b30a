//! Errors of a simulation.

use siconos_linalg::{ExponentialError, SingularMatrix};
use siconos_numerics::{SolverError, Status};
use siconos_ode::OdeError;

use super::{EventError, ModeError};
use crate::analysis::{AnalysisError, SchemeMismatch};
use crate::detection::DetectionError;
use crate::integrator::FitError;
use crate::model::{DynamicalSystemId, ModelError, RelationId};
use crate::nonsmooth_problem::Unsolved;
use crate::state::Level;

/// Error that occurs when a simulation is built or takes a step.
///
/// After an error of [`step`](crate::simulation::TimeStepping::step), the state is bit-identical to the state
/// before the step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Systems, relations, laws, solvers and integrators that cannot be combined.
    #[error(transparent)]
    Fit(FitError),
    /// An event-driven simulation cannot continue the motion of a first-order system.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// The scheme does not suit the class of solutions of the model, and the simulation is strict.
    #[error(transparent)]
    Scheme(#[from] SchemeMismatch),
    /// The model cannot be analysed, and the simulation is strict.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An integrator was given for a system that does not exist.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The state belongs to another model.
    #[error("this state belongs to another model")]
    StateOfOtherModel,
    /// The state is not at a grid point of the time discretisation.
    #[error(
        "the state is at t = {t}, which is not a point of the time discretisation; the nearest point is {nearest} (`step_to` \
         accepts any time)"
    )]
    OtherTime {
        /// Time of the state \[s\].
        t: f64,
        /// Time of the nearest grid point \[s\].
        nearest: f64,
    },
    /// An earlier step was interrupted by a panic in a user function, and the caller caught the panic.
    #[error(
        "an earlier step ended with a panic, and the simulation has lost its workspace; rebuild it and continue \
         from the state of the last step"
    )]
    Interrupted,
    /// The requested end of a step is not finite, or not later than the start of the step.
    #[error("a step from t = {now} cannot end at t = {t}: the time must be finite and later")]
    NotAhead {
        /// Time of the state \[s\].
        now: f64,
        /// Requested end of the step \[s\].
        t: f64,
    },
    /// A stage of a step was called with a state other than the state passed to `begin_step`, or after a
    /// change of the model.
    #[error("`{called}` was called with another state or model than `begin_step`")]
    OtherState {
        /// Name of the method that was called.
        called: &'static str,
    },
    /// A stage of a step was called out of order.
    #[error("`{called}` was called out of order; call {expected} next")]
    OutOfOrder {
        /// Name of the method that was called.
        called: &'static str,
        /// Names of the methods that can be called next.
        expected: &'static str,
    },
    /// The iteration matrix W of a system is singular.
    #[error(
        "step {step}, t = {t}: the iteration matrix W of system {system} is singular to working precision for h = {h}: \
         {source}; use another step length, unless W is the mass matrix itself, as with theta = 0 or a zero-order \
         hold"
    )]
    SingularIterationMatrix {
        /// System with the singular matrix.
        system: DynamicalSystemId,
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Step length \[s\].
        h: f64,
        /// Error of the factorisation.
        source: SingularMatrix,
    },
    /// The exact solution of a system over one step is too large to compute.
    #[error(
        "step {step}, t = {t}: system {system} cannot be discretised by a zero-order hold with h = {h}: {source}"
    )]
    Hold {
        /// System that cannot be discretised.
        system: DynamicalSystemId,
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Step length \[s\].
        h: f64,
        /// Error of the matrix exponential.
        source: ExponentialError,
    },
    /// A lower bound of a relay exceeds the upper bound at some time.
    #[error("step {step}, t = {t}: {relation}: {source}")]
    Bounds {
        /// Interaction with the relay.
        relation: RelationId,
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// The invalid bounds.
        source: ModelError,
    },
    /// The mass matrix of a system is singular, so that accelerations and impulses are not determined.
    #[error(
        "t = {t}: the mass matrix of system {system} is singular to working precision: {source}; event-driven simulation \
         requires its inverse"
    )]
    SingularMass {
        /// System with the singular mass matrix.
        system: DynamicalSystemId,
        /// Time of the error \[s\].
        t: f64,
        /// Error of the factorisation.
        source: SingularMatrix,
    },
    /// The forces of the active constraints are not unique, because the constraints are linearly dependent.
    #[error(
        "t = {t}: the closed constraints are linearly dependent: {source}; remove the redundant constraints"
    )]
    DependentConstraints {
        /// Time of the error \[s\].
        t: f64,
        /// Error of the factorisation.
        source: SingularMatrix,
    },
    /// Bodies overlap at the start of an event-driven simulation.
    #[error(
        "t = {t}: the gap of {relation} is {gap:e}; it must not be below zero by more than the tolerance"
    )]
    Penetration {
        /// Interaction at which the bodies overlap.
        relation: RelationId,
        /// Gap of the interaction \[m\].
        gap: f64,
        /// Time of the error \[s\].
        t: f64,
    },
    /// A joint is violated in the initial state, because its equation or the time derivative of the equation
    /// is not satisfied.
    #[error(
        "{relation} is a joint that is violated at the start: component {component} of its {} is {value:e}; it must be 0",
        if *.level == Level::Position { "equation" } else { "velocity" }
    )]
    InconsistentStart {
        /// Interaction of the joint.
        relation: RelationId,
        /// Index of the violated component.
        component: usize,
        /// Level of the violation: the equation or its time derivative.
        level: Level,
        /// Value of the violated component, which should be 0.
        value: f64,
    },
    /// An event cannot be scheduled, or the time of the state is outside the discretisation.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The smooth integration between events cannot start or continue.
    #[error("after t = {t}: the smooth integration failed: {source}")]
    Integration {
        /// Time of the state \[s\].
        t: f64,
        /// Error of the integrator.
        source: OdeError,
    },
    /// The smooth integration requires a step that is too short to change the time in floating-point
    /// arithmetic.
    #[error(
        "after t = {t}: the smooth integration requires steps of {h:e} at t = {reached}; the motion may be singular there, or \
         the tolerances may be too small"
    )]
    StepTooSmall {
        /// Time of the state \[s\].
        t: f64,
        /// Time that was reached \[s\].
        reached: f64,
        /// Step length \[s\] that the integration would require.
        h: f64,
    },
    /// The smooth integration took more steps than are allowed between two events.
    #[error(
        "after t = {t}: the smooth integration took {steps} steps and only reached t = {reached}; increase `max_steps`"
    )]
    TooManySteps {
        /// Time of the state \[s\].
        t: f64,
        /// Time that was reached \[s\].
        reached: f64,
        /// Maximum number of steps.
        steps: usize,
    },
    /// An integrator for positions and velocities was given first-order systems.
    #[error(
        "NewmarkAlpha and HalfExplicit do not support first-order systems; use the settings of an \
         ODE method"
    )]
    MechanicalIntegrator,
    /// Time-stepping cannot continue the simulation after an accumulation of impacts.
    #[error("t = {t}: time-stepping cannot take over: {source}")]
    HandOver {
        /// Time of the error \[s\].
        t: f64,
        /// Reason why time-stepping cannot continue.
        source: Box<super::Error>,
    },
    /// A contact opens and closes repeatedly, or a constraint becomes active and inactive repeatedly, without
    /// progress in time.
    #[error(
        "t = {t}: {events} nonsmooth events occurred at the same time at one contact or constraint, and no consistent state was \
         found; the solution slides, or events accumulate; use time-stepping"
    )]
    EventCycle {
        /// Time of the error \[s\].
        t: f64,
        /// Number of events.
        events: usize,
    },
    /// A velocity, position, state or input became NaN or infinite. A user function returned an invalid
    /// value, or the motion diverged.
    #[error("step {step}, t = {t}: component {index} of `{what}` of system {system} is {value}")]
    NotFinite {
        /// System with the invalid component.
        system: DynamicalSystemId,
        /// Name of the vector.
        what: &'static str,
        /// Index of the component.
        index: usize,
        /// Value of the component.
        value: f64,
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
    },
    /// A relation returned NaN or an infinite value.
    #[error("step {step}, t = {t}: component {index} of `{what}` of {relation} is {value}")]
    NotFiniteOutput {
        /// Interaction or detected contact.
        relation: RelationId,
        /// Name of the vector.
        what: &'static str,
        /// Index of the component.
        index: usize,
        /// Value of the component.
        value: f64,
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
    },
    /// Contacts cannot be detected.
    #[error("step {step}, t = {t}: {source}")]
    Detection {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Error of the detection.
        source: DetectionError,
    },
    /// The solver of the one-step nonsmooth problem returned an error.
    #[error("step {step}, t = {t}: cannot solve the one-step nonsmooth problem: {source}")]
    OneStepProblem {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Error of the solver.
        source: SolverError,
    },
    /// The solver of the one-step nonsmooth problem did not converge, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: the one-step nonsmooth problem did not converge: {status} after {iterations} \
         iterations, error {error:e}"
    )]
    NotConverged {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Status of the solver.
        status: Status,
        /// Number of iterations of the solver.
        iterations: usize,
        /// Error of the result, as defined for its class of problems.
        error: f64,
    },
    /// The Newton iteration did not converge, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: Newton's method did not converge: error {error:e} after {iterations} iterations; use a shorter step, or compare the derivatives with differences by `check_jacobians` of systems and relations"
    )]
    NewtonNotConverged {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Number of Newton iterations.
        iterations: usize,
        /// Error of the last iterate.
        error: f64,
    },
    /// The Newton iteration converged to another branch of the motion of a closed loop of joints, and the
    /// policy is to fail. Two branches meet at a singular configuration, and the joints stay near it for more
    /// than one step.
    #[error(
        "step {step}, t = {t}: the closed loop of joints that contains {joint} is near a singular configuration, and the step ends on another branch of its motion; use shorter steps, or project positions if the joints have drifted"
    )]
    SingularLoop {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// A joint of the loop.
        joint: RelationId,
    },
    /// Positions cannot be projected onto joints and contacts, and the policy is to fail.
    #[error(
        "step {step}, t = {t}: positions cannot be projected{}; constraints may be inconsistent, or a Jacobian may be wrong; check it with `check_jacobians` of relations",
        off.map_or_else(String::new, |(relation, index, y)| format!(": component {index} of y of {relation} is {y:e}"))
    )]
    NotProjected {
        /// Index of the step, counted from 1.
        step: usize,
        /// Time at the beginning of the step.
        t: f64,
        /// Interaction, component and y of the row with the largest violation; `None` if a solver failed.
        off: Option<(RelationId, usize, f64)>,
    },
}

impl SimulationError {
    /// Returns `true` for errors within a step that a shorter step may avoid.
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
    /// Returns the error for the step with index `step`, which begins at time `t`.
    pub(crate) fn at(self, step: usize, t: f64) -> SimulationError {
        match self {
            Self::Bounds(relation, source) => SimulationError::Bounds { relation, step, t, source },
            Self::Solver(source) => SimulationError::OneStepProblem { step, t, source },
        }
    }
}
