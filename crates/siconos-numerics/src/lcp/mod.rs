//! The linear complementarity problem: given a square $M$ and $q$, find $z$ and $w$ with
//!
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0. $$
//!
//! As plain text: w = M z + q, w >= 0, z >= 0, w_i z_i = 0 for every i.
//!
//! | solver | guarantee | storage | reference |
//! |---|---|---|---|
//! | [`Lemke`] | copositive-plus and P matrices (among others); proves infeasibility for copositive-plus ones | dense | Cottle, Pang, Stone (1992), 4.4 |
//! | [`PrincipalPivoting`] | P, with the least index | dense | Murty (1974), Bard (1974), Cottle, Pang, Stone (1992), 4.2 |
//! | [`ProjectedGaussSeidel`] | symmetric positive definite, strictly diagonally dominant, H with positive diagonal | dense, diagonal, block rows | Cottle, Pang, Stone (1992), 5.2 |
//!
//! The stopping measure of all of them is [`error`].
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{LcpProblem, LcpSolver, Lemke};
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
mod farkas;
mod lemke;
mod method;
mod principal_pivoting;
mod problem;
mod projected_gauss_seidel;
mod residual;
mod scaled_matrix;

pub use farkas::is_infeasibility_certificate;
pub use lemke::{Lemke, LemkeSettings, LemkeStart};
pub use method::{LcpMethod, LcpSolver};
pub use principal_pivoting::{PivotRule, PrincipalPivoting, PrincipalPivotingSettings};
pub use problem::{LcpProblem, LinearComplementarityProblem};
pub use projected_gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
pub use residual::{error, error_of_point};
