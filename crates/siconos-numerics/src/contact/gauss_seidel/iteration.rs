//! The loop around the sweeps: when the full error is computed, and when it is over.

use siconos_linalg::norm;

use super::settings::StoppingTest;
use crate::contact::DelassusProblem;
use crate::contact::best_iterate::BestIterate;
use crate::contact::residual::{error, error_of_point, judge, scale};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::Limits;
use crate::watch;

/// What a sweep leaves behind.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::contact) struct Swept {
    /// The norm of the change of the reactions.
    pub(in crate::contact) change: f64,
    /// The square of the violation as the sweep found it, contact by contact; 0 when it made no estimate.
    pub(in crate::contact) estimate: f64,
    /// Whether all contacts were visited.
    pub(in crate::contact) all: bool,
}

/// What a sweep leaves of the error, as a part of the estimate: before the first measure, and the bounds of
/// what is learnt from measures.
const FIRST_PART: f64 = 0.5;
const LEAST_PART: f64 = 0.1;
const LARGEST_PART: f64 = 2.0;

/// The full error is computed when the estimate says so, and after this many sweeps without it.
const MOST_UNMEASURED: usize = 64;

/// From this sweep on only every fourth one makes an estimate: it is then no longer a matter of one or two.
const ALL_ESTIMATE: usize = 16;

/// A problem as the loop sees it: by the error of its points.
pub(in crate::contact) trait Measured {
    /// What violations are divided by.
    fn free_velocity(&self) -> f64;

    /// The error of a point; writes its velocities.
    fn error_of(&mut self, r: &[f64], u: &mut [f64]) -> f64;

    /// The error of the guess, which may be told with less where it is far from the tolerance.
    fn error_of_guess(&mut self, r: &[f64], u: &mut [f64], _tolerance: f64) -> f64 {
        self.error_of(r, u)
    }

    /// The status of a point that is taken for a solution; any other but success means that it is none.
    fn judge(&mut self, r: &[f64], error: f64, tolerance: f64) -> Status;

    /// Ends a solve without success at the best point.
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

    /// Without reactions the velocity is q, unless that would be the last word.
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

/// One sweep after the other.
pub(in crate::contact) trait Sweeper {
    /// The sweep of that number over the reactions in `r`; `estimates` asks for an estimate of the error.
    fn sweep(&mut self, number: usize, estimates: bool, r: &mut [f64]) -> Swept;

    /// Brings `r` up to date, before anything but a sweep reads it: for sweeps that keep the reactions in an
    /// order of their own.
    fn show(&self, _r: &mut [f64]) {}
}

impl<Sweep: FnMut(usize, bool, &mut [f64]) -> Swept> Sweeper for Sweep {
    fn sweep(&mut self, number: usize, estimates: bool, r: &mut [f64]) -> Swept {
        self(number, estimates, r)
    }
}

/// Sweeps, from the reactions in `r`, until the full error is within the tolerance; `best` is memory.
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
        // Reactions that outgrow q may still come back.
        let may_go_on = status == Status::NotFound && !watch::is_over(iterations, max_iterations, current);
        if status != Status::Stalled && !may_go_on {
            break status;
        }
        // Sweeps until it is worth a product.
        let first = iterations;
        let mut still = false;
        let mut swept = Swept::default();
        while !watch::is_over(iterations, max_iterations, current) && !still {
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
        if current > tolerance && watch::is_over(iterations, max_iterations, current) {
            break Status::MaxIterations;
        }
        // The next time that the change is this small the error should be within the tolerance.
        if stopping == StoppingTest::Change && current > tolerance {
            strict = strict.min(swept.change / norm(r) * (tolerance / current).max(0.1));
        }
    };
    if status.is_success() {
        return SolveInfo { status, iterations, error: current };
    }
    problem.finish(best, (r, u), tolerance, Stop { status, iterations })
}
