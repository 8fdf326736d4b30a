//! The interface of a solver for convex quadratic programs, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Admm, AdmmSettings, ClarabelQp, ClarabelSettings, ProjectedGradient, ProjectedGradientSettings, QpProblem,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::SolveInfo;
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `x` and `y` hold a guess on entry (zeros when there is none) and the last iterate on
/// return, `y` the multipliers with $M x + q + A^T y = 0$ (A the identity when there is a set).
pub trait QpSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Whether the solver takes such constraints.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names what it takes.
    fn supports(&self, problem: &QpProblem<'_>) -> Result<(), Unsupported>;

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths, data that are not finite, constraints that the solver does not take. Not converging is no error
    /// but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &QpProblem<'_>,
        x: &mut [f64],
        y: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;
}

/// The choice of a solver with its settings, for files and command lines.
///
/// ```
/// use siconos_numerics::qp::QpMethod;
///
/// let mut method = QpMethod::from_name("admm").unwrap();
/// method.set_tolerance(1e-6);
/// assert_eq!(method.build()?.tolerance(), 1e-6);
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum QpMethod {
    /// The interior-point method of the crate `clarabel`.
    Clarabel(ClarabelSettings),
    /// Spectral projected gradients.
    ProjectedGradient(ProjectedGradientSettings),
    /// The alternating direction method of multipliers.
    Admm(AdmmSettings),
}

impl Default for QpMethod {
    /// The interior-point method, which is exact and needs no tuning.
    fn default() -> Self {
        Self::Clarabel(ClarabelSettings::default())
    }
}

impl QpMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Clarabel(ClarabelSettings::default()),
            Self::ProjectedGradient(ProjectedGradientSettings::default()),
            Self::Admm(AdmmSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Clarabel(_) => MethodDescription {
                name: "clarabel",
                siconos: "",
                guarantee: "positive semidefinite; linear constraints",
                storage: "any",
                reference: "Goulart, Chen (2024), 2 to 4",
            },
            Self::ProjectedGradient(_) => MethodDescription {
                name: "projected-gradient",
                siconos: "CONVEXQP_PG",
                guarantee: "positive semidefinite; any convex set",
                storage: "any",
                reference: "Birgin, Martinez, Raydan (2000), SPG2",
            },
            Self::Admm(_) => MethodDescription {
                name: "admm",
                siconos: "CONVEXQP_ADMM",
                guarantee: "positive semidefinite; linear constraints or any convex set",
                storage: "any",
                reference: "Stellato et al. (2020), 3; Boyd et al. (2011), 5.2",
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
            Self::Clarabel(settings) => &mut settings.tolerance,
            Self::ProjectedGradient(settings) => &mut settings.tolerance,
            Self::Admm(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Clarabel(settings) => &mut settings.max_iterations,
            Self::ProjectedGradient(settings) => &mut settings.max_iterations,
            Self::Admm(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn QpSolver>, SettingsError> {
        Ok(match self {
            Self::Clarabel(settings) => Box::new(ClarabelQp::new(settings.clone())?),
            Self::ProjectedGradient(settings) => Box::new(ProjectedGradient::new(settings.clone())?),
            Self::Admm(settings) => Box::new(Admm::new(settings.clone())?),
        })
    }
}
