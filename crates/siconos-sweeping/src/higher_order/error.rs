//! Why a higher-order sweeping process cannot be made, or cannot go on.

use siconos_linalg::SingularMatrix;
use siconos_numerics::SolverError;

use siconos_kernel::analysis::{AnalysisError, PProperty, RelativeDegree};
use siconos_kernel::{ModelError, SettingsError};

/// Why a [higher-order sweeping process](super::HigherOrderSweeping) cannot be made, or cannot go on. The
/// state is then as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HigherOrderError {
    /// A vector has the wrong length or is not finite, or the state is of another process.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The step is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The relative degree could not be computed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The multipliers do not all act on one and the same derivative, or not independently of each other.
    #[error("{degree}; a sweeping process of order r needs the same r in all rows, and C A^(r-1) B regular")]
    NotUniform {
        /// The relative degrees that were found.
        degree: Box<RelativeDegree>,
    },
    /// D is regular: the multiplier is a function of the state, and nothing jumps.
    #[error(
        "the relative degree is 0, lambda acts on y itself through D: lambda is a function of the state and there is \
         nothing to sweep; simulate the system as it is, by BackwardEuler for instance"
    )]
    DegreeZero,
    /// The jump at an instant would not have one answer for every state.
    #[error(
        "C A^(r-1) B, with r = {relative_degree}, must be a P-matrix so that a jump has one answer; it is {verdict}"
    )]
    NotP {
        /// The relative degree r.
        relative_degree: usize,
        /// What was found.
        verdict: PProperty,
    },
    /// The columns of B, A B, .., A^(r-1) B cannot be told apart from dependent ones.
    #[error(
        "column {column} of B, A B, .. side by side depends on those before it to rounding: the derivatives of y are not \
         coordinates of the state to working precision"
    )]
    Dependent {
        /// The column, counted from 0.
        column: usize,
    },
    /// The leading matrix, or that of an implicit step, cannot be factorised.
    #[error("{matrix} is singular: {source}; take another step, if h is part of this")]
    Singular {
        /// Which matrix.
        matrix: &'static str,
        /// What showed it.
        source: SingularMatrix,
    },
    /// The complementarity problem was refused by its solver.
    #[error("the complementarity problem of the step: {0}")]
    OneStep(#[from] SolverError),
    /// The state has grown beyond the numbers.
    #[error(
        "entry {index} of the state at the end of the step is {value}: it is beyond the range of numbers"
    )]
    Unbounded {
        /// Which entry, of z row by row, then of the zero dynamics.
        index: usize,
        /// Its value.
        value: f64,
    },
}
