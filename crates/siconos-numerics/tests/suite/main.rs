//! All tests of the solvers in one program, to avoid linking the libraries several times.
//!
//! `cargo test --package siconos-numerics-tests NAME` runs the tests with NAME in their path, for instance
//! all tests of a module.

mod active_set;
mod allocation;
mod auto_memory;
mod avi;
mod box_constraints;
mod cancellation;
mod cone_sets;
mod contact_admm;
mod contact_adversarial;
mod contact_bodies;
mod contact_coloured;
mod contact_effort;
mod contact_fixed_point;
mod contact_gauss_seidel;
mod contact_held;
mod contact_in_velocities;
mod contact_interior;
mod contact_plane;
mod contact_properties;
mod contact_support;
mod contact_sweeps_in_velocities;
mod contact_truth;
mod contact_turns;
mod contact_units;
mod contact_wrong_input;
mod effort;
mod far_out;
mod games;
mod gmp;
mod gmp_equalities;
mod lcp_auto;
mod lcp_battery;
mod lcp_enumeration;
mod lcp_invariance;
mod lcp_iterative;
mod lcp_newton;
mod lcp_properties;
mod lemke;
mod mcp;
mod methods;
mod mlcp;
mod mlcp_allocation;
mod mlcp_problem;
mod mlcp_proofs;
mod mlcp_reference;
mod mlcp_solvers;
mod ncp;
mod no_solution;
mod nsgs;
mod principal_pivoting;
mod qp;
mod reference_files;
mod relay;
mod relay_reference;
mod row_units;
mod serde;
mod support;
mod units;
mod vi;
mod wrong_input;

use siconos_testkit::allocation::CountingAllocator;

/// Counts allocations per thread, so that tests that run in parallel do not affect each other.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
