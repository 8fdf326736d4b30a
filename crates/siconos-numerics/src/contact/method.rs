//! The interface of a solver for contact problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    ColouredGaussSeidel, ColouredGaussSeidelSettings, ConjugateProjectedGradient,
    ConjugateProjectedGradientSettings, ContactProblem, GaussSeidelSettings, NonsmoothGaussSeidel,
    PlaneEnumeration, PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings,
};
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
    /// The same on several threads.
    ColouredGaussSeidel(ColouredGaussSeidelSettings),
    /// Conjugate gradients, projected.
    ConjugateProjectedGradient(ConjugateProjectedGradientSettings),
    /// Pivoting in the plane.
    PlaneLemke(PlaneLemkeSettings),
    /// Every mode of a few contacts in the plane.
    PlaneEnumeration(PlaneEnumerationSettings),
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
        vec![
            Self::NonsmoothGaussSeidel(GaussSeidelSettings::default()),
            Self::ColouredGaussSeidel(ColouredGaussSeidelSettings::default()),
            Self::ConjugateProjectedGradient(ConjugateProjectedGradientSettings::default()),
            Self::PlaneLemke(PlaneLemkeSettings::default()),
            Self::PlaneEnumeration(PlaneEnumerationSettings::default()),
        ]
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
            Self::ColouredGaussSeidel(_) => MethodDescription {
                name: "coloured-gauss-seidel",
                siconos: "NSGS over a coloured graph (530), OpenMP (571)",
                guarantee: "that of nonsmooth-gauss-seidel; the same bits on any number of threads",
                storage: "any",
                reference: "Saad (2003), section 12.4",
            },
            Self::ConjugateProjectedGradient(_) => MethodDescription {
                name: "conjugate-projected-gradient",
                siconos: "CPG (402)",
                guarantee: "none with friction",
                storage: "any; Coulomb",
                reference: "Renouf and Alart (2005)",
            },
            Self::PlaneLemke(_) => MethodDescription {
                name: "plane-lemke",
                siconos: "LEMKE (404)",
                guarantee: "semidefinite W with friction that is small enough",
                storage: "any; Coulomb in the plane",
                reference: "Acary and Brogliato (2008), section 13.3.7",
            },
            Self::PlaneEnumeration(_) => MethodDescription {
                name: "plane-enumeration",
                siconos: "ENUM (405)",
                guarantee: "any W, a few contacts",
                storage: "any; Coulomb in the plane",
                reference: "Acary and Brogliato (2008), section 13.3.7",
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
            Self::ColouredGaussSeidel(settings) => &mut settings.tolerance,
            Self::ConjugateProjectedGradient(settings) => &mut settings.tolerance,
            Self::PlaneLemke(settings) => &mut settings.tolerance,
            Self::PlaneEnumeration(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::NonsmoothGaussSeidel(settings) => &mut settings.max_iterations,
            Self::ColouredGaussSeidel(settings) => &mut settings.max_iterations,
            Self::ConjugateProjectedGradient(settings) => &mut settings.max_iterations,
            Self::PlaneLemke(settings) => &mut settings.max_iterations,
            Self::PlaneEnumeration(settings) => &mut settings.max_iterations,
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
            Self::ColouredGaussSeidel(settings) => Box::new(ColouredGaussSeidel::new(settings.clone())?),
            Self::ConjugateProjectedGradient(settings) => {
                Box::new(ConjugateProjectedGradient::new(settings.clone())?)
            }
            Self::PlaneLemke(settings) => Box::new(PlaneLemke::new(settings.clone())?),
            Self::PlaneEnumeration(settings) => Box::new(PlaneEnumeration::new(settings.clone())?),
        })
    }
}
