//! The interface of a solver for contact problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{ContactProblem, GaussSeidelSettings, NonsmoothGaussSeidel};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `r` holds a guess of the reactions on entry (zeros when there is none) and the best
/// iterate on return, `u` holds $W r + q$ on return.
pub trait ContactSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`error`](super::error) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Whether the solver takes problems with this law and storage.
    ///
    /// # Errors
    ///
    /// [`Unsupported`], which names what it takes.
    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported>;

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths, a q or r that is not finite, a law or storage that the solver does not take. Not converging is no
    /// error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError>;

    /// What the last [`solve`](Self::solve) tried, in order, when the solver chooses among methods; empty otherwise.
    fn trace(&self) -> &[Attempt] {
        &[]
    }
}

/// The choice of a solver with its settings, for files and command lines.
///
/// ```
/// use siconos_numerics::contact::ContactMethod;
///
/// let method = ContactMethod::from_name("nonsmooth-gauss-seidel").unwrap();
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<ContactMethod>(&text).unwrap(), method);
/// assert_eq!(method.build()?.name(), "nonsmooth Gauss-Seidel");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContactMethod {
    /// Sweeps over the contacts.
    NonsmoothGaussSeidel(GaussSeidelSettings),
}

impl Default for ContactMethod {
    fn default() -> Self {
        Self::NonsmoothGaussSeidel(GaussSeidelSettings::default())
    }
}

impl ContactMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![Self::NonsmoothGaussSeidel(GaussSeidelSettings::default())]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::NonsmoothGaussSeidel(_) => MethodDescription {
                name: "nonsmooth-gauss-seidel",
                siconos: "NSGS (400, 500, 1100, 3000)",
                guarantee: "none in general; symmetric positive definite W without friction",
                storage: "any",
                reference: "Jourdan, Alart, Jean (1998)",
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
            Self::NonsmoothGaussSeidel(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::NonsmoothGaussSeidel(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn ContactSolver>, SettingsError> {
        Ok(match self {
            Self::NonsmoothGaussSeidel(settings) => Box::new(NonsmoothGaussSeidel::new(settings.clone())?),
        })
    }
}
