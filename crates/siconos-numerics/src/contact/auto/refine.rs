//! More exact solutions of steady problems.
//!
//! A simulation of bodies at rest, or in uniform motion, poses the same problem in every step, with the last
//! solution as the guess. The error of that solution returns in every step with the same sign, so that even
//! errors below the tolerance add up: bodies creep. A steady problem is therefore solved once to far below
//! the tolerance, and the guesses of the later steps are solutions.

use super::costs::Costs;
use super::methods::velocity_proximal_point;
use super::plan::FEW_STEPS;
use super::{Auto, ContactProblem};
use crate::chain::{Allowance, Link};
use crate::contact::best_iterate::BestIterate;
use crate::contact::error::velocity_of_point;
use crate::contact::{Contact, ProximalPoint, ProximalPointSettings, VelocityProximalPoint};
use crate::info::{SolveInfo, Status};
use crate::method::Solver;
use crate::rounding;

/// Error of the guess of a steady problem, in tolerances.
const STEADY: f64 = 16.0;

/// Errors in tolerances: a solution with the first one is kept as it is, or one with up to 2^3 times less, as
/// the last bits of the error say; the second is the goal.
///
/// A guess that is kept leaves a velocity, which grows over the next steps until it exceeds the bound. The
/// step that removes it leaves a guess that is off by as much: with a fixed bound this one would be kept, and
/// every second step would have to factorise.
const EXACT: f64 = 1e-2;
const GOAL: f64 = 1e-5;
const LAST_BITS: u64 = 0b11;

/// Most operations of a step that factorises, for a refinement to be worth its time.
const AFFORDABLE: f64 = 2e7;

/// Reason in the trace.
const WHY: &str = "the problem is steady, and its errors would add up";

/// The methods that refine, and the best of their points.
#[derive(Debug)]
pub(super) struct Refinement {
    tolerance: f64,
    best: BestIterate,
    /// Made at first use: most problems are not steady.
    proximal: Option<Box<ProximalPoint>>,
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
}

impl Refinement {
    /// With a tolerance in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self { tolerance, best: BestIterate::default(), proximal: None, proximal_in_velocities: None }
    }

    /// Makes room for a point of a problem.
    pub(super) fn reserve(&mut self, problem: &ContactProblem<'_>) {
        self.best.reserve(problem.size());
    }

    /// Returns `true` if a solution with this error is kept.
    fn keeps(&self, error: f64) -> bool {
        error * ((error.to_bits() & LAST_BITS) as f64).exp2() <= (EXACT * self.tolerance).max(rounding::ERROR)
    }

    fn goal(&self) -> f64 {
        (GOAL * self.tolerance).max(rounding::ERROR)
    }

    /// The proximal point method, in the velocities of the bodies or with W.
    fn proximal(&mut self, in_velocities: bool) -> &mut dyn Link<Class = Contact> {
        let tolerance = self.goal();
        if in_velocities {
            let new = || Box::new(velocity_proximal_point(tolerance));
            return self.proximal_in_velocities.get_or_insert_with(new).as_mut();
        }
        let new = || {
            let settings = ProximalPointSettings { tolerance, ..ProximalPointSettings::default() };
            Box::new(
                ProximalPoint::new(settings).expect("the tolerance has been checked, the rest is by default"),
            )
        };
        self.proximal.get_or_insert_with(new).as_mut()
    }
}

impl Auto {
    /// Refines a solution if the problem is steady. The best point is a solution in any case, and the
    /// iterations are those of all methods together.
    pub(super) fn refine(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        found: SolveInfo,
        r: &mut [f64],
        u: &mut [f64],
    ) -> SolveInfo {
        let is_steady = self.sweeps.error_of_guess() <= STEADY * self.settings.tolerance;
        if found.status != Status::Converged || !is_steady || self.refinement.keeps(found.error) {
            return found;
        }
        let in_velocities =
            costs.in_velocities.map(|steps| steps.factorising).filter(|&step| step < costs.step);
        let step = in_velocities.unwrap_or(costs.step);
        if step > AFFORDABLE {
            return found;
        }
        self.refinement.best.begin(r, found.error);
        let mut error = found.error;
        if let Ok(info) = self.sweeps.refine(problem, self.refinement.goal(), r, u) {
            self.chain.note_effort(self.sweeps.name(), WHY, info, costs.sweep * info.iterations as f64);
            self.refinement.best.offer(r, info.error);
            error = error.min(info.error);
        }
        // One contact alone is as exact as its local solver.
        if !self.refinement.keeps(error) && problem.law().blocks() > 1 {
            let proximal = self.refinement.proximal(in_velocities.is_some());
            let allowance = Allowance::of(FEW_STEPS, step);
            proximal.lend(&allowance);
            if let Ok(info) = proximal.solve(problem, r, u) {
                let effort = proximal.effort(problem, &info, &allowance);
                self.chain.note_effort(proximal.name(), WHY, info, effort);
                self.refinement.best.offer(r, info.error);
            }
        }
        self.refinement.best.put_back(r);
        velocity_of_point(problem, r, u);
        SolveInfo { error: self.refinement.best.error(), iterations: self.chain.iterations(), ..found }
    }
}
