//! Attitudes in space.

mod quaternion;
mod space;

pub use quaternion::Quaternion;
pub(crate) use quaternion::{add, cross, length, scaled};
pub use space::{RigidPlacement, RotationUpdate};
