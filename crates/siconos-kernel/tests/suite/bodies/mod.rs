//! Rigid bodies.

mod ball;
mod free;
mod friction;
mod input;
mod jointed;
mod relations;
mod rotation;
mod same_motion;
