//! Rigid bodies.

mod ball;
mod coordinates;
mod free;
mod friction;
mod input;
mod jointed;
mod redundant;
mod relations;
mod rotation;
mod same_motion;
mod section_9;
