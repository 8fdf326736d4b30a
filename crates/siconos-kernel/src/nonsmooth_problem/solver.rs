//! The solver of the one-step problem: the choice of the user, and what the laws of a model make of it.

use ndarray::ArrayView2;
use siconos_linalg::MatrixRef;
use siconos_numerics::avi::{Avi, AviMethod, AviProblem};
use siconos_numerics::contact::{Contact, ContactLaw, ContactMethod, ContactProblem};
use siconos_numerics::gmp::{Gmp, GmpMethod};
use siconos_numerics::lcp::{Lcp, LcpMethod, LcpProblem};
use siconos_numerics::method::{BoxedSolver, Class, Method, Solver};
use siconos_numerics::mlcp::{Elimination, Mlcp, MlcpMethod, MlcpProblem};
use siconos_numerics::relay::{Relay, RelayMethod, RelayProblem};
use siconos_numerics::{ProblemError, SettingsError, Unsupported};

use super::class::ProblemClass;

/// The solver of the one-step problem.
///
/// Systems that active interactions connect have a problem of their own in every step; what nothing connects
/// is solved apart. The class of a problem follows from the laws of its interactions:
///
/// | laws | class | solvers of |
/// |---|---|---|
/// | [`NewtonImpact`](crate::model::NewtonImpact), [`ComplementarityCondition`](crate::model::ComplementarityCondition) | linear complementarity | [`lcp`](siconos_numerics::lcp), [`gmp`](siconos_numerics::gmp) |
/// | the same and [`EqualityCondition`](crate::model::EqualityCondition) or [`SpringDamper`](crate::model::SpringDamper) | mixed linear complementarity | [`mlcp`](siconos_numerics::mlcp), [`lcp`](siconos_numerics::lcp) behind an elimination of the free unknowns, [`gmp`](siconos_numerics::gmp) |
/// | the same and [`Relay`](crate::model::Relay) | box complementarity | [`relay`](siconos_numerics::relay), [`gmp`](siconos_numerics::gmp) |
/// | the same and [`NormalCone`](crate::model::NormalCone) | affine variational inequality | [`avi`](siconos_numerics::avi) |
/// | [`ConeComplementarity`](crate::model::ConeComplementarity), [`ComplementarityCondition`](crate::model::ComplementarityCondition) | second-order cones | [`contact`](siconos_numerics::contact) |
/// | [`NewtonImpactFriction`](crate::model::NewtonImpactFriction), all in the plane or all in space, all with rolling friction or without | contact with friction | [`contact`](siconos_numerics::contact), [`gmp`](siconos_numerics::gmp) |
/// | friction beside other laws, in the plane beside in space, with rolling friction beside without | blocks of different laws | [`gmp`](siconos_numerics::gmp) |
///
/// Connected systems whose coefficients of friction are all zero are posed on the normals alone, as with
/// [`NewtonImpact`](crate::model::NewtonImpact): tangents carry nothing. Only a solver for contacts that the
/// user has chosen gets such contacts whole.
///
/// A solver that the user has chosen gets all problems of a model. A solver for another class is refused when
/// the simulation is built, or at the step that finds a law in a model that it does not take.
///
/// The default is the `Auto` of each class, with its default settings:
/// [`contact::Auto`](siconos_numerics::contact::Auto) ends at an error of 1e-8, and is more exact than that
/// where sweeps solve the problem at once, as with one contact. Where many contacts with friction act on a
/// body of few freedoms, in islands of at least 600 rows whose Delassus matrix would have more than 16 times
/// the entries of W, H and $W^{-1} H^T$ (32 where all is constant),
/// it gets the [bodies](siconos_numerics::contact::Operator::Bodies) in the place of that matrix. Otherwise
/// make it from any [`Solver`] of these classes, your own included, by `into()`, or from a choice at run time
/// with [`OneStepSolver::from_method`].
///
/// ```
/// use siconos_kernel::nonsmooth_problem::OneStepSolver;
/// use siconos_numerics::lcp::{LcpMethod, Lemke, LemkeSettings};
///
/// let solver = OneStepSolver::from(Lemke::default());
/// let same = OneStepSolver::from_method(&LcpMethod::Lemke(LemkeSettings::default()))?;
/// assert_eq!(solver.name(), same.name());
/// assert_eq!(OneStepSolver::default().name(), "auto");
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Debug, Default)]
pub enum OneStepSolver {
    /// `lcp::Auto`, `mlcp::Auto`, `relay::Auto`, `avi::Auto`, `contact::Auto` or
    /// `gmp::Auto`, as the laws ask for.
    #[default]
    Automatic,
    /// For linear complementarity problems.
    Lcp(BoxedSolver<Lcp>),
    /// For mixed ones.
    Mlcp(BoxedSolver<Mlcp>),
    /// For bounds on both sides; also for complementarity and equalities.
    Relay(BoxedSolver<Relay>),
    /// For polyhedra; also for all of the above.
    Avi(BoxedSolver<Avi>),
    /// For contacts with friction, and for second-order cones.
    Contact(BoxedSolver<Contact>),
    /// For blocks of different laws, which every model comes down to.
    Gmp(BoxedSolver<Gmp>),
}

/// A class of problems that models come down to.
pub trait OneStepClass: Class + Sized {
    /// Makes the variant of [`OneStepSolver`] for solvers of this class.
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver;
}

impl OneStepClass for Lcp {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Lcp;
}

impl OneStepClass for Mlcp {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Mlcp;
}

impl OneStepClass for Relay {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Relay;
}

impl OneStepClass for Avi {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Avi;
}

impl OneStepClass for Contact {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Contact;
}

impl OneStepClass for Gmp {
    const VARIANT: fn(BoxedSolver<Self>) -> OneStepSolver = OneStepSolver::Gmp;
}

impl<S: Solver + 'static> From<S> for OneStepSolver
where
    S::Class: OneStepClass,
{
    fn from(solver: S) -> Self {
        S::Class::VARIANT(Box::new(solver))
    }
}

impl OneStepSolver {
    /// Makes the solver that a file or command line names.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn from_method<M: Method>(method: &M) -> Result<Self, SettingsError>
    where
        M::Class: OneStepClass,
    {
        Ok(M::Class::VARIANT(method.build()?))
    }

    /// The name of the method.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Automatic => "auto",
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
pub(super) enum ClassSolver {
    Lcp(BoxedSolver<Lcp>),
    Mlcp(BoxedSolver<Mlcp>),
    /// The user's solver for complementarity problems, behind an elimination for as long as there are
    /// equalities.
    Eliminated(Box<Elimination>),
    Relay(BoxedSolver<Relay>),
    Avi(BoxedSolver<Avi>),
    Contact(BoxedSolver<Contact>),
    /// A solver for contacts, on second-order cones.
    Cones(BoxedSolver<Contact>),
    Gmp(BoxedSolver<Gmp>),
}

impl ClassSolver {
    /// The automatic choice for a class; a tolerance that is given has been checked.
    pub(super) fn automatic(class: ProblemClass, tolerance: Option<f64>) -> Self {
        match class {
            ProblemClass::Complementarity => Self::Lcp(automatic::<LcpMethod>(tolerance)),
            ProblemClass::Mixed => Self::Mlcp(automatic::<MlcpMethod>(tolerance)),
            ProblemClass::Box => Self::Relay(automatic::<RelayMethod>(tolerance)),
            ProblemClass::Polyhedron => Self::Avi(automatic::<AviMethod>(tolerance)),
            ProblemClass::Cones => Self::Cones(automatic::<ContactMethod>(tolerance)),
            ProblemClass::Contact { .. } => Self::Contact(automatic::<ContactMethod>(tolerance)),
            ProblemClass::Mechanical | ProblemClass::None => Self::Gmp(automatic::<GmpMethod>(tolerance)),
        }
    }

    /// The tolerance at which the solver stops.
    pub(super) fn tolerance(&self) -> f64 {
        match self {
            Self::Lcp(solver) => solver.tolerance(),
            Self::Mlcp(solver) => solver.tolerance(),
            Self::Eliminated(solver) => solver.tolerance(),
            Self::Relay(solver) => solver.tolerance(),
            Self::Avi(solver) => solver.tolerance(),
            Self::Contact(solver) | Self::Cones(solver) => solver.tolerance(),
            Self::Gmp(solver) => solver.tolerance(),
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
            (Self::Lcp(solver), ProblemClass::Complementarity) => {
                return asked(solver, LcpProblem::new(m, &[]));
            }
            (Self::Mlcp(solver), ProblemClass::Complementarity | ProblemClass::Mixed) => {
                return asked(solver, MlcpProblem::new(m, &[], &[]));
            }
            (Self::Eliminated(solver), ProblemClass::Mixed) => {
                return asked(solver, MlcpProblem::new(m, &[], &[]));
            }
            (Self::Contact(solver), ProblemClass::Contact { size: dimension, rolling }) => {
                let law = match rolling {
                    true => ContactLaw::Rolling { dimension, mu: &[], mu_rolling: &[] },
                    false => ContactLaw::Coulomb { dimension, mu: &[] },
                };
                return asked(solver, ContactProblem::new(m, &[], law));
            }
            (
                Self::Relay(solver),
                ProblemClass::Complementarity | ProblemClass::Mixed | ProblemClass::Box,
            ) => return asked(solver, RelayProblem::new(m, &[], &[], &[])),
            (
                Self::Avi(solver),
                ProblemClass::Complementarity
                | ProblemClass::Mixed
                | ProblemClass::Box
                | ProblemClass::Polyhedron,
            ) => {
                let no_faces = ArrayView2::from(&[[0.0; 0]; 0]);
                return AviProblem::new(m, &[], no_faces, &[])
                    .map_or(Ok(()), |empty| solver.supports(&empty));
            }
            (Self::Cones(solver), ProblemClass::Cones) => {
                let law = ContactLaw::SecondOrder { starts: &[0], tau: &[] };
                return asked(solver, ContactProblem::new(m, &[], law));
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

/// The default method of a class, which is its automatic choice, at a tolerance that has been checked.
fn automatic<M: Method>(tolerance: Option<f64>) -> BoxedSolver<M::Class> {
    let mut method = M::default();
    if let Some(tolerance) = tolerance {
        method.set_tolerance(tolerance);
    }
    method.build().expect("defaults are in their range, and so is the tolerance")
}

/// Checks a tolerance for all automatic solvers: they ask for the same.
pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), SettingsError> {
    let mut method = LcpMethod::default();
    method.set_tolerance(tolerance);
    method.build().map(drop)
}

/// What a solver says to a problem without unknowns, which the laws of a class and a storage make.
fn asked<'a, S: Solver + ?Sized>(
    solver: &S,
    empty: Result<<S::Class as Class>::Problem<'a>, ProblemError>,
) -> Result<(), Unsupported>
where
    <S::Class as Class>::Problem<'a>: Sized,
{
    empty.map_or(Ok(()), |empty| solver.supports(&empty))
}

const LINEAR: &str = "models without friction, relays and cones; otherwise choose a method of the class that the laws ask for \
                      (ContactMethod, GmpMethod, RelayMethod, AviMethod), or the default";
const BOUNDED: &str = "models without friction, polyhedra and second-order cones; otherwise choose a method of the class that \
                       the laws ask for, or the default";
const POLYHEDRAL: &str = "models with polyhedra, relays, complementarity conditions and equalities only; otherwise choose \
                          a method of the class that the laws ask for, or the default";
const BLOCKS: &str = "models with friction, relays, complementarity conditions and equalities; for polyhedra choose an AviMethod, \
                      for second-order cones a ContactMethod, or the default";
const FRICTION_ONLY: &str = "models in which all laws are NewtonImpactFriction of one size, or second-order cones; \
                             otherwise choose a GmpMethod, or the default";
