//! Errors of a model.

use siconos_numerics::cone::ConvexSetError;

use super::{DynamicalSystemId, InteractionId, ParameterId, StructureDifference};

/// Invalid or inconsistent model data.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The id is stale, or belongs to another model.
    #[error(
        "there is no dynamical system {id} in this model; it was removed, or the id belongs to another model"
    )]
    UnknownSystem {
        /// The id.
        id: DynamicalSystemId,
    },
    /// The id is stale, or belongs to another model.
    #[error("there is no interaction {id} in this model; it was removed, or the id belongs to another model")]
    UnknownInteraction {
        /// The id.
        id: InteractionId,
    },
    /// The id belongs to another model.
    #[error(
        "there is no parameter {id} in this model; the id belongs to another model, or was created after the state"
    )]
    UnknownParameter {
        /// The id.
        id: ParameterId,
    },
    /// A record names a parameter that the model does not have.
    #[error("there is no parameter `{name}` in this model")]
    UnknownParameterName {
        /// The name of the parameter in the record.
        name: String,
    },
    /// The state does not belong to the model.
    #[error("the state belongs to another model; use State::restore to restore a record for a rebuilt model")]
    StateOfOtherModel,
    /// The record was made from a model with a different number of systems or interactions.
    #[error("the record has {recorded} {what}, but the model has {found}")]
    RecordCountMismatch {
        /// Kind of the counted objects.
        what: &'static str,
        /// Number of objects in the record.
        recorded: usize,
        /// Number of objects in the model.
        found: usize,
    },
    /// The record was made from a model in which a system, relation or law has a different kind, size,
    /// constant or function, or the time scale differs.
    #[error(transparent)]
    RecordStructureMismatch(#[from] Box<StructureDifference>),
    /// The record refers to a fingerprint that it does not contain.
    #[error(
        "the record refers to fingerprint {index}, but has only {held} fingerprints; the file was changed"
    )]
    NoFingerprint {
        /// Index of the missing fingerprint.
        index: usize,
        /// Number of fingerprints that the record contains.
        held: usize,
    },
    /// An origin was given for a function that the object does not have.
    #[error("there is no function `{name}`; {}", functions(.known))]
    UnknownFunction {
        /// The name given.
        name: String,
        /// Names of the functions of the object.
        known: Vec<&'static str>,
    },
    /// The name belongs to another object of the same kind.
    #[error("the name `{name}` is taken by {by}")]
    NameTaken {
        /// The name.
        name: String,
        /// Object that has the name.
        by: String,
    },
    /// A system was given twice to one interaction.
    #[error("dynamical system {id} is given twice to one interaction")]
    SystemTwice {
        /// The id.
        id: DynamicalSystemId,
    },
    /// A system cannot be removed while an interaction acts on it.
    #[error(
        "dynamical system {system} cannot be removed: interaction {interaction} acts on it; remove the interaction first"
    )]
    SystemInUse {
        /// The system.
        system: DynamicalSystemId,
        /// First interaction, in insertion order, that acts on the system.
        interaction: InteractionId,
    },
    /// An interaction was given without a system.
    #[error("an interaction requires at least one dynamical system")]
    NoSystem,
    /// A system has no degrees of freedom.
    #[error("a dynamical system requires at least one degree of freedom, but its initial state is empty")]
    NoDegreeOfFreedom,
    /// An array has the wrong shape.
    #[error("`{what}` must be {expected_rows} x {expected_columns}, not {rows} x {columns}")]
    WrongShape {
        /// Name of the array.
        what: &'static str,
        /// Expected number of rows.
        expected_rows: usize,
        /// Expected number of columns (1 for a vector).
        expected_columns: usize,
        /// Given number of rows.
        rows: usize,
        /// Given number of columns.
        columns: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, but entry {index} is {value}")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the first entry that is not finite; row-major for a matrix.
        index: usize,
        /// Value of this entry.
        value: f64,
    },
    /// A user function wrote a value that is not finite.
    #[error("`{what}` at t = {t} must be finite, but entry {index} is {value}")]
    NotFiniteAt {
        /// Name of the function.
        what: &'static str,
        /// Time \[s\].
        t: f64,
        /// Index of the first entry that is not finite; row-major for a matrix.
        index: usize,
        /// Value of this entry.
        value: f64,
    },
    /// The given data do not define a convex set.
    #[error(transparent)]
    Set(#[from] ConvexSetError),
    /// The size of the relation is not a multiple of the size of the law.
    #[error(
        "a relation of size {relation} does not support a law of size {law}; the first size must be a multiple of the second"
    )]
    SizeNotMultiple {
        /// Size of the relation.
        relation: usize,
        /// Size of the law.
        law: usize,
    },
    /// A law, relation, parameter or control term has no components.
    #[error("`{what}` must have at least one component")]
    Empty {
        /// Kind of the object.
        what: &'static str,
    },
    /// The mass of a body is not finite, or not positive.
    #[error("the mass of a body must be finite and positive, not {value}")]
    Mass {
        /// The mass given.
        value: f64,
    },
    /// The inertia matrix of a body is not symmetric.
    #[error(
        "the inertia of a body must be symmetric, but entry ({row}, {column}) is {value} and entry ({column}, {row}) is \
         {transposed}"
    )]
    InertiaNotSymmetric {
        /// Row of an entry, counted from 0.
        row: usize,
        /// Column of the entry, counted from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// Entry at the transposed position.
        transposed: f64,
    },
    /// The inertia matrix of a body is not positive definite.
    #[error(
        "the inertia of a body must be positive definite, but its leading minor of order {order} is {minor}"
    )]
    InertiaNotPositive {
        /// Order of the leading minor.
        order: usize,
        /// Value of the minor, after scaling of the matrix to entries of order 1.
        minor: f64,
    },
    /// The position cannot be projected onto the configuration space, for example a quaternion of length 0.
    #[error(
        "entry {index} of the position is {value}, which is outside the configuration space of the system, as is a quaternion of length 0"
    )]
    OutsideSpace {
        /// Index of the first entry that cannot be projected.
        index: usize,
        /// Value of this entry.
        value: f64,
    },
    /// A direction has length 0.
    #[error("the {what} must have a nonzero length")]
    NoDirection {
        /// Name of the direction.
        what: &'static str,
    },
    /// A relation between rigid bodies was given a system that is not a rigid body.
    #[error(
        "the relation requires rigid bodies, but dynamical system {id} is not one; make it a NewtonEuler"
    )]
    NotRigidBody {
        /// The system.
        id: DynamicalSystemId,
    },
    /// Planar bodies were given a joint that exists only in space.
    #[error("planar bodies cannot have a {kind} joint; use {instead}")]
    SpatialJoint {
        /// Kind of the joint.
        kind: &'static str,
        /// Joints that planar bodies can have.
        instead: &'static str,
    },
    /// A point or an axis of a relation between planar bodies does not suit the plane.
    #[error("the {what} is {given:?}, but the bodies are in the plane z = 0; {instead}")]
    OutOfPlane {
        /// Name of the point or axis.
        what: &'static str,
        /// Given vector.
        given: [f64; 3],
        /// Required direction or position.
        instead: &'static str,
    },
    /// A planar contact or joint was given a system that does not have three coordinates.
    #[error(
        "the relation requires planar bodies with the coordinates x, y and angle, but dynamical system {id} \
         has {found} coordinate(s); create it by LagrangianLinear::planar_body"
    )]
    NotPlanarBody {
        /// The system.
        id: DynamicalSystemId,
        /// Number of position coordinates of the system.
        found: usize,
    },
    /// A joint, distance or contact was given a different number of bodies than it was made for.
    #[error("the relation requires {expected} bodies (space does not count), found {found}")]
    JointBodyCount {
        /// Number of bodies for which the relation was made.
        expected: usize,
        /// Number of systems given.
        found: usize,
    },
    /// A contact with user-defined points was given more than two bodies.
    #[error("a contact involves at most {most} bodies, but {found} were given")]
    ContactBodyCount {
        /// Maximum number of bodies.
        most: usize,
        /// Number of systems given.
        found: usize,
    },
    /// The lower stop of a joint is not below the upper stop.
    #[error("the lower stop of a joint must be below the upper stop; they are {lower} and {upper}")]
    Stops {
        /// The lower stop given.
        lower: f64,
        /// The upper stop given.
        upper: f64,
    },
    /// The stops of an angle are too far apart, or too far from the initial angle, to be determined from the
    /// orientations of the bodies.
    #[error(
        "the stops of an angle must be at most 3 pi apart, with their middle from -1.5 pi to 1.5 pi; they are \
         {lower} and {upper}; for more revolutions, put the stops on the displacement of a screw"
    )]
    StopsOfAngle {
        /// The lower stop given \[rad\].
        lower: f64,
        /// The upper stop given \[rad\].
        upper: f64,
    },
    /// A coupler does not support a joint coordinate or a coefficient.
    #[error("{what} requires {instead}")]
    UnsupportedCoupling {
        /// Name of the coupler, or of one of its coefficients.
        what: &'static str,
        /// Description of the supported coordinates or coefficients.
        instead: &'static str,
    },
    /// The orientation of a body is a quaternion of length 0.
    #[error("an orientation must be a quaternion of length 1, not 0; use (1, 0, 0, 0) for no rotation")]
    ZeroOrientation,
    /// The coefficient of restitution is outside its range.
    #[error("the coefficient of restitution must be between 0 and 1, not {value}")]
    Restitution {
        /// The coefficient given.
        value: f64,
    },
    /// The tangential coefficient of restitution is outside its range.
    #[error("the tangential coefficient of restitution must be between -1 and 1, not {value}")]
    TangentialRestitution {
        /// The coefficient given.
        value: f64,
    },
    /// The stiffness or the damping of a spring is outside its range.
    #[error(
        "stiffness and damping must be finite, nonnegative and not both 0; they are {stiffness} and {damping}"
    )]
    Spring {
        /// The stiffness given.
        stiffness: f64,
        /// The damping given.
        damping: f64,
    },
    /// A length is negative or not finite.
    #[error("a length must be finite and nonnegative, not {value}")]
    Length {
        /// The length given.
        value: f64,
    },
    /// A parameter of a contact with the multiple-impact law is outside its range.
    #[error("the {what} of a contact must be {range}, not {value}")]
    ImpactContact {
        /// Name of the parameter.
        what: &'static str,
        /// The value given.
        value: f64,
        /// Description of the permitted range.
        range: &'static str,
    },
    /// A coefficient of friction is negative or not finite.
    #[error("the coefficient of friction must be finite and nonnegative, not {value}")]
    Friction {
        /// The coefficient given.
        value: f64,
    },
    /// A coefficient of rolling friction is negative or not finite.
    #[error("the coefficient of rolling friction must be finite and nonnegative, not {value}")]
    RollingFriction {
        /// The coefficient given \[m\].
        value: f64,
    },
    /// A cohesion is negative or not finite.
    #[error("the cohesion of a contact must be finite and nonnegative, not {value}")]
    Cohesion {
        /// The cohesion given \[N\].
        value: f64,
    },
    /// A contact with friction has neither 2 nor 3 components.
    #[error("a contact with friction must have 2 components in the plane or 3 in space, not {value}")]
    ContactDimension {
        /// The number of components given.
        value: usize,
    },
    /// A Jacobian of a nonlinear relation was neither supplied, nor declared zero, nor declared as
    /// approximated.
    #[error(
        "the Jacobian {what} of a nonlinear relation is missing; give a function or a constant, or choose `Zero` or \
         `FiniteDifference`"
    )]
    MissingJacobian {
        /// Name of the Jacobian: C, D, K or B.
        what: &'static str,
    },
    /// A relation for Lagrangian systems acts on a first-order system, or a relation for first-order systems
    /// acts on a Lagrangian system.
    #[error("a {relation} relation cannot act on system {system}, which is {found}")]
    OrderMismatch {
        /// Order of the relation.
        relation: &'static str,
        /// The system.
        system: DynamicalSystemId,
        /// Order of the system.
        found: &'static str,
    },
    /// A linear relation acts on a system whose position is not a vector.
    #[error(
        "y = H q + b cannot act on system {id}, whose position is not a vector; use a LagrangianScleronomousRelation"
    )]
    PositionNotVector {
        /// The system.
        id: DynamicalSystemId,
    },
    /// A Lagrangian system whose position is not a vector cannot be converted to a first-order system.
    #[error("a Lagrangian system whose position is not a vector has no first-order form with x = (q, v)")]
    NoFirstOrderForm,
    /// A lower bound is above the upper bound, or a bound is NaN.
    #[error("component {index}: the lower bound {lower} must not be above the upper bound {upper}")]
    Bounds {
        /// Index of the component.
        index: usize,
        /// Lower bound of the component.
        lower: f64,
        /// Upper bound of the component.
        upper: f64,
    },
    /// The gain of a relay is negative, zero or NaN.
    #[error("the gain of a relay must be positive, not {value}")]
    Gain {
        /// The gain given.
        value: f64,
    },
    /// The time scale of a model is outside its range.
    #[error("the time scale of a model must be finite and positive, not {value}")]
    TimeScale {
        /// The time scale given \[s\].
        value: f64,
    },
    /// A finite-difference step is outside its range.
    #[error("the step of finite differences must be finite and positive, not {value}")]
    DifferenceStep {
        /// The step given.
        value: f64,
    },
}

/// Returns the phrase that lists the known functions in an error message.
fn functions(known: &[&str]) -> String {
    match known {
        [] => "there are no user-defined functions".to_owned(),
        names => format!("the functions are `{}`", names.join("`, `")),
    }
}
