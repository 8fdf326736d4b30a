//! Sweeping processes: states that are kept in a moving set by measures where they would leave it.
//!
//! | what | for |
//! | --- | --- |
//! | [`CatchingUp`] | sweeping processes of first order, over any set that is known by its projection |
//! | [`MovingSet`] | such sets: [`FixedSet`], [`MovingFrame`], [`MovingPolyhedron`], [`FunctionSet`] |

mod catching_up;
mod error;
mod frames;
mod moving_polyhedron;
mod moving_set;

pub use catching_up::{AdaptiveSettings, CatchingUp, CatchingUpSettings, SweepReport, SweepTrajectory};
pub use error::SweepError;
pub use frames::{FixedSet, FunctionSet, MovingFrame};
pub use moving_polyhedron::MovingPolyhedron;
pub use moving_set::{Inequalities, MovingSet, Projection};
