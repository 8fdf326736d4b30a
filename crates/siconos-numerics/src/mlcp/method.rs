//! The interface of a solver for mixed problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{Elimination, MlcpProblem};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::lcp::LcpMethod;
use crate::linalg::MatrixRef;

/// A solver for mixed linear complementarity problems; the conventions are those of
/// [`LcpSolver`](crate::lcp::LcpSolver).
pub trait MlcpSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Whether the solver takes matrices in this storage.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names the storages that it takes.
    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported>;

    /// Solves one problem; warm start in `z`, solution out.
    ///
    /// # Errors
    ///
    /// Wrong lengths, data that are not finite, a storage that the solver does not take, an arithmetic breakdown.
    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }
}

/// The choice of a solver with its settings, for files and command lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MlcpMethod {
    /// Elimination of the free unknowns; what remains is a linear complementarity problem.
    Elimination {
        /// The method for what remains.
        lcp: LcpMethod,
    },
}

impl Default for MlcpMethod {
    fn default() -> Self {
        Self::Elimination { lcp: LcpMethod::default() }
    }
}

impl MlcpMethod {
    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn MlcpSolver>, SettingsError> {
        match self {
            Self::Elimination { lcp } => Ok(Box::new(Elimination::new(lcp.build()?))),
        }
    }
}
