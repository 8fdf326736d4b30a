//! Refinement of the solutions of steady problems.
//!
//! A simulation of bodies at rest or in uniform motion poses the same problem in every step, with the last
//! solution as the initial guess. The error of this solution returns in every step with the same sign, so
//! that even errors below the tolerance add up, and bodies creep. A steady problem is therefore solved once
//! with an error far below the tolerance; the initial guesses of the later steps are then solutions.

use super::costs::Costs;
use super::methods::velocity_proximal_point;
use super::plan::FEW_STEPS;
use super::{Auto, ContactProblem};
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::error::velocity_of_point;
use crate::contact::{Contact, ProximalPoint, ProximalPointSettings, VelocityProximalPoint};
use crate::info::{SolveInfo, Status};
use crate::method::Solver;
use crate::rounding;

/// Largest error of the initial guess of a steady problem, in multiples of the tolerance.
const STEADY: f64 = 16.0;

/// Errors in multiples of the tolerance: the largest error at which a solution is kept as it is, and the goal
/// of the refinement. The largest error is divided by up to 2^3, depending on the last bits of the error of
/// the solution.
///
/// A guess that is kept leaves a velocity, which grows over the next steps until it exceeds the limit. The
/// step that removes it leaves a guess with an error of this size. With a fixed limit this guess would be
/// kept, and every second step would have to factorise.
const EXACT: f64 = 1e-2;
const GOAL: f64 = 1e-5;
const LAST_BITS: u64 = 0b11;

/// Largest cost of a step that factorises, in operations, at which a refinement is worth its time.
const AFFORDABLE: f64 = 2e7;

/// Reason that is recorded in the trace.
const WHY: &str = "the problem is steady, and its errors would add up";

/// The methods that refine, and the best of their points.
#[derive(Debug)]
pub(super) struct Refinement {
    tolerance: f64,
    best: BestIterate,
    /// Created at first use, because most problems are not steady.
    proximal: Option<Box<ProximalPoint>>,
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
}

impl Refinement {
    /// Creates the refinement; the tolerance must be in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self { tolerance, best: BestIterate::default(), proximal: None, proximal_in_velocities: None }
    }

    /// Reserves memory for a point of a problem.
    pub(super) fn reserve(&mut self, problem: &ContactProblem<'_>) {
        self.best.reserve(problem.size());
    }

    /// Returns `true` if a solution with this error is kept without refinement.
    fn keeps(&self, error: f64) -> bool {
        error * ((error.to_bits() & LAST_BITS) as f64).exp2() <= (EXACT * self.tolerance).max(rounding::ERROR)
    }

    fn goal(&self) -> f64 {
        (GOAL * self.tolerance).max(rounding::ERROR)
    }

    /// Returns the proximal point method, in velocity space or with W.
    fn proximal(&mut self, in_velocities: bool) -> &mut dyn Stage<Class = Contact> {
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
    /// Refines a solution if the problem is steady. The returned point is a solution in any case, and the
    /// iterations of all methods are counted.
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
            self.cascade.note_effort(self.sweeps.name(), WHY, info, costs.sweep * info.iterations as f64);
            self.refinement.best.offer(r, info.error);
            error = error.min(info.error);
        }
        // A single contact is already as exact as its local solver allows.
        if !self.refinement.keeps(error) && problem.law().blocks() > 1 {
            let proximal = self.refinement.proximal(in_velocities.is_some());
            let budget = Budget::of(FEW_STEPS, step);
            proximal.set_budget(&budget);
            if let Ok(info) = proximal.solve(problem, r, u) {
                let effort = proximal.effort(problem, &info, &budget);
                self.cascade.note_effort(proximal.name(), WHY, info, effort);
                self.refinement.best.offer(r, info.error);
            }
        }
        self.refinement.best.put_back(r);
        velocity_of_point(problem, r, u);
        SolveInfo { error: self.refinement.best.error(), iterations: self.cascade.iterations(), ..found }
    }
}
