//! Models that event-driven simulation does not support, and the alternatives named in the errors.

use crate::integrator::FitError;
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, LawDescription, NonSmoothDynamicalSystem, NonSmoothLaw,
    Refusal, RelationId,
};
use crate::simulation::SimulationError;

const MIXED: Refusal = Refusal::new(
    "first-order and Lagrangian systems in one model",
    "simulate them in separate models, or use TimeStepping",
);

const BODY: Refusal = Refusal::new("a rigid body", "use TimeStepping with MoreauJean");

const BY_VELOCITIES: Refusal = Refusal::new(
    "impacts by velocities together with impacts by compression",
    "give all contacts of the model a MultipleImpact, or none",
);

const COMPLIANT: Refusal = Refusal::new(
    "a compliant contact, whose force is a function of the gap",
    "drop D, or use TimeStepping with MoreauJean",
);

const CONTROL: Refusal =
    Refusal::new("a control term that may depend on the rate of x", "include it in f(t, x)");

/// Name of the simulation in error messages.
const INTEGRATOR: &str = "EventDriven";

pub(super) fn refuse_system(system: DynamicalSystemId, refusal: Refusal) -> SimulationError {
    FitError::of_system(system, INTEGRATOR, refusal).into()
}

pub(super) fn refuse_interaction(interaction: impl Into<RelationId>, refusal: Refusal) -> SimulationError {
    FitError::of_relation(interaction, INTEGRATOR, refusal).into()
}

/// Returns an error if a model of Lagrangian systems is not supported.
pub(super) fn lagrangian(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    let of_system = |system: &DynamicalSystem| match system {
        DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => None,
        DynamicalSystem::NewtonEuler(_) => Some(BODY),
        DynamicalSystem::FirstOrderLinear(_) | DynamicalSystem::FirstOrderNonlinear(_) => Some(MIXED),
    };
    let is_by_compression = |law: &NonSmoothLaw| matches!(law, NonSmoothLaw::MultipleImpact(_));
    let has_compression = model.interactions().iter().any(|(_, it)| is_by_compression(it.law()));
    look_through(model, of_system, |interaction| {
        let (law, is_compliant) = (interaction.law(), interaction.relation().compliance().is_some());
        let LawDescription { opens, refused, .. } = law.description();
        let is_by_velocities = has_compression && *opens && !is_by_compression(law);
        refused.events.or(is_by_velocities.then_some(BY_VELOCITIES)).or(is_compliant.then_some(COMPLIANT))
    })
}

/// Returns an error if a model of first-order systems is not supported.
pub(super) fn first_order(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    let of_system = |system: &DynamicalSystem| match system {
        DynamicalSystem::FirstOrderNonlinear(system) => system.has_control().then_some(CONTROL),
        DynamicalSystem::FirstOrderLinear(_) => None,
        DynamicalSystem::NewtonEuler(_) => Some(BODY),
        DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => Some(MIXED),
    };
    look_through(model, of_system, |interaction| interaction.law().description().refused.first_order_events)
}

fn look_through(
    model: &NonSmoothDynamicalSystem,
    of_system: impl Fn(&DynamicalSystem) -> Option<Refusal>,
    of_interaction: impl Fn(&Interaction) -> Option<Refusal>,
) -> Result<(), SimulationError> {
    if let Some((id, refusal)) = model.systems().iter().find_map(|(id, it)| Some((id, of_system(it)?))) {
        return Err(refuse_system(id, refusal));
    }
    match model.interactions().iter().find_map(|(id, it)| Some((id, of_interaction(it)?))) {
        Some((id, refusal)) => Err(refuse_interaction(id, refusal)),
        None => Ok(()),
    }
}
