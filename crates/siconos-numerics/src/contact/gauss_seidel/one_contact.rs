//! One contact of any law, solved again and again with others held that are no contacts.

use super::local::{Kind, LocalData, Memory};
use crate::contact::ContactLaw;
use crate::engine::nsgs::LocalProblem;
use crate::method::Limits;

/// What is asked of the steps on one contact, and how many there may be.
const TOLERANCE: f64 = 1e-14;
const MOST_STEPS: usize = 100;

/// The memory of a contact that is solved by Newton's steps, and by projections where these fail.
#[derive(Clone, Debug, Default)]
pub(crate) struct HybridContact {
    data: LocalData,
    memory: Memory,
}

impl HybridContact {
    /// Takes its diagonal block.
    pub(crate) fn begin(&mut self, diagonal: &[f64]) {
        self.data.prepare(Kind::Hybrid, std::iter::once(diagonal));
    }

    /// Overwrites the old reaction with the new one.
    pub(crate) fn solve(&mut self, law: ContactLaw<'_>, local: &LocalProblem<'_>, z: &mut [f64]) {
        let limits = Limits { tolerance: TOLERANCE, max_iterations: MOST_STEPS };
        let (solver, states) = self.data.solver(Kind::Hybrid, law, limits);
        solver.solve(0, local, z, &mut states[0], &mut self.memory);
    }
}
