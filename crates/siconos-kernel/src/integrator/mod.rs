//! One-step integrators: how the motion of a system is discretised over a step.

mod iteration_matrix;
mod moreau_jean;
mod system_work;

pub use moreau_jean::MoreauJean;
pub(crate) use system_work::{StepTimes, SystemWork};
