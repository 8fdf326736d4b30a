//! Convex quadratic programs: minimise
//!
//! $$ \tfrac12 x^T M x + q^T x \quad \text{subject to} \quad l \le A x \le u \quad \text{or} \quad x \in C,
//! $$
//!
//! with $M$ symmetric positive semidefinite and $C$ a convex set that is given by its
//! [projection](crate::cone::ConvexSet). As plain text: minimise x^T M x / 2 + q^T x subject to l <= A x <=
//! u, or to x in C.
//!
#![doc = include_str!("methods.md")]
//!
//! All methods take $M$ and $A$ in any storage and stop when the [`error`] is at or below their tolerance.
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::qp::{QpMethod, QpProblem};
//! use siconos_numerics::{Method, Solver};
//!
//! // The point of x_1 + x_2 = 1 with 0 <= x that is nearest to (2, 0).
//! let m = array![[1.0, 0.0], [0.0, 1.0]];
//! let a = array![[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
//! let infinity = f64::INFINITY;
//! let (lower, upper) = ([1.0, 0.0, 0.0], [1.0, infinity, infinity]);
//! let problem = QpProblem::linear(&m, &[-2.0, 0.0], &a, &lower, &upper)?;
//! for name in ["clarabel", "admm"] {
//!     let (mut x, mut y) = ([0.0; 2], [0.0; 3]);
//!     let info = QpMethod::from_name(name).unwrap().build()?.solve(&problem, &mut x, &mut y)?;
//!     assert!(info.status.is_success());
//!     assert!((x[0] - 1.0).abs() < 1e-6 && x[1].abs() < 1e-6);
//! }
//! # Ok::<(), siconos_numerics::SolverError>(())
//! ```

mod admm;
pub(crate) mod certificate;
mod clarabel_qp;
pub(crate) mod interior_point;
mod method;
mod polish;
mod problem;
mod projected_gradient;
mod residual;
mod scales;
mod units;

pub use admm::{Admm, AdmmSettings};
pub use clarabel_qp::{ClarabelQp, ClarabelSettings};
pub use method::{Qp, QpMethod};
pub use problem::{Constraints, ConvexQuadraticProgram, QpProblem};
pub use projected_gradient::{ProjectedGradient, ProjectedGradientSettings};
pub(crate) use projected_gradient::{SpectralGradient, Stopping};
pub use residual::error;
