#![doc = include_str!("crate.md")]
#![deny(missing_docs)]

pub mod avi;
pub mod box_constraints;
mod cancellation;
mod cascade;
pub mod cone;
pub mod contact;
mod convex_set;
pub mod effort;
pub mod engine;
pub mod error;
pub mod gmp;
pub mod guide;
pub mod info;
pub mod lcp;
mod map;
pub mod mcp;
pub mod method;
pub mod mlcp;
pub mod ncp;
pub mod ncp_function;
mod own_response;
pub mod qp;
pub mod relay;
mod rounding;
pub mod vi;

pub use cancellation::CancellationToken;
pub use effort::{Effort, EffortLimit};
pub use error::{ProblemError, SettingsError, SolverError, Unsupported, display_number};
pub use info::{Attempt, Contradiction, SolveInfo, Status};
pub use method::{Method, Solver};
/// The version of `ndarray` that defines the array types in the interface of this crate.
pub use ndarray;
/// Matrix types of problem data.
pub use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixError, MatrixRef, SingularMatrix};

/// Runs the code of the README of the package as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
