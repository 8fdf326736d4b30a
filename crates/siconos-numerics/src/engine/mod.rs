//! The loops that solvers of several classes share, and the checks of their data. **Unstable**: this module
//! may change with any version.
//!
//! | module | loop |
//! |---|---|
//! | [`nsgs`] | the Gauss-Seidel sweep over blocks |
//! | [`fixed_point`] | projections with a step that adapts itself |
//! | [`semismooth_newton`] | Newton's method with a line search on a merit function |

mod checks;
pub mod fixed_point;
pub mod nsgs;
pub mod semismooth_newton;

pub use checks::{check_finite, check_finite_matrix, check_length, check_square};
pub(crate) use checks::{check_solve, require_dense};
