//! Errors of a model.

use siconos_numerics::cone::SetError;

use super::{DynamicalSystemId, InteractionId, ParameterId, StructureDifference};

/// Model data that do not fit together.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The id is stale, or of another model.
    #[error("there is no dynamical system {id} in this model; it was removed, or the id is of another model")]
    UnknownSystem {
        /// The id.
        id: DynamicalSystemId,
    },
    /// The id is stale, or of another model.
    #[error("there is no interaction {id} in this model; it was removed, or the id is of another model")]
    UnknownInteraction {
        /// The id.
        id: InteractionId,
    },
    /// The id is of another model.
    #[error(
        "there is no parameter {id} in this model; the id is of another model, or was made after the state"
    )]
    UnknownParameter {
        /// The id.
        id: ParameterId,
    },
    /// A record names a parameter that the model does not have.
    #[error("there is no parameter `{name}` in this model")]
    UnknownParameterName {
        /// The name in the record.
        name: String,
    },
    /// A state and a model that do not belong together.
    #[error(
        "the state is of another model; State::restore puts a record back for a model that was built anew"
    )]
    OtherModel,
    /// A record of a model with more or fewer systems or interactions.
    #[error("the record has {recorded} {what}, the model has {found}")]
    OtherCount {
        /// What was counted.
        what: &'static str,
        /// How many the record has.
        recorded: usize,
        /// How many the model has.
        found: usize,
    },
    /// A record of a model in which something is of another kind, size, constant or function.
    #[error(transparent)]
    OtherStructure(#[from] Box<StructureDifference>),
    /// A record that refers to what it does not hold.
    #[error("the record refers to fingerprint {index} and holds {held}: the file was changed")]
    NoFingerprint {
        /// Which one is missing, counted from 0.
        index: usize,
        /// How many there are.
        held: usize,
    },
    /// An origin was given for a function that is not there.
    #[error("there is no function `{name}` here; {}", functions(.known))]
    UnknownFunction {
        /// The name given.
        name: String,
        /// The names of the functions that there are.
        known: Vec<&'static str>,
    },
    /// Two objects of one kind and name could not be told apart.
    #[error("the name `{name}` is taken by {by}")]
    NameTaken {
        /// The name.
        name: String,
        /// What has it.
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
        "dynamical system {system} cannot be removed: interaction {interaction} acts on it; remove that first"
    )]
    SystemInUse {
        /// The system.
        system: DynamicalSystemId,
        /// The first interaction that acts on it.
        interaction: InteractionId,
    },
    /// An interaction acts on at least one system.
    #[error("an interaction needs at least one dynamical system, none was given")]
    NoSystem,
    /// A system has at least one degree of freedom.
    #[error("a dynamical system needs at least one degree of freedom, its initial state is empty")]
    NoDegreeOfFreedom,
    /// An array has the wrong shape.
    #[error("`{what}` must be {expected_rows} x {expected_columns}, it is {rows} x {columns}")]
    WrongShape {
        /// Which array.
        what: &'static str,
        /// Rows that fit.
        expected_rows: usize,
        /// Columns that fit (1 for a vector).
        expected_columns: usize,
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },
    /// An entry is NaN or infinite.
    #[error("`{what}` must be finite, entry {index} is {value}")]
    NotFinite {
        /// Which array.
        what: &'static str,
        /// The first such entry; row-major for a matrix.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A function of the user wrote what is not finite.
    #[error("`{what}` at t = {t} must be finite, entry {index} is {value}")]
    NotFiniteAt {
        /// Which function.
        what: &'static str,
        /// When \[s\].
        t: f64,
        /// The first such entry; row-major for a matrix.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// Numbers make no convex set.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The size of an interaction is a multiple of the size of its law.
    #[error(
        "a relation of size {relation} cannot carry a law of size {law}: the first must be a multiple of the second"
    )]
    SizeNotMultiple {
        /// Size of the relation.
        relation: usize,
        /// Size of the law.
        law: usize,
    },
    /// A law or relation without any component.
    #[error("`{what}` must have at least one component")]
    Empty {
        /// Which object.
        what: &'static str,
    },
    /// The mass of a body is above 0.
    #[error("the mass of a body must be finite and above 0, it is {value}")]
    Mass {
        /// The mass given.
        value: f64,
    },
    /// A matrix of inertia is symmetric.
    #[error(
        "the inertia of a body must be symmetric, entry ({row}, {column}) is {value} and entry ({column}, {row}) is \
         {transposed}"
    )]
    InertiaNotSymmetric {
        /// Row of an entry, counted from 0.
        row: usize,
        /// Its column.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry across the diagonal.
        transposed: f64,
    },
    /// A matrix of inertia is positive definite.
    #[error("the inertia of a body must be positive definite, its leading minor of order {order} is {minor}")]
    InertiaNotPositive {
        /// How many rows and columns the minor has.
        order: usize,
        /// The minor, of the matrix in a unit in which its entries are near 1.
        minor: f64,
    },
    /// A position that no position of the space is near to: a quaternion 0.
    #[error(
        "entry {index} of the position, {value}, belongs to coordinates that the space of the system does not have: a quaternion of length 0, say"
    )]
    OutsideSpace {
        /// The first entry that cannot be put into the space.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// A direction of length 0.
    #[error("the {what} must be longer than 0")]
    NoDirection {
        /// What the direction is of.
        what: &'static str,
    },
    /// A relation of rigid bodies, and a system that is none.
    #[error("the relation is one of rigid bodies, and dynamical system {id} is none; make it a NewtonEuler")]
    NoBody {
        /// The system.
        id: DynamicalSystemId,
    },
    /// A joint, distance or contact is made for some bodies and put between others.
    #[error("the relation is between {expected} bodies (space is none), and it is given {found}")]
    JointedBodies {
        /// How many bodies it was made for.
        expected: usize,
        /// How many systems it is given.
        found: usize,
    },
    /// A contact in points that are functions of the positions, and more bodies than two.
    #[error("a contact is between {most} bodies at most, and it is given {found}")]
    BodiesInContact {
        /// How many there may be.
        most: usize,
        /// How many systems it is given.
        found: usize,
    },
    /// The lower stop of a joint is below the upper.
    #[error("the lower stop of a joint must be below the upper, they are {lower} and {upper}")]
    Stops {
        /// The lower stop given.
        lower: f64,
        /// The upper stop given.
        upper: f64,
    },
    /// Stops of an angle through more turns than the attitudes of the bodies tell.
    #[error(
        "the stops of an angle must be at most 3 pi apart, and their middle from -1.5 pi to 1.5 pi; they are \
         {lower} and {upper}. For more turns put the stops on the displacement of a screw"
    )]
    StopsOfAngle {
        /// The lower stop given \[rad\].
        lower: f64,
        /// The upper stop given \[rad\].
        upper: f64,
    },
    /// Coordinates of joints that a coupler cannot tie to each other.
    #[error("{what} takes {instead}")]
    NoCoupling {
        /// The coupler, or a number of it.
        what: &'static str,
        /// What it takes.
        instead: &'static str,
    },
    /// An attitude has a direction.
    #[error("an attitude is a quaternion of length 1, (1, 0, 0, 0) without rotation; this one is 0")]
    NoAttitude,
    /// The coefficient of restitution is outside its range.
    #[error("the coefficient of restitution must be between 0 and 1, it is {value}")]
    Restitution {
        /// The coefficient given.
        value: f64,
    },
    /// The coefficient of restitution along the tangents is outside its range.
    #[error("the tangential coefficient of restitution must be between -1 and 1, it is {value}")]
    TangentialRestitution {
        /// The coefficient given.
        value: f64,
    },
    /// Stiffness and damping of a spring are outside their ranges.
    #[error(
        "stiffness and damping must be finite, at or above 0 and not both 0; they are {stiffness} and {damping}"
    )]
    Spring {
        /// The stiffness given.
        stiffness: f64,
        /// The damping given.
        damping: f64,
    },
    /// A length is a number at or above 0.
    #[error("a length must be finite and at or above 0, it is {value}")]
    Length {
        /// The length given.
        value: f64,
    },
    /// A number of a contact with impacts by compression is outside its range.
    #[error("the {what} of a contact must be {range}, it is {value}")]
    ImpactContact {
        /// Which number.
        what: &'static str,
        /// The number given.
        value: f64,
        /// The range in words.
        range: &'static str,
    },
    /// A coefficient of friction is a number at or above 0.
    #[error("the coefficient of friction must be finite and at or above 0, it is {value}")]
    Friction {
        /// The coefficient given.
        value: f64,
    },
    /// A coefficient of rolling friction is a number at or above 0.
    #[error("the coefficient of rolling friction must be finite and at or above 0, it is {value}")]
    RollingFriction {
        /// The coefficient given \[m\].
        value: f64,
    },
    /// A cohesion is a number at or above 0.
    #[error("the cohesion of a contact must be finite and at or above 0, it is {value}")]
    Cohesion {
        /// The cohesion given \[N\].
        value: f64,
    },
    /// A contact with friction is in the plane or in space.
    #[error("a contact with friction has 2 components in the plane or 3 in space, not {value}")]
    ContactDimension {
        /// The number of components given.
        value: usize,
    },
    /// A Jacobian of a relation was neither given nor named as zero or approximated.
    #[error(
        "the Jacobian {what} of a nonlinear relation is missing: give a function or a constant, or say `Zero` or \
         `FiniteDifference`"
    )]
    MissingJacobian {
        /// C, D, K or B.
        what: &'static str,
    },
    /// A relation is for systems of the other family.
    #[error("a {relation} relation cannot act on system {system}, which is {found}")]
    OtherFamily {
        /// Of what order the relation is.
        relation: &'static str,
        /// The system.
        system: DynamicalSystemId,
        /// Of what order that is.
        found: &'static str,
    },
    /// A linear relation acts on a system whose position is not a vector.
    #[error(
        "y = H q + b cannot act on system {id}, whose position is no vector; take a LagrangianScleronomousRelation"
    )]
    PositionNoVector {
        /// The system.
        id: DynamicalSystemId,
    },
    /// A Lagrangian system with such a position is to be one of first order.
    #[error("a Lagrangian system whose position is no vector has no first-order form with x = (q, v)")]
    NoFirstOrderForm,
    /// A lower bound is above the upper one, or NaN.
    #[error("component {index}: the lower bound {lower} must not be above the upper bound {upper}")]
    Bounds {
        /// The component.
        index: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A time scale is outside its range.
    #[error("the time scale of a model must be finite and above 0, it is {value}")]
    TimeScale {
        /// The time given \[s\].
        value: f64,
    },
    /// A step for finite differences is outside its range.
    #[error("the step of finite differences must be finite and above 0, it is {value}")]
    DifferenceStep {
        /// The step given.
        value: f64,
    },
}

/// A list of functions in words.
fn functions(known: &[&str]) -> String {
    match known {
        [] => "there are no functions of the user".to_owned(),
        names => format!("the functions are `{}`", names.join("`, `")),
    }
}
