//! The linear complementarity problem: given a square $M$ and $q$, find $z$ and $w$ with
//!
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0. $$
//!
//! As plain text: w = M z + q, w >= 0, z >= 0, w_i z_i = 0 for every i.
//!
#![doc = include_str!("methods.md")]
//!
//! All methods accept a point as a solution if its [`error`] is at or below their tolerance.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::Solver;
//! use siconos_numerics::lcp::{LcpProblem, Lemke};
//!
//! let m = array![[2.0, 1.0], [1.0, 2.0]];
//! let q = [-5.0, -6.0];
//! let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
//! let info = Lemke::default().solve(&LcpProblem::new(&m, &q)?, &mut z, &mut w)?;
//! assert!(info.status.is_success());
//! assert!((z[0] - 4.0 / 3.0).abs() < 1e-14 && (z[1] - 7.0 / 3.0).abs() < 1e-14);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```

mod active_set;
mod auto;
mod conjugate_projected_gradient;
mod divergence;
mod enumeration;
mod farkas;
mod feasibility;
mod latin;
mod lemke;
mod matrix_facts;
mod method;
mod newton_min;
mod principal_pivoting;
mod problem;
mod projected_gradient;
mod quadratic_program;
mod refinement;
mod residual;
mod scaled_matrix;
mod scaled_program;
mod sequential_quadratic_program;

pub use auto::{Auto, AutoSettings};
pub use conjugate_projected_gradient::{ConjugateProjectedGradient, ConjugateProjectedGradientSettings};
pub use enumeration::{Enumeration, EnumerationSettings, SolutionPiece, SolutionSet};
pub use farkas::is_infeasibility_certificate;
pub use feasibility::infeasibility_certificate;
pub use latin::{Latin, LatinSettings};
pub use lemke::{Lemke, LemkeSettings, LemkeStart};
pub use matrix_facts::MatrixProperties;
pub use method::{Lcp, LcpMethod};
pub use newton_min::{NewtonMin, NewtonMinSettings};
pub use principal_pivoting::{PivotRule, PrincipalPivoting, PrincipalPivotingSettings};
pub use problem::{LcpProblem, LinearComplementarityProblem};
pub use projected_gradient::ProjectedGradient;
pub use quadratic_program::{QuadraticProgram, QuadraticProgramSettings};
pub use residual::{error, error_of_point, siconos_error};
pub use sequential_quadratic_program::{SequentialQuadraticProgram, SequentialQuadraticProgramSettings};

use crate::box_constraints;
pub use crate::box_constraints::{InteriorPointSettings, NewtonSettings, ProjectedGaussSeidelSettings};

/// Projected Gauss-Seidel for complementarity rows, optionally over-relaxed or regularised.
#[doc(alias = "NLGS")]
#[doc(alias = "PSOR")]
#[doc(alias = "SICONOS_LCP_PGS (202)")]
#[doc(alias = "SICONOS_LCP_PSOR (210)")]
#[doc(alias = "SICONOS_LCP_RPGS (211)")]
pub type ProjectedGaussSeidel = box_constraints::ProjectedGaussSeidel<Lcp>;

/// Semismooth Newton method with line search, for complementarity rows.
#[doc(alias = "SICONOS_LCP_NEWTON_FB_FBLSA (209)")]
#[doc(alias = "SICONOS_LCP_NEWTON_MIN_FBLSA (218)")]
pub type Newton = box_constraints::Newton<Lcp>;

/// Infeasible-start path-following interior-point method, for complementarity rows.
pub type InteriorPoint = box_constraints::InteriorPoint<Lcp>;
