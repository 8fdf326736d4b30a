//! The interface of a solver for linear complementarity problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    LcpProblem, Lemke, LemkeSettings, PivotRule, PrincipalPivoting, PrincipalPivotingSettings,
    ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::MatrixRef;
use crate::method::MethodDescription;

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
    /// Principal pivoting on the least index.
    Murty(PrincipalPivotingSettings),
    /// Principal pivoting on the largest violation.
    Bard(PrincipalPivotingSettings),
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
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Lemke(LemkeSettings::default()),
            Self::Murty(PrincipalPivotingSettings::default()),
            Self::Bard(PrincipalPivotingSettings::default()),
            Self::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Lemke(_) => MethodDescription {
                name: "lemke",
                siconos: "LEMKE (200)",
                guarantee: "P, strictly copositive, copositive-plus and feasible",
                storage: "dense",
                reference: "Cottle, Pang, Stone (1992), 4.4, 4.9",
            },
            Self::Murty(_) => MethodDescription {
                name: "murty",
                siconos: "MURTY (217)",
                guarantee: "P",
                storage: "dense",
                reference: "Murty (1974); Cottle, Pang, Stone (1992), 4.2",
            },
            Self::Bard(_) => MethodDescription {
                name: "bard",
                siconos: "BARD (216)",
                guarantee: "none; cycles are recognised",
                storage: "dense",
                reference: "Bard (1974)",
            },
            Self::ProjectedGaussSeidel(_) => MethodDescription {
                name: "projected-gauss-seidel",
                siconos: "PGS (202)",
                guarantee: "symmetric positive definite; H with positive diagonal",
                storage: "any",
                reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
            },
        }
    }

    /// The method of that name with its default settings.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.description().name == name)
    }

    /// Sets the error at which a point counts as a solution.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        *match self {
            Self::Lemke(settings) => &mut settings.tolerance,
            Self::Murty(settings) | Self::Bard(settings) => &mut settings.tolerance,
            Self::ProjectedGaussSeidel(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Lemke(settings) => &mut settings.max_iterations,
            Self::Murty(settings) | Self::Bard(settings) => &mut settings.max_iterations,
            Self::ProjectedGaussSeidel(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn LcpSolver>, SettingsError> {
        Ok(match self {
            Self::Lemke(settings) => Box::new(Lemke::new(settings.clone())?),
            Self::Murty(settings) => {
                Box::new(PrincipalPivoting::new(PivotRule::LeastIndex, settings.clone())?)
            }
            Self::Bard(settings) => {
                Box::new(PrincipalPivoting::new(PivotRule::LargestViolation, settings.clone())?)
            }
            Self::ProjectedGaussSeidel(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
        })
    }
}
