//! Iterates that run off to infinity, as those of a splitting or descent method do where there is no
//! solution.
//!
//! So far out a point looks like a solution: the terms of M z are so large that adding q to them changes
//! nothing. What they run along is, in the limit, a proof that no point is feasible (for a monotone
//! splitting, Pazy 1971; for descent, the direction in which the objective has no bound), and that can be
//! tested.

use super::farkas::proves_no_feasible_point;
use super::{LcpProblem, error_of_point};
use crate::info::{SolveInfo, Status};

/// The guess, to be returned to, and memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Divergence {
    guess: Vec<f64>,
    terms: Vec<f64>,
    direction: Vec<f64>,
}

/// Terms of M z beyond this times the largest entry of q are far out.
const FAR_OUT: f64 = 1e7;
/// Beyond this nothing of q is left in M z + q, and no point is a solution for certain.
const BEYOND_ROUNDING: f64 = 1e13;

impl Divergence {
    /// Remembers the guess.
    pub(super) fn begin(&mut self, z: &[f64]) {
        self.guess.clear();
        self.guess.extend_from_slice(z);
    }

    /// Judges the end point. From where nothing is left of q, or where it is not finite, it returns to the
    /// guess; and with `NoSolution` when the way there is a proof. A point at ordinary distance is left
    /// alone.
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
            if of_q == 0.0 || largest(&self.terms) <= FAR_OUT * of_q {
                return info;
            }
            self.direction.clear();
            self.direction.extend_from_slice(z);
            proven = proves_no_feasible_point(problem.m(), problem.q(), &mut self.direction);
        }
        let is_lost = !is_finite || largest(&self.terms) > BEYOND_ROUNDING * largest(problem.q());
        let status = match info.status {
            _ if proven => Status::NoSolution,
            _ if !is_finite => Status::Breakdown,
            success if is_lost && success.is_success() => Status::NotFound,
            other => other,
        };
        let mut error = info.error;
        if proven || is_lost {
            z.copy_from_slice(&self.guess);
            error = error_of_point(problem, z, w);
        }
        SolveInfo { status, error, ..info }
    }
}
