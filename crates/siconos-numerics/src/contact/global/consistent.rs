//! A method whose reactions are judged by the velocities that they make.

use super::mass::Mass;
use super::reduced::velocity;
use super::residual::Measure;
use super::{GlobalContact, GlobalProblem};
use crate::chain::{Allowance, Link};
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// The memory of the judgement.
#[derive(Clone, Debug, Default)]
pub(super) struct Judge {
    mass: Mass,
    /// Whether M has been factorised; what it is asked for first is often settled without.
    is_factored: Option<bool>,
    measure: Measure,
    rest: Vec<f64>,
}

impl Judge {
    /// Begins with another problem.
    pub(super) fn begin(&mut self) {
        self.is_factored = None;
    }

    /// The error of reactions with the velocities $v = M^{-1} (H r + f)$, which are written; `None` where M
    /// is singular.
    fn error_of(&mut self, problem: &GlobalProblem<'_>, z: &mut [f64], u: &mut [f64]) -> Option<f64> {
        let Self { mass, is_factored, measure, rest } = self;
        let is_regular = *is_factored.get_or_insert_with(|| {
            let is_regular = mass.factor(problem.m()).is_ok();
            measure.prepare(problem, is_regular.then_some(mass));
            is_regular
        });
        let (r, v) = z.split_at_mut(problem.size());
        is_regular.then(|| {
            velocity(problem, mass, r, v, rest);
            measure.of(problem, r, v, u)
        })
    }
}

/// A method with velocities of its own, whose success counts where the velocities that follow from its
/// reactions are a solution as well. The balance of momentum is within the tolerance in the norm of energies;
/// on stiff bodies velocities that are off by that break the law by far more.
#[derive(Debug)]
pub(super) struct Consistent<'a> {
    pub(super) link: &'a mut dyn Link<Class = GlobalContact>,
    pub(super) judge: &'a mut Judge,
}

impl Link for Consistent<'_> {
    fn lend(&mut self, allowance: &Allowance) {
        self.link.lend(allowance);
    }

    fn effort(&self, problem: &GlobalProblem<'_>, info: &SolveInfo, allowance: &Allowance) -> f64 {
        self.link.effort(problem, info, allowance)
    }
}

impl Solver for Consistent<'_> {
    type Class = GlobalContact;

    fn name(&self) -> &'static str {
        self.link.name()
    }

    fn limits(&self) -> Limits {
        self.link.limits()
    }

    fn supports(&self, problem: &GlobalProblem<'_>) -> Result<(), Unsupported> {
        self.link.supports(problem)
    }

    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        z: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let info = self.link.solve(problem, z, u)?;
        if !info.status.is_success() {
            return Ok(info);
        }
        let Some(error) = self.judge.error_of(problem, z, u) else { return Ok(info) };
        let is_solution = error <= self.link.limits().tolerance;
        let status = if is_solution { info.status } else { Status::Stalled };
        Ok(SolveInfo { status, error, ..info })
    }
}
