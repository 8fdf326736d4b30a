//! Tests of bodies with shapes.

mod arch;
mod common;
mod curved;
mod motion;
mod random_scenes;
mod standing;
