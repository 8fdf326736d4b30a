//! The relay problem: linear complementarity between two bounds. Given $M$, $q$ and bounds $l \le u$, find
//! $z$, $w$ with
//!
//! $$ w = M z + q, \qquad l \le z \le u, \qquad -w \in N_{[l, u]}(z). $$
//!
//! As plain text: w = M z + q, l <= z <= u, and for every i: w_i >= 0 where z_i = l_i, w_i <= 0 where z_i =
//! u_i, w_i = 0 in between. Examples are dry friction with a given normal force, where z is the force and -w
//! the velocity, and sliding-mode controllers. Bounds can be infinite; with l = 0 and infinite u the relay
//! problem is the linear complementarity problem.
//!
#![doc = include_str!("methods.md")]
//!
//! All methods stop when the [`error`], which is dimensionless, is at or below their tolerance. Their steps
//! do not depend on the units either. If M is multiplied by 2^k and q by 2^l, and the bounds are multiplied
//! like z, the steps are bit-identical. [`siconos_error`] is the error as Siconos defines it.

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

use crate::box_constraints;
pub use crate::box_constraints::{NewtonSettings, ProjectedGaussSeidelSettings};

/// Projected Gauss-Seidel method for relay problems, with optional over-relaxation or regularisation.
#[doc(alias = "SICONOS_RELAY_PGS (300)")]
#[doc(alias = "NLGS")]
pub type ProjectedGaussSeidel = box_constraints::ProjectedGaussSeidel<Relay>;

/// Semismooth Newton method for relay problems, by default with the minimum function for the direction and
/// for the merit function.
#[doc(alias = "block pivoting")]
#[doc(alias = "primal-dual active set")]
pub type Newton = box_constraints::Newton<Relay>;
