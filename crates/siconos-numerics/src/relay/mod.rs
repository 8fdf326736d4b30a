//! The relay problem: linear complementarity between two bounds. Given $M$, $q$ and bounds $l \le u$, find
//! $z$, $w$ with
//!
//! $$ w = M z + q, \qquad l \le z \le u, \qquad -w \in N_{[l, u]}(z). $$
//!
//! As plain text: w = M z + q, l <= z <= u, and for every i: w_i >= 0 where z_i = l_i, w_i <= 0 where z_i =
//! u_i, w_i = 0 in between. Dry friction with a given normal force is such a law, and so is a sliding-mode
//! controller: z is the force, -w the velocity. Bounds may be infinite; with l = 0 and u infinite it is the
//! linear complementarity problem.
//!
#![doc = include_str!("methods.md")]
//!
//! The stopping measure of all of them is [`error`]. It has no unit, and neither has any method: M times 2^k,
//! and q times 2^l, with bounds in the unit of z, are solved in the same steps, bit for bit. The number of
//! Siconos is [`siconos_error`].

mod auto;
mod cao_ferris;
mod enumeration;
mod guessed_faces;
mod lemke;
mod method;
mod problem;
pub(crate) mod residual;

pub use auto::{Auto, AutoSettings};
pub use cao_ferris::CaoFerris;
pub use enumeration::{Enumeration, EnumerationSettings};
pub use lemke::{Lemke, LemkeSettings};
pub use method::{Relay, RelayMethod};
pub use problem::{BoxComplementarityProblem, RelayProblem};
pub use residual::{error, error_of_point, siconos_error};

use crate::box_rows;
pub use crate::box_rows::{NewtonSettings, ProjectedGaussSeidelSettings};

/// Projected Gauss-Seidel, over-relaxed or regularised where so set, between two bounds.
#[doc(alias = "SICONOS_RELAY_PGS (300)")]
#[doc(alias = "NLGS")]
pub type ProjectedGaussSeidel = box_rows::ProjectedGaussSeidel<Relay>;

/// Semismooth Newton between two bounds; with the minimum for direction and merit by default.
#[doc(alias = "block pivoting")]
#[doc(alias = "primal-dual active set")]
pub type Newton = box_rows::Newton<Relay>;
