//! Small mechanical systems with events whose motion is known, and two larger models: for examples, tests,
//! benches and comparisons.
//!
//! Each function takes the parameters and yields a [`Built`]. The exact motions have the same names in the
//! test kit.
//!
//! | function | what happens | known |
//! |---|---|---|
//! | [`ball`] | impacts that accumulate, rest; start in flight, on the floor, or with an impact | for all times |
//! | [`sliding_block`] | a block slides down to a stop, without friction | as the ball with $g \sin\beta$ |
//! | [`wall_oscillator`] | impacts at equal intervals, which never end | for all times |
//! | [`rocking_block`] | Housner's block; impacts that accumulate | slender: for all times; else amplitudes by energy |
//! | [`pendulum_with_stop`] | nonlinear swings between impacts | by elliptic functions |
//! | [`rope_pendulum`] | a contact that is closed from the start and stays so | by elliptic functions |
//! | [`oscillating_table`] | rest on a moving support, take-off, landing | take-off in closed form |
//! | [`dome`] | sliding on a curved support, take-off | take-off in closed form |
//! | [`cradle`] | balls that meet two at a time, or all at once | velocities |
//!
//! [`ColumnOfBeads`] and [`DoublePendulum`] have parameters for their simulation as well.

mod beads;
mod bodies;
mod double_pendulum;
mod pendulums;

use siconos_kernel::prelude::*;

pub use self::beads::{ColumnOfBeads, RADIUS};
pub use self::bodies::{ball, cradle, oscillating_table, sliding_block, wall_oscillator};
pub use self::double_pendulum::{DoublePendulum, ForceDerivative, exact_derivative};
pub use self::pendulums::{Slenderness, dome, pendulum_with_stop, rocking_block, rope_pendulum};

/// A model with the names of its parts.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model.
    pub model: NonSmoothDynamicalSystem,
    /// Its bodies, in the order of the function's parameters.
    pub bodies: Vec<DynamicalSystemId>,
    /// Its contacts.
    pub contacts: Vec<InteractionId>,
}

impl Built {
    /// One body with one contact.
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
