//! Random hybrid systems with their exact trajectories: linear equations with pieces, triggers that are
//! smooth or jump, and actions that send their trigger back by 1e-12 to 1.
//!
//! Between two events and switches the motion is that of x' = A x + b, whose Taylor series is summed over
//! short steps to the last digits. In each step the argument of a trigger is split at its extremum, so that
//! it is monotone on the parts; the places where it crosses are then found by bisection. A system that cannot
//! be decided in floating point (two events at nearly one time, a trigger that nearly touches) has no
//! trajectory.

mod battery;
mod draw;
mod exact;
mod system;
mod text;

pub use battery::{Claim, Computed, compare_trajectories};
pub use draw::{Family, draw};
pub use exact::{Ending, Firing, Trajectory};
pub use system::{Argument, Direction, Event, Guard, HybridProblem, Reset, Shape, Switch, Wave};
