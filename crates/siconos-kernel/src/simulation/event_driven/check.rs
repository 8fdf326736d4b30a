//! What event-driven simulation refuses of a model, and what would do instead.

use crate::error::SimulationError;
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw,
};

/// What is refused, and what would do instead.
type Refusal = (&'static str, &'static str);

/// The name under which combinations are refused.
const INTEGRATOR: &str = "EventDriven";

pub(super) fn refuse_system(system: DynamicalSystemId, (what, instead): Refusal) -> SimulationError {
    SimulationError::UnsupportedSystem { system, integrator: INTEGRATOR, what, instead }
}

pub(super) fn refuse_interaction(interaction: InteractionId, (what, instead): Refusal) -> SimulationError {
    SimulationError::Unsupported { interaction, integrator: INTEGRATOR, what, instead }
}

/// Refuses what cannot be carried in a model of Lagrangian systems.
pub(super) fn lagrangian(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    look_through(model, first_order_system, |interaction| match interaction.law() {
        NonSmoothLaw::NewtonImpactFriction(_) => Some((
            "friction, whose sticking and sliding are events of their own",
            "take NewtonImpact, or TimeStepping with MoreauJean",
        )),
        NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::Complementarity(_) | NonSmoothLaw::Equality(_) => {
            interaction.relation().compliance().map(|_| {
                (
                    "a compliant contact, whose force is a function of the gap",
                    "drop D, or take TimeStepping with MoreauJean",
                )
            })
        }
        _ => Some(("a law of first-order systems", "take NewtonImpact or EqualityCondition")),
    })
}

fn first_order_system(system: &DynamicalSystem) -> Option<Refusal> {
    system.is_first_order().then_some((
        "first-order and Lagrangian systems in one model",
        "simulate them in models of their own, or take TimeStepping",
    ))
}

/// Refuses what cannot be carried in a model of first-order systems.
pub(super) fn first_order(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    let others =
        "event detection of first-order systems is for complementarity and equality; use TimeStepping";
    look_through(model, control, |interaction| match interaction.law() {
        NonSmoothLaw::Complementarity(_)
        | NonSmoothLaw::Equality(_)
        | NonSmoothLaw::MixedComplementarity(_) => None,
        NonSmoothLaw::Relay(_) => Some((
            "a relay, whose solutions may slide along its switching surface",
            "write it as complementarity with D if it is a saturation, or use TimeStepping",
        )),
        NonSmoothLaw::NewtonImpact(_) => Some((
            "an impact law on a first-order system",
            "take a ComplementarityCondition: first-order systems have no restitution",
        )),
        NonSmoothLaw::NewtonImpactFriction(_) => Some(("friction", others)),
        NonSmoothLaw::NormalCone(_) => Some(("a polyhedron of multipliers", others)),
        NonSmoothLaw::Cone(_) => Some(("a second-order cone", others)),
    })
}

fn control(system: &DynamicalSystem) -> Option<Refusal> {
    let DynamicalSystem::FirstOrderNonlinear(system) = system else { return None };
    system
        .has_control()
        .then_some(("a control term that may depend on the rate of x", "make it a part of f(t, x)"))
}

fn look_through(
    model: &NonSmoothDynamicalSystem,
    of_system: impl Fn(&DynamicalSystem) -> Option<Refusal>,
    of_interaction: impl Fn(&Interaction) -> Option<Refusal>,
) -> Result<(), SimulationError> {
    let systems = model.systems().iter().filter_map(|(id, it)| Some(refuse_system(id, of_system(it)?)));
    let interactions = model.interactions().iter();
    let interactions = interactions.filter_map(|(id, it)| Some(refuse_interaction(id, of_interaction(it)?)));
    systems.chain(interactions).next().map_or(Ok(()), Err)
}
