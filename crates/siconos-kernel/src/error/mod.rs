//! The errors of the crate: of a model, of settings, of a simulation, of events; [`Error`] is any of them.

pub(crate) mod checks;
mod event;
mod model;
mod simulation;
mod structure;

pub(crate) use checks::{check_finite, check_matrix, check_number, check_positive, check_shape};
pub use event::EventError;
pub use model::ModelError;
pub use simulation::SimulationError;
pub use structure::{PartDifference, StructureDifference};

use std::num::NonZeroUsize;

use crate::analysis::AnalysisError;

/// Any error of this crate; what the `main` of a program returns.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model is not what it should be.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A simulation cannot be built, or cannot go on.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// An analysis of a system has no answer.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An event cannot be scheduled.
    #[error(transparent)]
    Event(#[from] EventError),
}

/// A setting outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A number is outside its range.
    #[error("`{name}` is {}; it must be {must_be}", siconos_numerics::display_number(*value))]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range in words.
        must_be: &'static str,
    },
    /// A vector of times has to increase.
    #[error("the times must increase: t[{index}] = {time} comes after t[{before}] = {previous}", before = index - 1)]
    TimesNotIncreasing {
        /// The index of the offending time.
        index: usize,
        /// That time.
        time: f64,
        /// The time before it.
        previous: f64,
    },
    /// A time discretisation has at least one step.
    #[error("a time discretisation needs at least two times, {count} given")]
    TooFewTimes {
        /// Number of times given.
        count: usize,
    },
    /// The builder was not given a time discretisation.
    #[error("no time discretisation was given; call `discretisation` on the builder")]
    NoTimeDiscretisation,
    /// A solver refused its settings.
    #[error(transparent)]
    Solver(#[from] siconos_numerics::SettingsError),
    /// The threads cannot be started.
    #[error("{count} threads cannot be started ({why}); take fewer")]
    Threads {
        /// How many were asked for.
        count: NonZeroUsize,
        /// What the system says.
        why: String,
    },
}
