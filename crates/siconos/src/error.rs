//! Error type for all libraries of the project.

use siconos_control::ControlError;
use siconos_hybrid::HybridError;
use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::model::JacobianMismatch;
use siconos_kernel::{EventError, ModelError, SettingsError, SimulationError};
use siconos_linalg::{MatrixError, SingularMatrix};
use siconos_mechanics::{SceneError, ShapeError};
use siconos_numerics::cone::ConvexSetError;
use siconos_numerics::{ProblemError, SolverError};
use siconos_ode::OdeError;
use siconos_sweeping::SweepingError;
use siconos_sweeping::dvi::DviError;
use siconos_sweeping::fesd::FesdError;
use siconos_sweeping::higher_order::HigherOrderError;

/// Any error of the libraries, suitable as the error type of `main`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Error in a model or a simulation.
    #[error(transparent)]
    Kernel(#[from] siconos_kernel::Error),
    /// Error of a controller, a sensor or an observer.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// Error of a scene of bodies with shapes.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Shape that cannot be created.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Error in a hybrid system or its solution.
    #[error(transparent)]
    Hybrid(#[from] HybridError),
    /// Error of a sweeping process.
    #[error(transparent)]
    Sweeping(#[from] SweepingError),
    /// Error of a sweeping process of higher order.
    #[error(transparent)]
    HigherOrder(#[from] HigherOrderError),
    /// Error of a differential variational inequality.
    #[error(transparent)]
    Dvi(#[from] DviError),
    /// Error of the method of finite elements with switch detection (FESD).
    #[error(transparent)]
    Fesd(#[from] FesdError),
    /// Error of a smooth integration.
    #[error(transparent)]
    Ode(#[from] OdeError),
    /// A solver stopped without a solution.
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
    /// A Jacobian differs from the finite differences of its function.
    #[error(transparent)]
    Jacobian(#[from] JacobianMismatch),
    /// Invalid data of a convex set.
    #[error(transparent)]
    ConvexSet(#[from] ConvexSetError),
    /// A model file cannot be read.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Document(Box<siconos_io::document::DocumentError>),
    /// A problem file cannot be read or written.
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
    /// A parameter of a model that was read from a file cannot be set.
    #[cfg(feature = "io")]
    #[error(transparent)]
    SetParameter(#[from] siconos_io::model::SetParameterError),
    /// The run of a model that was read from a file cannot be started.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Start(Box<siconos_io::model::StartError>),
    /// The run of a model that was read from a file has failed.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Run(Box<dyn std::error::Error + Send + Sync>),
    /// A run cannot be resumed from a snapshot.
    #[cfg(feature = "io")]
    #[error(transparent)]
    Resume(Box<siconos_io::model::ResumeError>),
    /// A ParaView file cannot be written.
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

#[cfg(feature = "io")]
impl From<siconos_io::model::StartError> for Error {
    fn from(error: siconos_io::model::StartError) -> Self {
        Self::Start(error.into())
    }
}

#[cfg(feature = "io")]
impl<E: std::error::Error + Send + Sync + 'static> From<siconos_io::model::RunError<E>> for Error {
    fn from(error: siconos_io::model::RunError<E>) -> Self {
        Self::Run(error.into())
    }
}

#[cfg(feature = "io")]
impl From<siconos_io::model::ResumeError> for Error {
    fn from(error: siconos_io::model::ResumeError) -> Self {
        Self::Resume(error.into())
    }
}
