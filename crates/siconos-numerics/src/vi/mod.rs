//! Variational inequalities: given a map $F$ and a closed convex set $X$, find $z \in X$ with
//!
//! $$ F(z)^T (y - z) \ge 0 \quad \text{for all } y \in X. $$
//!
//! As plain text: z in X, and F(z)^T (y - z) >= 0 for every y in X; -F(z) is normal to X at z.
//!
#![doc = include_str!("methods.md")]
//!
//! The methods stop when the [`error`] or, over a box, the [`box_error`] is at or below their tolerance.

mod hyperplane_projection;
mod method;
mod newton;
mod problem;
mod projection;
mod residual;

pub use hyperplane_projection::{HyperplaneProjection, HyperplaneProjectionSettings};
pub use method::{BoxVi, BoxViMethod, Vi, ViMethod};
pub use newton::{BoxDirection, BoxNewtonSettings, Newton};
pub use problem::{BoxViProblem, ViProblem};
pub use projection::{Extragradient, FixedPoint};
pub use residual::{box_error, error};
