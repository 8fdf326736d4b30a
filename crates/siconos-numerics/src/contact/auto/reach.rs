//! How far sweeps may go before what follows them is cheaper.

use super::step_costs::{StepCosts, are_of_w};
use crate::contact::problem::Form;
use crate::contact::{ContactFunction, ContactProblem, cost};

/// What the methods cost on one problem, in operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// One sweep.
    pub(super) sweep: f64,
    /// A step that factorises W.
    pub(super) step: f64,
    /// Steps in the velocities of the bodies, where these are known and worth it.
    pub(super) in_velocities: Option<StepCosts>,
    /// Whether a method that factorises takes problems with this law. None takes infinite rolling friction,
    /// which is left to sweeps.
    pub(super) has_successor: bool,
    /// Whether proximal points come before interior points.
    pub(super) is_small: bool,
}

/// Time of an operation of a factorisation of W, in blocks of columns, beside that of one of a sweep.
const SPEED_OF_BLOCKS: f64 = 0.35;

/// Usual number of steps of the interior-point method, with W and for bodies that friction holds at rest.
const STEPS: f64 = 12.0;

/// Usual number of steps of the proximal point method with W.
const PROXIMAL_STEPS: f64 = 60.0;

/// Largest number of operations of the proximal point method with W if the bodies are known: some seconds.
const SOME_SECONDS: f64 = 3e9;

/// What rounding makes of W, as a part of it.
const ROUNDING_OF_W: f64 = 1e-12;

/// Unknowns up to which the few steps of proximal points that lead on from sweeps cost least.
const SMALL: usize = 100;

impl Reach {
    /// Steps of Newton's method after the first sweeps, if these have found the state of the contacts.
    pub(super) const NEWTON_STEPS: usize = 8;

    /// Steps in the velocities that are enough until bodies that friction holds are at rest, whatever their
    /// number.
    pub(super) const STEPS_AT_REST: usize = 15;

    /// Usual number of iterations of ADMM at a loose tolerance.
    pub(super) const USUAL_ITERATIONS: f64 = 300.0;

    /// Steps in the velocities along most of a central path.
    pub(super) const STEPS_ALONG_THE_PATH: usize = 50;

    /// Factorisations that proximal points may take.
    pub(super) const FACTORISATIONS_OF_PROXIMAL_POINTS: usize = 500;

    pub(super) fn of(problem: &ContactProblem<'_>) -> Self {
        let has_successor = ContactFunction::NaturalMap.supports(&problem.law());
        let takes_bodies = has_successor && !problem.law().has_infinite_friction();
        let bodies = problem.bodies().filter(|_| takes_bodies);
        let (step, bodies) = match problem.form() {
            // Of bodies with as many equations as there are unknowns W is worth more.
            Form::Delassus(problem) => (
                SPEED_OF_BLOCKS * cost::of_step(&problem),
                bodies.filter(|bodies| bodies.degrees_of_freedom() < problem.size()),
            ),
            Form::Bodies(_) => (f64::INFINITY, bodies),
        };
        let in_velocities = bodies.map(|bodies| StepCosts::of(&bodies));
        let sweep = cost::of_sweep(problem);
        let is_small = problem.size() <= SMALL;
        Self { sweep, step, in_velocities, has_successor, is_small }
    }

    /// Leaves the bodies out where they are not those that W was made of: the error is that of W, which what
    /// they solve would not have within the tolerance.
    pub(super) fn check_bodies(&mut self, problem: &ContactProblem<'_>, tolerance: f64) {
        let part = tolerance.max(ROUNDING_OF_W);
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

    /// Whether methods with W are worth trying when those in the velocities have failed.
    pub(super) fn is_w_affordable(&self) -> bool {
        self.has_w() && (self.in_velocities.is_none() || self.of_proximal_points() <= SOME_SECONDS)
    }

    /// Returns `true` if a few Newton steps may follow the first sweeps, because a step with W is no longer
    /// than one in the velocities.
    pub(super) fn is_newton_first(&self) -> bool {
        self.has_successor && self.in_velocities.is_none_or(|steps| self.step <= steps.factorising)
    }

    /// Sweeps that are worth as much as the steps of Newton.
    pub(super) fn of_newton(&self) -> f64 {
        Self::NEWTON_STEPS as f64 * self.step / self.sweep
    }

    /// Sweeps that may be expected at first.
    pub(super) fn of_first_sweeps(&self) -> f64 {
        let next = match self.in_velocities {
            _ if !self.has_successor => f64::INFINITY,
            Some(steps) => STEPS * steps.factorising,
            None => STEPS * self.step,
        };
        next / self.sweep
    }

    /// Operations that proximal points with W are expected to take.
    pub(super) fn of_proximal_points(&self) -> f64 {
        PROXIMAL_STEPS * self.step
    }

    /// Operations that they take where they do not find the end soon.
    pub(super) fn of_long_search(&self) -> f64 {
        Self::FACTORISATIONS_OF_PROXIMAL_POINTS as f64 * self.step
    }
}
