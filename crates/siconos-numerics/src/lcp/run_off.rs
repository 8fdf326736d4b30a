//! Iterates that run off to infinity, as those of a splitting or descent method do where there is no solution.
//!
//! So far out a point looks like a solution: the terms of M z are so large that adding q to them changes nothing. What they
//! run along is, in the limit, a proof that no point is feasible (for a monotone splitting, Pazy 1971; for descent, the
//! direction in which the objective has no bound), and that can be tested.

use super::{LcpProblem, error_of_point};
use crate::info::{SolveInfo, Status};
use crate::qp::certificate::proves_no_feasible_point;

/// The guess, to be returned to, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RunOff {
    guess: Vec<f64>,
    terms: Vec<f64>,
    direction: Vec<f64>,
}

/// Terms of M z beyond this times the largest entry of q are far out.
const FAR: f64 = 1e7;
/// Beyond this nothing of q is left in M z + q, and no point is a solution for certain.
const LOST: f64 = 1e13;

impl RunOff {
    /// Remembers the guess.
    pub(super) fn begin(&mut self, z: &[f64]) {
        self.guess.clear();
        self.guess.extend_from_slice(z);
    }

    /// Judges the end point: from far out it returns to the guess, with `NoSolution` when the way there is a proof, and
    /// so it does where the end point is not finite. A point at ordinary distance is left alone.
    pub(super) fn end(
        &mut self,
        problem: &LcpProblem<'_>,
        info: SolveInfo,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let largest = |x: &[f64]| x.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let is_finite = z.iter().chain(&*w).all(|x| x.is_finite());
        let mut proven = false;
        if is_finite {
            self.terms.clear();
            self.terms.resize(z.len(), 0.0);
            problem.m().add_absolute_product(z, &mut self.terms);
            let of_q = largest(problem.q());
            if of_q == 0.0 || largest(&self.terms) <= FAR * of_q {
                return info;
            }
            self.direction.clear();
            self.direction.extend_from_slice(z);
            proven = proves_no_feasible_point(problem.m(), problem.q(), &mut self.direction);
        }
        if is_finite && !proven {
            let is_lost = largest(&self.terms) > LOST * largest(problem.q());
            let status = if is_lost && info.status.is_success() { Status::NotFound } else { info.status };
            return SolveInfo { status, ..info };
        }
        let status = if proven { Status::NoSolution } else { Status::Breakdown };
        z.copy_from_slice(&self.guess);
        SolveInfo { status, error: error_of_point(problem, z, w), ..info }
    }
}
