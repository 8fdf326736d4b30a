//! The interface of a solver for linear complementarity problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{LcpProblem, Lemke, LemkeSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::MatrixRef;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `z` holds a guess on entry (zeros when there is none) and the last iterate on
/// return, `w` holds $M z + q$ on return.
pub trait LcpSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Whether the solver takes matrices in this storage; asked once, when a simulation is built.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names the storages that it takes.
    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported>;

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths, a q or z that is not finite, a storage that the solver does not take, an arithmetic breakdown.
    /// Not converging is no error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }
}

/// The choice of a solver with its settings, for files and command lines.
///
/// ```
/// use siconos_numerics::lcp::{LcpMethod, LemkeSettings};
///
/// let method = LcpMethod::Lemke(LemkeSettings { max_iterations: 500, ..Default::default() });
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<LcpMethod>(&text).unwrap(), method);
/// let solver = method.build()?;
/// assert_eq!(solver.name(), "Lemke");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LcpMethod {
    /// Complementary pivoting.
    Lemke(LemkeSettings),
    /// Projected Gauss-Seidel.
    ProjectedGaussSeidel(ProjectedGaussSeidelSettings),
}

impl Default for LcpMethod {
    /// Lemke, which needs no tuning and is exact on the small problems of most models.
    fn default() -> Self {
        Self::Lemke(LemkeSettings::default())
    }
}

impl LcpMethod {
    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn LcpSolver>, SettingsError> {
        Ok(match self {
            Self::Lemke(settings) => Box::new(Lemke::new(settings.clone())?),
            Self::ProjectedGaussSeidel(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
        })
    }
}
