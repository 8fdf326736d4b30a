//! Random hybrid systems with exact trajectories. The systems have piecewise linear equations, smooth and
//! discontinuous triggers, and actions that move the argument of their trigger back by 1e-12 to 1.
//!
//! Between events and switches the motion solves x' = A x + b. Its Taylor series is summed over short steps
//! to rounding accuracy. Each step is split at the extremum of the argument of a trigger, so that the
//! argument is monotone in each part, and the zero crossings of the trigger are found by bisection. A system
//! that cannot be solved reliably in floating point (two events at nearly the same time, or a trigger that
//! nearly touches zero) has no trajectory.

mod battery;
mod draw;
mod exact;
mod system;
mod text;

pub use battery::{Claim, Computed, compare_trajectories};
pub use draw::{Family, draw};
pub use exact::{Ending, Firing, Trajectory};
pub use system::{Argument, Direction, Event, Guard, HybridProblem, Reset, Shape, Switch, Wave};
