//! What event-driven simulation refuses of a model, and what would do instead.

use crate::integrator::FitError;
use crate::model::dynamical_system::{Family, FirstOrderSystem, LagrangianSystem};
use crate::model::{
    DynamicalSystem, DynamicalSystemId, Interaction, InteractionId, NonSmoothDynamicalSystem, NonSmoothLaw,
};
use crate::simulation::SimulationError;

/// What is refused, and what would do instead.
type Refusal = (&'static str, &'static str);

const MIXED: Refusal = (
    "first-order and Lagrangian systems in one model",
    "simulate them in models of their own, or take TimeStepping",
);

const BODY: Refusal = ("a rigid body", "take TimeStepping with MoreauJean");

/// The name under which combinations are refused.
const INTEGRATOR: &str = "EventDriven";

pub(super) fn refuse_system(system: DynamicalSystemId, (what, instead): Refusal) -> SimulationError {
    FitError::UnsupportedSystem { system, integrator: INTEGRATOR, what, instead }.into()
}

pub(super) fn refuse_interaction(interaction: InteractionId, (what, instead): Refusal) -> SimulationError {
    FitError::Unsupported { interaction, integrator: INTEGRATOR, what, instead }.into()
}

/// The systems of a model of Lagrangian ones, in the order of the model; refuses what cannot be carried.
pub(super) fn lagrangian(model: &NonSmoothDynamicalSystem) -> Result<Vec<LagrangianSystem>, SimulationError> {
    let of_system = |system: &DynamicalSystem| match system.family() {
        Family::Lagrangian(system) => Ok(system),
        Family::Body(_) => Err(BODY),
        Family::FirstOrder(_) => Err(MIXED),
    };
    let by_compression = model
        .interactions()
        .iter()
        .any(|(_, interaction)| matches!(interaction.law(), NonSmoothLaw::MultipleImpact(_)));
    look_through(model, of_system, |interaction| match interaction.law() {
        NonSmoothLaw::NewtonImpactFriction(_) => Some((
            "friction, whose sticking and sliding are events of their own",
            "take NewtonImpact, or TimeStepping with MoreauJean",
        )),
        NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::Complementarity(_) if by_compression => Some((
            "impacts by velocities beside impacts by compression",
            "give all contacts of the model a MultipleImpact, or none",
        )),
        NonSmoothLaw::NewtonImpact(_)
        | NonSmoothLaw::MultipleImpact(_)
        | NonSmoothLaw::Complementarity(_)
        | NonSmoothLaw::Equality(_) => interaction.relation().compliance().map(|_| {
            (
                "a compliant contact, whose force is a function of the gap",
                "drop D, or take TimeStepping with MoreauJean",
            )
        }),
        NonSmoothLaw::Spring(_) => Some((
            "a spring between systems",
            "make it an internal force of one system, or take TimeStepping with MoreauJean",
        )),
        _ => Some(("a law of first-order systems", "take NewtonImpact or EqualityCondition")),
    })
}

/// The systems of a model of first-order ones, in the order of the model; refuses what cannot be carried.
pub(super) fn first_order(
    model: &NonSmoothDynamicalSystem,
) -> Result<Vec<FirstOrderSystem>, SimulationError> {
    let of_system = |system: &DynamicalSystem| match system.family() {
        Family::FirstOrder(FirstOrderSystem::Nonlinear(system)) if system.has_control() => {
            Err(("a control term that may depend on the rate of x", "make it a part of f(t, x)"))
        }
        Family::FirstOrder(system) => Ok(system),
        Family::Lagrangian(_) => Err(MIXED),
        Family::Body(_) => Err(BODY),
    };
    let others =
        "event detection of first-order systems is for complementarity and equality; use TimeStepping";
    look_through(model, of_system, |interaction| match interaction.law() {
        NonSmoothLaw::Complementarity(_)
        | NonSmoothLaw::Equality(_)
        | NonSmoothLaw::MixedComplementarity(_) => None,
        NonSmoothLaw::Relay(_) => Some((
            "a relay, whose solutions may slide along its switching surface",
            "write it as complementarity with D if it is a saturation, or use TimeStepping",
        )),
        NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::MultipleImpact(_) => Some((
            "an impact law on a first-order system",
            "take a ComplementarityCondition: first-order systems have no restitution",
        )),
        NonSmoothLaw::NewtonImpactFriction(_) => Some(("friction", others)),
        NonSmoothLaw::Spring(_) => Some(("a spring", "take a relation with D")),
        NonSmoothLaw::NormalCone(_) => Some(("a polyhedron of multipliers", others)),
        NonSmoothLaw::Cone(_) => Some(("a second-order cone", others)),
    })
}

fn look_through<S>(
    model: &NonSmoothDynamicalSystem,
    of_system: impl Fn(&DynamicalSystem) -> Result<S, Refusal>,
    of_interaction: impl Fn(&Interaction) -> Option<Refusal>,
) -> Result<Vec<S>, SimulationError> {
    let systems = model.systems().iter();
    let systems = systems.map(|(id, it)| of_system(it).map_err(|refusal| refuse_system(id, refusal)));
    let systems = systems.collect::<Result<_, _>>()?;
    match model.interactions().iter().find_map(|(id, it)| Some((id, of_interaction(it)?))) {
        Some((id, refusal)) => Err(refuse_interaction(id, refusal)),
        None => Ok(systems),
    }
}
