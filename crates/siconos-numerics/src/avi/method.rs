//! The interface of a solver for affine variational inequalities, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{Auto, AutoSettings, AviProblem, CaoFerris, CaoFerrisSettings};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::MatrixRef;
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
pub trait AviSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Whether the solver takes matrices M in this storage.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names the storages that it takes.
    fn supports(&self, m: MatrixRef<'_>) -> Result<(), Unsupported>;

    /// Solves one problem: `z` is the point, `lambda` the multipliers of its inequalities; on entry both hold a guess (zeros
    /// when there is none), which not every method uses.
    ///
    /// # Errors
    ///
    /// Wrong lengths, data that are not finite, a storage that the solver does not take. Not converging is no error but a
    /// [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }
}

/// The choice of a solver with its settings, for files and command lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum AviMethod {
    /// A short chain of methods.
    Auto(AutoSettings),
    /// Path following from an extreme point.
    CaoFerris(CaoFerrisSettings),
}

impl Default for AviMethod {
    fn default() -> Self {
        Self::Auto(AutoSettings::default())
    }
}

impl AviMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![Self::default(), Self::CaoFerris(CaoFerrisSettings::default())]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Auto(_) => MethodDescription {
                name: "auto",
                siconos: "",
                guarantee: "that of Cao-Ferris, dense; of the mixed problem, sparse",
                storage: "any",
                reference: "see the page",
            },
            Self::CaoFerris(_) => MethodDescription {
                name: "cao-ferris",
                siconos: "CAOFERRIS (800)",
                guarantee: "compact polyhedra; copositive-plus on the recession cone, and solvable",
                storage: "dense",
                reference: "Cao, Ferris (1996)",
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
        match self {
            Self::Auto(settings) => settings.tolerance = tolerance,
            Self::CaoFerris(settings) => settings.tolerance = tolerance,
        }
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        match self {
            Self::Auto(settings) => settings.max_iterations = max_iterations,
            Self::CaoFerris(settings) => settings.max_iterations = max_iterations,
        }
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn AviSolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::CaoFerris(settings) => Box::new(CaoFerris::new(settings.clone())?),
        })
    }
}
