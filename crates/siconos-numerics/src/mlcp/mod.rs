//! The mixed linear complementarity problem, in which some rows are equations with a free unknown and the
//! other rows are complementarity conditions:
//!
//! $$ w = M z + q, \qquad w_i = 0,\ z_i \text{ free} \ (i \in E),
//!    \qquad 0 \le w_i \perp z_i \ge 0 \ (i \notin E). $$
//!
//! As plain text: w = M z + q; in an equality row w_i = 0 and z_i has any sign, in every other row w_i >= 0,
//! z_i >= 0 and w_i z_i = 0. Time-stepping of a model with joints and contacts leads to this problem.
//!
#![doc = include_str!("methods.md")]
//!
//! All methods accept a point as a solution if its [`error`] is at or below their tolerance. Neither the
//! error nor the methods depend on units. If M is multiplied by 2^k and q by 2^l, the steps are
//! bit-identical. [`siconos_error`] is the error as Siconos defines it.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::Solver;
//! use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow};
//!
//! let m = array![[2.0, 1.0], [1.0, 3.0]];
//! let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
//! let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
//! let problem = MlcpProblem::new(&m, &[2.0, -4.0], &rows)?;
//! let info = Elimination::default().solve(&problem, &mut z, &mut w)?;
//! assert!(info.status.is_success());
//! assert!((z[0] + 2.0).abs() < 1e-15 && (z[1] - 2.0).abs() < 1e-15);
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```

mod active_set;
mod auto;
mod elimination;
mod enumeration;
mod method;
mod problem;
mod residual;
mod warm_active_set;

pub use auto::{Auto, AutoSettings};
pub use elimination::{Elimination, EliminationSettings};
pub use enumeration::{Enumeration, EnumerationSettings};
pub use method::{Mlcp, MlcpMethod};
pub use problem::{MixedLinearComplementarityProblem, MlcpBlocks, MlcpProblem, MlcpRow};
pub use residual::{error, error_of_point, siconos_error};
pub use warm_active_set::{WarmActiveSet, WarmActiveSetSettings};

use crate::box_constraints;
pub use crate::box_constraints::{InteriorPointSettings, NewtonSettings, ProjectedGaussSeidelSettings};

/// Projected Gauss-Seidel for complementarity rows and equations, optionally over-relaxed or regularised.
#[doc(alias = "SICONOS_MLCP_PGS (100)")]
#[doc(alias = "SICONOS_MLCP_RPGS (101)")]
#[doc(alias = "SICONOS_MLCP_PSOR (102)")]
#[doc(alias = "SICONOS_MLCP_RPSOR (103)")]
pub type ProjectedGaussSeidel = box_constraints::ProjectedGaussSeidel<Mlcp>;

/// Semismooth Newton method with line search, for complementarity rows and equations.
#[doc(alias = "SICONOS_MLCP_FB (112)")]
pub type Newton = box_constraints::Newton<Mlcp>;

/// Infeasible-start path-following interior-point method, for complementarity rows and equations.
pub type InteriorPoint = box_constraints::InteriorPoint<Mlcp>;
