//! Errors of differential variational inequalities.

use siconos_linalg::SingularMatrix;
use siconos_numerics::SolverError;

use siconos_kernel::analysis::AnalysisError;
use siconos_kernel::model::{DynamicalSystemId, InteractionId};
use siconos_kernel::{ModelError, SettingsError};

/// Error of a differential variational inequality: invalid data, or a step or boundary value problem that
/// cannot be set up. A step that has no solution is not an error; its [`Status`](siconos_numerics::Status) is
/// then not a success.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DviError {
    /// A matrix or vector has the wrong shape, or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A spectrum could not be computed, or a matrix M of a model is singular.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A solver rejected the one-step problem.
    #[error("cannot solve the one-step problem: {0}")]
    Solver(#[from] SolverError),
    /// The polyhedron H u >= k is empty: there are factors y >= 0 with y^T H = 0 and y^T k > 0.
    #[error(
        "the polyhedron H u >= k is empty: the sum of its inequalities with the factors {combination:?} is a contradiction"
    )]
    EmptySet {
        /// Factors y, one for each inequality.
        combination: Vec<f64>,
    },
    /// The matrix $I - h \theta A$ of a step is singular.
    #[error("I - h theta A is singular for h theta = {step}: {source}; use another step length")]
    SingularStep {
        /// $h \theta$ \[s\].
        step: f64,
        /// Cause.
        source: SingularMatrix,
    },
    /// The boundary conditions M x(0) + N x(T) = b are linearly dependent.
    #[error(
        "the boundary conditions are linearly dependent: v^T [M N] = 0 with v = {vector:.3?}; give n independent conditions"
    )]
    DependentConditions {
        /// Vector v, n entries; its largest entry has magnitude 1.
        vector: Vec<f64>,
    },
    /// The model has no interaction between first-order systems.
    #[error("the model has no interaction between first-order systems, so there is no u")]
    NoInteraction,
    /// A system of the model cannot be converted to a differential variational inequality.
    #[error("dynamical system {system} cannot be part of a differential variational inequality: {why}")]
    System {
        /// Identifier of the system.
        system: DynamicalSystemId,
        /// Reason.
        why: &'static str,
    },
    /// An interaction of the model cannot be converted to a differential variational inequality.
    #[error("interaction {interaction} cannot be part of a differential variational inequality: {why}")]
    Interaction {
        /// Identifier of the interaction.
        interaction: InteractionId,
        /// Reason.
        why: &'static str,
    },
}
