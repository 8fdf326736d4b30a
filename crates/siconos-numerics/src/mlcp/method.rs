//! The interface of a solver for mixed problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Auto, AutoSettings, Elimination, Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings,
    MlcpProblem, NewtonFischerBurmeister, ProjectedGaussSeidel, ProjectedGaussSeidelSettings, WarmActiveSet,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::lcp::LcpMethod;
use crate::linalg::MatrixRef;
use crate::method::MethodDescription;
use crate::semismooth_newton::SemismoothNewtonSettings;

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
///
/// ```
/// use siconos_numerics::mlcp::{AutoSettings, MlcpMethod};
///
/// let method = MlcpMethod::Auto(AutoSettings { tolerance: 1e-9, ..Default::default() });
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<MlcpMethod>(&text).unwrap(), method);
/// assert_eq!(MlcpMethod::from_name("auto").unwrap().build()?.name(), "Auto");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MlcpMethod {
    /// One method after the other.
    Auto(AutoSettings),
    /// Elimination of the free unknowns; what remains is a linear complementarity problem.
    Elimination {
        /// The method for what remains.
        lcp: LcpMethod,
    },
    /// Semismooth Newton on the Fischer-Burmeister equations.
    NewtonFischerBurmeister(SemismoothNewtonSettings),
    /// Mehrotra's interior-point steps.
    InteriorPoint(InteriorPointSettings),
    /// All complementary bases.
    Enumeration(EnumerationSettings),
    /// Projected Gauss-Seidel.
    ProjectedGaussSeidel(ProjectedGaussSeidelSettings),
    /// The last active sets first.
    WarmActiveSet {
        /// The method for problems that these do not solve.
        inner: Box<MlcpMethod>,
    },
}

impl Default for MlcpMethod {
    /// The automatic choice, which needs no tuning.
    fn default() -> Self {
        Self::Auto(AutoSettings::default())
    }
}

impl MlcpMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Auto(AutoSettings::default()),
            Self::Elimination { lcp: LcpMethod::default() },
            Self::NewtonFischerBurmeister(SemismoothNewtonSettings::default()),
            Self::InteriorPoint(InteriorPointSettings::default()),
            Self::Enumeration(EnumerationSettings::default()),
            Self::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default()),
            Self::WarmActiveSet { inner: Box::new(Self::Elimination { lcp: LcpMethod::default() }) },
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        let (name, siconos, guarantee, storage, reference) = match self {
            Self::Auto(_) => ("auto", "", "the best of those it tries", "any", ""),
            Self::Elimination { .. } => (
                "elimination",
                "LCP_LEMKE (115)",
                "that of the inner solver; one regular complementary basis",
                "dense",
                "Cottle, Pang, Stone (1992), 1.2, 2.3",
            ),
            Self::NewtonFischerBurmeister(_) => (
                "newton-fischer-burmeister",
                "FB (112)",
                "regular equality block with P0 Schur complement",
                "any",
                "Facchinei, Pang (2003), 9.1, 9.4",
            ),
            Self::InteriorPoint(_) => ("interior-point", "", "monotone", "any", "Wright (1997), 8, 10"),
            Self::Enumeration(_) => (
                "enumeration",
                "ENUM (105)",
                "finds a regular basis if there is one; proves that there is no solution",
                "dense",
                "Murty (1988), 1.1",
            ),
            Self::ProjectedGaussSeidel(_) => (
                "projected-gauss-seidel",
                "PGS (100), RPGS (101), PSOR (102), RPSOR (103)",
                "symmetric positive definite; strictly diagonally dominant",
                "any",
                "Cottle, Pang, Stone (1992), 5.2, 5.3",
            ),
            Self::WarmActiveSet { .. } => (
                "warm-active-set",
                "DIRECT_ENUM (107), DIRECT_FB (113)",
                "that of the inner solver",
                "that of the inner solver",
                "",
            ),
        };
        MethodDescription { name, siconos, guarantee, storage, reference }
    }

    /// The method of that name with its default settings.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.description().name == name)
    }

    /// Sets the error at which a point counts as a solution. That of [`Elimination`] follows from its inner solver, and is at
    /// least 1e-10.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        *match self {
            Self::Auto(settings) => &mut settings.tolerance,
            Self::Elimination { lcp } => return lcp.set_tolerance(tolerance / Elimination::ABOVE_INNER),
            Self::NewtonFischerBurmeister(settings) => &mut settings.tolerance,
            Self::InteriorPoint(settings) => &mut settings.tolerance,
            Self::Enumeration(settings) => &mut settings.tolerance,
            Self::ProjectedGaussSeidel(settings) => &mut settings.tolerance,
            Self::WarmActiveSet { inner } => return inner.set_tolerance(tolerance),
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::Elimination { lcp } => return lcp.set_max_iterations(max_iterations),
            Self::NewtonFischerBurmeister(settings) => &mut settings.max_iterations,
            Self::InteriorPoint(settings) => &mut settings.max_iterations,
            Self::Enumeration(settings) => &mut settings.max_iterations,
            Self::ProjectedGaussSeidel(settings) => &mut settings.max_iterations,
            Self::WarmActiveSet { inner } => return inner.set_max_iterations(max_iterations),
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn MlcpSolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::Elimination { lcp } => Box::new(Elimination::new(lcp.build()?)),
            Self::NewtonFischerBurmeister(settings) => {
                Box::new(NewtonFischerBurmeister::new(settings.clone())?)
            }
            Self::InteriorPoint(settings) => Box::new(InteriorPoint::new(settings.clone())?),
            Self::Enumeration(settings) => Box::new(Enumeration::new(settings.clone())?),
            Self::ProjectedGaussSeidel(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
            Self::WarmActiveSet { inner } => Box::new(WarmActiveSet::new(inner.build()?)),
        })
    }
}
