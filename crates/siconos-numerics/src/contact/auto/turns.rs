//! What is tried in turn, and what decides on it.

use super::methods::Methods;
use super::reach::Reach;
use super::sliding::{most_hold, most_slide};
use super::step_costs::StepCosts;
use super::sweeps::FIRST_STAGES;
use super::{Auto, ContactProblem, DelassusProblem};
use crate::chain::{Chain, Plan, Start};
use crate::contact::{InteriorPointSettings, error_of_point, residual};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::Solver;

/// Where the error need not be smaller than this, alternating directions get there before interior points.
const LOOSE: f64 = 1e-4;

/// A method, or a group of them, that has its turn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    /// Sweeps, where they promise an end within the operations that what comes next usually takes, or one is
    /// in sight within their share, to which those that it may take count.
    Sweeps { usual: f64, most: f64 },
    /// Methods for infinite friction.
    InfiniteFriction,
    /// Interior points with W.
    Interior,
    /// Proximal points with W, and why.
    Proximal(&'static str),
    /// Everything else that factorises W.
    LastResorts,
}

impl Auto {
    /// The first sweeps, from the guess.
    pub(super) fn begin(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let allowance = self.chain.allow(reach.sweep, self.settings.max_iterations);
        let most = allowance.as_ref().map_or(1, |allowed| allowed.iterations);
        let expected = reach.of_first_sweeps();
        // With bodies, the sweeps cost no more than what comes next.
        let most = if reach.in_velocities.is_some() { most.min(expected.ceil() as usize) } else { most };
        self.sweeps.begin(expected);
        let info = match self.first_sweeps(problem, reach, most, r, u) {
            Ok(info) => info,
            // A cone whose diagonal entry is not positive is nothing for sweeps; a contact without compliance
            // is an error.
            Err(SolverError::Singular { .. }) if !problem.law().has_shift() => {
                SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
            }
            Err(error) => return Err(error),
        };
        if let Some(allowance) = &allowance {
            self.chain.note_limit(&info, allowance);
        }
        let effort = reach.sweep * info.iterations as f64;
        self.chain.note_effort(self.sweeps.name(), "cheap, and starts from the guess", info, effort);
        Ok(info)
    }

    /// The first sweeps, which end where Newton is due.
    fn first_sweeps(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        most: usize,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.is_newton_due = false;
        if !reach.is_newton_first() || most <= FIRST_STAGES {
            return self.sweeps.run(problem, most, r, u);
        }
        let first = self.sweeps.run(problem, FIRST_STAGES, r, u)?;
        let is_undecided = first.status == Status::MaxIterations;
        let is_long = !self.sweeps.would_end_within(reach.of_newton());
        self.is_newton_due = is_undecided && is_long && most_hold(&problem.law(), r);
        if self.is_newton_due || !is_undecided || !self.sweeps.may_go_on() {
            return Ok(first);
        }
        let rest = self.sweeps.run(problem, most - FIRST_STAGES, r, u)?;
        Ok(SolveInfo { iterations: first.iterations + rest.iterations, ..rest })
    }

    /// Nothing, where sweeps are not worth it.
    pub(super) fn begin_without_sweeps(&mut self) -> Result<SolveInfo, SolverError> {
        self.sweeps.begin(0.0);
        self.is_newton_due = false;
        Ok(SolveInfo { status: Status::Stalled, iterations: 0, error: f64::NAN })
    }

    /// More sweeps, where they have promised an end for less than this many operations.
    pub(super) fn sweep_as_promised(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        operations: f64,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let within = operations / reach.sweep;
        if !self.sweeps.would_end_within(within) {
            return None;
        }
        self.sweeps.follow(self.chain.least_error());
        self.sweeps.go_on(within, 0.0);
        self.attempt_sweeps("the sweeps promise an end after all", problem, reach, r, u)
    }

    /// More sweeps, as promised within the operations that the next method usually takes, or as many as
    /// others have spent and it may spend, where that is enough for an end to be in sight.
    fn sweep_again(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        (usual, most): (f64, f64),
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let share = self.sweeps.left_of_share((self.chain.spent() + most) / reach.sweep);
        if share == 0.0 {
            return self.sweep_as_promised(problem, reach, usual, r, u);
        }
        self.sweeps.go_on(usual / reach.sweep, share);
        self.attempt_sweeps("an end is in sight, and others take as long", problem, reach, r, u)
    }

    fn attempt_sweeps(
        &mut self,
        why: &'static str,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let most = self.settings.max_iterations;
        let plan = Plan { why, start: Start::Best, cost: reach.sweep, most };
        self.chain.attempt(plan, &mut self.sweeps, problem, r, u)
    }

    /// The methods in the velocities of the bodies. Bodies that friction holds at rest take few steps of
    /// interior points; where the sweeps have promised an end within the many that sliding ones take, they
    /// get the turn after the few. At a loose tolerance alternating directions come before the many, and
    /// before the few where most contacts slide.
    pub(super) fn in_velocities(
        &mut self,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        steps: StepCosts,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Option<SolveInfo> {
        let along_the_path = Reach::STEPS_ALONG_THE_PATH as f64 * steps.factorising;
        let is_loose = self.settings.tolerance >= LOOSE;
        let few_may_do = if is_loose {
            !most_slide(&problem.law(), r)
        } else {
            self.sweeps.would_end_within(along_the_path / reach.sweep)
        };
        let mut found = None;
        if few_may_do {
            let why = "they may be enough where friction holds the bodies";
            let (start, most) = (Start::Best, Reach::STEPS_AT_REST);
            let few = Plan { why, start, cost: steps.factorising, most };
            found = self.methods.interior_in_velocities(&mut self.chain, few, problem, r, u);
        }
        if is_loose {
            let few = steps.factorising + Reach::USUAL_ITERATIONS * steps.alternating;
            let why = "iterations that do not grow with the size, and the bodies are known";
            found = found
                .or_else(|| self.sweep_as_promised(problem, reach, few, r, u))
                .or_else(|| self.methods.admm_in_velocities(&mut self.chain, steps, why, problem, r, u));
        }
        found = found.or_else(|| self.sweep_as_promised(problem, reach, along_the_path, r, u));
        if is_loose {
            found =
                found.or_else(|| self.sweep_again(problem, reach, (along_the_path, along_the_path), r, u));
        }
        let why = "the sweeps would take too long, and the bodies are known";
        let most = InteriorPointSettings::default().max_iterations;
        let many = Plan { why, start: Start::Best, cost: steps.factorising, most };
        found = found.or_else(|| self.methods.interior_in_velocities(&mut self.chain, many, problem, r, u));
        if found.is_some() || reach.is_w_affordable() {
            return found;
        }
        if !reach.has_w() {
            let step = steps.factorising;
            found = self.methods.newton_in_velocities(&mut self.chain, step, problem, r, u);
            let why = "a better start";
            found =
                found.or_else(|| self.methods.admm_in_velocities(&mut self.chain, steps, why, problem, r, u));
        }
        let of_proximal_points = Reach::FACTORISATIONS_OF_PROXIMAL_POINTS as f64 * steps.factorising;
        found = found
            .or_else(|| self.sweep_again(problem, reach, (of_proximal_points, of_proximal_points), r, u));
        let step = steps.factorising;
        found = found.or_else(|| self.methods.proximal_in_velocities(&mut self.chain, step, problem, r, u));
        if found.is_none() && !reach.has_w() {
            found = self.methods.newton_in_velocities(&mut self.chain, step, problem, r, u);
        }
        found
    }

    /// What follows the methods in the velocities, in order.
    pub(super) fn turns(&self, reach: &Reach, is_infinite: bool) -> impl Iterator<Item = Turn> + use<> {
        let (last, with_w) = (self.settings.last_resorts, reach.is_w_affordable());
        let share = Turn::Sweeps { usual: 0.0, most: 0.0 };
        let turns = [
            (is_infinite, Turn::InfiniteFriction),
            (with_w && reach.is_small, Turn::Proximal("the problem is small")),
            (with_w && reach.in_velocities.is_none(), Turn::Interior),
            (with_w, Turn::Sweeps { usual: reach.of_proximal_points(), most: reach.of_long_search() }),
            (with_w, Turn::Proximal("from the best point so far")),
            (last, share),
            (with_w && last, Turn::LastResorts),
            (with_w && last, share),
        ];
        turns.into_iter().filter_map(|(is_due, turn)| is_due.then_some(turn))
    }

    pub(super) fn take_turn(
        &mut self,
        turn: Turn,
        problem: &ContactProblem<'_>,
        reach: &Reach,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<Option<SolveInfo>, SolverError> {
        match turn {
            Turn::Sweeps { usual, most } => Ok(self.sweep_again(problem, reach, (usual, most), r, u)),
            Turn::Proximal(why) => self.in_own_units(problem, r, u, |methods, chain, problem, r, u| {
                methods.proximal(chain, Start::Best, why, problem, r, u)
            }),
            Turn::InfiniteFriction => self.in_own_units(problem, r, u, Methods::infinite_friction),
            Turn::Interior => self.in_own_units(problem, r, u, Methods::interior),
            Turn::LastResorts => self.in_own_units(problem, r, u, Methods::last_resorts),
        }
    }

    /// A method that factorises W, in units of the problem's own, from the best point so far, which lies in
    /// the cones.
    pub(super) fn in_own_units(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
        attempt: impl FnOnce(
            &mut Methods,
            &mut Chain,
            &DelassusProblem<'_>,
            &mut [f64],
            &mut [f64],
        ) -> Option<SolveInfo>,
    ) -> Result<Option<SolveInfo>, SolverError> {
        let Self { chain, methods, units, settings, .. } = self;
        chain.place(Start::Best, r, u);
        let ended = units.solve(problem, settings.tolerance, r, u, |problem, r, u| {
            let error = residual::error_of_point(problem, r, u);
            chain.begin_search(r, u, error);
            let found = attempt(methods, chain, problem, r, u);
            Ok(found.unwrap_or_else(|| {
                chain.place(Start::Best, r, u);
                SolveInfo { status: Status::NotFound, iterations: 0, error }
            }))
        })?;
        if ended.status.is_success() || ended.status == Status::NoSolution {
            return Ok(Some(ended));
        }
        let error = error_of_point(problem, r, u);
        self.chain.begin_search(r, u, error);
        Ok(None)
    }
}
