//! The interface of a solver for relay problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Auto, AutoSettings, CaoFerris, Enumeration, EnumerationSettings, Lemke, LemkeSettings, NewtonSettings,
    ProjectedGaussSeidel, ProjectedGaussSeidelSettings, RelayProblem, SemismoothNewton,
};
use crate::avi::CaoFerrisSettings;
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::MatrixRef;
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `z` holds a guess on entry (zeros when there is none) and the last iterate on
/// return, between the bounds; `w` holds $M z + q$ on return.
pub trait RelaySolver: std::fmt::Debug + Send {
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
        problem: &RelayProblem<'_>,
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
/// use siconos_numerics::relay::RelayMethod;
///
/// let method = RelayMethod::from_name("projected-gauss-seidel").unwrap();
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<RelayMethod>(&text).unwrap(), method);
/// assert_eq!(method.build()?.name(), "projected Gauss-Seidel");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RelayMethod {
    /// A short chain of methods, chosen by size and storage.
    Auto(AutoSettings),
    /// Path following from an extreme point.
    CaoFerris(CaoFerrisSettings),
    /// All faces.
    Enumeration(EnumerationSettings),
    /// Complementary pivoting.
    Lemke(LemkeSettings),
    /// Projected Gauss-Seidel.
    ProjectedGaussSeidel(ProjectedGaussSeidelSettings),
    /// Semismooth Newton.
    SemismoothNewton(NewtonSettings),
}

impl Default for RelayMethod {
    fn default() -> Self {
        Self::Auto(AutoSettings::default())
    }
}

impl RelayMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::default(),
            Self::CaoFerris(CaoFerrisSettings::default()),
            Self::Enumeration(EnumerationSettings::default()),
            Self::Lemke(LemkeSettings::default()),
            Self::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default()),
            Self::SemismoothNewton(NewtonSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Auto(_) => MethodDescription {
                name: "auto",
                siconos: "",
                guarantee: "that of Cao-Ferris: any matrix between finite bounds, dense",
                storage: "any",
                reference: "see the page",
            },
            Self::CaoFerris(_) => MethodDescription {
                name: "cao-ferris",
                siconos: "AVI_CAOFERRIS (306)",
                guarantee: "any matrix between finite bounds",
                storage: "dense",
                reference: "Cao, Ferris (1996)",
            },
            Self::Enumeration(_) => MethodDescription {
                name: "enumeration",
                siconos: "ENUM (301)",
                guarantee: "a solution on a face with a regular block; at most 15 unknowns by default",
                storage: "dense",
                reference: "Murty (1988), 1.1",
            },
            Self::Lemke(_) => MethodDescription {
                name: "lemke",
                siconos: "LEMKE (303)",
                guarantee: "P; semimonotone between finite bounds",
                storage: "dense",
                reference: "Cottle, Pang, Stone (1992), 1.2, 4.4",
            },
            Self::ProjectedGaussSeidel(_) => MethodDescription {
                name: "projected-gauss-seidel",
                siconos: "PGS (300)",
                guarantee: "symmetric positive definite; H with positive diagonal",
                storage: "any",
                reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
            },
            Self::SemismoothNewton(_) => MethodDescription {
                name: "semismooth-newton",
                siconos: "",
                guarantee: "local; with Fischer-Burmeister global for P0",
                storage: "any",
                reference: "Hintermueller, Ito, Kunisch (2003); Billups (1995), 3.2",
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
            Self::Auto(settings) => &mut settings.tolerance,
            Self::CaoFerris(settings) => &mut settings.tolerance,
            Self::Enumeration(settings) => &mut settings.tolerance,
            Self::Lemke(settings) => &mut settings.tolerance,
            Self::ProjectedGaussSeidel(settings) => &mut settings.tolerance,
            Self::SemismoothNewton(settings) => &mut settings.newton.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::CaoFerris(settings) => &mut settings.max_iterations,
            Self::Enumeration(settings) => &mut settings.max_iterations,
            Self::Lemke(settings) => &mut settings.max_iterations,
            Self::ProjectedGaussSeidel(settings) => &mut settings.max_iterations,
            Self::SemismoothNewton(settings) => &mut settings.newton.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn RelaySolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::CaoFerris(settings) => Box::new(CaoFerris::new(settings.clone())?),
            Self::Enumeration(settings) => Box::new(Enumeration::new(settings.clone())?),
            Self::Lemke(settings) => Box::new(Lemke::new(settings.clone())?),
            Self::ProjectedGaussSeidel(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
            Self::SemismoothNewton(settings) => Box::new(SemismoothNewton::new(settings.clone())?),
        })
    }
}
