//! Refinement of the solutions of steady problems.
//!
//! A simulation of bodies at rest or in uniform motion poses the same problem in every step, with the
//! previous solution as the initial guess. The error of this solution recurs in every step with the same
//! sign. Therefore even errors below the tolerance add up, and the bodies creep. A steady problem is solved
//! once with an error far below the tolerance; the initial guesses of the later steps are then already
//! solutions.

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

/// Maximum error of the initial guess for which a problem counts as steady, as a multiple of the tolerance.
const STEADY: f64 = 16.0;

/// Maximum error, as a multiple of the tolerance, of a solution that is kept without refinement. The limit is
/// divided by up to 2^3, depending on the last bits of the error (see [`LAST_BITS`]).
///
/// A solution that is kept without refinement leaves a small velocity, which grows over the next steps until
/// its error exceeds the limit. The refinement in that step removes the velocity. The following step then
/// starts from an initial guess with an error close to this limit. With a fixed limit, that step would keep
/// its solution without refinement, and every second step would have to factorise.
const EXACT: f64 = 1e-2;

/// Tolerance of the refinement, as a multiple of the tolerance of the solver.
const GOAL: f64 = 1e-5;

/// Bits of the error that determine the divisor of [`EXACT`].
const LAST_BITS: u64 = 0b11;

/// Maximum cost, in operations, of a step that factorises for which a refinement is worth its time.
const AFFORDABLE: f64 = 2e7;

/// Reason for the refinement that is recorded in the trace.
const WHY: &str = "the problem is steady, and its errors would add up";

/// Methods that refine a solution, and the best of their points.
#[derive(Debug)]
pub(super) struct Refinement {
    tolerance: f64,
    best: BestIterate,
    /// Proximal point method with W. Like the method in velocity space, it is created at its first use,
    /// because most problems are not steady.
    proximal: Option<Box<ProximalPoint>>,
    /// Proximal point method in velocity space.
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
}

impl Refinement {
    /// Creates the refinement. The tolerance must be in its range.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self { tolerance, best: BestIterate::default(), proximal: None, proximal_in_velocities: None }
    }

    /// Reserves memory for a point of the problem.
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

    /// Returns the proximal point method: in velocity space if `in_velocities` is `true`, otherwise with W.
    fn proximal(&mut self, in_velocities: bool) -> &mut dyn Stage<Class = Contact> {
        let tolerance = self.goal();
        if in_velocities {
            let new = || Box::new(velocity_proximal_point(tolerance));
            return self.proximal_in_velocities.get_or_insert_with(new).as_mut();
        }
        let new = || {
            let settings = ProximalPointSettings { tolerance, ..ProximalPointSettings::default() };
            Box::new(
                ProximalPoint::new(settings)
                    .expect("the tolerance has been checked, and the other settings are defaults"),
            )
        };
        self.proximal.get_or_insert_with(new).as_mut()
    }
}

impl Auto {
    /// Refines the solution in `r` if the problem is steady. The returned point is a solution even if the
    /// refinement fails. The returned number of iterations includes all methods.
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
        // The local solver of the sweeps has already solved a single contact as exactly as it can.
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
