//! Test problems with known answers, exact solutions and comparison, for the tests of the siconos crates.
//!
//! | module | what |
//! |---|---|
//! | [`lcp`] | linear complementarity problems with known answers, an independent oracle, random problems, a battery for solvers |
//! | [`exact`] | motions with impacts (bouncing ball, oscillator above a moving obstacle, cam) and switched linear systems (circuits with diodes, relays), all exact |
//! | [`hybrid`] | random hybrid systems with their exact trajectories |
//! | [`convergence`] | step sizes that resonate with nothing, and the observed order |
//! | [`compare`] | assertions that name the first entry that is off |
//! | [`allocation`] | a counting allocator |
//! | [`mod@box_error`] | the error of complementarity, mixed and relay problems |
//! | [`mlcp`], [`relay`] | the same for mixed problems and for problems between bounds |
//! | [`contact`] | piles of spheres, boxes and discs, contact problems with a planted solution, and the standing battery of them |
//! | [`double_double`] | numbers of twice the precision, for measures |
//! | [`mod@reference`] | files of other programs, where they are at hand |
//! | [`skip`] | tests that cannot do their work on this machine, counted |
//! | [`random`] | how many random cases, and from which seed; a generator whose stream is that of numpy |
//!
//! Nothing here calls a solver of `siconos-numerics`, but through the trait that a battery is given: what
//! checks a solver must not depend on it. Use this crate from `tests/` folders only; inside a `#[cfg(test)]`
//! module of `siconos-numerics` two copies of that crate would meet, with different types.
//!
//! The functions here panic on bad arguments and on failed checks: their callers are tests.

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
