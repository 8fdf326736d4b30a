//! All tests of the kernel in one program, to avoid linking the libraries several times.
//!
//! `cargo test --package siconos-kernel-tests NAME` runs the tests with NAME in their path, for instance all
//! tests of a module.

mod adaptive;
mod allocation;
mod analysis;
mod assembly;
mod battery;
mod bodies;
mod changes;
mod cohesion;
mod common;
mod detection;
mod determinism;
mod dry_friction;
mod energy_balance;
mod event_driven;
mod event_driven_allocation;
mod event_systems;
mod events;
mod first_order;
mod friction;
mod friction_problem;
mod frictionless;
mod impact_energy;
mod joints;
mod law_rows;
mod laws;
mod mixed_form;
mod mixed_interactions;
mod multiple_impact;
mod names;
mod newton_sets;
mod newton_tolerance;
mod parameters;
mod piles;
mod projection;
mod properties;
mod queries;
mod recovery;
mod rest;
mod sampled;
mod schemes;
mod serde;
mod solvers;
mod sparse_rows;
mod springs;
mod stages;
mod state_record;
mod step_to;
mod threads;
mod touching;
mod unit_vector;
mod units;
mod written_down;
mod wrong_input;

use siconos_testkit::allocation::CountingAllocator;

/// Counts allocations per thread, so that tests that run in parallel do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
