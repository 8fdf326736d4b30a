//! The mixed nonlinear complementarity problem, in which some rows are equations with a free unknown and the
//! other rows are complementarity conditions:
//!
//! $$ w = F(z), \qquad w_i = 0 \ (i \le n_E), \qquad 0 \le w_i \perp z_i \ge 0 \ (i > n_E). $$
//!
//! As plain text: w = F(z); in the first rows, w_i = 0 and z_i has any sign; in all other rows, w_i >= 0, z_i
//! >= 0 and w_i z_i = 0.
//!
#![doc = include_str!("methods.md")]
//!
//! All methods stop when the [`error`] is at or below their tolerance.

mod method;
mod newton;
mod problem;
mod residual;

pub use crate::box_constraints::NewtonSettings;
pub use method::{Mcp, McpMethod};
pub use newton::Newton;
pub(crate) use newton::of_function;
pub use problem::McpProblem;
pub use residual::error;
