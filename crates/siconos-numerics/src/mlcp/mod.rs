//! The mixed linear complementarity problem: some rows are equations with a free unknown, the others complementary.
//!
//! $$ w = M z + q, \qquad w_i = 0,\ z_i \text{ free} \ (i \in E), \qquad 0 \le w_i \perp z_i \ge 0 \ (i \notin E). $$
//!
//! As plain text: w = M z + q; in an equality row w_i = 0 and z_i has any sign, in every other row w_i >= 0,
//! z_i >= 0 and w_i z_i = 0. This is what time-stepping yields when joints and contacts meet in one model.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::mlcp::{Elimination, MlcpProblem, MlcpRow, MlcpSolver};
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

mod elimination;
mod method;
mod problem;
mod residual;

pub use elimination::Elimination;
pub use method::{MlcpMethod, MlcpSolver};
pub use problem::{MixedLinearComplementarityProblem, MlcpBlocks, MlcpProblem, MlcpRow};
pub use residual::{error, error_of_point};
