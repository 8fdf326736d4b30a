//! All tests of expressions, in one program: each more would link everything once more.
//!
//! `cargo test --package siconos-expression-tests NAME` runs those with NAME in their path, a module
//! for instance.

mod actions;
// The testkit itself would bring all of siconos-numerics.
#[path = "../../../siconos-testkit/src/allocation.rs"]
pub mod allocation;
mod constancy;
mod drawn;
mod enclosures;
mod expression_errors;
mod functions;
// Its part is public in the folder that it is shared with.
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
