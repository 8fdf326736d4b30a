//! Best iterate of an iterative method, and damping of outer iterations that make no progress.

use super::DelassusProblem;
use super::residual::conclude;
use crate::info::{SolveInfo, Stop};

/// Reactions with the smallest error so far.
#[derive(Clone, Debug, Default)]
pub(super) struct BestIterate {
    r: Vec<f64>,
    error: f64,
    error_of_first: f64,
    terms: Vec<f64>,
}

impl BestIterate {
    /// Restarts with this point alone.
    pub(super) fn begin(&mut self, r: &[f64], error: f64) {
        self.r.clear();
        self.r.extend_from_slice(r);
        (self.error, self.error_of_first) = (error, error);
    }

    /// Returns the smallest error.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Reserves memory for points of this size, so that the first solve that keeps a point does not allocate.
    pub(super) fn reserve(&mut self, size: usize) {
        for memory in [&mut self.r, &mut self.terms] {
            memory.reserve(size.saturating_sub(memory.len()));
        }
    }

    /// Returns the error of the first point.
    pub(super) fn error_of_first(&self) -> f64 {
        self.error_of_first
    }

    /// Keeps the point if its error is smaller.
    pub(super) fn offer(&mut self, r: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.r.copy_from_slice(r);
            self.error = error;
        }
    }

    /// Returns the best point so far.
    pub(super) fn point(&self) -> &[f64] {
        &self.r
    }

    /// Returns the last iterate of the last solve that ended without success.
    pub(super) fn last(&self) -> &[f64] {
        &self.r
    }

    /// Exchanges the point in `r` with the best one; the former becomes the [`last`](Self::last) iterate.
    pub(super) fn put_back(&mut self, r: &mut [f64]) {
        r.swap_with_slice(&mut self.r);
    }

    /// Ends a solve. After a success the point in `r` is kept. Otherwise `r` receives the best point, which
    /// may be at rounding level, and the point in `r` becomes the [`last`](Self::last) iterate.
    pub(super) fn finish(
        &mut self,
        problem: &DelassusProblem<'_>,
        (r, u): (&mut [f64], &mut [f64]),
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo {
        if !stop.status.is_success() {
            self.put_back(r);
        }
        conclude(problem, r, u, tolerance, stop, &mut self.terms)
    }
}

/// Fraction of its step that an outer iteration takes. It is 1 at first, is halved after every few steps
/// without progress, and is doubled with progress. If the smallest fraction brings no progress either, it
/// returns to 1, because more damping would not help.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewtonDamping {
    weight: f64,
    /// Error at the beginning of the last few steps, and the number of these steps.
    reference: f64,
    steps: usize,
}

impl Default for NewtonDamping {
    fn default() -> Self {
        Self { weight: 1.0, reference: f64::INFINITY, steps: 0 }
    }
}

/// Number of steps after which progress is checked.
const STEPS_TO_JUDGE: usize = 8;

/// Smallest weight.
const LEAST_WEIGHT: f64 = 0.125;

/// Factor by which the error has to fall over these steps to count as progress.
const PROGRESS: f64 = 0.8;

impl NewtonDamping {
    /// Returns the weight of the next step, after a step that left this error.
    pub(super) fn next(&mut self, error: f64) -> f64 {
        if self.steps == 0 {
            self.reference = error;
        }
        self.steps += 1;
        if self.steps > STEPS_TO_JUDGE {
            if error < PROGRESS * self.reference {
                self.weight = (2.0 * self.weight).min(1.0);
            } else if self.weight > LEAST_WEIGHT {
                self.weight *= 0.5;
            } else {
                self.weight = 1.0;
            }
            self.reference = error;
            self.steps = 1;
        }
        self.weight
    }
}
