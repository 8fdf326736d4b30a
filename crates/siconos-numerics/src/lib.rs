#![doc = include_str!("crate.md")]
#![deny(missing_docs)]

pub mod error;
pub mod info;
pub mod lcp;
pub mod linalg;
pub mod mlcp;
pub mod nsgs;
mod rounding;

pub use error::{ProblemError, SettingsError, SolverError, Unsupported};
pub use info::{SolveInfo, Status};
