//! Errors of differential variational inequalities.

use siconos_linalg::SingularMatrix;
use siconos_numerics::SolverError;

use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::model::{DynamicalSystemId, InteractionId};
use siconos_kernel::{ModelError, SettingsError};

/// Error of a differential variational inequality: invalid data, or a step or boundary value problem that
/// cannot be set up. A step without a solution is not an error but has a
/// [`Status`](siconos_numerics::Status).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DviError {
    /// A matrix or vector has the wrong shape, or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A number is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An analysis failed: a spectrum could not be computed, or a matrix M is singular.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A solver refused the problem of a step.
    #[error("the problem of a step: {0}")]
    Solver(#[from] SolverError),
    /// The polyhedron is empty: the factors y >= 0 satisfy y^T H = 0 and y^T k > 0.
    #[error(
        "the polyhedron H u >= k is empty: its inequalities, added up with the factors {combination:?}, say that 0 is above 0"
    )]
    EmptySet {
        /// Factors y, one per inequality.
        combination: Vec<f64>,
    },
    /// The matrix $I - h \theta A$ of a step is singular.
    #[error("I - h theta A is singular for h theta = {step}: {source}; take another step")]
    SingularStep {
        /// $h \theta$ \[s\].
        step: f64,
        /// Cause.
        source: SingularMatrix,
    },
    /// The boundary conditions M x(0) + N x(T) = b are linearly dependent.
    #[error(
        "the boundary conditions depend on each other: with v = {vector:.3?}, v^T [M N] = 0; n independent ones are needed"
    )]
    DependentConditions {
        /// Vector v, n numbers; its largest entry has magnitude 1.
        vector: Vec<f64>,
    },
    /// The model has no interaction between first-order systems.
    #[error("the model has no interaction between first-order systems, so that there is no u")]
    NoInteraction,
    /// A system of the model has no counterpart in a differential variational inequality.
    #[error("dynamical system {system} has no place in a differential variational inequality: {why}")]
    System {
        /// Identifier of the system.
        system: DynamicalSystemId,
        /// Reason.
        why: &'static str,
    },
    /// An interaction of the model has no counterpart in a differential variational inequality.
    #[error("interaction {interaction} has no place in a differential variational inequality: {why}")]
    Interaction {
        /// Identifier of the interaction.
        interaction: InteractionId,
        /// Reason.
        why: &'static str,
    },
}
