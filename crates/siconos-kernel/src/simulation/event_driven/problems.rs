//! The two one-step problems of an event, each with its own solver.

use ndarray::Array2;
use siconos_numerics::SolveInfo;

use crate::nonsmooth_problem::{OneStepNonSmoothProblem, OneStepSolver, Tables};
use crate::simulation::SimulationError;

/// One of the two one-step problems of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OneStepProblem {
    /// Impact problem: problem at velocity level over the contacts of I_1 that are not opening. For
    /// first-order systems, it computes the jump of a state that violates a constraint.
    ///
    /// Siconos includes all contacts of I_1. Here, a contact that touches but is opening is not included. If
    /// the other contacts make it close, another impact follows at the same time. If the coefficients of
    /// restitution are equal, no impact then gains energy. An impact law over closing and opening contacts
    /// together can gain energy.
    #[doc(alias = "SICONOS_OSNSP_ED_IMPACT")]
    Impact,
    /// Contact problem at acceleration level over I_2. For first-order systems, it chooses the active
    /// constraints.
    #[doc(alias = "SICONOS_OSNSP_ED_SMOOTH_ACC")]
    Acceleration,
}

/// The two one-step problems of an event with their workspaces.
#[derive(Debug)]
pub(super) struct Problems {
    pub(super) impact: OneStepNonSmoothProblem,
    pub(super) acceleration: OneStepNonSmoothProblem,
}

impl Default for Problems {
    /// Creates both problems with automatic solvers.
    fn default() -> Self {
        let problem = || OneStepNonSmoothProblem::new(OneStepSolver::default());
        Self { impact: problem(), acceleration: problem() }
    }
}

impl Problems {
    pub(super) fn get(&self, which: OneStepProblem) -> &OneStepNonSmoothProblem {
        match which {
            OneStepProblem::Impact => &self.impact,
            OneStepProblem::Acceleration => &self.acceleration,
        }
    }

    pub(super) fn of(&mut self, which: OneStepProblem) -> &mut OneStepNonSmoothProblem {
        match which {
            OneStepProblem::Impact => &mut self.impact,
            OneStepProblem::Acceleration => &mut self.acceleration,
        }
    }

    /// Solves a linear complementarity problem given by its matrix and vector, and stores the solver result
    /// in `told`. Returns `None` if the solver rejects the problem or finds no solution.
    pub(super) fn solve_posed(
        &mut self,
        which: OneStepProblem,
        matrix: &Array2<f64>,
        q: &[f64],
        told: &mut SolveInfo,
    ) -> Option<&OneStepNonSmoothProblem> {
        let problem = self.of(which);
        *told = problem.solve_posed(matrix, q).ok()?;
        told.status.is_success().then_some(problem)
    }

    /// Adapts both solvers to the laws of a model.
    pub(super) fn adapt(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        self.impact.adapt(tables, &[])?;
        Ok(self.acceleration.adapt(tables, &[])?)
    }

    /// Adapts both solvers to linear complementarity problems that are given by their matrices.
    pub(super) fn adapt_to_matrices(&mut self) -> Result<(), SimulationError> {
        self.impact.adapt_to_matrices()?;
        Ok(self.acceleration.adapt_to_matrices()?)
    }
}
