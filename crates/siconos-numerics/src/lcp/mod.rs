//! The linear complementarity problem: given a square $M$ and $q$, find $z$ and $w$ with
//!
//! $$ w = M z + q, \qquad 0 \le w \perp z \ge 0. $$
//!
//! As plain text: w = M z + q, w >= 0, z >= 0, w_i z_i = 0 for every i.
//!
//! | solver | guarantee | storage | reference |
//! |---|---|---|---|
//! | [`Auto`] | those of the methods it tries, and says which: begin here | any | |
//! | [`Lemke`] | copositive-plus and P matrices (among others); proves infeasibility for copositive-plus ones | dense | Cottle, Pang, Stone (1992), 4.4 |
//! | [`PrincipalPivoting`] | P, with the least index | dense | Murty (1974), Bard (1974), Cottle, Pang, Stone (1992), 4.2 |
//! | [`ProjectedGaussSeidel`] | symmetric positive definite, strictly diagonally dominant, H with positive diagonal; regularised: symmetric positive semidefinite | any | Cottle, Pang, Stone (1992), 5.2; Luo, Tseng (1991) |
//! | [`ConjugateProjectedGradient`] | symmetric positive semidefinite | any | Renouf, Alart (2005), 4 |
//! | [`ProjectedGradient`] | symmetric positive semidefinite | any | Birgin, Martinez, Raydan (2000) |
//! | [`Latin`] | positive semidefinite, symmetric or not | any | Ladeveze (1999); Lions, Mercier (1979) |
//! | [`QuadraticProgram`] | positive semidefinite, symmetric or not; proves that there is no solution | any | Cottle, Pang, Stone (1992), 1.4, 3.1 |
//! | [`SequentialQuadraticProgram`] | row-sufficient (P, positive semidefinite), in the limit | any | Cottle, Pang, Stone (1992), 3.5; Pham Dinh, Le Thi (1997) |
//! | [`NewtonMin`] | P matrices, and the fastest for them | any | Judice and Pires (1994) |
//! | [`NewtonMinLineSearch`], [`NewtonFischerBurmeister`] | P matrices; P0 up to stationary points | any | Facchinei and Pang (2003), 9.1, 9.2 |
//! | [`InteriorPoint`] | positive semidefinite, strictly feasible | any | Wright (1997), 8 |
//! | [`Enumeration`] | any matrix, few unknowns; all solutions, or a proof that there is none | dense | Murty (1988), 1 |
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
mod auto;
mod conjugate_projected_gradient;
mod enumeration;
mod farkas;
mod feasibility;
mod interior_point;
mod latin;
mod lemke;
mod matrix_facts;
mod method;
mod newton_fb;
mod newton_min;
mod polish;
mod principal_pivoting;
mod problem;
mod projected_gauss_seidel;
mod projected_gradient;
mod quadratic_program;
mod refinement;
mod residual;
mod run_off;
mod scaled_matrix;
mod sequential_quadratic_program;
mod verdict;

pub use auto::{Auto, AutoSettings};
pub use conjugate_projected_gradient::{ConjugateProjectedGradient, ConjugateProjectedGradientSettings};
pub use enumeration::{Enumeration, EnumerationSettings, SolutionPiece, SolutionSet};
pub use farkas::is_infeasibility_certificate;
pub use feasibility::infeasibility_certificate;
pub use interior_point::{InteriorPoint, InteriorPointSettings};
pub use latin::{Latin, LatinSettings};
pub use lemke::{Lemke, LemkeSettings, LemkeStart};
pub use matrix_facts::MatrixFacts;
pub use method::{LcpMethod, LcpSolver};
pub use newton_fb::{NewtonFischerBurmeister, NewtonMinLineSearch};
pub use newton_min::{NewtonMin, NewtonMinSettings};
pub use principal_pivoting::{PivotRule, PrincipalPivoting, PrincipalPivotingSettings};
pub use problem::{LcpProblem, LinearComplementarityProblem};
pub use projected_gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
pub use projected_gradient::ProjectedGradient;
pub use quadratic_program::{QuadraticProgram, QuadraticProgramSettings};
pub use residual::{error, error_of_point, siconos_error};
pub use sequential_quadratic_program::{SequentialQuadraticProgram, SequentialQuadraticProgramSettings};
