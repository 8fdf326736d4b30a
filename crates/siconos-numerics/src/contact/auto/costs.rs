//! What the methods cost on one problem, and so how far sweeps may go before what follows them is cheaper.

use super::plan::{FEW_STEPS, NEWTON_STEPS, PATH_STEPS};
use super::step_costs::{StepCosts, are_of_w};
use crate::contact::problem::Form;
use crate::contact::{ContactFunction, ContactLaw, ContactProblem, cost};
use crate::rounding;

/// Costs in operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs {
    /// One sweep.
    pub(super) sweep: f64,
    /// A step that factorises W; infinite if W is not at hand.
    pub(super) step: f64,
    /// Steps in the velocities of the bodies, if these are known and worth it.
    pub(super) in_velocities: Option<StepCosts>,
    /// A method that factorises takes problems with this law; the others are left to sweeps.
    pub(super) has_successor: bool,
}

/// Time of an operation of a factorisation of W, in blocks of columns, relative to one of a sweep. With 1,
/// towers of boxes are swept up to nine times as long before Newton's method solves them in one step.
const SPEED_OF_BLOCKS: f64 = 0.35;

/// Returns `true` if a method that factorises takes problems with this law. None takes infinite rolling
/// friction.
fn has_successor(law: &ContactLaw<'_>) -> bool {
    ContactFunction::NaturalMap.supports(law)
}

impl Costs {
    pub(super) fn of(problem: &ContactProblem<'_>) -> Self {
        let has_successor = has_successor(&problem.law());
        let bodies = problem.bodies().filter(|_| Self::takes_bodies(&problem.law()));
        let (step, bodies) = match problem.form() {
            // Of bodies with as many equations as there are unknowns W is worth more.
            Form::Delassus(problem) => (
                SPEED_OF_BLOCKS * cost::of_step(&problem),
                bodies.filter(|bodies| bodies.degrees_of_freedom() < problem.size()),
            ),
            Form::Bodies(_) => (f64::INFINITY, bodies),
        };
        let in_velocities = bodies.map(|bodies| StepCosts::of(&bodies));
        Self { sweep: cost::of_sweep(problem), step, in_velocities, has_successor }
    }

    /// Returns `true` if the methods in the velocities take problems with this law.
    pub(super) fn takes_bodies(law: &ContactLaw<'_>) -> bool {
        has_successor(law) && !law.has_infinite_friction()
    }

    /// Drops the bodies if W was not made of them: the error is that of W, and their solution would not have
    /// it within the tolerance.
    pub(super) fn check_bodies(&mut self, problem: &ContactProblem<'_>, tolerance: f64) {
        let part = tolerance.max(rounding::ERROR);
        if let (Some(with_w), Some(bodies), Some(_)) =
            (problem.delassus(), problem.bodies(), self.in_velocities)
            && !are_of_w(&bodies, &with_w, part)
        {
            tracing::debug!(part, "the bodies are not those of W");
            self.in_velocities = None;
        }
    }

    /// Returns `true` if W is at hand.
    pub(super) fn has_w(&self) -> bool {
        self.step.is_finite()
    }

    /// Returns `true` if methods that factorise W are worth trying with this effort: always, if only W is
    /// known, otherwise if half of the effort pays for a few steps.
    pub(super) fn is_w_affordable(&self, effort: f64) -> bool {
        let few = FEW_STEPS as f64 * self.step;
        self.has_w() && (self.in_velocities.is_none() || few <= 0.5 * effort)
    }

    /// Returns `true` if a few Newton steps may follow the first sweeps, because a step with W costs no more
    /// than one in the velocities.
    pub(super) fn is_newton_first(&self) -> bool {
        self.has_successor && self.in_velocities.is_none_or(|steps| self.step <= steps.factorising)
    }

    /// Returns the sweeps that cost as much as the steps of Newton's method.
    pub(super) fn sweeps_of_newton(&self) -> f64 {
        NEWTON_STEPS as f64 * self.step / self.sweep
    }

    /// Returns the sweeps that cost as much as a few steps of the next method.
    pub(super) fn sweeps_of_few_steps(&self) -> f64 {
        let step = self.in_velocities.map_or(self.step, |steps| steps.factorising);
        if self.has_successor { FEW_STEPS as f64 * step / self.sweep } else { f64::INFINITY }
    }

    /// Returns the sweeps that cost as much as interior points in the velocities along most of their path; 0
    /// without bodies.
    pub(super) fn sweeps_of_a_path(&self) -> f64 {
        self.in_velocities.map_or(0.0, |steps| PATH_STEPS as f64 * steps.factorising / self.sweep)
    }
}
