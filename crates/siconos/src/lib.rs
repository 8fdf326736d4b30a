#![doc = include_str!("../README.md")]
//!
//! New users start with the [guide], which has one chapter per question.
#![deny(missing_docs)]

mod error;
pub mod guide;
pub mod prelude;

pub use error::Error;
pub use siconos_control as control;
pub use siconos_expression as expression;
#[cfg(feature = "figure")]
pub use siconos_figure as figure;
pub use siconos_hybrid as hybrid;
#[cfg(feature = "io")]
pub use siconos_io as io;
pub use siconos_kernel as kernel;
pub use siconos_linalg as linalg;
/// Re-export of the version of `ndarray` whose arrays the crates of the project take and return.
pub use siconos_linalg::ndarray;
pub use siconos_mechanics as mechanics;
pub use siconos_numerics as numerics;
pub use siconos_ode as ode;
pub use siconos_sweeping as sweeping;
