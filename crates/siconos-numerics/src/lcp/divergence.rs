//! Divergence of splitting and descent methods on problems without a solution.
//!
//! A point far from the origin can look like a solution, because the terms of M z are so large that adding q
//! does not change them. In the limit, the direction in which the iterates diverge proves that no point is
//! feasible. Pazy (1971) shows this for monotone splittings. For descent methods, the objective is unbounded
//! below along the direction. This module tests the proof.

use super::farkas::proves_no_feasible_point;
use super::{LcpProblem, error_of_point};
use crate::info::{SolveInfo, Status};

/// Test for divergence, with the initial guess that replaces a diverged point.
#[derive(Clone, Debug, Default)]
pub(super) struct Divergence {
    guess: Vec<f64>,
    terms: Vec<f64>,
    direction: Vec<f64>,
}

/// Multiple of the largest entry of q. If the terms of M z exceed it, the point may have diverged.
const FAR_OUT: f64 = 1e7;
/// Multiple of the largest entry of q. If the terms of M z exceed it, q is lost to rounding in M z + q, and
/// the point does not count as a solution.
const BEYOND_ROUNDING: f64 = 1e13;

impl Divergence {
    /// Stores the initial guess.
    pub(super) fn begin(&mut self, z: &[f64]) {
        self.guess.clear();
        self.guess.extend_from_slice(z);
    }

    /// Checks the end point of a solve. If the point is not finite, or if q is lost to rounding in M z + q,
    /// `z` is reset to the initial guess. If the terms of M z exceed [`FAR_OUT`] times q and the direction of
    /// `z` proves infeasibility, `z` is reset too and the status is `NoSolution`. Any other point is left
    /// unchanged.
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
