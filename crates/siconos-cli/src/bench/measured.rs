//! What a comparison measures.

use serde::Serialize;
use siconos_io::problem::ProblemClass;
use siconos_numerics::Status;

/// A file and its problem.
#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) class: ProblemClass,
    /// The number of unknowns.
    pub(crate) n: usize,
}

/// One method on one file.
#[derive(Debug, Serialize)]
pub(crate) struct Run {
    /// Its index.
    pub(crate) file: usize,
    pub(crate) method: &'static str,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// How that went.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// The method came to its end.
    Measured {
        status: Status,
        /// The method says so, and the error is within the tolerance.
        solved: bool,
        iterations: usize,
        /// Computed anew; nothing where it is not finite.
        error: Option<f64>,
        /// By the measure of Siconos; nothing where it is not finite.
        siconos_error: Option<f64>,
        /// The least of all repetitions.
        seconds: f64,
    },
    /// The method did not end within the time.
    TimeLimit,
    /// The method was not tried, or refused the problem.
    Skipped { note: String },
}
