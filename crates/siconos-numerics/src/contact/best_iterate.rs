//! The best iterate that an iterative method has measured, and the damping of outer iterations that get no
//! better.

use super::DelassusProblem;
use super::residual::conclude;
use crate::info::{SolveInfo, Stop};

/// The reactions with the smallest error so far.
#[derive(Clone, Debug, Default)]
pub(super) struct BestIterate {
    r: Vec<f64>,
    error: f64,
    error_of_first: f64,
    terms: Vec<f64>,
}

impl BestIterate {
    /// Forgets everything but this point.
    pub(super) fn begin(&mut self, r: &[f64], error: f64) {
        self.r.clear();
        self.r.extend_from_slice(r);
        (self.error, self.error_of_first) = (error, error);
    }

    /// The smallest error.
    pub(super) fn error(&self) -> f64 {
        self.error
    }

    /// Makes room for points of this size, so that the first solve that keeps one allocates nothing.
    pub(super) fn reserve(&mut self, size: usize) {
        for memory in [&mut self.r, &mut self.terms] {
            memory.reserve(size.saturating_sub(memory.len()));
        }
    }

    /// The error of the point that it began with.
    pub(super) fn error_of_first(&self) -> f64 {
        self.error_of_first
    }

    /// Keeps the point when it is better.
    pub(super) fn offer(&mut self, r: &[f64], error: f64) {
        if error < self.error || self.error.is_nan() {
            self.r.copy_from_slice(r);
            self.error = error;
        }
    }

    /// The best point so far.
    pub(super) fn point(&self) -> &[f64] {
        &self.r
    }

    /// Where the last solve without success stood when it ended.
    pub(super) fn last(&self) -> &[f64] {
        &self.r
    }

    /// Exchanges the point in `r` with the best one, which leaves it as the [`last`](Self::last).
    pub(super) fn put_back(&mut self, r: &mut [f64]) {
        r.swap_with_slice(&mut self.r);
    }

    /// Ends a solve: after a success with the point in `r`, else with the best one, which may be one at the
    /// level of rounding. What was in `r` then is the [`last`](Self::last) iterate.
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

/// The part of its step that an outer iteration takes: all of it at first, half of it after every few steps
/// that brought no progress, more again with progress, and all of it once more when the smallest part has not
/// helped either: what follows too slowly does not settle any better.
#[derive(Clone, Copy, Debug)]
pub(super) struct Damping {
    weight: f64,
    /// The error at the beginning of the last few steps, and how many they are.
    reference: f64,
    steps: usize,
}

impl Default for Damping {
    fn default() -> Self {
        Self { weight: 1.0, reference: f64::INFINITY, steps: 0 }
    }
}

/// Steps after which progress is judged.
const STEPS_TO_JUDGE: usize = 8;

/// No weight is below this.
const LEAST_WEIGHT: f64 = 0.125;

/// The error has to fall by this factor over those steps to count as progress.
const PROGRESS: f64 = 0.8;

impl Damping {
    /// The weight of the next step, after a step that left this error.
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
