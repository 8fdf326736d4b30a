//! What all solvers have in common, whatever the class of their problems.
//!
//! | trait | who implements it | what it says |
//! |---|---|---|
//! | [`Class`] | a marker per class: [`Lcp`](crate::lcp::Lcp), [`Contact`](crate::contact::Contact), .. | what a problem is and how a point is measured |
//! | [`Solver`] | every algorithm, and yours | name, limits, what it takes, how it solves |
//! | [`Method`] | an enum per class: [`LcpMethod`](crate::lcp::LcpMethod), .. | which methods there are, what is known of them, how to make one |
//!
//! So a function can be written for a solver of any class:
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{LcpMethod, LcpProblem};
//! use siconos_numerics::method::{Class, Method, Solver};
//! use siconos_numerics::{SolveInfo, SolverError};
//!
//! /// Every method of a class on one problem, from zero.
//! fn survey<M: Method>(
//!     problem: &<M::Class as Class>::Problem<'_>,
//! ) -> Vec<(&'static str, Result<SolveInfo, SolverError>)> {
//!     let (n, m) = M::Class::sizes(problem);
//!     let solve = |method: &M| method.build()?.solve(problem, &mut vec![0.0; n], &mut vec![0.0; m]);
//!     M::all().iter().map(|method| (method.name(), solve(method))).collect()
//! }
//!
//! let m = array![[2.0, 1.0], [1.0, 2.0]];
//! for (name, info) in survey::<LcpMethod>(&LcpProblem::new(&m, &[-1.0, 4.0])?) {
//!     assert!(info.is_ok_and(|info| info.status.is_success()), "{name}");
//! }
//! # Ok::<(), siconos_numerics::ProblemError>(())
//! ```

mod choice;
mod description;
mod guarantee;
mod solver;

pub use choice::Method;
pub(crate) use choice::methods;
pub use description::MethodDescription;
pub use guarantee::{Guarantee, MatrixClass, Scope};
pub use solver::{BoxedSolver, Class, Limits, Solver};
