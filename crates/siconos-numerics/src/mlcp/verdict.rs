//! What a mixed problem says of a point: the one place where `Converged` is decided.

use super::{MlcpProblem, MlcpRow, error_of_point};
use crate::info::Status;
use crate::linalg::largest_magnitude;
use crate::rounding::{is_exact_to_rounding, is_lost_in_rounding};

/// A complementarity row that is off by more than this part of q is no solution, whatever the error says.
const HIDDEN: f64 = 1e-3;

/// The last digits of an unknown.
const DIGITS: f64 = 64.0 * f64::EPSILON;

/// Judges points; holds memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    scale: Vec<f64>,
}

impl Verdict {
    /// Computes `w` = M z + q and the error; `Stalled` stands for neither converged nor at rounding level, and for a
    /// point whose error is small only because its w is huge.
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
            let (m, q) = (problem.m(), problem.q());
            let is_far = hides_a_violation(problem, z, w) || is_lost_in_rounding(m, q, z, &mut self.scale);
            if is_far { Status::Stalled } else { Status::Converged }
        } else if is_exact_to_rounding(problem.m(), problem.q(), z, w, is_free, &mut self.scale) {
            Status::AtRoundingLevel
        } else {
            Status::Stalled
        };
        (status, error)
    }
}

/// Whether a complementarity row is off by more than a thousandth of 1 + |q|; in an unknown, by more than the last digits of
/// the largest one too.
///
/// The error divides by the norm of w. Iterates that run off along a ray on which w grows make it as small as one likes, with
/// z_i = -1 or w_i = -1 unchanged in another row: that is how they end where there is no solution.
pub(super) fn hides_a_violation(problem: &MlcpProblem<'_>, z: &[f64], w: &[f64]) -> bool {
    let rows = problem.rows().iter().zip(z).zip(w);
    let pairs = rows.filter(|((row, _), _)| **row == MlcpRow::Complementarity).map(|((_, z), w)| (*z, *w));
    let of_w = HIDDEN * (1.0 + largest_magnitude(problem.q()));
    let of_z = pairs.clone().fold(of_w, |a, (z, _)| a.max(DIGITS * z));
    pairs.into_iter().any(|(z, w)| if w <= z { w.abs() > of_w } else { z.abs() > of_z })
}
