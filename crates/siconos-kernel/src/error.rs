//! The errors of the crate: of a model, of settings, of a simulation; [`Error`] is any of them.

use siconos_numerics::linalg::{ExponentialError, SingularMatrix};
use siconos_numerics::{SolverError, Status, Unsupported};

use crate::analysis::{AnalysisError, SchemeMismatch};
use crate::model::{DynamicalSystemId, InteractionId};

/// Any error of this crate; what the `main` of a program returns.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model is not what it should be.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A simulation cannot be built, or cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// An analysis of a system has no answer.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// Model data that do not fit together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The id is stale, or of another model.
    #[error("there is no dynamical system {id} in this model; it was removed, or the id is of another model")]
    UnknownSystem {
        /// The id.
        id: DynamicalSystemId,
    },
    /// The id is stale, or of another model.
    #[error("there is no interaction {id} in this model; it was removed, or the id is of another model")]
    UnknownInteraction {
        /// The id.
        id: InteractionId,
    },
    /// A system was given twice to one interaction.
    #[error("dynamical system {id} is given twice to one interaction")]
    SystemTwice {
        /// The id.
        id: DynamicalSystemId,
    },
    /// A system cannot be removed while an interaction acts on it.
    #[error(
        "dynamical system {system} cannot be removed: interaction {interaction} acts on it; remove that first"
    )]
    SystemInUse {
        /// The system.
        system: DynamicalSystemId,
        /// The first interaction that acts on it.
        interaction: InteractionId,
    },
    /// An interaction acts on at least one system.
    #[error("an interaction needs at least one dynamical system, none was given")]
    NoSystem,
    /// A system has at least one degree of freedom.
    #[error("a dynamical system needs at least one degree of freedom, its initial state is empty")]
    NoDegreeOfFreedom,
    /// An array has the wrong shape.
    #[error("`{what}` must be {expected_rows} x {expected_columns}, it is {rows} x {columns}")]
    WrongShape {
        /// Which array.
        what: &'static str,
        /// Rows that fit.
        expected_rows: usize,
        /// Columns that fit (1 for a vector).
        expected_columns: usize,
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, entry {index} is {value}")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// The first such entry; row-major for a matrix.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The size of an interaction is a multiple of the size of its law.
    #[error(
        "a relation of size {relation} cannot carry a law of size {law}: the first must be a multiple of the second"
    )]
    SizeNotMultiple {
        /// Size of the relation.
        relation: usize,
        /// Size of the law.
        law: usize,
    },
    /// A law or relation without any component.
    #[error("`{what}` must have at least one component")]
    Empty {
        /// Which object.
        what: &'static str,
    },
    /// The coefficient of restitution is outside its range.
    #[error("the coefficient of restitution must be between 0 and 1, it is {value}")]
    Restitution {
        /// The coefficient given.
        value: f64,
    },
    /// The coefficient of restitution along the tangents is outside its range.
    #[error("the tangential coefficient of restitution must be between -1 and 1, it is {value}")]
    TangentialRestitution {
        /// The coefficient given.
        value: f64,
    },
    /// A coefficient of friction is a number at or above 0.
    #[error("the coefficient of friction must be finite and at or above 0, it is {value}")]
    Friction {
        /// The coefficient given.
        value: f64,
    },
    /// A contact with friction is in the plane or in space.
    #[error("a contact with friction has 2 components in the plane or 3 in space, not {value}")]
    ContactDimension {
        /// The number of components given.
        value: usize,
    },
    /// A Jacobian of a relation was neither given nor named as zero or approximated.
    #[error(
        "the Jacobian {what} of a nonlinear relation is missing: give a function or a constant, or say `Zero` or \
         `FiniteDifference`"
    )]
    MissingJacobian {
        /// C, D, K or B.
        what: &'static str,
    },
    /// A relation is for systems of the other family.
    #[error("a {relation} relation cannot act on system {system}, which is {found}")]
    OtherFamily {
        /// Of what order the relation is.
        relation: &'static str,
        /// The system.
        system: DynamicalSystemId,
        /// Of what order that is.
        found: &'static str,
    },
    /// A lower bound is above the upper one, or NaN.
    #[error("component {index}: the lower bound {lower} must not be above the upper bound {upper}")]
    Bounds {
        /// The component.
        index: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A step for finite differences is outside its range.
    #[error("the step of finite differences must be finite and above 0, it is {value}")]
    DifferenceStep {
        /// The step given.
        value: f64,
    },
}

/// A setting outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number is outside its range.
    #[error("`{name}` is {value}; it must be {must_be}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range in words.
        must_be: &'static str,
    },
    /// A vector of times has to increase.
    #[error("the times must increase: t[{index}] = {time} comes after t[{before}] = {previous}", before = index - 1)]
    TimesNotIncreasing {
        /// The index of the offending time.
        index: usize,
        /// That time.
        time: f64,
        /// The time before it.
        previous: f64,
    },
    /// A time discretisation has at least one step.
    #[error("a time discretisation needs at least two times, {count} given")]
    TooFewTimes {
        /// Number of times given.
        count: usize,
    },
    /// The builder was not given a time discretisation.
    #[error("no time discretisation was given; call `discretisation` on the builder")]
    NoTimeDiscretisation,
    /// A solver refused its settings.
    #[error(transparent)]
    Solver(#[from] siconos_numerics::SettingsError),
}

/// Why a simulation cannot be built, or why a step was not taken.
///
/// After an error of [`step`](crate::simulation::TimeStepping::step) the state is bit for bit that before it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A relation and a law that no integrator of the interaction's systems can carry together.
    #[error("interaction {interaction}: {integrator} cannot carry {what}; {instead}")]
    Unsupported {
        /// The interaction.
        interaction: InteractionId,
        /// The integrator.
        integrator: &'static str,
        /// What does not fit.
        what: &'static str,
        /// What would.
        instead: &'static str,
    },
    /// A system that an integrator cannot carry.
    #[error("system {system}: {integrator} cannot carry {what}; {instead}")]
    UnsupportedSystem {
        /// The system.
        system: DynamicalSystemId,
        /// The integrator.
        integrator: &'static str,
        /// What does not fit.
        what: &'static str,
        /// What would.
        instead: &'static str,
    },
    /// The systems of one interaction have integrators that activate it differently.
    #[error(
        "interaction {interaction}: its systems have integrators with different `{setting}` ({first} and {second}); \
         give them the same"
    )]
    IntegratorsDisagree {
        /// The interaction.
        interaction: InteractionId,
        /// The setting.
        setting: &'static str,
        /// Its value at the first system.
        first: f64,
        /// Another value.
        second: f64,
    },
    /// The solver does not take the matrices that the simulation assembles.
    #[error(transparent)]
    Solver(#[from] Unsupported),
    /// The laws of the model belong to no class of problems together.
    #[error(
        "the laws of this model have no common class of one-step problems: second-order cones go with complementarity \
         conditions only, polyhedra not with friction; simulate what is not coupled in models of its own"
    )]
    NoCommonClass,
    /// The scheme is not for the class of solutions that the model has, and the simulation was asked to be strict.
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
        "the state is at t = {t}, which is no point of the time discretisation; the nearest is {nearest}"
    )]
    OtherTime {
        /// Time of the state.
        t: f64,
        /// The nearest point.
        nearest: f64,
    },
    /// A single step was called with another state, or after a change of the model, than the step was begun with.
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
        "step {step}, t = {t}: the iteration matrix W of system {system} is singular for h = {h}: {source} (reciprocal \
         condition number {reciprocal_condition:e}); another step length may do"
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
        /// Smallest singular value of W divided by the largest; NaN when W is not finite.
        reciprocal_condition: f64,
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
    /// A velocity or position became NaN or infinite: a user function returned such a value, or the motion diverged.
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
        "step {step}, t = {t}: Newton's loop did not converge: error {error:e} after {iterations} iterations"
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
}

/// Checks that every entry of model data is finite.
pub(crate) fn check_finite<'a>(
    what: &'static str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<(), ModelError> {
    match values.into_iter().enumerate().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some((index, &value)) => Err(ModelError::NotFinite { what, index, value }),
    }
}

/// Checks the shape of model data.
pub(crate) fn check_shape(
    what: &'static str,
    expected: (usize, usize),
    found: (usize, usize),
) -> Result<(), ModelError> {
    if expected == found {
        return Ok(());
    }
    Err(ModelError::WrongShape {
        what,
        expected_rows: expected.0,
        expected_columns: expected.1,
        rows: found.0,
        columns: found.1,
    })
}
