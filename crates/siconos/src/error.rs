//! Any error of the libraries.

use siconos_control::ControlError;
use siconos_hybrid::HybridError;
use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::{EventError, ModelError, SettingsError, SimulationError};
use siconos_linalg::{MatrixError, SingularMatrix};
use siconos_numerics::{ProblemError, SolverError};
use siconos_ode::OdeError;
use siconos_sweeping::SweepError;
use siconos_sweeping::dvi::DviError;
use siconos_sweeping::fesd::FesdError;
use siconos_sweeping::higher_order::HigherOrderError;

/// Any error of the libraries; what the `main` of a program returns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model, or a simulation of it.
    #[error(transparent)]
    Kernel(#[from] siconos_kernel::Error),
    /// A controller, a sensor or an observer.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// A hybrid system, or its solution.
    #[error(transparent)]
    Hybrid(#[from] HybridError),
    /// A sweeping process.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A sweeping process of higher order.
    #[error(transparent)]
    HigherOrder(#[from] HigherOrderError),
    /// A differential variational inequality.
    #[error(transparent)]
    Dvi(#[from] DviError),
    /// Finite elements with switch detection.
    #[error(transparent)]
    Fesd(#[from] FesdError),
    /// A smooth integration.
    #[error(transparent)]
    Ode(#[from] OdeError),
    /// A solver stopped without an answer.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// Inconsistent data of a problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// Inconsistent parts of a matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// A matrix is singular.
    #[error(transparent)]
    Singular(#[from] SingularMatrix),
    /// A file of a model cannot be read.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Document(Box<siconos_io::document::DocumentError>),
    /// A file of a problem cannot be read or written.
    #[cfg(feature = "io")]
    #[error(transparent)]
    ProblemFile(Box<siconos_io::problem::ProblemFileError>),
    /// A table cannot be read or written.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Table(#[from] siconos_io::trajectory::TableError),
    /// A snapshot cannot be read or written.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Snapshot(#[from] siconos_io::snapshot::SnapshotError),
    /// A file for ParaView cannot be written.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Vtk(#[from] siconos_io::vtk::VtkError),
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::Kernel(error.into())
    }
}

impl From<SettingsError> for Error {
    fn from(error: SettingsError) -> Self {
        Self::Kernel(error.into())
    }
}

impl From<SimulationError> for Error {
    fn from(error: SimulationError) -> Self {
        Self::Kernel(error.into())
    }
}

impl From<AnalysisError> for Error {
    fn from(error: AnalysisError) -> Self {
        Self::Kernel(error.into())
    }
}

impl From<EventError> for Error {
    fn from(error: EventError) -> Self {
        Self::Kernel(error.into())
    }
}

#[cfg(feature = "io")]
impl From<siconos_io::document::DocumentError> for Error {
    fn from(error: siconos_io::document::DocumentError) -> Self {
        Self::Document(error.into())
    }
}

#[cfg(feature = "io")]
impl From<siconos_io::problem::ProblemFileError> for Error {
    fn from(error: siconos_io::problem::ProblemFileError) -> Self {
        Self::ProblemFile(error.into())
    }
}
