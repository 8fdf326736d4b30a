//! The model: what there is in the world, without a word on how it is simulated.
//!
//! A [`NonSmoothDynamicalSystem`] owns [`DynamicalSystem`]s (the smooth dynamics) and [`Interaction`]s, each
//! of which ties one or more systems by a [`Relation`] (the local variables y and lambda) and a
//! [`NonSmoothLaw`] between these. What its functions read and what changes while it is simulated, a held
//! input say, are its [`Parameter`]s.
//!
//! One rule holds for all functions of the user: the first argument is what the function may depend on beside
//! the state. That is an [`At`], the time with the parameters, or [`Parameters`] alone where the equation has
//! no time in it (M(q), F_gyr(q, v), T(q), h(q)). The last argument is the result, which arrives zeroed.
//!
//! Everything that an object was given can be read back from it, so that a model can be written down. Of a
//! function that is its [`Origin`], where somebody has said it; [`UserFunctions`] lists them all.

pub(crate) mod checks;
pub(crate) mod closure;
mod coefficient;
mod configuration;
pub mod dynamical_system;
pub(crate) mod error;
pub(crate) mod fingerprint;
mod interaction;
mod layout;
mod moved;
pub(crate) mod nonsmooth_dynamical_system;
mod nonsmooth_law;
mod origin;
mod parameters;
mod partition;
pub(crate) mod parts;
mod refusal;
pub mod relation;
mod rotation;
pub(crate) mod structure_difference;

pub(crate) use checks::{check_finite, check_matrix, check_shape};
pub use coefficient::Coefficient;
pub use configuration::{ConfigurationSpace, UnitCircle};
pub(crate) use configuration::{PositionSpace, VECTOR};
pub use dynamical_system::{
    ControlTerm, DynamicalSystem, FirstOrderLinear, FirstOrderLinearTi, FirstOrderNonlinear, Frame, Inertia,
    Jacobian, JacobianMismatch, Lagrangian, LagrangianLinear, NewtonEuler, StateForce, VectorField,
};
pub(crate) use error::ModelError;
pub(crate) use fingerprint::Fingerprint;
pub use interaction::Interaction;
pub(crate) use layout::{Change, Layout, Lengths, Places};
pub(crate) use moved::Moved;
pub use nonsmooth_dynamical_system::NonSmoothDynamicalSystem;
pub(crate) use nonsmooth_dynamical_system::next_stamp;
pub use nonsmooth_law::{
    ComplementarityCondition, ConeComplementarity, EqualityCondition, MixedComplementarityCondition,
    MultipleImpact, NewtonImpact, NewtonImpactFriction, NonSmoothLaw, NormalCone, Relay, RelayBounds,
    SpringDamper,
};
pub(crate) use nonsmooth_law::{LawDescription, RowLaw};
pub use origin::{Expressions, Origin};
pub use parameters::{At, Parameter, ParameterId, Parameters};
pub(crate) use partition::{Partition, Parts};
pub(crate) use parts::{Composed, fingerprint};
pub use parts::{UserFunction, UserFunctions};
pub(crate) use refusal::Refusal;
pub use relation::{
    BodyGeometry, ContactPoints, ContactRows, ContactShape, Coupler, CouplerKind, Distance,
    FirstOrderLinearRelation, FirstOrderNonlinearRelation, Joint, JointCoordinate, JointKind, JointStop,
    Jointed, LagrangianLinearRelation, LagrangianRheonomousRelation, LagrangianScleronomousRelation,
    NewtonEulerRelation, PointContact, PrescribedMotion, Relation, RelationJacobian, RelationPoint,
};
pub(crate) use structure_difference::{PartDifference, StructureDifference};

pub use rotation::{Quaternion, RigidPlacement, RotationUpdate};

use crate::arena::Id;

/// The name of a dynamical system in its model.
pub type DynamicalSystemId = Id<DynamicalSystem>;
/// The name of an interaction in its model.
pub type InteractionId = Id<Interaction>;
