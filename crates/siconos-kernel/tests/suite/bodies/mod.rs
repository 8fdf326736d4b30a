//! Rigid bodies.

mod ball;
mod free;
mod input;
mod rotation;
