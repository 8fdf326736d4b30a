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
    /// The relative degree is not uniform: the multipliers do not all act on the same derivative of y, or
    /// they do not act on it independently.
    #[error(
        "{degree}; a sweeping process of order r requires the same r in all rows and a regular C A^(r-1) B"
    )]
    NotUniform {
        /// Relative degrees of the system.
        degree: Box<RelativeDegree>,
    },
    /// D is regular. The multiplier is therefore a function of the state, and the state does not jump.
    #[error(
        "the relative degree is 0: lambda acts on y itself through D and is a function of the state, so there is \
         no sweeping process; simulate the system directly, for example with BackwardEuler"
    )]
    DegreeZero,
    /// The jump is not unique for every state, because $C A^{r-1} B$ is not a P-matrix.
    #[error(
        "C A^(r-1) B, with r = {relative_degree}, must be a P-matrix so that a jump has one solution; it is {verdict}"
    )]
    NotP {
        /// Relative degree r.
        relative_degree: usize,
        /// Result of the test for a P-matrix.
        verdict: PProperty,
    },
    /// The columns of B, A B, .., A^(r-1) B are linearly dependent up to rounding.
    #[error(
        "column {column} of [B, A B, ..] depends linearly on the columns before it, up to rounding: the derivatives of y are not \
         coordinates of the state to working precision"
    )]
    Dependent {
        /// Index of the column, counted from 0.
        column: usize,
    },
    /// The leading matrix, or the matrix of an implicit step, cannot be factorised.
    #[error("{matrix} is singular: {source}; use another step length if the matrix depends on h")]
    Singular {
        /// Name of the matrix.
        matrix: &'static str,
        /// Cause.
        source: SingularMatrix,
    },
    /// The solver rejected the complementarity problem.
    #[error("cannot solve the complementarity problem of the step: {0}")]
    OneStep(#[from] SolverError),
    /// The state at the end of the step exceeds the range of floating-point numbers.
    #[error(
        "entry {index} of the state at the end of the step is {value}: the state exceeds the range of doubles"
    )]
    Unbounded {
        /// Index of the entry: z row by row, then the zero dynamics.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
}
