//! What a mixed problem says of a point: the one place where `Converged` is decided.

use super::{MlcpProblem, MlcpRow, error_of_point};
use crate::info::Status;
use crate::rounding::{is_exact_to_rounding, is_lost_in_rounding};

/// Judges points; holds memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    scale: Vec<f64>,
}

impl Verdict {
    /// Computes `w` = M z + q and the error; `Stalled` stands for neither converged nor at rounding level, and for a
    /// point so far out that nothing of q is left in its w.
    pub(super) fn of(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &[f64],
        w: &mut [f64],
        tolerance: f64,
    ) -> (Status, f64) {
        let error = error_of_point(problem, z, w);
        let is_free = |i: usize| problem.rows()[i] == MlcpRow::Equality;
        let status = if error <= tolerance {
            let is_far = is_lost_in_rounding(problem.m(), problem.q(), z, &mut self.scale);
            if is_far { Status::Stalled } else { Status::Converged }
        } else if is_exact_to_rounding(problem.m(), problem.q(), z, w, is_free, &mut self.scale) {
            Status::AtRoundingLevel
        } else {
            Status::Stalled
        };
        (status, error)
    }
}
