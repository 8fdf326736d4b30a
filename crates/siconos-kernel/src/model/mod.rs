//! Model of a nonsmooth dynamical system, independent of how it is simulated.
//!
//! A [`NonSmoothDynamicalSystem`] owns [`DynamicalSystem`]s (the smooth dynamics) and [`Interaction`]s. Each
//! interaction connects one or more systems. It consists of a [`Relation`], which defines the local variables
//! y and lambda, and a [`NonSmoothLaw`] between y and lambda. Values that user functions read and that change
//! during a simulation, such as a sampled control input, are [`Parameter`]s.
//!
//! All user functions follow one convention. The first argument is an [`At`], which contains the time and the
//! parameters, or only the [`Parameters`] if the function does not depend on time (M(q), F_gyr(q, v), T(q),
//! h(q)). The following arguments are the state variables, if any. The last argument is the result, which is
//! zeroed before the call.
//!
//! All data of an object can be read back, so that a model can be written to a file. The data of a user
//! function are its [`Origin`], if one was set; [`UserFunctions`] lists all user functions of an object.

pub(crate) mod checks;
pub(crate) mod closure;
mod coefficient;
mod configuration;
mod contact_key;
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
pub(crate) mod partition;
pub(crate) mod parts;
mod refusal;
pub mod relation;
mod relation_id;
pub(crate) mod rotation;
pub(crate) mod structure_difference;

pub(crate) use checks::{check_finite, check_matrix, check_shape};
pub use coefficient::Coefficient;
pub use configuration::{ConfigurationSpace, UnitCircle};
pub(crate) use configuration::{PositionSpace, VECTOR};
pub use contact_key::ContactKey;
pub use dynamical_system::{
    ControlTerm, DynamicalSystem, FirstOrderLinear, FirstOrderLinearTi, FirstOrderNonlinear, Frame, Inertia,
    Jacobian, JacobianMismatch, Lagrangian, LagrangianLinear, NewtonEuler, StateForce, VectorField,
};
pub(crate) use error::ModelError;
pub(crate) use fingerprint::Fingerprint;
pub use interaction::Interaction;
pub(crate) use layout::{Change, Layout, Lengths, Places};
pub(crate) use moved::GapMap;
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
pub(crate) use partition::{DisjointSets, Partition};
pub(crate) use parts::{HasParts, fingerprint};
pub use parts::{UserFunction, UserFunctions};
pub(crate) use refusal::Refusal;
pub(crate) use relation::{BodyCoordinates, ContactFrame, SpatialImpulse};
pub use relation::{
    BodyGeometry, ContactBall, ContactPoints, ContactRows, ContactShape, ContactSurface, Coupler,
    CouplerKind, Disc, Distance, FirstOrderLinearRelation, FirstOrderNonlinearRelation, Joint, JointBodies,
    JointCoordinate, JointKind, JointStop, LagrangianLinearRelation, LagrangianRheonomousRelation,
    LagrangianScleronomousRelation, NewtonEulerRelation, PlanarContact, PlanarRows, PlanarSurface,
    PointContact, PrescribedMotion, Relation, RelationJacobian, RelationPoint,
};
pub use relation_id::RelationId;
pub(crate) use structure_difference::{PartDifference, StructureDifference};

pub use rotation::{Quaternion, RigidPlacement, RotationUpdate};
pub(crate) use rotation::{add, difference, dot, length, scaled};

use crate::arena::Id;

/// Identifier of a dynamical system in its model.
pub type DynamicalSystemId = Id<DynamicalSystem>;
/// Identifier of an interaction in its model.
pub type InteractionId = Id<Interaction>;
