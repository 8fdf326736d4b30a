//! Whether W of bodies is worth its room.

use siconos_linalg::Csc;

use super::plan::SMALL;
use crate::contact::ContactProblem;
use crate::contact::bodies::{BodiesProblem, Delassus, Mass};
use crate::error::SolverError;

/// Form in which bodies without W are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// W is small or sparse.
    W,
    /// W would be full; sweeps read the velocities of small bodies.
    Sweeps,
    /// A body is elastic, and $M^{-1} H$ would be full.
    Steps,
}

/// W of bodies that come without, and the memory of making it.
#[derive(Debug, Default)]
pub(super) struct Forming {
    mass: Mass,
    h: Csc,
    delassus: Delassus,
}

impl Forming {
    /// Chooses the form.
    pub(super) fn worth(&mut self, problem: &BodiesProblem<'_>) -> Worth {
        if problem.size() <= SMALL {
            return Worth::W;
        }
        if !self.mass.is_block_diagonal(problem.m()) {
            return Worth::Steps;
        }
        self.h.copy_from(problem.h(), |_, _| false);
        // A sweep reads W once, or H twice.
        let is_full = self.mass.entries_of_delassus(&self.h, &problem.law()) > 2.0 * self.h.entries() as f64;
        if is_full { Worth::Sweeps } else { Worth::W }
    }

    /// Returns the problem with W and its bodies.
    pub(super) fn form<'a>(
        &'a mut self,
        problem: &'a BodiesProblem<'_>,
    ) -> Result<ContactProblem<'a>, SolverError> {
        let with_w = self.delassus.form(problem)?;
        Ok(ContactProblem::of_both(&with_w, &problem.reborrow()))
    }
}
