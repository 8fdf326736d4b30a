//! Errors of higher-order sweeping processes.

use siconos_linalg::SingularMatrix;
use siconos_numerics::SolverError;

use siconos_kernel::analysis::{AnalysisError, PProperty, RelativeDegree};
use siconos_kernel::{ModelError, SettingsError};

/// Error of a [higher-order sweeping process](super::HigherOrderSweeping): invalid data, or a step that
/// cannot be taken. The state is then unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HigherOrderError {
    /// A vector has the wrong length or is not finite, or the state belongs to another process.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The step length is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The relative degree could not be computed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The multipliers do not all act on the same derivative of y, or do not act on it independently.
    #[error("{degree}; a sweeping process of order r needs the same r in all rows, and C A^(r-1) B regular")]
    NotUniform {
        /// Relative degrees of the system.
        degree: Box<RelativeDegree>,
    },
    /// D is regular: the multiplier is a function of the state, and the state does not jump.
    #[error(
        "the relative degree is 0, lambda acts on y itself through D: lambda is a function of the state and there is \
         nothing to sweep; simulate the system as it is, by BackwardEuler for instance"
    )]
    DegreeZero,
    /// The jump would not be unique for every state.
    #[error(
        "C A^(r-1) B, with r = {relative_degree}, must be a P-matrix so that a jump has one answer; it is {verdict}"
    )]
    NotP {
        /// Relative degree r.
        relative_degree: usize,
        /// Result of the test for a P-matrix.
        verdict: PProperty,
    },
    /// The columns of B, A B, .., A^(r-1) B are linearly dependent to rounding.
    #[error(
        "column {column} of B, A B, .. side by side depends on those before it to rounding: the derivatives of y are not \
         coordinates of the state to working precision"
    )]
    Dependent {
        /// Index of the column, counted from 0.
        column: usize,
    },
    /// The leading matrix, or the matrix of an implicit step, cannot be factorised.
    #[error("{matrix} is singular: {source}; take another step, if h is part of this")]
    Singular {
        /// Name of the matrix.
        matrix: &'static str,
        /// Cause.
        source: SingularMatrix,
    },
    /// The solver refused the complementarity problem.
    #[error("the complementarity problem of the step: {0}")]
    OneStep(#[from] SolverError),
    /// The state exceeds the range of numbers.
    #[error(
        "entry {index} of the state at the end of the step is {value}: it is beyond the range of numbers"
    )]
    Unbounded {
        /// Index of the entry: z row by row, then the zero dynamics.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
}
