//! Why a differential variational inequality cannot be made, or its problem not be posed.

use siconos_linalg::SingularMatrix;
use siconos_numerics::SolverError;

use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::model::{DynamicalSystemId, InteractionId};
use siconos_kernel::{ModelError, SettingsError};

/// Why a differential variational inequality cannot be made, or a step or boundary value problem of it not be
/// posed. That a step has no solution is none of these, but a [`Status`](siconos_numerics::Status).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DviError {
    /// A matrix or vector has the wrong shape, or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A matrix of the report has no spectrum.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A solver refused what it was given.
    #[error("the problem of a step: {0}")]
    Solver(#[from] SolverError),
    /// The polyhedron has no point: with y >= 0 as given, y^T H = 0 and y^T k > 0.
    #[error(
        "the polyhedron H u >= k is empty: its inequalities, added up with the factors {combination:?}, say that 0 is above 0"
    )]
    EmptySet {
        /// The factors y, one for each inequality.
        combination: Vec<f64>,
    },
    /// The matrix $I - h \theta A$ of a step is singular.
    #[error("I - h theta A is singular for h theta = {step}: {source}; take another step")]
    SingularStep {
        /// $h \theta$ \[s\].
        step: f64,
        /// What showed it.
        source: SingularMatrix,
    },
    /// The boundary conditions M x(0) + N x(T) = b are fewer than n.
    #[error(
        "the boundary conditions depend on each other: with v = {vector:.3?}, v^T [M N] = 0; n independent ones are needed"
    )]
    DependentConditions {
        /// The vector v, n numbers, the largest of magnitude 1.
        vector: Vec<f64>,
    },
    /// A model without an interaction of first-order systems.
    #[error("the model has no interaction between first-order systems, so that there is no u")]
    NoInteraction,
    /// A system of the model has no place in a differential variational inequality.
    #[error("dynamical system {system} has no place in a differential variational inequality: {why}")]
    System {
        /// The system.
        system: DynamicalSystemId,
        /// What it lacks.
        why: &'static str,
    },
    /// An interaction of the model has no place in a differential variational inequality.
    #[error("interaction {interaction} has no place in a differential variational inequality: {why}")]
    Interaction {
        /// The interaction.
        interaction: InteractionId,
        /// What it lacks.
        why: &'static str,
    },
}
