//! The solver of the one-step problem: the choice of the user, and what the laws of a model make of it.

use siconos_numerics::avi::{self, AviMethod, AviSolver};
use siconos_numerics::contact::{
    self, ContactLaw, ContactMethod, ContactProblem, ContactSolver, NonsmoothGaussSeidel,
};
use siconos_numerics::gmp::{self, GmpMethod, GmpSolver};
use siconos_numerics::lcp::{self, LcpMethod, LcpSolver, Lemke, ProjectedGaussSeidel};
use siconos_numerics::linalg::MatrixRef;
use siconos_numerics::mlcp::{self, Elimination, MlcpMethod, MlcpSolver};
use siconos_numerics::relay::{self, RelayMethod, RelaySolver};
use siconos_numerics::{SettingsError, Unsupported};

use super::class::ProblemClass;

/// The solver of the one-step problem.
///
/// Systems that interactions connect have a problem of their own in every step; what nothing connects is solved apart. The class of a
/// problem follows from the laws of its interactions:
///
/// | laws | class | solvers of |
/// |---|---|---|
/// | [`NewtonImpact`](crate::model::NewtonImpact), [`ComplementarityCondition`](crate::model::ComplementarityCondition) | linear complementarity | [`lcp`], [`gmp`] |
/// | the same and [`EqualityCondition`](crate::model::EqualityCondition) | mixed linear complementarity | [`mlcp`], [`lcp`] behind an elimination of the free unknowns, [`gmp`] |
/// | the same and [`Relay`](crate::model::Relay) | box complementarity | [`relay`], [`gmp`] |
/// | the same and [`NormalCone`](crate::model::NormalCone) | affine variational inequality | [`avi`] |
/// | [`ConeComplementarity`](crate::model::ConeComplementarity), [`ComplementarityCondition`](crate::model::ComplementarityCondition) | second-order cones | [`contact`] |
/// | [`NewtonImpactFriction`](crate::model::NewtonImpactFriction), all in the plane or all in space | contact with friction | [`contact`], [`gmp`] |
/// | friction beside other laws, or in the plane beside in space | blocks of different laws | [`gmp`] |
///
/// Connected systems whose coefficients of friction are all zero are posed on the normals alone, as with
/// [`NewtonImpact`](crate::model::NewtonImpact): tangents carry nothing. Only a solver for contacts that the user has chosen gets such
/// contacts whole.
///
/// A solver that the user has chosen gets all problems of a model. A solver for another class is refused when the simulation is built, or at the step that finds a law in a model that it
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
    /// [`lcp::Auto`], [`mlcp::Auto`], [`relay::Auto`], [`avi::Auto`], [`contact::Auto`] or [`gmp::Auto`], as the laws ask
    /// for.
    #[default]
    Automatic,
    /// For linear complementarity problems.
    Lcp(Box<dyn LcpSolver>),
    /// For mixed ones.
    Mlcp(Box<dyn MlcpSolver>),
    /// For bounds on both sides; also for complementarity and equalities.
    Relay(Box<dyn RelaySolver>),
    /// For polyhedra; also for all of the above.
    Avi(Box<dyn AviSolver>),
    /// For contacts with friction, and for second-order cones.
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

impl From<Box<dyn RelaySolver>> for OneStepSolver {
    fn from(solver: Box<dyn RelaySolver>) -> Self {
        Self::Relay(solver)
    }
}

impl From<Box<dyn AviSolver>> for OneStepSolver {
    fn from(solver: Box<dyn AviSolver>) -> Self {
        Self::Avi(solver)
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
    pub fn from_relay_method(method: &RelayMethod) -> Result<Self, SettingsError> {
        Ok(Self::Relay(method.build()?))
    }

    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_avi_method(method: &AviMethod) -> Result<Self, SettingsError> {
        Ok(Self::Avi(method.build()?))
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
            Self::Relay(solver) => solver.name(),
            Self::Avi(solver) => solver.name(),
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
    Relay(Box<dyn RelaySolver>),
    Avi(Box<dyn AviSolver>),
    Contact(Box<dyn ContactSolver>),
    /// A solver for contacts, on second-order cones.
    Cones(Box<dyn ContactSolver>),
    Gmp(Box<dyn GmpSolver>),
}

impl Chosen {
    pub(super) fn automatic(class: ProblemClass) -> Self {
        match class {
            ProblemClass::Complementarity => Self::Lcp(Box::<lcp::Auto>::default()),
            ProblemClass::Mixed => Self::Mlcp(Box::<mlcp::Auto>::default()),
            ProblemClass::Box => Self::Relay(Box::<relay::Auto>::default()),
            ProblemClass::Polyhedron => Self::Avi(Box::<avi::Auto>::default()),
            ProblemClass::Cones => Self::Cones(Box::<contact::Auto>::default()),
            ProblemClass::Contact { .. } => Self::Contact(Box::<contact::Auto>::default()),
            ProblemClass::Mechanical | ProblemClass::None => Self::Gmp(Box::<gmp::Auto>::default()),
        }
    }

    /// Puts the user's solver behind an elimination, or takes it out again, as the class asks for.
    pub(super) fn adapted(self, class: ProblemClass) -> Self {
        match (self, class) {
            (Self::Lcp(solver), ProblemClass::Mixed) => Self::Eliminated(Box::new(Elimination::new(solver))),
            (Self::Eliminated(solver), ProblemClass::Complementarity) => Self::Lcp((*solver).into_inner()),
            (Self::Contact(solver), ProblemClass::Cones) => Self::Cones(solver),
            (Self::Cones(solver), ProblemClass::Contact { .. }) => Self::Contact(solver),
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
            (
                Self::Relay(solver),
                ProblemClass::Complementarity | ProblemClass::Mixed | ProblemClass::Box,
            ) => return solver.supports(m),
            (
                Self::Avi(solver),
                ProblemClass::Complementarity
                | ProblemClass::Mixed
                | ProblemClass::Box
                | ProblemClass::Polyhedron,
            ) => return solver.supports(m),
            (Self::Cones(solver), ProblemClass::Cones) => {
                let law = ContactLaw::SecondOrder { starts: &[0], tau: &[] };
                return ContactProblem::new(m, &[], law).map_or(Ok(()), |problem| solver.supports(&problem));
            }
            (Self::Gmp(solver), ProblemClass::Polyhedron | ProblemClass::Cones) => (solver.name(), BLOCKS),
            (Self::Gmp(_), _) => return Ok(()),
            (Self::Lcp(solver), _) => (solver.name(), LINEAR),
            (Self::Mlcp(solver), _) => (solver.name(), LINEAR),
            (Self::Eliminated(solver), _) => (solver.name(), LINEAR),
            (Self::Relay(solver), _) => (solver.name(), BOUNDED),
            (Self::Avi(solver), _) => (solver.name(), POLYHEDRAL),
            (Self::Contact(solver) | Self::Cones(solver), _) => (solver.name(), FRICTION_ONLY),
        };
        let found = match class {
            ProblemClass::Complementarity => "a model without friction",
            ProblemClass::Mixed => "a model with equalities and without friction",
            ProblemClass::Box => "a model with relays",
            ProblemClass::Polyhedron => "a model with polyhedra",
            ProblemClass::Cones => "a model with second-order cones",
            ProblemClass::Contact { .. } => "a model with friction",
            ProblemClass::Mechanical | ProblemClass::None => {
                "a model with friction beside other laws, or in the plane and in space"
            }
        };
        Err(Unsupported { solver, found, takes })
    }
}

const LINEAR: &str = "models without friction, relays and cones; otherwise choose a method of the class that the laws ask for \
                      (ContactMethod, GmpMethod, RelayMethod, AviMethod), or the default";
const BOUNDED: &str = "models without friction, polyhedra and second-order cones; otherwise choose a method of the class that \
                       the laws ask for, or the default";
const POLYHEDRAL: &str = "models with polyhedra, relays, complementarity conditions and equalities only; otherwise choose \
                          a method of the class that the laws ask for, or the default";
const BLOCKS: &str = "models with friction, relays, complementarity conditions and equalities; for polyhedra choose an AviMethod, \
                      for second-order cones a ContactMethod, or the default";
const FRICTION_ONLY: &str = "models in which all laws are NewtonImpactFriction of one dimension, or second-order cones; \
                             otherwise choose a GmpMethod, or the default";
