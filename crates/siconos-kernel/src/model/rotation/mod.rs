//! Orientations in space.

mod quaternion;
mod space;
pub mod vector;

pub use quaternion::Quaternion;
pub use space::{RigidPlacement, RotationUpdate};
pub(crate) use vector::{AXES, add, cross, difference, dot, length, scaled, unit};
