//! The interface of a solver for contact problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Admm, AdmmSettings, Auto, AutoSettings, ColouredGaussSeidel, ColouredGaussSeidelSettings,
    ConjugateProjectedGradient, ConjugateProjectedGradientSettings, ContactFunction, ContactProblem,
    ConvexFixedPoint, ConvexFixedPointSettings, DeSaxceFixedPoint, DeSaxceSettings, Extragradient,
    FixedPointProjection, GaussSeidelSettings, InteriorPoint, InteriorPointSettings, Newton, NewtonSettings,
    NonsmoothGaussSeidel, PanagiotopoulosFixedPoint, PanagiotopoulosSettings, PlaneEnumeration,
    PlaneEnumerationSettings, PlaneLemke, PlaneLemkeSettings, ProximalPoint, ProximalPointSettings,
    TrescaFixedPoint, TrescaSettings,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::fixed_point::FixedPointSettings;
use crate::info::{Attempt, SolveInfo};

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
    /// Wrong lengths, a q or r that is not finite, a law or storage that the solver does not take;
    /// [`SolverError::Singular`] where a method divides by the diagonal of W, or factorises, and cannot. Not converging is no
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
    /// A chain of methods that watches itself.
    Auto(AutoSettings),
    /// Sweeps over the contacts.
    NonsmoothGaussSeidel(GaussSeidelSettings),
    /// Projections with a step that adapts itself, one product per iteration.
    FixedPointProjection(FixedPointSettings),
    /// Projections with a step that adapts itself, corrected by a second one.
    Extragradient(FixedPointSettings),
    /// Projections with one step for the whole solve.
    DeSaxce(DeSaxceSettings),
    /// Friction with frozen bounds, which follow the normal reactions.
    Tresca(TrescaSettings),
    /// Convex programs with a frozen shift.
    ConvexFixedPoint(ConvexFixedPointSettings),
    /// Normal and tangential problems in turn.
    Panagiotopoulos(PanagiotopoulosSettings),
    /// Alternating directions, with one factorisation for many steps.
    Admm(AdmmSettings),
    /// A sequence of regularised problems.
    ProximalPoint(ProximalPointSettings),
    /// All contacts at once by a semismooth equation.
    Newton(NewtonSettings),
    /// The interior of the cones.
    InteriorPoint(InteriorPointSettings),
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
        Self::Auto(AutoSettings::default())
    }
}

impl ContactMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let newton = |function| Self::Newton(NewtonSettings { function, ..NewtonSettings::default() });
        let mut all = vec![
            Self::default(),
            Self::NonsmoothGaussSeidel(GaussSeidelSettings::default()),
            Self::FixedPointProjection(FixedPointSettings::default()),
            Self::Extragradient(FixedPointSettings::default()),
            Self::DeSaxce(DeSaxceSettings::default()),
            Self::Tresca(TrescaSettings::default()),
            Self::ConvexFixedPoint(ConvexFixedPointSettings::default()),
            Self::Panagiotopoulos(PanagiotopoulosSettings::default()),
            Self::Admm(AdmmSettings::default()),
            Self::ProximalPoint(ProximalPointSettings::default()),
            Self::InteriorPoint(InteriorPointSettings::default()),
            Self::ColouredGaussSeidel(ColouredGaussSeidelSettings::default()),
            Self::ConjugateProjectedGradient(ConjugateProjectedGradientSettings::default()),
            Self::PlaneLemke(PlaneLemkeSettings::default()),
            Self::PlaneEnumeration(PlaneEnumerationSettings::default()),
        ];
        all.extend(ContactFunction::ALL.map(newton));
        all
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
            Self::Newton(settings) => &mut settings.newton.tolerance,
            Self::InteriorPoint(settings) => &mut settings.tolerance,
            Self::NonsmoothGaussSeidel(settings) => &mut settings.tolerance,
            Self::FixedPointProjection(settings) | Self::Extragradient(settings) => &mut settings.tolerance,
            Self::DeSaxce(settings) => &mut settings.tolerance,
            Self::Tresca(settings) => &mut settings.tolerance,
            Self::ConvexFixedPoint(settings) => &mut settings.tolerance,
            Self::Panagiotopoulos(settings) => &mut settings.tolerance,
            Self::Admm(settings) => &mut settings.tolerance,
            Self::ProximalPoint(settings) => &mut settings.tolerance,
            Self::ColouredGaussSeidel(settings) => &mut settings.tolerance,
            Self::ConjugateProjectedGradient(settings) => &mut settings.tolerance,
            Self::PlaneLemke(settings) => &mut settings.tolerance,
            Self::PlaneEnumeration(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::Newton(settings) => &mut settings.newton.max_iterations,
            Self::InteriorPoint(settings) => &mut settings.max_iterations,
            Self::NonsmoothGaussSeidel(settings) => &mut settings.max_iterations,
            Self::FixedPointProjection(settings) | Self::Extragradient(settings) => {
                &mut settings.max_iterations
            }
            Self::DeSaxce(settings) => &mut settings.max_iterations,
            Self::Tresca(settings) => &mut settings.max_iterations,
            Self::ConvexFixedPoint(settings) => &mut settings.max_iterations,
            Self::Panagiotopoulos(settings) => &mut settings.max_iterations,
            Self::Admm(settings) => &mut settings.max_iterations,
            Self::ProximalPoint(settings) => &mut settings.max_iterations,
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
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::Newton(settings) => Box::new(Newton::new(settings.clone())?),
            Self::InteriorPoint(settings) => Box::new(InteriorPoint::new(settings.clone())?),
            Self::NonsmoothGaussSeidel(settings) => Box::new(NonsmoothGaussSeidel::new(settings.clone())?),
            Self::FixedPointProjection(settings) => Box::new(FixedPointProjection::new(settings.clone())?),
            Self::Extragradient(settings) => Box::new(Extragradient::new(settings.clone())?),
            Self::DeSaxce(settings) => Box::new(DeSaxceFixedPoint::new(settings.clone())?),
            Self::Tresca(settings) => Box::new(TrescaFixedPoint::new(settings.clone())?),
            Self::ConvexFixedPoint(settings) => Box::new(ConvexFixedPoint::new(settings.clone())?),
            Self::Panagiotopoulos(settings) => Box::new(PanagiotopoulosFixedPoint::new(settings.clone())?),
            Self::Admm(settings) => Box::new(Admm::new(settings.clone())?),
            Self::ProximalPoint(settings) => Box::new(ProximalPoint::new(settings.clone())?),
            Self::ColouredGaussSeidel(settings) => Box::new(ColouredGaussSeidel::new(settings.clone())?),
            Self::ConjugateProjectedGradient(settings) => {
                Box::new(ConjugateProjectedGradient::new(settings.clone())?)
            }
            Self::PlaneLemke(settings) => Box::new(PlaneLemke::new(settings.clone())?),
            Self::PlaneEnumeration(settings) => Box::new(PlaneEnumeration::new(settings.clone())?),
        })
    }
}
