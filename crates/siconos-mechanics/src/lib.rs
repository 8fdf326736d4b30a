#![doc = include_str!("crate.md")]
#![deny(missing_docs)]

mod detection;
mod motion;
mod pose;
pub mod scene;
pub mod shape;

pub use detection::SceneContacts;
pub use motion::Motion;
pub use pose::Pose;
pub use scene::{
    Body, BodyId, Closest, Contactor, JointId, JointInteractions, JointMotion, Overlap, Overlaps, RayHit,
    Scene, SceneError, SceneJoint, SceneParts,
};
pub use shape::{Decomposition, DecompositionSettings, MassProperties, Shape, ShapeError};

/// Doc tests of the README of the package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
