//! Tests of bodies with shapes.

mod arch;
mod common;
mod motion;
mod random_scenes;
mod refusals;
mod shapes;
mod standing;
