//! Event-driven simulation of Lagrangian systems against closed forms, invariants and reference files.

mod ball;
mod cam;
mod chains;
mod circuits;
mod common;
mod energy;
mod integrators;
mod limits;
mod motions;
mod reference;
mod refusals;
mod resume;
mod supports;
mod time_stepping;
