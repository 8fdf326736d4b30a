//! Operation counts of the methods for one problem. They limit the number of sweeps before the next method is
//! tried.

use super::plan::{FEW_STEPS, NEWTON_STEPS, PATH_STEPS};
use super::step_costs::{StepCosts, are_of_w};
use crate::contact::problem::Form;
use crate::contact::{ContactFunction, ContactLaw, ContactProblem, cost};
use crate::rounding;

/// Operation counts of the methods.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// Operation count of one sweep.
    pub(super) sweep: f64,
    /// Operation count of a step that factorises a matrix of the size of W; infinite if W is not given.
    pub(super) step: f64,
    /// Operation counts of steps in velocity space, if the bodies are given and methods that use them are
    /// cheaper.
    pub(super) in_velocities: Option<StepCosts>,
    /// `true` if at least one method other than the sweeps supports the law. Otherwise only sweeps are used.
    pub(super) has_successor: bool,
}

/// Time per operation in a factorisation of W, divided by the time per operation in a sweep. The ratio is
/// below 1 because the factorisation works on blocks of columns. With a ratio of 1, sweeps on towers of boxes
/// run up to nine times as long before Newton's method solves the problem in one step.
const SPEED_OF_BLOCKS: f64 = 0.35;

/// Returns `true` if at least one method other than the sweeps supports the law. None of these methods
/// supports rolling friction with an infinite coefficient.
fn has_successor(law: &ContactLaw<'_>) -> bool {
    ContactFunction::NaturalMap.supports(law)
}

impl Costs {
    pub(super) fn of(problem: &ContactProblem<'_>) -> Self {
        let has_successor = has_successor(&problem.law());
        let bodies = problem.bodies().filter(|_| Self::takes_bodies(&problem.law()));
        let (step, bodies) = match problem.form() {
            // If there are at least as many degrees of freedom as unknowns, methods with W are cheaper than
            // methods with the bodies.
            Form::Delassus(problem) => (
                SPEED_OF_BLOCKS * cost::of_step(&problem),
                bodies.filter(|bodies| bodies.degrees_of_freedom() < problem.size()),
            ),
            Form::Bodies(_) => (f64::INFINITY, bodies),
        };
        let in_velocities = bodies.map(|bodies| StepCosts::of(&bodies));
        Self { sweep: cost::of_sweep(problem), step, in_velocities, has_successor }
    }

    /// Returns `true` if the methods in velocity space support this law.
    pub(super) fn takes_bodies(law: &ContactLaw<'_>) -> bool {
        has_successor(law) && !law.has_infinite_friction()
    }

    /// Discards the bodies if W was not computed from them. The error is computed with W, so it would exceed
    /// the tolerance for a solution of the problem with the bodies.
    pub(super) fn check_bodies(&mut self, problem: &ContactProblem<'_>, tolerance: f64) {
        let part = tolerance.max(rounding::ERROR);
        if let (Some(with_w), Some(bodies), Some(_)) =
            (problem.delassus(), problem.bodies(), self.in_velocities)
            && !are_of_w(&bodies, &with_w, part)
        {
            tracing::debug!(part, "the bodies do not match W");
            self.in_velocities = None;
        }
    }

    /// Returns `true` if W is given.
    pub(super) fn has_w(&self) -> bool {
        self.step.is_finite()
    }

    /// Returns `true` if W is given and methods that factorise W are worth trying. If the bodies are used,
    /// such methods are worth trying only if `FEW_STEPS` of their steps cost at most half of `effort`.
    pub(super) fn is_w_affordable(&self, effort: f64) -> bool {
        let few = FEW_STEPS as f64 * self.step;
        self.has_w() && (self.in_velocities.is_none() || few <= 0.5 * effort)
    }

    /// Returns `true` if the Newton stage can follow the first sweeps. The condition is that a step with W
    /// costs no more than a step in velocity space.
    pub(super) fn is_newton_first(&self) -> bool {
        self.has_successor && self.in_velocities.is_none_or(|steps| self.step <= steps.factorising)
    }

    /// Returns the number of sweeps that cost as much as `NEWTON_STEPS` Newton steps.
    pub(super) fn sweeps_of_newton(&self) -> f64 {
        NEWTON_STEPS as f64 * self.step / self.sweep
    }

    /// Returns the number of sweeps that cost as much as `FEW_STEPS` steps of the next method, or infinity if
    /// no method follows.
    pub(super) fn sweeps_of_few_steps(&self) -> f64 {
        let step = self.in_velocities.map_or(self.step, |steps| steps.factorising);
        if self.has_successor { FEW_STEPS as f64 * step / self.sweep } else { f64::INFINITY }
    }

    /// Returns the number of sweeps that cost as much as `PATH_STEPS` interior-point steps in velocity space,
    /// or 0 if the bodies are not used.
    pub(super) fn sweeps_of_a_path(&self) -> f64 {
        self.in_velocities.map_or(0.0, |steps| PATH_STEPS as f64 * steps.factorising / self.sweep)
    }
}
