//! Errors of contact detection.

use super::ContactKey;
use crate::model::{DynamicalSystemId, ModelError};

/// Contacts that cannot be detected or simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectionError {
    /// A number of a contact is NaN or infinite.
    #[error("{key}: the {what} contains {value}; all numbers of a contact must be finite")]
    NotFinite {
        /// The contact.
        key: ContactKey,
        /// Name of the number.
        what: &'static str,
        /// Value of the number.
        value: f64,
    },
    /// The normal of a contact is not a unit vector.
    #[error("{key}: the normal has length {length}; it must be a unit vector")]
    NormalLength {
        /// The contact.
        key: ContactKey,
        /// Length of the normal.
        length: f64,
    },
    /// Two contacts have the same key.
    #[error("{key} was detected twice; each contact needs its own features")]
    Duplicate {
        /// Key of both contacts.
        key: ContactKey,
    },
    /// A system of a contact is neither a rigid body nor a planar body.
    #[error("{key}: system {system} is neither a rigid body nor a planar body with 3 degrees of freedom")]
    NotABody {
        /// The contact.
        key: ContactKey,
        /// The system.
        system: DynamicalSystemId,
    },
    /// A contact connects a rigid body in space with a planar body, or a body with itself.
    #[error("{key}: systems {first} and {second} cannot touch; {why}")]
    Pair {
        /// The contact.
        key: ContactKey,
        /// First body.
        first: DynamicalSystemId,
        /// Second body.
        second: DynamicalSystemId,
        /// Reason.
        why: &'static str,
    },
    /// The law of a contact does not suit its bodies.
    #[error("{key}: the law {law} does not suit a contact of bodies {bodies}; {instead}")]
    Law {
        /// The contact.
        key: ContactKey,
        /// Name of the law.
        law: &'static str,
        /// Kind of the bodies: in space, or in the plane.
        bodies: &'static str,
        /// Suggested remedy.
        instead: &'static str,
    },
    /// A source lists a law that is not a law of contacts.
    #[error(
        "the contact source lists the law {law}; use NewtonImpact, NewtonImpactFriction::in_space or \
         NewtonImpactFriction::in_plane"
    )]
    UnsuitableLaw {
        /// Name of the law.
        law: &'static str,
    },
    /// A contact has a law for which the solvers were not prepared.
    #[error(
        "{key}: the law {law} is missing from the laws of the contact source; `ContactSource::laws` must list it"
    )]
    UnlistedLaw {
        /// The contact.
        key: ContactKey,
        /// Name of the law.
        law: &'static str,
    },
    /// A contact of planar bodies has a direction out of the plane.
    #[error("{key}: the {what} has the third component {value}; for planar bodies it must be 0")]
    OutOfPlane {
        /// The contact.
        key: ContactKey,
        /// Name of the vector.
        what: &'static str,
        /// Third component.
        value: f64,
    },
    /// A number of a contact is outside its range.
    #[error("{key}: the {what} is {value}; it must not be negative")]
    Negative {
        /// The contact.
        key: ContactKey,
        /// Name of the number.
        what: &'static str,
        /// Value of the number.
        value: f64,
    },
    /// A contact of two bodies has the velocity of an obstacle.
    #[error("{key}: the surface velocity is {velocity:?}, but only a contact with an obstacle can have one")]
    SurfaceOfBody {
        /// The contact.
        key: ContactKey,
        /// Velocity \[m/s\].
        velocity: [f64; 3],
    },
    /// A system of a contact does not exist in the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A pair of materials has no law.
    #[error(
        "the materials `{first}` and `{second}` have no contact law; set one for the pair, or a default law"
    )]
    NoLaw {
        /// Name of the first material.
        first: String,
        /// Name of the second material.
        second: String,
    },
    /// There are more contacts than the limit.
    #[error(
        "more than {limit} contacts were detected; bodies may overlap deeply, or the limit may be too small"
    )]
    TooMany {
        /// Maximum number of contacts.
        limit: usize,
    },
    /// The contact source has failed.
    #[error("{0}")]
    Source(String),
}
