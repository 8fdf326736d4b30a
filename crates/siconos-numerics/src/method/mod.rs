//! Interfaces that the solvers of all problem classes share.
//!
//! | trait | implementors | contents |
//! |---|---|---|
//! | [`Class`] | a marker type per class: [`Lcp`](crate::lcp::Lcp), [`Contact`](crate::contact::Contact), .. | type of the problems, and error of a point |
//! | [`Solver`] | every algorithm, including user-defined solvers | name, limits, supported problems, and the function `solve` |
//! | [`Method`] | an enum per class: [`LcpMethod`](crate::lcp::LcpMethod), .. | list of the methods with their guarantees, and creation of their solvers |
//!
//! A function can therefore be written once for the solvers of all classes:
//!
//! ```
//! use ndarray::array;
//! use siconos_numerics::lcp::{LcpMethod, LcpProblem};
//! use siconos_numerics::method::{Class, Method, Solver};
//! use siconos_numerics::{SolveInfo, SolverError};
//!
//! /// Runs every method of a class on one problem, with zero as the initial guess.
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
