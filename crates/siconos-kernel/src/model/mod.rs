//! The model: what there is in the world, without a word on how it is simulated.
//!
//! A [`NonSmoothDynamicalSystem`] owns [`DynamicalSystem`]s (the smooth dynamics) and [`Interaction`]s, each of which
//! ties one or more systems by a [`Relation`] (the local variables y and lambda) and a [`NonSmoothLaw`] between these.

mod closure;
mod coefficient;
pub mod dynamical_system;
mod interaction;
mod nonsmooth_dynamical_system;
mod nonsmooth_law;
pub mod relation;

pub use dynamical_system::{
    ControlTerm, DynamicalSystem, FirstOrderLinear, FirstOrderLinearTi, FirstOrderNonlinear, Jacobian,
    JacobianMismatch, Lagrangian, LagrangianLinear,
};
pub use interaction::Interaction;
pub use nonsmooth_dynamical_system::NonSmoothDynamicalSystem;
pub use nonsmooth_law::{
    ComplementarityCondition, ConeComplementarity, EqualityCondition, MixedComplementarityCondition,
    NewtonImpact, NewtonImpactFriction, NonSmoothLaw, NormalCone, Relay,
};
pub use relation::{
    FirstOrderLinearRelation, FirstOrderNonlinearRelation, LagrangianLinearRelation,
    LagrangianRheonomousRelation, LagrangianScleronomousRelation, Relation, RelationJacobian, RelationPoint,
};

use crate::arena::Id;

/// The name of a dynamical system in its model.
pub type DynamicalSystemId = Id<DynamicalSystem>;
/// The name of an interaction in its model.
pub type InteractionId = Id<Interaction>;
