//! Affine variational inequalities over a polyhedron: find $z \in P = \lbrace z : H z \ge K \rbrace$ with
//!
//! $$ (M z + q)^T (y - z) \ge 0 \quad \text{for all } y \in P. $$
//!
//! As plain text: H z >= K, and (M z + q)^T (y - z) >= 0 for every y with H y >= K. An equivalent form with
//! multipliers $\lambda$ is M z + q = H^T lambda, lambda >= 0, H z - K >= 0, lambda^T (H z - K) = 0.
//!
#![doc = include_str!("methods.md")]
//!
//! Both methods stop when the [`error`], which is dimensionless, is at or below their tolerance. Their steps
//! do not depend on the units either. If M, q and the rows of H are multiplied by powers of two, and K is
//! multiplied like H z, the steps are bit-identical.

mod active_set;
mod active_system;
mod auto;
mod cao_ferris;
mod dictionary;
mod ending;
mod extreme_point;
mod method;
mod mixed;
mod problem;
mod residual;
mod scales;
mod units;

pub use auto::{Auto, AutoSettings};
pub use cao_ferris::{CaoFerris, CaoFerrisSettings};
pub use method::{Avi, AviMethod};
pub use problem::{AffineVariationalInequality, AviProblem};
pub use residual::error;
