//! Any error of the crate.

use super::{EventError, SimulationError};
use crate::analysis::AnalysisError;
use crate::model::ModelError;
use crate::settings_error::SettingsError;

/// Any error of this crate. It is suitable as the error type of the `main` function of a program.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The model is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A simulation cannot be built, or cannot continue.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A system cannot be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An event cannot be scheduled.
    #[error(transparent)]
    Event(#[from] EventError),
}
