//! Results of a comparison of methods.

use serde::Serialize;
use siconos_io::problem::ProblemClass;
use siconos_numerics::Status;

/// A file and its problem.
#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) class: ProblemClass,
    /// Number of unknowns.
    pub(crate) n: usize,
}

/// Result of one method on one file.
#[derive(Debug, Serialize)]
pub(crate) struct Run {
    /// Index of the file.
    pub(crate) file: usize,
    pub(crate) method: &'static str,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// Outcome of one method on one file.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The method ended.
    Measured {
        status: Status,
        /// `true` if the method reports a solution and the error is within the tolerance.
        solved: bool,
        iterations: usize,
        /// Error, recomputed after the solve; `None` if it is not finite.
        error: Option<f64>,
        /// Error as Siconos defines it; `None` if it is not finite.
        siconos_error: Option<f64>,
        /// Shortest time of all repetitions \[s\].
        seconds: f64,
    },
    /// The method did not end within the time limit.
    TimeLimit,
    /// The method was not run, or rejected the problem.
    Skipped { note: String },
}
