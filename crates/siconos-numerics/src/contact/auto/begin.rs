//! First stage of the cascade: Gauss-Seidel sweeps.

use super::costs::Costs;
use super::sliding::most_hold;
use super::sweeps::FIRST_STAGES;
use super::{Auto, ContactProblem};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::Solver;

impl Auto {
    /// Runs the sweeps of the first stage from the initial guess.
    pub(super) fn begin(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let budget = self.cascade.allow(costs.sweep, self.settings.max_iterations);
        let most = budget.as_ref().map_or(1, |allowed| allowed.iterations);
        let expected = costs.sweeps_of_few_steps();
        // If the bodies are given, the sweeps must not cost more than a few steps of the next method.
        let most = if costs.in_velocities.is_some() { most.min(expected.ceil() as usize) } else { most };
        self.sweeps.begin(expected);
        let info = match self.first_sweeps(problem, costs, most, r, u) {
            Ok(info) => info,
            // Sweeps do not support a cone whose diagonal entry is not positive, but other methods can. With
            // friction, a contact whose diagonal entry is not positive is an error.
            Err(SolverError::Singular { .. }) if !problem.law().has_shift() => {
                SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN }
            }
            Err(error) => return Err(error),
        };
        if let Some(budget) = &budget {
            self.cascade.note_limit(&info, budget);
        }
        let effort = costs.sweep * info.iterations as f64;
        self.cascade.note_effort(self.sweeps.name(), "cheap, and starts from the guess", info, effort);
        Ok(info)
    }

    /// Runs the first sweeps. They end early if the next stage is Newton's method.
    fn first_sweeps(
        &mut self,
        problem: &ContactProblem<'_>,
        costs: &Costs,
        most: usize,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if !costs.is_newton_first() || most <= FIRST_STAGES {
            return self.sweeps.run(problem, most, r, u);
        }
        let first = self.sweeps.run(problem, FIRST_STAGES, r, u)?;
        let is_undecided = first.status == Status::MaxIterations;
        let is_long = !self.sweeps.would_end_within(costs.sweeps_of_newton());
        self.is_held = is_undecided && is_long && most_hold(&problem.law(), r);
        if self.is_held || !is_undecided || !self.sweeps.may_continue() {
            return Ok(first);
        }
        let rest = self.sweeps.run(problem, most - FIRST_STAGES, r, u)?;
        Ok(SolveInfo { iterations: first.iterations + rest.iterations, ..rest })
    }

    /// Starts the cascade without sweeps.
    pub(super) fn begin_without_sweeps(&mut self) -> Result<SolveInfo, SolverError> {
        self.sweeps.begin(0.0);
        Ok(SolveInfo { status: Status::Stalled, iterations: 0, error: f64::NAN })
    }
}
