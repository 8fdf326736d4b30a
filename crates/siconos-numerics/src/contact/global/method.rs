//! The interface of a solver for problems in global form, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    GlobalAdmm, GlobalAdmmSettings, GlobalAuto, GlobalAutoSettings, GlobalInteriorPoint,
    GlobalInteriorPointSettings, GlobalNewton, GlobalNewtonSettings, GlobalProblem, Reduced, ReducedSettings,
};
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo};
use crate::method::MethodDescription;

/// A solver is an object that owns its memory: use one over many problems of changing size.
///
/// Warm start in, solution out: `r` holds a guess of the reactions on entry (zeros when there is none) and the best iterate on
/// return, `v` the velocities (read on entry only where M is singular, else they follow from r), `u` holds $H^T v + w$ on return.
pub trait GlobalContactSolver: std::fmt::Debug + Send {
    /// The name of the method.
    fn name(&self) -> &'static str;

    /// The [`global_error_of_point`](super::global_error_of_point) at which a point counts as a solution.
    fn tolerance(&self) -> f64;

    /// Solves one problem.
    ///
    /// # Errors
    ///
    /// Wrong lengths, data or a start that are not finite, a law that the solver does not take, for [`Reduced`] a singular
    /// M. Not converging is no error but a [`Status`](crate::Status).
    fn solve(
        &mut self,
        problem: &GlobalProblem<'_>,
        r: &mut [f64],
        v: &mut [f64],
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
/// use siconos_numerics::contact::GlobalContactMethod;
///
/// let method = GlobalContactMethod::from_name("reduced").unwrap();
/// let text = serde_json::to_string(&method).unwrap();
/// assert_eq!(serde_json::from_str::<GlobalContactMethod>(&text).unwrap(), method);
/// assert_eq!(method.build()?.name(), "reduction to the local problem");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GlobalContactMethod {
    /// The others in turn.
    Auto(GlobalAutoSettings),
    /// The local problem.
    Reduced(ReducedSettings),
    /// Semismooth Newton on the whole system.
    Newton(GlobalNewtonSettings),
    /// Alternating directions.
    Admm(GlobalAdmmSettings),
    /// Cone programs with the shift held.
    InteriorPoint(GlobalInteriorPointSettings),
}

impl Default for GlobalContactMethod {
    fn default() -> Self {
        Self::Auto(GlobalAutoSettings::default())
    }
}

impl GlobalContactMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Auto(GlobalAutoSettings::default()),
            Self::Reduced(ReducedSettings::default()),
            Self::Newton(GlobalNewtonSettings::default()),
            Self::Admm(GlobalAdmmSettings::default()),
            Self::InteriorPoint(GlobalInteriorPointSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        let (name, siconos, guarantee, storage, reference) = match self {
            Self::Auto(_) => ("auto", "", "that of the methods it tries", "any", ""),
            Self::Reduced(_) => (
                "reduced",
                "NSGS_WR (600), NSGSV_WR .. IPM_SNM_WR (601 to 618)",
                "that of the local method; M regular",
                "any; block-diagonal M preferred",
                "Acary, Brogliato (2008), section 13.1",
            ),
            Self::Newton(_) => {
                ("newton", "NSN_AC (607)", "near regular solutions", "any", "Alart, Curnier (1991)")
            }
            Self::Admm(_) => (
                "admm",
                "ADMM (613)",
                "semidefinite M without friction",
                "any",
                "Boyd et al. (2011); Goldstein et al. (2014)",
            ),
            Self::InteriorPoint(_) => (
                "interior-point",
                "ACLMFP (612), IPM (615)",
                "semidefinite M without friction",
                "any",
                "Acary, Cadoux, Lemarechal, Malick (2011)",
            ),
        };
        MethodDescription { name, siconos, guarantee, storage, reference }
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
            Self::Reduced(settings) => &mut settings.tolerance,
            Self::Newton(settings) => &mut settings.tolerance,
            Self::Admm(settings) => &mut settings.tolerance,
            Self::InteriorPoint(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::Reduced(settings) => &mut settings.max_iterations,
            Self::Newton(settings) => &mut settings.max_iterations,
            Self::Admm(settings) => &mut settings.max_iterations,
            Self::InteriorPoint(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn GlobalContactSolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(GlobalAuto::new(settings.clone())?),
            Self::Reduced(settings) => Box::new(Reduced::new(settings.clone())?),
            Self::Newton(settings) => Box::new(GlobalNewton::new(settings.clone())?),
            Self::Admm(settings) => Box::new(GlobalAdmm::new(settings.clone())?),
            Self::InteriorPoint(settings) => Box::new(GlobalInteriorPoint::new(settings.clone())?),
        })
    }
}
