//! Errors of sweeping processes.

use siconos_linalg::SingularMatrix;
use siconos_numerics::cone::ConvexSetError;
use siconos_numerics::{ProblemError, SolverError};

use siconos_kernel::{ModelError, SettingsError};

/// Error of a sweeping process: invalid data, or a step that cannot be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepingError {
    /// A vector or a matrix has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting or the step length is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The data do not describe a convex set.
    #[error(transparent)]
    Set(#[from] ConvexSetError),
    /// The data of a moving set do not describe a convex set at time t.
    #[error("the set at t = {t}: {source}")]
    MovingSet {
        /// Time \[s\].
        t: f64,
        /// Cause.
        source: ConvexSetError,
    },
    /// D is not 0, so the multiplier lambda of the complementarity system enters the output y = C x + D
    /// lambda.
    #[error(
        "D[{row}, {column}] is {value}: a sweeping process requires D = 0; use a differential variational inequality"
    )]
    ActsOnOutput {
        /// Row of the nonzero entry of D.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Value of the entry.
        value: f64,
    },
    /// No metric P satisfies $P B = C^T$, so the complementarity system is not a sweeping process.
    #[error("there is no metric P with P B = C^T: C B must be symmetric and positive definite; {why}")]
    NoMetric {
        /// Reason.
        why: String,
    },
    /// The set is empty at time t.
    #[error(
        "the set is empty at t = {t}: its inequalities, multiplied by {certificate:?}, add up to 0 >= a positive number"
    )]
    Empty {
        /// Time \[s\].
        t: f64,
        /// Farkas certificate: one nonnegative factor per inequality.
        certificate: Vec<f64>,
    },
    /// The matrix of an implicit step is singular.
    #[error("I + h df/dx at t = {t} is singular to working precision: {singular}; use shorter steps")]
    Singular {
        /// Time \[s\].
        t: f64,
        /// Cause.
        singular: SingularMatrix,
    },
    /// The solver rejected the one-step problem.
    #[error("cannot solve the problem of the step to t = {t}: {source}")]
    Solver {
        /// Time \[s\].
        t: f64,
        /// Cause.
        source: SolverError,
    },
}

impl SweepingError {
    /// Adds the time t \[s\] to an error of the set.
    pub(super) fn at(self, t: f64) -> Self {
        match self {
            Self::Set(source) => Self::MovingSet { t, source },
            other => other,
        }
    }

    /// Returns a function that converts a solver error to the error of the step that ends at t.
    pub(super) fn of_solver(t: f64) -> impl Fn(SolverError) -> Self {
        move |source| Self::Solver { t, source }
    }

    /// Returns a function that converts a problem error to the error of the step that ends at t.
    pub(super) fn of_problem(t: f64) -> impl Fn(ProblemError) -> Self {
        move |error| Self::Solver { t, source: error.into() }
    }
}
