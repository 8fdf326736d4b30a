//! Why a sweeping process cannot be set up, or cannot go on.

use siconos_linalg::SingularMatrix;
use siconos_numerics::cone::SetError;
use siconos_numerics::{ProblemError, SolverError};

use siconos_kernel::{ModelError, SettingsError};

/// Why a sweeping process cannot be set up, or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A vector or a matrix has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting, or the length of a step, is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Numbers make no convex set.
    #[error(transparent)]
    Set(#[from] SetError),
    /// Numbers make no convex set at a time of its motion.
    #[error("the set at t = {t}: {source}")]
    MovingSet {
        /// Time \[s\].
        t: f64,
        /// Cause.
        source: SetError,
    },
    /// The multipliers of a complementarity system act on y itself.
    #[error(
        "D[{row}, {column}] is {value}: a sweeping process needs D = 0; a differential variational inequality does not"
    )]
    ActsOnOutput {
        /// The row of D.
        row: usize,
        /// Its column.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// There is no norm in which a complementarity system is a sweeping process.
    #[error("there is no metric P with P B = C^T: C B must be symmetric and positive definite; {why}")]
    NoMetric {
        /// What shows it.
        why: String,
    },
    /// The set is empty at a time.
    #[error(
        "the set is empty at t = {t}: its inequalities with the factors {certificate:?} add up to 0 >= a number above 0"
    )]
    Empty {
        /// When \[s\].
        t: f64,
        /// One factor at or above 0 for each inequality (Farkas).
        certificate: Vec<f64>,
    },
    /// The matrix of an implicit step is singular.
    #[error("I + h df/dx at t = {t} is singular to working precision: {singular}; take shorter steps")]
    Singular {
        /// When \[s\].
        t: f64,
        /// What showed it.
        singular: SingularMatrix,
    },
    /// The problem of a step was not accepted by its solver.
    #[error("the problem of the step to t = {t}: {source}")]
    Solver {
        /// When \[s\].
        t: f64,
        /// Why.
        source: SolverError,
    },
}

impl SweepError {
    /// Adds the time at which the set was asked for.
    pub(super) fn at(self, t: f64) -> Self {
        match self {
            Self::Set(source) => Self::MovingSet { t, source },
            other => other,
        }
    }

    /// The error of a solver in the step to a time.
    pub(super) fn of_solver(t: f64) -> impl Fn(SolverError) -> Self {
        move |source| Self::Solver { t, source }
    }

    /// The error of a problem in the step to a time.
    pub(super) fn of_problem(t: f64) -> impl Fn(ProblemError) -> Self {
        move |error| Self::Solver { t, source: error.into() }
    }
}
