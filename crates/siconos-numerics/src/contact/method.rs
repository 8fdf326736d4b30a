//! The interface of a solver for contact problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Admm, AdmmSettings, Auto, AutoSettings, ContactFunction, ContactProblem, ConvexFixedPoint,
    ConvexFixedPointSettings, DeSaxceFixedPoint, DeSaxceSettings, Extragradient, FixedPointProjection,
    GaussSeidelSettings, InteriorPoint, InteriorPointSettings, Newton, NewtonSettings, NonsmoothGaussSeidel,
    PanagiotopoulosFixedPoint, PanagiotopoulosSettings, ProximalPoint, ProximalPointSettings,
    TrescaFixedPoint, TrescaSettings,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::fixed_point::FixedPointSettings;
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
        ];
        all.extend(ContactFunction::ALL.map(newton));
        all
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Auto(_) => MethodDescription {
                name: "auto",
                siconos: "",
                guarantee: "that of its methods together; none in general",
                storage: "any",
                reference: "see the page",
            },
            Self::Newton(settings) => describe_newton(settings.function),
            Self::InteriorPoint(_) => MethodDescription {
                name: "interior-point",
                siconos: "IPM, IPM_SNM (524, 525)",
                guarantee: "none in general; positive semidefinite W without the shift",
                storage: "any; coefficients above 0",
                reference: "Acary, Armand, Nguyen, Shpakovych (2024)",
            },
            Self::NonsmoothGaussSeidel(_) => MethodDescription {
                name: "nonsmooth-gauss-seidel",
                siconos: "NSGS (400, 500, 1100, 3000)",
                guarantee: "none in general; symmetric positive definite W without friction",
                storage: "any",
                reference: "Jourdan, Alart, Jean (1998)",
            },
            Self::FixedPointProjection(_) => MethodDescription {
                name: "fixed-point-projection",
                siconos: "FPP (506, 511, 1106)",
                guarantee: "none in general; symmetric positive semidefinite W without friction",
                storage: "any",
                reference: "Khobotov (1987); Han, Sun (2004)",
            },
            Self::Extragradient(_) => MethodDescription {
                name: "extragradient",
                siconos: "EG (507, 512, 1107)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Korpelevich (1976); Khobotov (1987)",
            },
            Self::DeSaxce(_) => MethodDescription {
                name: "de-saxce",
                siconos: "DSFP (505)",
                guarantee: "none in general; symmetric positive semidefinite W without friction",
                storage: "any",
                reference: "De Saxce, Feng (1998)",
            },
            Self::Tresca(_) => MethodDescription {
                name: "tresca",
                siconos: "TFP (503)",
                guarantee: "none in general; small mu with symmetric positive definite W",
                storage: "any",
                reference: "Haslinger, Hlavacek, Necas (1996)",
            },
            Self::ConvexFixedPoint(_) => MethodDescription {
                name: "convex-fixed-point",
                siconos: "ACLMFP (516)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any, W nearly symmetric",
                reference: "Acary, Cadoux, Lemarechal, Malick (2011)",
            },
            Self::Panagiotopoulos(_) => MethodDescription {
                name: "panagiotopoulos",
                siconos: "PFP (522)",
                guarantee: "none in general; W without coupling of normal and tangential",
                storage: "any",
                reference: "Panagiotopoulos (1975)",
            },
            Self::Admm(_) => MethodDescription {
                name: "admm",
                siconos: "ADMM (523, 3010)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Boyd et al. (2011); Goldstein et al. (2014)",
            },
            Self::ProximalPoint(_) => MethodDescription {
                name: "proximal-point",
                siconos: "PROX (502)",
                guarantee: "none in general; positive semidefinite W without friction",
                storage: "any",
                reference: "Rockafellar (1976)",
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
        })
    }
}

fn describe_newton(function: ContactFunction) -> MethodDescription {
    let (name, siconos, reference) = match function {
        ContactFunction::NaturalMap => ("newton", "NSN_NM (520)", "De Saxce, Feng (1998); Qi, Sun (1993)"),
        ContactFunction::AlartCurnier => {
            ("newton-alart-curnier", "NSN_AC (504, 521)", "Alart, Curnier (1991)")
        }
        ContactFunction::JeanMoreau => ("newton-jean-moreau", "NSN_AC (504, 521)", "Jean (1999)"),
        ContactFunction::FischerBurmeister => {
            ("newton-fischer-burmeister", "NSN_FB (513)", "Fukushima, Luo, Tseng (2002)")
        }
    };
    MethodDescription { name, siconos, guarantee: "local", storage: "any", reference }
}
