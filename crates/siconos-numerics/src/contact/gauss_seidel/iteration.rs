//! Loop over the sweeps, with the decisions when to compute the error and when to stop.

use siconos_linalg::norm;

use super::settings::StoppingTest;
use crate::cancellation;
use crate::contact::DelassusProblem;
use crate::contact::best_iterate::BestIterate;
use crate::contact::residual::{error, error_of_point, judge, scale};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::Limits;

/// Results of a sweep.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct SweepResult {
    /// Norm of the change of the reactions.
    pub(in crate::contact) change: f64,
    /// Sum of the squares of the violations that the sweep found, or 0 if no estimate was requested.
    pub(in crate::contact) estimate: f64,
    /// `true` if all contacts were visited.
    pub(in crate::contact) all: bool,
}

/// Initial guess of the ratio of the error after a sweep to the error estimate of the sweep.
const FIRST_PART: f64 = 0.5;

/// Lower bound of the ratio of the error to its estimate.
const LEAST_PART: f64 = 0.1;

/// Upper bound of the ratio of the error to its estimate.
const LARGEST_PART: f64 = 2.0;

/// Maximum number of sweeps between two computations of the full error, which needs a product with the
/// matrix.
const MOST_UNMEASURED: usize = 64;

/// Number of sweeps after which only every fourth sweep estimates the error. One or two additional sweeps are
/// then cheap, compared with the sweeps already made.
const ALL_ESTIMATE: usize = 16;

/// Problem for which the loop can compute the error of reactions.
pub(in crate::contact) trait Measured {
    /// Returns the norm of the free velocity, by which violations are divided.
    fn free_velocity(&self) -> f64;

    /// Returns the error of the reactions `r`, and writes their velocities to `u`.
    fn error_of(&mut self, r: &[f64], u: &mut [f64]) -> f64;

    /// Returns the error of the initial guess. If the error is far above the tolerance, an implementation may
    /// return an approximation that takes less time.
    fn error_of_guess(&mut self, r: &[f64], u: &mut [f64], _tolerance: f64) -> f64 {
        self.error_of(r, u)
    }

    /// Acceptance test. Returns the status of the reactions `r` with the error `error`. If the status is not
    /// a success, the reactions are not a solution.
    fn judge(&mut self, r: &[f64], error: f64, tolerance: f64) -> Status;

    /// Ends a solve that did not succeed. Returns its result for the best iterate.
    fn finish(
        &mut self,
        best: &mut BestIterate,
        point: (&mut [f64], &mut [f64]),
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo;
}

impl Measured for &DelassusProblem<'_> {
    #[inline]
    fn free_velocity(&self) -> f64 {
        scale(self)
    }

    #[inline]
    fn error_of(&mut self, r: &[f64], u: &mut [f64]) -> f64 {
        error_of_point(self, r, u)
    }

    /// Computes the error of the initial guess. If all reactions are 0, then u = q, and a product with W is
    /// computed only if the error is within the tolerance.
    #[inline]
    fn error_of_guess(&mut self, r: &[f64], u: &mut [f64], tolerance: f64) -> f64 {
        if r.iter().all(|&r| r == 0.0) {
            u.copy_from_slice(self.q());
            let current = error(self, r, u);
            if current > tolerance {
                return current;
            }
        }
        error_of_point(self, r, u)
    }

    #[inline]
    fn judge(&mut self, r: &[f64], error: f64, tolerance: f64) -> Status {
        judge(*self, r, error, tolerance)
    }

    fn finish(
        &mut self,
        best: &mut BestIterate,
        point: (&mut [f64], &mut [f64]),
        tolerance: f64,
        stop: Stop,
    ) -> SolveInfo {
        best.finish(self, point, tolerance, stop)
    }
}

/// Sequence of Gauss-Seidel sweeps.
pub(in crate::contact) trait Sweeper {
    /// Performs the sweep with index `number` on the reactions in `r`. Also estimates the error if
    /// `estimates` is `true`.
    fn sweep(&mut self, number: usize, estimates: bool, r: &mut [f64]) -> SweepResult;

    /// Copies the current reactions to `r`. The loop calls this method before it reads `r`. Only sweeps that
    /// store the reactions in another order need to implement it.
    fn show(&self, _r: &mut [f64]) {}
}

impl<Sweep: FnMut(usize, bool, &mut [f64]) -> SweepResult> Sweeper for Sweep {
    fn sweep(&mut self, number: usize, estimates: bool, r: &mut [f64]) -> SweepResult {
        self(number, estimates, r)
    }
}

/// Sweeps from the reactions in `r` until the full error is within the tolerance. `best` is workspace.
pub(in crate::contact) fn iterate(
    mut problem: impl Measured,
    limits: Limits,
    stopping: StoppingTest,
    best: &mut BestIterate,
    (r, u): (&mut [f64], &mut [f64]),
    mut sweeper: impl Sweeper,
) -> SolveInfo {
    let Limits { tolerance, max_iterations } = limits;
    let size = problem.free_velocity();
    let mut current = problem.error_of_guess(r, u, tolerance);
    best.begin(r, current);
    let (mut iterations, mut strict, mut part) = (0, tolerance, FIRST_PART);
    let status = loop {
        let status = problem.judge(r, current, tolerance);
        // `NotFound` means that the reactions are so large that rounding dominates. Later sweeps can reduce
        // them.
        let may_continue =
            status == Status::NotFound && !cancellation::is_over(iterations, max_iterations, current);
        if status != Status::Stalled && !may_continue {
            break status;
        }
        // Sweep until the stopping test requests the full error, which costs a product with the matrix.
        let first = iterations;
        let mut still = false;
        let mut swept = SweepResult::default();
        while !cancellation::is_over(iterations, max_iterations, current) && !still {
            let estimates = stopping == StoppingTest::Violation
                && (iterations < ALL_ESTIMATE || iterations.is_multiple_of(4));
            swept = sweeper.sweep(iterations, estimates, r);
            iterations += 1;
            still = swept.change == 0.0 && swept.all;
            let since = iterations - first;
            let measure = match stopping {
                StoppingTest::Violation => {
                    estimates && part * swept.estimate.sqrt() <= tolerance * size
                        || iterations.is_power_of_two()
                        || since >= MOST_UNMEASURED
                }
                StoppingTest::Change => {
                    sweeper.show(r);
                    swept.change <= strict * norm(r)
                }
                StoppingTest::Every { sweeps } => since >= sweeps,
            };
            if measure || swept.change.is_nan() {
                break;
            }
        }
        sweeper.show(r);
        current = problem.error_of(r, u);
        best.offer(r, current);
        if still {
            break if current > tolerance { Status::Stalled } else { problem.judge(r, current, tolerance) };
        }
        let ratio = current * size / swept.estimate.sqrt();
        if swept.estimate > 0.0 && ratio.is_finite() {
            part = ratio.clamp(LEAST_PART, LARGEST_PART);
        }
        if current > tolerance && cancellation::is_over(iterations, max_iterations, current) {
            break Status::MaxIterations;
        }
        // The test passed, but the error is above the tolerance. Make the test stricter, so that the error is
        // likely to be within the tolerance when the test passes again.
        if stopping == StoppingTest::Change && current > tolerance {
            strict = strict.min(swept.change / norm(r) * (tolerance / current).max(0.1));
        }
    };
    if status.is_success() {
        return SolveInfo { status, iterations, error: current };
    }
    problem.finish(best, (r, u), tolerance, Stop { status, iterations })
}
