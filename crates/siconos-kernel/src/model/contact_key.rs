//! Identity of a detected contact over steps and processes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Identity of a contact: the two bodies, their contactors, and the features that touch. A contactor is one
/// shape of a body. A feature is a vertex, an edge, a face, or a fixed direction of a round shape.
///
/// The contact source assigns the numbers. The number of a body is its order of insertion, so that a key is
/// the same in every process. Keys are ordered by bodies, then by contactors, then by features.
///
/// ```
/// use siconos_kernel::detection::ContactKey;
///
/// let key = ContactKey { bodies: [3, 0], contactors: [1, 0], features: [7, 0] };
/// assert!(key < ContactKey { features: [8, 0], ..key });
/// assert_eq!(key.to_string(), "contact 3.1.7 on 0.0.0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactKey {
    /// Numbers of both bodies.
    pub bodies: [u32; 2],
    /// Index of the contactor in each body.
    pub contactors: [u32; 2],
    /// Number of the feature of each contactor.
    pub features: [u32; 2],
}

impl ContactKey {
    /// Returns `true` if both keys belong to the same contactors of the same bodies.
    #[must_use]
    pub fn is_of_same_pair(&self, other: &Self) -> bool {
        (self.bodies, self.contactors) == (other.bodies, other.contactors)
    }
}

/// Body, contactor and feature of both sides.
impl fmt::Display for ContactKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bodies: [a, b], contactors: [c, d], features: [x, y] } = self;
        write!(f, "contact {a}.{c}.{x} on {b}.{d}.{y}")
    }
}
