//! The solver of the one-step problem: the choice of the user, and what the laws of a model make of it.

use siconos_numerics::contact::{
    self, ContactLaw, ContactMethod, ContactProblem, ContactSolver, NonsmoothGaussSeidel,
};
use siconos_numerics::gmp::{self, GmpMethod, GmpSolver};
use siconos_numerics::lcp::{self, LcpMethod, LcpSolver, Lemke, ProjectedGaussSeidel};
use siconos_numerics::linalg::MatrixRef;
use siconos_numerics::mlcp::{self, Elimination, MlcpMethod, MlcpSolver};
use siconos_numerics::{SettingsError, Unsupported};

use super::tables::ProblemClass;

/// The solver of the one-step problem.
///
/// The class of the problem follows from the laws of the model:
///
/// | laws | class | solvers of |
/// |---|---|---|
/// | [`NewtonImpact`](crate::model::NewtonImpact), [`ComplementarityCondition`](crate::model::ComplementarityCondition) | linear complementarity | [`lcp`], [`gmp`] |
/// | the same and [`EqualityCondition`](crate::model::EqualityCondition) | mixed linear complementarity | [`mlcp`], [`lcp`] behind an elimination of the free unknowns, [`gmp`] |
/// | [`NewtonImpactFriction`](crate::model::NewtonImpactFriction), all in the plane or all in space | contact with friction | [`contact`], [`gmp`] |
/// | friction beside other laws, or in the plane beside in space | blocks of different laws | [`gmp`] |
///
/// A solver for another class is refused when the simulation is built, or at the step that finds a law in a model that it
/// does not take.
///
/// The default is the `Auto` of each class, with its default settings: [`contact::Auto`] ends at an error of 1e-8, and is more
/// exact than that where sweeps solve the problem at once, as with one contact. Otherwise make it from a solver
/// ([`Lemke`], [`ProjectedGaussSeidel`], [`Elimination`], [`NonsmoothGaussSeidel`]), or from a choice with
/// [`OneStepSolver::from_lcp_method`] and its kin; or box a solver of your own.
///
/// ```
/// use siconos_kernel::nonsmooth_problem::OneStepSolver;
/// use siconos_numerics::lcp::{LcpMethod, Lemke, LemkeSettings};
///
/// let solver = OneStepSolver::from(Lemke::default());
/// let same = OneStepSolver::from_lcp_method(&LcpMethod::Lemke(LemkeSettings::default()))?;
/// assert_eq!(solver.name(), same.name());
/// assert_eq!(OneStepSolver::default().name(), "Auto");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Debug, Default)]
pub enum OneStepSolver {
    /// [`lcp::Auto`], [`mlcp::Auto`], [`contact::Auto`] or [`gmp::Auto`], as the laws ask for.
    #[default]
    Automatic,
    /// For linear complementarity problems.
    Lcp(Box<dyn LcpSolver>),
    /// For mixed ones.
    Mlcp(Box<dyn MlcpSolver>),
    /// For contacts with friction.
    Contact(Box<dyn ContactSolver>),
    /// For blocks of different laws, which every model comes down to.
    Gmp(Box<dyn GmpSolver>),
}

impl From<Lemke> for OneStepSolver {
    fn from(solver: Lemke) -> Self {
        Self::Lcp(Box::new(solver))
    }
}

impl From<ProjectedGaussSeidel> for OneStepSolver {
    fn from(solver: ProjectedGaussSeidel) -> Self {
        Self::Lcp(Box::new(solver))
    }
}

impl From<Elimination> for OneStepSolver {
    fn from(solver: Elimination) -> Self {
        Self::Mlcp(Box::new(solver))
    }
}

impl From<NonsmoothGaussSeidel> for OneStepSolver {
    fn from(solver: NonsmoothGaussSeidel) -> Self {
        Self::Contact(Box::new(solver))
    }
}

impl From<Box<dyn ContactSolver>> for OneStepSolver {
    fn from(solver: Box<dyn ContactSolver>) -> Self {
        Self::Contact(solver)
    }
}

impl From<Box<dyn GmpSolver>> for OneStepSolver {
    fn from(solver: Box<dyn GmpSolver>) -> Self {
        Self::Gmp(solver)
    }
}

impl From<Box<dyn LcpSolver>> for OneStepSolver {
    fn from(solver: Box<dyn LcpSolver>) -> Self {
        Self::Lcp(solver)
    }
}

impl From<Box<dyn MlcpSolver>> for OneStepSolver {
    fn from(solver: Box<dyn MlcpSolver>) -> Self {
        Self::Mlcp(solver)
    }
}

impl OneStepSolver {
    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_lcp_method(method: &LcpMethod) -> Result<Self, SettingsError> {
        Ok(Self::Lcp(method.build()?))
    }

    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_mlcp_method(method: &MlcpMethod) -> Result<Self, SettingsError> {
        Ok(Self::Mlcp(method.build()?))
    }

    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_contact_method(method: &ContactMethod) -> Result<Self, SettingsError> {
        Ok(Self::Contact(method.build()?))
    }

    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_gmp_method(method: &GmpMethod) -> Result<Self, SettingsError> {
        Ok(Self::Gmp(method.build()?))
    }

    /// The name of the method.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Automatic => "Auto",
            Self::Lcp(solver) => solver.name(),
            Self::Mlcp(solver) => solver.name(),
            Self::Contact(solver) => solver.name(),
            Self::Gmp(solver) => solver.name(),
        }
    }
}

/// The solver as the laws of the model need it.
#[derive(Debug)]
pub(super) enum Chosen {
    Lcp(Box<dyn LcpSolver>),
    Mlcp(Box<dyn MlcpSolver>),
    /// The user's solver for complementarity problems, behind an elimination for as long as there are equalities.
    Eliminated(Box<Elimination>),
    Contact(Box<dyn ContactSolver>),
    Gmp(Box<dyn GmpSolver>),
}

impl Chosen {
    fn automatic(class: ProblemClass) -> Self {
        match class {
            ProblemClass::Complementarity => Self::Lcp(Box::<lcp::Auto>::default()),
            ProblemClass::Mixed => Self::Mlcp(Box::<mlcp::Auto>::default()),
            ProblemClass::Contact { .. } => Self::Contact(Box::<contact::Auto>::default()),
            ProblemClass::Mechanical => Self::Gmp(Box::<gmp::Auto>::default()),
        }
    }

    /// Puts the user's solver behind an elimination, or takes it out again, as the class asks for.
    fn adapted(self, class: ProblemClass) -> Self {
        match (self, class) {
            (Self::Lcp(solver), ProblemClass::Mixed) => Self::Eliminated(Box::new(Elimination::new(solver))),
            (Self::Eliminated(solver), ProblemClass::Complementarity) => Self::Lcp((*solver).into_inner()),
            (fits, _) => fits,
        }
    }

    /// Whether the solver takes problems of this class with matrices like this empty one.
    pub(super) fn supports(&self, class: ProblemClass, m: MatrixRef<'_>) -> Result<(), Unsupported> {
        let (solver, takes) = match (self, class) {
            (Self::Lcp(solver), ProblemClass::Complementarity) => return solver.supports(m),
            (Self::Mlcp(solver), ProblemClass::Complementarity | ProblemClass::Mixed) => {
                return solver.supports(m);
            }
            (Self::Eliminated(solver), ProblemClass::Mixed) => return solver.supports(m),
            (Self::Contact(solver), ProblemClass::Contact { dimension }) => {
                let law = ContactLaw::Coulomb { dimension, mu: &[] };
                return ContactProblem::new(m, &[], law).map_or(Ok(()), |problem| solver.supports(&problem));
            }
            (Self::Gmp(_), _) => return Ok(()),
            (Self::Lcp(solver), _) => (solver.name(), FRICTIONLESS),
            (Self::Mlcp(solver), _) => (solver.name(), FRICTIONLESS),
            (Self::Eliminated(solver), _) => (solver.name(), FRICTIONLESS),
            (Self::Contact(solver), _) => (solver.name(), FRICTION_ONLY),
        };
        let found = match class {
            ProblemClass::Complementarity => "a model without friction",
            ProblemClass::Mixed => "a model with equalities and without friction",
            ProblemClass::Contact { .. } => "a model with friction",
            ProblemClass::Mechanical => {
                "a model with friction beside other laws, or in the plane and in space"
            }
        };
        Err(Unsupported { solver, found, takes })
    }
}

const FRICTIONLESS: &str =
    "models without friction; with friction choose a ContactMethod or GmpMethod, or the default";
const FRICTION_ONLY: &str = "models in which all laws are NewtonImpactFriction of one dimension; otherwise choose a \
                             GmpMethod, or the default";

/// The choice of the user, and what it has come to.
#[derive(Debug)]
pub(super) struct Active {
    is_automatic: bool,
    pub(super) chosen: Chosen,
    class: ProblemClass,
}

impl From<OneStepSolver> for Active {
    fn from(solver: OneStepSolver) -> Self {
        let class = ProblemClass::Complementarity;
        let is_automatic = matches!(solver, OneStepSolver::Automatic);
        let chosen = match solver {
            OneStepSolver::Automatic => Chosen::automatic(class),
            OneStepSolver::Lcp(solver) => Chosen::Lcp(solver),
            OneStepSolver::Mlcp(solver) => Chosen::Mlcp(solver),
            OneStepSolver::Contact(solver) => Chosen::Contact(solver),
            OneStepSolver::Gmp(solver) => Chosen::Gmp(solver),
        };
        Self { is_automatic, chosen, class }
    }
}

impl Active {
    /// Fits the solver to the class of the problem.
    pub(super) fn adapted(self, class: ProblemClass) -> Self {
        let chosen = match (self.is_automatic, self.chosen) {
            (true, _) if class != self.class => Chosen::automatic(class),
            (true, keeps_its_memory) => keeps_its_memory,
            (false, chosen) => chosen.adapted(class),
        };
        Self { chosen, class, ..self }
    }
}
