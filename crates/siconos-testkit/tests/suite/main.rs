//! All tests of the test kit in one program. Each further program would link all crates again.
//!
//! `cargo test --package siconos-testkit-tests NAME` runs the tests with NAME in their path. NAME can be a
//! module.

mod allocation;
mod common;
mod compare_and_convergence;
mod contact;
mod contact_battery;
mod exact_bouncing_ball;
mod exact_cam;
mod exact_circuits;
mod exact_contact;
mod exact_events;
mod exact_impact_ends;
mod exact_impact_oscillator;
mod exact_oscillator;
mod exact_relay;
mod exact_sweeping;
mod generated;
mod lcp_battery;
mod lcp_known;
mod lcp_oracle;
mod lcp_strategies;
mod switched_checks;

use siconos_testkit::allocation::CountingAllocator;

/// Counts allocations for each thread separately, so that concurrent tests do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
