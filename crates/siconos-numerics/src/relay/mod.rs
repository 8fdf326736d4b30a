//! The relay problem: linear complementarity between two bounds. Given $M$, $q$ and bounds $l \le u$, find $z$, $w$ with
//!
//! $$ w = M z + q, \qquad l \le z \le u, \qquad -w \in N_{[l, u]}(z). $$
//!
//! As plain text: w = M z + q, l <= z <= u, and for every i: w_i >= 0 where z_i = l_i, w_i <= 0 where z_i = u_i, w_i = 0
//! in between.

mod problem;
mod residual;

pub use problem::{BoxComplementarityProblem, RelayProblem};
pub use residual::{error, error_of_point};
