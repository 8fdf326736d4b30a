//! What the event-driven scheme of Lagrangian systems refuses, and what would do instead.

use crate::error::SimulationError;
use crate::model::{NonSmoothDynamicalSystem, NonSmoothLaw};

/// The name under which combinations are refused.
const NAME: &str = "EventDriven";

/// Refuses laws and relations that have no event-driven scheme here.
pub(super) fn refuse_unsupported(model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
    for (id, system) in model.systems().iter() {
        if system.is_first_order() {
            let what = "first-order and Lagrangian systems in one model";
            let instead = "simulate them in models of their own, or take TimeStepping";
            return Err(SimulationError::UnsupportedSystem { system: id, integrator: NAME, what, instead });
        }
    }
    for (id, interaction) in model.interactions().iter() {
        let refused = |what, instead| {
            Err(SimulationError::Unsupported { interaction: id, integrator: NAME, what, instead })
        };
        match interaction.law() {
            NonSmoothLaw::NewtonImpactFriction(_) => {
                return refused(
                    "friction, whose sticking and sliding are events of their own",
                    "take NewtonImpact, or TimeStepping with MoreauJean",
                );
            }
            NonSmoothLaw::NewtonImpact(_) | NonSmoothLaw::Complementarity(_) | NonSmoothLaw::Equality(_) => {}
            _ => {
                return refused("a law of first-order systems", "take NewtonImpact or EqualityCondition");
            }
        }
        if interaction.relation().compliance().is_some() {
            let instead = "drop D, or take TimeStepping with MoreauJean";
            return refused("a compliant contact, whose force is a function of the gap", instead);
        }
    }
    Ok(())
}
