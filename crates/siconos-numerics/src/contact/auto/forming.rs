//! Decision whether to compute W for a problem in the global formulation, in which M and H are given instead
//! of W.

use siconos_linalg::Csc;

use super::costs::Costs;
use crate::contact::ContactProblem;
use crate::contact::bodies::{BodiesProblem, Delassus, Mass};
use crate::error::SolverError;

/// Maximum number of unknowns for which W is always computed. With a limit of 100, problems of elastic bodies
/// with 100 to 300 unknowns take up to 36 times as long, because sweeps on elastic bodies need W.
const LARGEST_DENSE: usize = 300;

/// Maximum number of unknowns for which a full W (128 MB) is computed as a last resort.
const LARGEST_FULL: usize = 4000;

/// Decision on how to solve a problem in the global formulation: with W, or in velocity space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// W is computed because it is small or sparse, or because no method without W supports the law.
    W,
    /// W is not computed because it would be full. All bodies have few degrees of freedom, so sweeps can work
    /// on the velocities of the bodies.
    Sweeps,
    /// W is not computed. At least one body is elastic, so $M^{-1} H$ would be full, and sweeps are not used.
    /// Only methods that factorise a matrix in each step are tried.
    Steps,
}

/// Workspace to compute W from M and H.
#[derive(Debug, Default)]
pub(super) struct Forming {
    mass: Mass,
    h: Csc,
    delassus: Delassus,
}

impl Forming {
    /// Chooses the form in which the problem is solved.
    pub(super) fn worth(&mut self, problem: &BodiesProblem<'_>) -> Worth {
        if problem.size() <= LARGEST_DENSE {
            return Worth::W;
        }
        if !self.mass.is_block_diagonal(problem.m()) {
            let is_for_w = !Costs::takes_bodies(&problem.law()) && Self::has_room(problem);
            return if is_for_w { Worth::W } else { Worth::Steps };
        }
        self.h.copy_from(problem.h(), |_, _| false);
        // A sweep with W reads the entries of W once. A sweep with the bodies reads the entries of H twice.
        let is_full = self.mass.entries_of_delassus(&self.h, &problem.law()) > 2.0 * self.h.entries() as f64;
        if is_full { Worth::Sweeps } else { Worth::W }
    }

    /// Returns `true` if the problem is small enough to compute W as a last resort.
    pub(super) fn has_room(problem: &BodiesProblem<'_>) -> bool {
        problem.size() <= LARGEST_FULL
    }

    /// Computes W, and returns the problem with both W and the bodies.
    pub(super) fn form<'a>(
        &'a mut self,
        problem: &'a BodiesProblem<'_>,
    ) -> Result<ContactProblem<'a>, SolverError> {
        let with_w = self.delassus.form(problem)?;
        Ok(ContactProblem::of_both(&with_w, &problem.reborrow()))
    }
}
