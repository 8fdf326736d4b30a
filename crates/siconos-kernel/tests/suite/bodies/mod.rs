//! Rigid bodies.

mod ball;
mod free;
mod input;
mod jointed;
mod relations;
mod rotation;
