//! Event-driven simulation of Lagrangian systems, compared with closed forms, invariants and reference files.

mod ball;
mod chains;
mod choice;
mod circuits;
mod common;
mod energy;
mod first_step;
mod integrators;
mod islands;
mod limits;
mod many;
mod modes;
mod motions;
mod multiple_impact;
mod rebuilt;
mod reference;
mod refusals;
mod resume;
mod same_motion;
mod solvers;
mod supports;
mod time_stepping;
