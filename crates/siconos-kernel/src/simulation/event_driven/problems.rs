//! The two one-step problems of an event, each with a solver of its own.

use ndarray::Array2;
use siconos_numerics::SolveInfo;

use crate::nonsmooth_problem::{OneStepNonSmoothProblem, OneStepSolver, Tables};
use crate::simulation::SimulationError;

/// The two problems of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OneStepProblem {
    /// The problem at velocity level over the contacts of I_1 that do not open; of first-order systems the
    /// jump of a state that violates a constraint. The manuals put all of I_1 in; here a contact that touches
    /// while it opens is left out, and has an impact of its own at the same time if the others make it close.
    /// With equal restitution no impact then gains energy, which a common law over closing and opening
    /// contacts can.
    #[doc(alias = "SICONOS_OSNSP_ED_IMPACT")]
    Impact,
    /// The problem at acceleration level over I_2; of first-order systems the choice of the active
    /// constraints.
    #[doc(alias = "SICONOS_OSNSP_ED_SMOOTH_ACC")]
    Acceleration,
}

/// Both, with their memory.
#[derive(Debug)]
pub(super) struct Problems {
    pub(super) impact: OneStepNonSmoothProblem,
    pub(super) acceleration: OneStepNonSmoothProblem,
}

impl Default for Problems {
    /// With the automatic choices.
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

    /// Solves a linear complementarity problem that is posed as a matrix, and notes what the solver tells;
    /// `None` without a solution. What a solver does not take, it does not solve.
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

    /// Fits the solvers to the laws of a model.
    pub(super) fn adapt(&mut self, tables: &Tables) -> Result<(), SimulationError> {
        self.impact.adapt(tables)?;
        Ok(self.acceleration.adapt(tables)?)
    }

    /// Fits the solvers to linear complementarity problems that are posed as matrices.
    pub(super) fn adapt_to_matrices(&mut self) -> Result<(), SimulationError> {
        self.impact.adapt_to_matrices()?;
        Ok(self.acceleration.adapt_to_matrices()?)
    }
}
