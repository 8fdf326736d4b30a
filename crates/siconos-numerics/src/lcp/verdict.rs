//! What a point is that a method takes for a solution.

use super::LcpProblem;
use crate::info::Status;
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
