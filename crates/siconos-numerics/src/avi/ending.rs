//! Final refinement and status of a point.

use super::AviProblem;
use super::active_system::ActiveSystem;
use super::residual::{AcceptanceTest, Image};
use crate::info::Status;

/// Final stage of a method: removes rounding errors from a point by the system of its active inequalities,
/// and determines its status.
///
/// The coordinates of a method can have much larger values than the coordinates of the problem, and therefore
/// larger rounding errors. The refinement works in the coordinates of the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    system: ActiveSystem,
    step: Vec<f64>,
    z: Vec<f64>,
    lambda: Vec<f64>,
    image: Image,
    judge: AcceptanceTest,
}

/// Number of refinement steps.
const STEPS: usize = 3;

impl Ending {
    /// Returns the [`error`](super::error) of a point.
    pub(super) fn error(&mut self, problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
        self.image.error_of(problem, z, lambda)
    }

    /// Returns the status and the error of the final point of a method that ended with the status `ended`.
    /// Replaces the point if refinement reduces its error.
    pub(super) fn conclude(
        &mut self,
        problem: &AviProblem<'_>,
        tolerance: f64,
        ended: Status,
        (z, lambda): (&mut [f64], &mut [f64]),
    ) -> (Status, f64) {
        let mut error = self.error(problem, z, lambda);
        if error > tolerance {
            error = self.improve(problem, error, z, lambda);
        }
        let status = match self.judge.of(problem, (z, lambda), error, tolerance) {
            Status::Stalled if !ended.is_success() => ended,
            judged => judged,
        };
        (status, error)
    }

    fn improve(
        &mut self,
        problem: &AviProblem<'_>,
        mut error: f64,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> f64 {
        self.system.choose(lambda, &self.image.slack);
        if !self.system.factor(problem) {
            return error;
        }
        self.z.clear();
        self.z.extend_from_slice(z);
        self.lambda.clear();
        self.lambda.resize(lambda.len(), 0.0);
        self.system.active.iter().for_each(|&i| self.lambda[i] = lambda[i]);
        self.image.of(problem, &self.z, &self.lambda);
        for _ in 0..STEPS {
            self.system.write_step(&self.image.force, &self.image.slack, &mut self.step);
            self.z.iter_mut().zip(&self.step).for_each(|(z, d)| *z += d);
            for (&i, d) in self.system.active.iter().zip(&self.step[z.len()..]) {
                self.lambda[i] = (self.lambda[i] + d).max(0.0);
            }
            let polished = self.image.error_of(problem, &self.z, &self.lambda);
            if polished.is_nan() || polished >= error {
                break;
            }
            error = polished;
            z.copy_from_slice(&self.z);
            lambda.copy_from_slice(&self.lambda);
        }
        error
    }
}
