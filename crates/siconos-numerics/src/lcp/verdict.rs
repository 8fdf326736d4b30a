//! What a point is that a method takes for a solution.

use super::LcpProblem;
use crate::info::{SolveInfo, Status};
use crate::rounding::{is_exact_to_rounding, is_lost_in_rounding};

/// `Converged` at or below the tolerance, `AtRoundingLevel` where rounding keeps the point from it, `Stalled` otherwise; and
/// never a success so far out that nothing of q is left in w. `scale` is memory.
pub(super) fn judge(
    problem: &LcpProblem<'_>,
    tolerance: f64,
    z: &[f64],
    w: &[f64],
    error: f64,
    scale: &mut Vec<f64>,
) -> Status {
    let (m, q) = (problem.m(), problem.q());
    let status = if error <= tolerance {
        Status::Converged
    } else if is_exact_to_rounding(m, q, z, w, |_| false, scale) {
        Status::AtRoundingLevel
    } else {
        return Status::Stalled;
    };
    if is_lost_in_rounding(m, q, z, scale) { Status::Stalled } else { status }
}

/// z = 0, where q = 0: every method says so at once. From a guess most would come to it in the limit only, and there nothing
/// but the point itself says how large a z is.
pub(super) fn solve_without_q(problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> Option<SolveInfo> {
    if problem.q().iter().any(|q| *q != 0.0) {
        return None;
    }
    z.fill(0.0);
    w.fill(0.0);
    Some(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 })
}
