//! The nonlinear complementarity problem: given a differentiable map $F$, find $z$ and $w$ with
//!
//! $$ w = F(z), \qquad 0 \le w \perp z \ge 0. $$
//!
//! As plain text: w = F(z), w >= 0, z >= 0, w_i z_i = 0 for every i. A problem is a [`DifferentiableMap`].
//!
#![doc = include_str!("methods.md")]
//!
//! All methods stop when the [`error`] is at or below their tolerance.

mod method;
mod newton;
mod residual;

pub use crate::box_constraints::NewtonSettings;
pub use crate::map::{DifferentiableMap, FromFunctions};
pub use method::{Ncp, NcpMethod};
pub use newton::Newton;
pub use residual::error;
