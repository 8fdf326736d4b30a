//! Refinement of the solutions of steady problems.
//!
//! A simulation of bodies at rest or in uniform motion poses the same problem in every step, and the initial
//! guess is the previous solution. The error of this solution recurs in every step with the same sign.
//! Therefore even errors below the tolerance add up, and the bodies creep. A steady problem is solved once
//! with an error far below the tolerance; the initial guesses of subsequent steps are then already solutions.

use super::costs::Costs;
use super::methods::velocity_proximal_point;
use super::plan::FEW_STEPS;
use super::{Auto, ContactProblem};
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::error::velocity_of_point;
use crate::contact::{Contact, ProximalPoint, ProximalPointSettings, VelocityProximalPoint};
use crate::info::{SolveInfo, Status};
use crate::rounding;

/// A problem is treated as steady if the error of the initial guess is at most this multiple of the
/// tolerance.
const STEADY: f64 = 16.0;

/// A solution is kept without refinement if its error is at most this fraction of the tolerance. The limit is
/// divided by 1, 2, 4 or 8, depending on the last bits of the error (see [`LAST_BITS`]).
///
/// The rounding errors of the positions change the velocities by about 1e-12 of the change of velocity in a
/// step, and add up. A stack of ten boxes is refined in 4 % of the steps. With 1e-2, it is refined in 18 %.
/// The variation avoids a factorisation in every second step. A solution that is kept without refinement
/// leaves a small velocity, which grows over the next steps until its error exceeds the limit. The refinement
/// in that step removes the velocity. The following step then starts with an error close to this limit, so
/// with a fixed limit its solution would again be kept without refinement.
const EXACT: f64 = 1e-1;

/// Tolerance of the refinement, as a fraction of the tolerance of the solver.
const GOAL: f64 = 1e-5;

/// Bits of the error that determine the divisor of [`EXACT`].
const LAST_BITS: u64 = 0b11;

/// Maximum cost of a step with a factorisation, in operations. If a step costs more, the solution is not
/// refined.
const AFFORDABLE: f64 = 2e7;

/// Reason for the refinement that is recorded in the trace.
const WHY: &str = "the problem is steady, and its errors would add up";

/// Methods that refine a solution, and the best refined solution.
#[derive(Debug)]
pub(super) struct Refinement {
    tolerance: f64,
    best: BestIterate,
    /// Proximal point method with W. It is created when it is first needed, because most problems are not
    /// steady.
    proximal: Option<Box<ProximalPoint>>,
    /// Proximal point method in velocity space. It is also created when it is first needed.
    proximal_in_velocities: Option<Box<VelocityProximalPoint>>,
}

impl Refinement {
    /// Creates the refinement. The tolerance must be valid.
    pub(super) fn of_checked(tolerance: f64) -> Self {
        Self { tolerance, best: BestIterate::default(), proximal: None, proximal_in_velocities: None }
    }

    /// Reserves memory for the reactions of the problem.
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

    /// Returns the proximal point method in velocity space if `in_velocities` is `true`, otherwise with W.
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
    /// Refines the solution in `r` if the problem is steady. If the refinement fails, the original solution
    /// is kept. The returned number of iterations is the sum over all methods.
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
        // A problem with a single contact cannot be refined, because the local solver of the sweeps is
        // already exact.
        if step > AFFORDABLE || problem.law().blocks() == 1 {
            return found;
        }
        self.refinement.best.begin(r, found.error);
        let proximal = self.refinement.proximal(in_velocities.is_some());
        let budget = Budget::of(FEW_STEPS, step);
        proximal.set_budget(&budget);
        if let Ok(info) = proximal.solve(problem, r, u) {
            let effort = proximal.effort(problem, &info, &budget);
            self.cascade.note_effort(proximal.name(), WHY, info, effort);
            self.refinement.best.offer(r, info.error);
        }
        self.refinement.best.put_back(r);
        velocity_of_point(problem, r, u);
        SolveInfo { error: self.refinement.best.error(), iterations: self.cascade.iterations(), ..found }
    }
}
