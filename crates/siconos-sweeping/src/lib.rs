//! Sweeping processes: states that are kept in a moving set by measures where they would leave it.
//!
//! | what | for |
//! | --- | --- |
//! | [`CatchingUp`] | sweeping processes of first order, over any set that is known by its projection |
//! | [`higher_order`] | linear complementarity systems of relative degree r, whose multipliers are derivatives of measures |
//! | [`dvi`] | differential variational inequalities, with initial and with boundary values |
//! | [`fesd`] | steps of high order across switches, which are found as part of the step |
//! | [`MovingSet`] | sets: [`FixedSet`], [`MovingFrame`], [`MovingPolyhedron`], [`FunctionSet`] |

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
    AdaptiveSettings, AdaptiveStep, CatchingUp, CatchingUpSettings, SweepProgress, SweepReport,
    SweepTrajectory,
};
pub use error::SweepError;
pub use frames::{FixedSet, FunctionSet, MovingFrame};
pub use moving_polyhedron::MovingPolyhedron;
pub use moving_set::{MovingSet, Projection};
pub use siconos_numerics::cone::Inequalities;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
