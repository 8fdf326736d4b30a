//! Any error of the crate.

use super::{EventError, SimulationError};
use crate::analysis::AnalysisError;
use crate::model::ModelError;
use crate::settings_error::SettingsError;

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
    /// A simulation cannot be built, or cannot continue.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// An analysis of a system has no answer.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// An event cannot be scheduled.
    #[error(transparent)]
    Event(#[from] EventError),
}
