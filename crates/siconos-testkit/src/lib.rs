//! Test problems with known solutions, exact solutions, and comparisons, for the tests of the siconos crates.
//!
//! | module | contents |
//! |---|---|
//! | [`lcp`] | complementarity problems with known solutions, an independent oracle, a solver battery |
//! | [`exact`] | exact motions with impacts, and exact solutions of switched linear systems |
//! | [`hybrid`] | random hybrid systems with their exact trajectories |
//! | [`convergence`] | step sizes with irrational ratios, and the observed order of convergence |
//! | [`compare`] | assertions that report the first wrong entry |
//! | [`allocation`] | a counting allocator |
//! | [`mod@box_error`] | the error of linear complementarity, mixed complementarity and relay problems |
//! | [`mlcp`], [`relay`] | mixed complementarity problems and relay problems with known solutions |
//! | [`contact`] | piles of bodies, contact problems with planted solutions, a battery of contact problems |
//! | [`double_double`] | double-double arithmetic, for the errors of solutions |
//! | [`mod@reference`] | reference data of other programs, if they are available |
//! | [`skip`] | reports of skipped tests |
//! | [`random`] | settings of property tests, and a random number generator that reproduces numpy's stream |
//!
//! Code that checks a solver must not depend on it. Therefore no function here calls a solver of
//! `siconos-numerics`, except a solver that the caller passes to a battery as a trait object. Use this crate
//! only from `tests/` folders. A `#[cfg(test)]` module of `siconos-numerics` would be linked with two copies
//! of that crate, whose types differ.
//!
//! The functions panic on bad arguments and on failed checks, because their callers are tests.

#![deny(missing_docs)]

pub mod allocation;
pub mod box_error;
pub mod compare;
pub mod contact;
pub mod convergence;
pub mod double_double;
pub mod exact;
pub mod hybrid;
pub mod lcp;
pub mod mlcp;
pub mod random;
pub mod reference;
pub mod relay;
pub mod skip;
