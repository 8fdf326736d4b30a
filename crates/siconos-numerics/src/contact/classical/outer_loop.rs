//! Outer loop of the fixed-point methods. Each iteration solves a problem that is easier than the contact
//! problem.

use crate::cancellation;
use crate::contact::DelassusProblem;
use crate::contact::best_iterate::BestIterate;
use crate::contact::residual::{error_of_point, judge};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status, Stop};
use crate::method::Limits;

/// Result of an outer iteration, which determines how the loop continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    /// Compute the error of the new reactions and continue.
    Continue,
    /// Compute the error of the new reactions. Continue if the error differs from the previous error;
    /// otherwise end with `Stalled`.
    ContinueIfChanged,
    /// End with this status, because the reactions have not changed or no further improvement is expected.
    End(Status),
}

/// Iterates from the reactions in `r` until their error is within the tolerance. `step` replaces the
/// reactions; its arguments are the current error, the reactions and the velocities. `best` is workspace.
pub(super) fn iterate(
    problem: &DelassusProblem<'_>,
    limits: Limits,
    best: &mut BestIterate,
    (r, u): (&mut [f64], &mut [f64]),
    mut step: impl FnMut(f64, &mut [f64], &mut [f64]) -> Result<Continuation, SolverError>,
) -> Result<SolveInfo, SolverError> {
    let Limits { tolerance, max_iterations } = limits;
    let mut error = error_of_point(problem, r, u);
    best.begin(r, error);
    let mut iterations = 0;
    let status = loop {
        let status = judge(problem, r, error, tolerance);
        if status != Status::Stalled {
            break status;
        }
        if cancellation::is_over(iterations, max_iterations, error) {
            break Status::MaxIterations;
        }
        iterations += 1;
        let said = cancellation::nested(|| step(error, r, u))?;
        if let Continuation::End(status) = said {
            break status;
        }
        let before = error;
        error = error_of_point(problem, r, u);
        best.offer(r, error);
        if said == Continuation::ContinueIfChanged && error == before {
            break Status::Stalled;
        }
    };
    Ok(best.finish(problem, (r, u), tolerance, Stop { status, iterations }))
}
