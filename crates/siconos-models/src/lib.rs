//! Small mechanical systems with events and known solutions, and two larger models, for examples, tests,
//! benchmarks and comparisons.
//!
//! Each function takes the parameters of a system and returns a [`BuiltModel`]. The exact solutions are
//! functions of the same names in `siconos-testkit`.
//!
//! | function | events | exact solution |
//! |---|---|---|
//! | [`ball`] | impacts that accumulate, rest; starts in flight, at rest or with an impact | for all times |
//! | [`sliding_block`] | a block slides down to a stop without friction | as the ball, with $g \sin\beta$ |
//! | [`wall_oscillator`] | impacts at equal intervals, without end | for all times |
//! | [`rocking_block`] | Housner's block; impacts accumulate | slender: for all times; else from the energy |
//! | [`pendulum_with_stop`] | nonlinear swings between impacts | by elliptic functions |
//! | [`rope_pendulum`] | a contact that is closed from the start and stays closed | by elliptic functions |
//! | [`oscillating_table`] | rest on a moving support, take-off, landing | take-off in closed form |
//! | [`dome`] | sliding on a curved support, take-off | take-off in closed form |
//! | [`cradle`] | balls that collide in pairs, or all simultaneously | velocities |
//!
//! [`ColumnOfBeads`] and [`DoublePendulum`] also contain the parameters of their simulations.

mod beads;
mod bodies;
mod double_pendulum;
mod pendulums;
mod steady_run;

use siconos_kernel::prelude::*;

pub use self::beads::{ColumnOfBeads, RADIUS};
pub use self::bodies::{ball, cradle, oscillating_table, sliding_block, wall_oscillator};
pub use self::double_pendulum::{DoublePendulum, ForceDerivative, exact_derivative};
pub use self::pendulums::{Slenderness, dome, pendulum_with_stop, rocking_block, rope_pendulum};
pub use self::steady_run::count_in_second_run;

/// A model and the ids of its bodies and contacts.
#[derive(Clone, Debug)]
pub struct BuiltModel {
    /// The model.
    pub model: NonSmoothDynamicalSystem,
    /// Ids of the bodies, in the order of the parameters of the function.
    pub bodies: Vec<DynamicalSystemId>,
    /// Ids of the contacts.
    pub contacts: Vec<InteractionId>,
}

impl BuiltModel {
    /// Builds a model of one body with one contact.
    fn one(
        body: impl Into<siconos_kernel::model::DynamicalSystem>,
        relation: impl Into<siconos_kernel::model::Relation>,
        restitution: f64,
    ) -> Result<Self, Error> {
        let law = NewtonImpact::new(restitution)?;
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(body)?;
        let contact = model.add_interaction([body], relation, law)?;
        Ok(Self { model, bodies: vec![body], contacts: vec![contact] })
    }
}
