//! The interface of a solver for linear complementarity problems, and the choice of one at run time.

use serde::{Deserialize, Serialize};

use super::{
    Auto, AutoSettings, ConjugateProjectedGradient, ConjugateProjectedGradientSettings, Enumeration,
    EnumerationSettings, InteriorPoint, InteriorPointSettings, Latin, LatinSettings, LcpProblem, Lemke,
    LemkeSettings, NewtonFischerBurmeister, NewtonMin, NewtonMinLineSearch, NewtonMinSettings, PivotRule,
    PrincipalPivoting, PrincipalPivotingSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings,
    ProjectedGradient, QuadraticProgram, QuadraticProgramSettings, SequentialQuadraticProgram,
    SequentialQuadraticProgramSettings,
};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{Attempt, SolveInfo};
use crate::linalg::MatrixRef;
use crate::method::MethodDescription;
use crate::qp::ProjectedGradientSettings;
use crate::semismooth_newton::SemismoothNewtonSettings;

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
    /// A short chain of methods, chosen by size, storage and matrix class.
    Auto(AutoSettings),
    /// Complementary pivoting.
    Lemke(LemkeSettings),
    /// Principal pivoting on the least index.
    Murty(PrincipalPivotingSettings),
    /// Principal pivoting on the largest violation.
    Bard(PrincipalPivotingSettings),
    /// Projected Gauss-Seidel.
    ProjectedGaussSeidel(ProjectedGaussSeidelSettings),
    /// Projected Gauss-Seidel with over-relaxation.
    ProjectedSor(ProjectedGaussSeidelSettings),
    /// Projected Gauss-Seidel with a proximal shift.
    RegularisedGaussSeidel(ProjectedGaussSeidelSettings),
    /// Conjugate projected gradients.
    ConjugateProjectedGradient(ConjugateProjectedGradientSettings),
    /// Spectral projected gradients.
    ProjectedGradient(ProjectedGradientSettings),
    /// The LATIN method.
    Latin(LatinSettings),
    /// The LATIN method with a search direction for each unknown.
    WeightedLatin(LatinSettings),
    /// A convex quadratic program by an interior-point method.
    QuadraticProgram(QuadraticProgramSettings),
    /// A sequence of convex quadratic programs.
    SequentialQuadraticProgram(SequentialQuadraticProgramSettings),
    /// Newton on the minimum with block principal pivoting.
    NewtonMin(NewtonMinSettings),
    /// Newton on the minimum with a line search.
    NewtonMinLineSearch(SemismoothNewtonSettings),
    /// Semismooth Newton on the Fischer-Burmeister equations.
    NewtonFischerBurmeister(SemismoothNewtonSettings),
    /// Path following.
    InteriorPoint(InteriorPointSettings),
    /// All complementary bases.
    Enumeration(EnumerationSettings),
}

impl Default for LcpMethod {
    /// The automatic choice.
    fn default() -> Self {
        Self::Auto(AutoSettings::default())
    }
}

impl LcpMethod {
    /// Every method with its default settings, in the order of the table.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Auto(AutoSettings::default()),
            Self::Lemke(LemkeSettings::default()),
            Self::Murty(PrincipalPivotingSettings::default()),
            Self::Bard(PrincipalPivotingSettings::default()),
            Self::ProjectedGaussSeidel(ProjectedGaussSeidelSettings::default()),
            Self::ProjectedSor(ProjectedGaussSeidelSettings::over_relaxed()),
            Self::RegularisedGaussSeidel(ProjectedGaussSeidelSettings::regularised()),
            Self::ConjugateProjectedGradient(ConjugateProjectedGradientSettings::default()),
            Self::ProjectedGradient(ProjectedGradientSettings::default()),
            Self::Latin(LatinSettings::default()),
            Self::WeightedLatin(LatinSettings::weighted()),
            Self::QuadraticProgram(QuadraticProgramSettings::default()),
            Self::SequentialQuadraticProgram(SequentialQuadraticProgramSettings::default()),
            Self::NewtonMin(NewtonMinSettings::default()),
            Self::NewtonMinLineSearch(SemismoothNewtonSettings::default()),
            Self::NewtonFischerBurmeister(SemismoothNewtonSettings::default()),
            Self::InteriorPoint(InteriorPointSettings::default()),
            Self::Enumeration(EnumerationSettings::default()),
        ]
    }

    /// What a table says of the method.
    #[must_use]
    pub fn description(&self) -> MethodDescription {
        match self {
            Self::Auto(_) => MethodDescription {
                name: "auto",
                siconos: "",
                guarantee: "those of the methods it tries",
                storage: "any",
                reference: "",
            },
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
            Self::ProjectedSor(_) => MethodDescription {
                name: "projected-sor",
                siconos: "PSOR (210)",
                guarantee: "symmetric positive definite",
                storage: "any",
                reference: "Cottle, Pang, Stone (1992), 5.2, 5.3",
            },
            Self::RegularisedGaussSeidel(_) => MethodDescription {
                name: "regularised-gauss-seidel",
                siconos: "RPGS (211)",
                guarantee: "symmetric positive semidefinite",
                storage: "any",
                reference: "Luo, Tseng (1991)",
            },
            Self::ConjugateProjectedGradient(_) => MethodDescription {
                name: "conjugate-projected-gradient",
                siconos: "CPG (203)",
                guarantee: "symmetric positive semidefinite",
                storage: "any",
                reference: "Renouf, Alart (2005), 4",
            },
            Self::ProjectedGradient(_) => MethodDescription {
                name: "projected-gradient",
                siconos: "CONVEXQP_PG (222)",
                guarantee: "symmetric positive semidefinite",
                storage: "any",
                reference: "Birgin, Martinez, Raydan (2000), SPG2",
            },
            Self::Latin(_) => MethodDescription {
                name: "latin",
                siconos: "LATIN (204)",
                guarantee: "positive semidefinite",
                storage: "any",
                reference: "Ladeveze (1999), 5; Lions, Mercier (1979)",
            },
            Self::WeightedLatin(_) => MethodDescription {
                name: "latin-weighted",
                siconos: "LATIN_W (205)",
                guarantee: "positive semidefinite",
                storage: "any",
                reference: "Ladeveze (1999), 5; Lions, Mercier (1979)",
            },
            Self::QuadraticProgram(_) => MethodDescription {
                name: "quadratic-program",
                siconos: "QP (206)",
                guarantee: "positive semidefinite",
                storage: "any",
                reference: "Cottle, Pang, Stone (1992), 1.4, 3.1",
            },
            Self::SequentialQuadraticProgram(_) => MethodDescription {
                name: "sequential-quadratic-program",
                siconos: "NSQP (207)",
                guarantee: "P, positive semidefinite",
                storage: "any",
                reference: "Pham Dinh, Le Thi (1997), 4; Cottle, Pang, Stone (1992), 3.5",
            },
            Self::NewtonMin(_) => MethodDescription {
                name: "newton-min",
                siconos: "NEWTONMIN (208)",
                guarantee: "P",
                storage: "any",
                reference: "Judice, Pires (1994)",
            },
            Self::NewtonMinLineSearch(_) => MethodDescription {
                name: "newton-min-line-search",
                siconos: "NEWTON_MIN_FBLSA (218)",
                guarantee: "P; stationary points for P0",
                storage: "any",
                reference: "Facchinei, Pang (2003), 9.2",
            },
            Self::NewtonFischerBurmeister(_) => MethodDescription {
                name: "newton-fischer-burmeister",
                siconos: "NEWTON_FB_FBLSA (209)",
                guarantee: "P; stationary points for P0",
                storage: "any",
                reference: "Facchinei, Pang (2003), 9.1",
            },
            Self::InteriorPoint(_) => MethodDescription {
                name: "interior-point",
                siconos: "",
                guarantee: "positive semidefinite and strictly feasible; P*",
                storage: "any",
                reference: "Wright (1997), 8",
            },
            Self::Enumeration(_) => MethodDescription {
                name: "enumeration",
                siconos: "ENUM (213)",
                guarantee: "any matrix, few unknowns",
                storage: "dense",
                reference: "Murty (1988), 1",
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
            Self::Lemke(settings) => &mut settings.tolerance,
            Self::Murty(settings) | Self::Bard(settings) => &mut settings.tolerance,
            Self::ProjectedGaussSeidel(settings) => &mut settings.tolerance,
            Self::ProjectedSor(settings) => &mut settings.tolerance,
            Self::RegularisedGaussSeidel(settings) => &mut settings.tolerance,
            Self::ConjugateProjectedGradient(settings) => &mut settings.tolerance,
            Self::ProjectedGradient(settings) => &mut settings.tolerance,
            Self::Latin(settings) => &mut settings.tolerance,
            Self::WeightedLatin(settings) => &mut settings.tolerance,
            Self::QuadraticProgram(settings) => &mut settings.tolerance,
            Self::SequentialQuadraticProgram(settings) => &mut settings.tolerance,
            Self::NewtonMin(settings) => &mut settings.tolerance,
            Self::NewtonMinLineSearch(settings) | Self::NewtonFischerBurmeister(settings) => {
                &mut settings.tolerance
            }
            Self::InteriorPoint(settings) => &mut settings.tolerance,
            Self::Enumeration(settings) => &mut settings.tolerance,
        } = tolerance;
    }

    /// Sets the largest number of iterations, in the unit of the method.
    pub fn set_max_iterations(&mut self, max_iterations: usize) {
        *match self {
            Self::Auto(settings) => &mut settings.max_iterations,
            Self::Lemke(settings) => &mut settings.max_iterations,
            Self::Murty(settings) | Self::Bard(settings) => &mut settings.max_iterations,
            Self::ProjectedGaussSeidel(settings) => &mut settings.max_iterations,
            Self::ProjectedSor(settings) => &mut settings.max_iterations,
            Self::RegularisedGaussSeidel(settings) => &mut settings.max_iterations,
            Self::ConjugateProjectedGradient(settings) => &mut settings.max_iterations,
            Self::ProjectedGradient(settings) => &mut settings.max_iterations,
            Self::Latin(settings) => &mut settings.max_iterations,
            Self::WeightedLatin(settings) => &mut settings.max_iterations,
            Self::QuadraticProgram(settings) => &mut settings.max_iterations,
            Self::SequentialQuadraticProgram(settings) => &mut settings.max_iterations,
            Self::NewtonMin(settings) => &mut settings.max_iterations,
            Self::NewtonMinLineSearch(settings) | Self::NewtonFischerBurmeister(settings) => {
                &mut settings.max_iterations
            }
            Self::InteriorPoint(settings) => &mut settings.max_iterations,
            Self::Enumeration(settings) => &mut settings.max_iterations,
        } = max_iterations;
    }

    /// Makes the solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn build(&self) -> Result<Box<dyn LcpSolver>, SettingsError> {
        Ok(match self {
            Self::Auto(settings) => Box::new(Auto::new(settings.clone())?),
            Self::Lemke(settings) => Box::new(Lemke::new(settings.clone())?),
            Self::Murty(settings) => {
                Box::new(PrincipalPivoting::new(PivotRule::LeastIndex, settings.clone())?)
            }
            Self::Bard(settings) => {
                Box::new(PrincipalPivoting::new(PivotRule::LargestViolation, settings.clone())?)
            }
            Self::ProjectedGaussSeidel(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
            Self::ProjectedSor(settings) => Box::new(ProjectedGaussSeidel::new(settings.clone())?),
            Self::RegularisedGaussSeidel(settings) => {
                let (name, value) = ("regularisation", settings.regularisation);
                SettingsError::check_at_least(name, value, f64::MIN_POSITIVE, "above 0")?;
                Box::new(ProjectedGaussSeidel::new(settings.clone())?)
            }
            Self::ConjugateProjectedGradient(settings) => {
                Box::new(ConjugateProjectedGradient::new(settings.clone())?)
            }
            Self::ProjectedGradient(settings) => Box::new(ProjectedGradient::new(settings.clone())?),
            Self::Latin(settings) => Box::new(Latin::new(settings.clone())?),
            Self::WeightedLatin(settings) => Box::new(Latin::new(settings.clone())?),
            Self::QuadraticProgram(settings) => Box::new(QuadraticProgram::new(settings.clone())?),
            Self::SequentialQuadraticProgram(settings) => {
                Box::new(SequentialQuadraticProgram::new(settings.clone())?)
            }
            Self::NewtonMin(settings) => Box::new(NewtonMin::new(settings.clone())?),
            Self::NewtonMinLineSearch(settings) => Box::new(NewtonMinLineSearch::new(settings.clone())?),
            Self::NewtonFischerBurmeister(settings) => {
                Box::new(NewtonFischerBurmeister::new(settings.clone())?)
            }
            Self::InteriorPoint(settings) => Box::new(InteriorPoint::new(settings.clone())?),
            Self::Enumeration(settings) => Box::new(Enumeration::new(settings.clone())?),
        })
    }
}
