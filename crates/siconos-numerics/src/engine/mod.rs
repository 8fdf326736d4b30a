//! Loops shared by the solvers of several classes, and checks of problem data. **Unstable**: this module may
//! change in any version.
//!
//! | module | contents |
//! |---|---|
//! | [`nsgs`] | Gauss-Seidel sweep over blocks |
//! | [`fixed_point`] | projection methods with an adaptive step length |
//! | [`semismooth_newton`] | Newton's method with a line search on a merit function |

mod checks;
pub mod fixed_point;
pub mod nsgs;
pub mod semismooth_newton;

pub use checks::{check_finite, check_finite_matrix, check_length, check_square};
pub(crate) use checks::{check_solve, require_dense};
