//! Solver of one contact with any law. It is used for problems in which not all blocks are contacts.

use super::local::{LocalData, LocalSolverKind, LocalWorkspace};
use crate::contact::ContactLaw;
use crate::engine::nsgs::LocalProblem;
use crate::method::Limits;

/// Tolerance of the solution of one contact.
const TOLERANCE: f64 = 1e-14;

/// Maximum number of steps to solve one contact.
const MOST_STEPS: usize = 100;

/// Solver of one contact by Newton steps, or by projections if the Newton steps fail.
#[derive(Clone, Debug, Default)]
pub(crate) struct HybridContact {
    data: LocalData,
    memory: LocalWorkspace,
}

impl HybridContact {
    /// Prepares the solver for a contact with this diagonal block.
    pub(crate) fn begin(&mut self, diagonal: &[f64]) {
        self.data.prepare(LocalSolverKind::Hybrid, std::iter::once(diagonal));
    }

    /// Replaces the old reaction in `z` by the new reaction.
    pub(crate) fn solve(&mut self, law: ContactLaw<'_>, local: &LocalProblem<'_>, z: &mut [f64]) {
        let limits = Limits { tolerance: TOLERANCE, max_iterations: MOST_STEPS };
        let (solver, states) = self.data.solver(LocalSolverKind::Hybrid, law, limits);
        solver.solve(0, local, z, &mut states[0], &mut self.memory);
    }
}
