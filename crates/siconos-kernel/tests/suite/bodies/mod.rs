//! Rigid bodies.

mod ball;
mod free;
mod friction;
mod input;
mod jointed;
mod redundant;
mod relations;
mod rotation;
mod same_motion;
