//! Best iterate of an iterative method, and damping of outer iterations that make no progress.

use super::DelassusProblem;
use super::residual::conclude;
use crate::info::{SolveInfo, Stop};

/// Iterate with the smallest error so far.
#[derive(Clone, Debug, Default)]
pub(super) struct BestIterate {
    r: Vec<f64>,
    error: f64,
    error_of_first: f64,
    terms: Vec<f64>,
}

impl BestIterate {
    /// Starts a new solve with the initial iterate `r`.
    pub(super) fn begin(&mut self, r: &[f64], error: f64) {
        self.r.clear();
        self.r.extend_from_slice(r);
        (self.error, self.error_of_first) = (error, error);
    }

    /// Returns the error of the best iterate.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Reserves memory for iterates with `size` entries, so that the first solve does not allocate.
    pub(super) fn reserve(&mut self, size: usize) {
        for memory in [&mut self.r, &mut self.terms] {
            memory.reserve(size.saturating_sub(memory.len()));
        }
    }

    /// Returns the error of the iterate passed to [`begin`](Self::begin).
    pub(super) fn error_of_first(&self) -> f64 {
        self.error_of_first
    }

    /// Stores `r` as the best iterate if `error` is smaller than the smallest error so far.
    pub(super) fn offer(&mut self, r: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.r.copy_from_slice(r);
            self.error = error;
        }
    }

    /// Returns the best iterate so far.
    pub(super) fn point(&self) -> &[f64] {
        &self.r
    }

    /// Returns the final iterate of the most recent solve that failed. [`put_back`](Self::put_back) stores
    /// it.
    pub(super) fn last(&self) -> &[f64] {
        &self.r
    }

    /// Exchanges `r` with the best iterate. The previous content of `r` is afterwards returned by
    /// [`last`](Self::last).
    pub(super) fn put_back(&mut self, r: &mut [f64]) {
        r.swap_with_slice(&mut self.r);
    }

    /// Ends a solve and computes its result. If the status in `stop` is not a success, `r` is first exchanged
    /// with the best iterate; the returned status can then be `AtRoundingLevel`.
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

/// Damping of outer iterations. Each outer iteration takes only a fraction of its step, initially the whole
/// step. After each group of steps, the fraction is halved if the group made no progress, and doubled if it
/// did. If the group made no progress with the minimum fraction, the fraction returns to 1, because more
/// damping would not help.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewtonDamping {
    weight: f64,
    /// Error at the start of the current group of steps.
    reference: f64,
    /// Number of steps taken so far in the current group.
    steps: usize,
}

impl Default for NewtonDamping {
    fn default() -> Self {
        Self { weight: 1.0, reference: f64::INFINITY, steps: 0 }
    }
}

/// Number of steps in a group. Progress is checked at the end of each group.
const STEPS_TO_JUDGE: usize = 8;

/// Minimum fraction of a step.
const LEAST_WEIGHT: f64 = 0.125;

/// A group of steps makes progress if the error falls below this fraction of the error at the start of the
/// group.
const PROGRESS: f64 = 0.8;

impl NewtonDamping {
    /// Returns the fraction of the next step to take. `error` is the error after the previous step.
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
