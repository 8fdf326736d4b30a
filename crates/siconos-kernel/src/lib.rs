#![doc = include_str!("crate.md")]
#![deny(missing_docs)]

pub mod analysis;
pub mod arena;
pub mod detection;
#[doc(hidden)]
pub mod engine;
mod index;
pub mod integrator;
pub mod model;
pub mod multiple_impact;
pub mod nonsmooth_problem;
pub mod prelude;
mod settings_error;
pub mod simulation;
pub mod state;
mod threads;

pub use integrator::error::FitError;
pub use model::error::ModelError;
pub use model::structure_difference::{PartDifference, StructureDifference};
/// Version of `ndarray` whose arrays this crate takes and returns.
pub use ndarray;
pub use settings_error::SettingsError;
/// Crate of solvers whose matrices, settings and statuses this crate takes and returns.
pub use siconos_numerics;
pub use simulation::any_error::Error;
pub use simulation::error::SimulationError;
pub use simulation::events::error::EventError;
pub use state::{ContactState, EventSide, Level, State, StateRecord};

/// Doc tests of the README of the package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
