//! Event-driven simulation of Lagrangian systems against closed forms, invariants and reference files.

mod ball;
mod common;
mod energy;
mod motions;
mod reference;
mod scratch;
