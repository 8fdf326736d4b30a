//! Decision whether to form W for bodies given without it.

use siconos_linalg::Csc;

use super::costs::Costs;
use crate::contact::ContactProblem;
use crate::contact::bodies::{BodiesProblem, Delassus, Mass};
use crate::error::SolverError;

/// Unknowns up to which W is always formed. With 100, elastic bodies of 100 to 300 unknowns take up to 36
/// times as long, because the sweeps need W.
const LARGEST_DENSE: usize = 300;

/// Unknowns up to which a full W (128 MB) is formed as a last resort.
const LARGEST_FULL: usize = 4000;

/// Form in which bodies given without W are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// W is formed, because it is small or sparse.
    W,
    /// W would be full, but bodies are small: sweeps work on the velocities of the bodies.
    Sweeps,
    /// A body is elastic, and $M^{-1} H$ would be full: no sweeps, only steps that factorise.
    Steps,
}

/// W of bodies given without it, and the workspace to form it.
#[derive(Debug, Default)]
pub(super) struct Forming {
    mass: Mass,
    h: Csc,
    delassus: Delassus,
}

impl Forming {
    /// Chooses the form.
    pub(super) fn worth(&mut self, problem: &BodiesProblem<'_>) -> Worth {
        if problem.size() <= LARGEST_DENSE {
            return Worth::W;
        }
        if !self.mass.is_block_diagonal(problem.m()) {
            let is_for_w = !Costs::takes_bodies(&problem.law()) && Self::has_room(problem);
            return if is_for_w { Worth::W } else { Worth::Steps };
        }
        self.h.copy_from(problem.h(), |_, _| false);
        // A sweep reads W once, or H twice.
        let is_full = self.mass.entries_of_delassus(&self.h, &problem.law()) > 2.0 * self.h.entries() as f64;
        if is_full { Worth::Sweeps } else { Worth::W }
    }

    /// Returns `true` if W may be formed as a last resort.
    pub(super) fn has_room(problem: &BodiesProblem<'_>) -> bool {
        problem.size() <= LARGEST_FULL
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
