//! Sweeping processes and related differential inclusions.
//!
//! In a sweeping process, a moving convex set carries the state along: a reaction normal to the set keeps the
//! state inside it. If the state jumps, the reaction is a measure.
//!
//! | item | purpose |
//! | --- | --- |
//! | [`CatchingUp`] | first-order sweeping processes over any set given by its projection |
//! | [`higher_order`] | linear complementarity systems of any relative degree, with impulsive multipliers |
//! | [`dvi`] | differential variational inequalities with initial or boundary values |
//! | [`fesd`] | high-order time steps that also solve for the times of the switches |
//! | [`MovingSet`] | moving sets: [`FixedSet`], [`MovingFrame`], [`MovingPolyhedron`], [`FunctionSet`] |

#![deny(missing_docs)]

mod catching_up;
pub mod dvi;
mod error;
pub mod fesd;
mod frames;
pub mod higher_order;
mod moving_polyhedron;
mod moving_set;
mod sizes;

pub use catching_up::{
    AdaptiveProgress, AdaptiveSettings, AdaptiveStep, CatchingUp, CatchingUpSettings, SweepingReport,
    SweepingTrajectory,
};
pub use error::SweepingError;
pub use frames::{FixedSet, FunctionSet, MovingFrame};
pub use moving_polyhedron::MovingPolyhedron;
pub use moving_set::{MovingSet, Projection};
pub use siconos_numerics::cone::Inequalities;

/// Doc test of the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
