#![doc = include_str!("crate.md")]
#![deny(missing_docs)]

pub mod analysis;
pub mod arena;
#[doc(hidden)]
pub mod engine;
pub mod error;
mod index;
pub mod integrator;
pub mod model;
pub mod multiple_impact;
pub mod nonsmooth_problem;
pub mod prelude;
pub mod simulation;
pub mod state;

pub use error::{Error, EventError, ModelError, SettingsError, SimulationError};
/// The version of `ndarray` whose arrays this crate takes and returns.
pub use ndarray;
/// The crate of solvers, whose matrices, settings and statuses this crate takes and returns.
pub use siconos_numerics;
pub use state::{Level, Side, State, StateRecord};

/// The code of the page of the package, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
