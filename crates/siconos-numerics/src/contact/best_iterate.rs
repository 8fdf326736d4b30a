//! The best iterate that an iterative method has measured, and the damping of outer iterations that get no better.

use super::ContactProblem;
use super::residual::error_of_point;
use crate::info::{SolveInfo, Status};

/// The reactions with the smallest error so far.
#[derive(Clone, Debug, Default)]
pub(super) struct BestIterate {
    r: Vec<f64>,
    error: f64,
}

impl BestIterate {
    /// Forgets everything but this point.
    pub(super) fn begin(&mut self, r: &[f64], error: f64) {
        self.r.clear();
        self.r.extend_from_slice(r);
        self.error = error;
    }

    /// Keeps the point when it is better.
    pub(super) fn offer(&mut self, r: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.r.copy_from_slice(r);
            self.error = error;
        }
    }

    /// Overwrites `r` with it.
    pub(super) fn copy_to(&self, r: &mut [f64]) {
        r.copy_from_slice(&self.r);
    }

    /// Ends a solve: after a success with the point in `r`, else with the best one; the error is computed anew.
    pub(super) fn finish(
        &self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
        status: Status,
        iterations: usize,
    ) -> SolveInfo {
        if !status.is_success() {
            r.copy_from_slice(&self.r);
        }
        let error = error_of_point(problem, r, u);
        SolveInfo { status, iterations, error }
    }
}

/// The part of its step that an outer iteration takes: all of it while the error falls, half of it after every few
/// steps that brought no progress, and slowly more again with progress.
#[derive(Clone, Copy, Debug)]
pub(super) struct Damping {
    weight: f64,
    least: f64,
    failures: usize,
}

/// Steps without progress before the weight is halved.
const MOST_FAILURES: usize = 6;

/// No weight is below this.
const LEAST_WEIGHT: f64 = 1.0 / 32.0;

/// The error has to fall by this factor to count as progress.
const PROGRESS: f64 = 0.99;

impl Damping {
    pub(super) fn new(error: f64) -> Self {
        Self { weight: 1.0, least: error, failures: 0 }
    }

    /// The weight of the next step, after a step that left this error.
    pub(super) fn next(&mut self, error: f64) -> f64 {
        if error < PROGRESS * self.least {
            self.least = error;
            self.failures = 0;
            self.weight = (1.1 * self.weight).min(1.0);
        } else {
            self.failures += 1;
            if self.failures == MOST_FAILURES {
                self.failures = 0;
                self.weight = (0.5 * self.weight).max(LEAST_WEIGHT);
            }
        }
        self.weight
    }
}
