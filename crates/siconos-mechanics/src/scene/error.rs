//! Errors of scenes.

use siconos_kernel::ModelError;
use siconos_kernel::detection::DetectionError;

use crate::shape::ShapeError;

/// Scene that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A shape cannot be created, or has no mass properties.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A body or a value was rejected by the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Contacts at the start cannot be detected.
    #[error(transparent)]
    Detection(#[from] DetectionError),
    /// A body has no contactor, so its mass properties are unknown.
    #[error("body `{body}` has no contactor")]
    NoContactor {
        /// Name of the body.
        body: String,
    },
    /// The mass or density of a body is not positive.
    #[error("the {what} of body `{body}` is {value}; it must be positive and finite")]
    Mass {
        /// Name of the body.
        body: String,
        /// Name of the quantity: mass or density.
        what: &'static str,
        /// Value.
        value: f64,
    },
    /// All shapes of a free body are segments, which have no area, and no mass is given.
    #[error(
        "body `{body}` has a {shape}, which has no area, so no mass follows from a density; use `Body::with_mass`"
    )]
    NoArea {
        /// Name of the body.
        body: String,
        /// Name of the shape.
        shape: &'static str,
    },
    /// A shape does not suit the body or the scene.
    #[error("body `{body}` is {place}, but it has a {shape}; use {instead}")]
    ShapeOfBody {
        /// Name of the body.
        body: String,
        /// Place of the body: in space, in the plane, or free to move.
        place: &'static str,
        /// Name of the shape.
        shape: &'static str,
        /// Shapes that the body can have.
        instead: &'static str,
    },
    /// A number of a body is NaN or infinite.
    #[error("{what} of body `{body}` contains {value}; all numbers must be finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// The quantity.
        what: &'static str,
        /// Value.
        value: f64,
    },
    /// An orientation is not a unit quaternion.
    #[error("{what} of body `{body}` has a quaternion of length {length}; it must be 1")]
    Orientation {
        /// Name of the body.
        body: String,
        /// The pose.
        what: &'static str,
        /// Length of the quaternion.
        length: f64,
    },
    /// A quantity of a body in a planar scene is not in the plane z = 0.
    #[error("body `{body}` is in the plane z = 0, but {what} is not")]
    OutOfPlane {
        /// Name of the body.
        body: String,
        /// The quantity.
        what: &'static str,
    },
    /// A body id does not belong to this scene.
    #[error("the scene has no body with the number {number}")]
    UnknownBody {
        /// Number of the body.
        number: u32,
    },
    /// No body of a joint is free.
    #[error("a joint connects the bodies with the numbers {} and {}, but neither is free", .bodies[0], .bodies[1])]
    JointOfFixed {
        /// Numbers of the bodies.
        bodies: [u32; 2],
    },
    /// A joint connects a body with a driven body that moves.
    #[error(
        "a joint connects body `{body}`, whose motion is prescribed; connect a free body, and prescribe its motion \
         by a motor"
    )]
    JointOfDriven {
        /// Name of the body.
        body: String,
    },
    /// A value of a joint was rejected by the model.
    #[error("joint {joint} of bodies `{}` and `{}`: {source}", .bodies[0], .bodies[1])]
    Joint {
        /// Number of the joint, in the order of insertion.
        joint: usize,
        /// Names of the bodies.
        bodies: [String; 2],
        /// Reason.
        source: ModelError,
    },
    /// A joint without a coordinate has stops, a motor or friction.
    #[error("a joint that neither turns about an axis nor slides along it cannot have {what}")]
    JointWithoutCoordinate {
        /// Name of the part.
        what: &'static str,
    },
    /// The speed of a motor is not finite.
    #[error("the speed of a motor is {speed}; it must be finite")]
    Motor {
        /// Speed.
        speed: f64,
    },
    /// The contacts of a simulation are not the contacts of this scene with the same bodies.
    #[error(
        "the contacts of this simulation are not the contacts of this scene with its present bodies; build the \
         simulation with `SceneParts::simulation`"
    )]
    OtherContacts,
    /// Two bodies have the same name.
    #[error("two bodies are named `{name}`")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Bodies overlap at the start.
    #[error(
        "bodies `{first}` and `{second}` overlap by {depth:e} at the start; move them apart, or set another policy \
         with `Scene::with_overlaps`"
    )]
    Overlap {
        /// First body.
        first: String,
        /// Second body.
        second: String,
        /// Depth of the overlap \[m\].
        depth: f64,
    },
}
