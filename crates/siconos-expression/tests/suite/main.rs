//! All tests of expressions in one program, so that the libraries are linked only once.
//!
//! `cargo test --package siconos-expression-tests NAME` runs the tests with NAME in their path, for example a
//! module.

mod actions;
// The crate siconos-testkit itself depends on siconos-numerics.
#[path = "../../../siconos-testkit/src/allocation.rs"]
pub mod allocation;
mod constancy;
mod drawn;
mod enclosures;
mod expression_errors;
mod functions;
// A function of this module is public in the file that it shares with `fuzz`.
pub mod fuzz_corpus;
mod independent;
mod jacobians;
mod limits;
mod marked;
mod model;
mod motions;
mod qualified_names;
mod ranges_and_remainders;
mod round_trip;
mod tapes;
mod timing;
mod trees;
mod triggers;
mod values;
mod without_events;
