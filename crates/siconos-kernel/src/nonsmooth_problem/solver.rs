//! Solver of the one-step problem, as chosen by the user, and its adaptation to the laws of a model.

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

/// Solver of the one-step problem.
///
/// Every step has one problem for each set of systems that active interactions connect; unconnected systems
/// are solved separately. The class of a problem follows from the laws of its interactions:
///
/// | laws | class | solvers |
/// |---|---|---|
/// | [`NewtonImpact`], [`ComplementarityCondition`] | linear complementarity | [`lcp`], [`gmp`] |
/// | the laws above and [`EqualityCondition`], [`SpringDamper`] | mixed complementarity | [`mlcp`], [`gmp`] |
/// | the laws above and [`Relay`] | box complementarity | [`relay`], [`gmp`] |
/// | the laws above and [`NormalCone`] | affine variational inequality | [`avi`] |
/// | [`ConeComplementarity`], [`ComplementarityCondition`] | second-order cones | [`contact`] |
/// | [`NewtonImpactFriction`] of one kind | contact with friction | [`contact`], [`gmp`] |
/// | [`NewtonImpactFriction`] of several kinds, or with other laws | blocks with different laws | [`gmp`] |
///
/// Laws with friction are of one kind if all are planar or all are spatial, and all or none have rolling
/// friction. The solvers of [`lcp`] also solve mixed problems; the unknowns of the equalities are then
/// eliminated first.
///
/// If all coefficients of friction and all cohesions of connected systems are zero, the problem contains only
/// the normal components, as with [`NewtonImpact`], because the tangential reactions are zero. A contact
/// solver that the user has chosen gets all components.
///
/// A solver that the user has chosen gets all problems of a model. A solver of an unsuitable class is
/// rejected when the simulation is built, or by the step that first finds an unsupported law in the model.
///
/// The default is the `Auto` solver of each class with its default settings.
/// [`contact::Auto`](siconos_numerics::contact::Auto) stops at an error of 1e-8; the result is more accurate
/// if Gauss-Seidel sweeps solve the problem directly, as for a single contact. In islands of at least 600
/// rows where many contacts with friction act on a body with few degrees of freedom, `contact::Auto` gets the
/// matrices of the [bodies](siconos_numerics::contact::Operator::Bodies) instead of the Delassus matrix. The
/// condition is that the Delassus matrix would have more than 16 times as many entries as W, H and
/// $W^{-1} H^T$ together (32 times if all coefficients are constant).
///
/// To choose another solver, convert any [`Solver`] of these classes, including your own, with `into()`, or
/// choose a method at run time with [`OneStepSolver::from_method`].
///
/// [`NewtonImpact`]: crate::model::NewtonImpact
/// [`ComplementarityCondition`]: crate::model::ComplementarityCondition
/// [`EqualityCondition`]: crate::model::EqualityCondition
/// [`SpringDamper`]: crate::model::SpringDamper
/// [`Relay`]: crate::model::Relay
/// [`NormalCone`]: crate::model::NormalCone
/// [`ConeComplementarity`]: crate::model::ConeComplementarity
/// [`NewtonImpactFriction`]: crate::model::NewtonImpactFriction
/// [`lcp`]: siconos_numerics::lcp
/// [`gmp`]: siconos_numerics::gmp
/// [`mlcp`]: siconos_numerics::mlcp
/// [`relay`]: siconos_numerics::relay
/// [`avi`]: siconos_numerics::avi
/// [`contact`]: siconos_numerics::contact
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
    /// `lcp::Auto`, `mlcp::Auto`, `relay::Auto`, `avi::Auto`, `contact::Auto` or `gmp::Auto`, as the laws
    /// require.
    #[default]
    Automatic,
    /// Solver for linear complementarity problems.
    Lcp(BoxedSolver<Lcp>),
    /// Solver for mixed linear complementarity problems.
    Mlcp(BoxedSolver<Mlcp>),
    /// Solver for unknowns with lower and upper bounds, for complementarity and for equalities.
    Relay(BoxedSolver<Relay>),
    /// Solver for affine variational inequalities (unknowns in a polyhedron), and for the problems of all
    /// variants above.
    Avi(BoxedSolver<Avi>),
    /// Solver for contacts with friction and for second-order cones.
    Contact(BoxedSolver<Contact>),
    /// Solver for problems whose blocks have different laws. It supports all models without polyhedra and
    /// second-order cones.
    Gmp(BoxedSolver<Gmp>),
}

/// Class of problems that can be the one-step problem of a model.
pub trait OneStepClass: Class + Sized {
    /// Creates the variant of [`OneStepSolver`] for solvers of the class.
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
    /// Creates the solver of a method that is chosen in a file or on a command line.
    ///
    /// # Errors
    ///
    /// If a setting is out of range: [`SettingsError`].
    pub fn from_method<M: Method>(method: &M) -> Result<Self, SettingsError>
    where
        M::Class: OneStepClass,
    {
        Ok(M::Class::VARIANT(method.build()?))
    }

    /// Returns the name of the method.
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

/// Solver of the user or automatic solver, adapted to the class of its problems.
#[derive(Debug)]
pub(super) enum ClassSolver {
    Lcp(BoxedSolver<Lcp>),
    Mlcp(BoxedSolver<Mlcp>),
    /// Solver of the user for complementarity problems, while the model has equalities. The equalities are
    /// eliminated first.
    Eliminated(Box<Elimination>),
    Relay(BoxedSolver<Relay>),
    Avi(BoxedSolver<Avi>),
    Contact(BoxedSolver<Contact>),
    /// A contact solver, used for second-order cones.
    Cones(BoxedSolver<Contact>),
    Gmp(BoxedSolver<Gmp>),
}

impl ClassSolver {
    /// Creates the automatic solver of a class. The tolerance, if there is one, must be valid.
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

    /// Returns the tolerance at which the solver stops.
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

    /// Adapts the solver of the user to a class: adds or removes the elimination of equalities, or uses a
    /// contact solver for friction or for cones.
    pub(super) fn adapted(self, class: ProblemClass) -> Self {
        match (self, class) {
            (Self::Lcp(solver), ProblemClass::Mixed) => Self::Eliminated(Box::new(Elimination::new(solver))),
            (Self::Eliminated(solver), ProblemClass::Complementarity) => Self::Lcp((*solver).into_inner()),
            (Self::Contact(solver), ProblemClass::Cones) => Self::Cones(solver),
            (Self::Cones(solver), ProblemClass::Contact { .. }) => Self::Contact(solver),
            (fits, _) => fits,
        }
    }

    /// Checks that the solver supports problems of the given class with matrices in the storage format of
    /// `m`. `m` must be an empty matrix.
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
                "a model with friction and other laws, or with friction both in the plane and in space"
            }
        };
        Err(Unsupported { solver, found, takes })
    }
}

/// Creates the automatic solver of a class, which is the default method of the class. The tolerance, if there
/// is one, must be valid.
fn automatic<M: Method>(tolerance: Option<f64>) -> BoxedSolver<M::Class> {
    let mut method = M::default();
    if let Some(tolerance) = tolerance {
        method.set_tolerance(tolerance);
    }
    method.build().expect("defaults are in their range, and so is the tolerance")
}

/// Checks a tolerance for the automatic solvers, all of which accept the same range.
pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), SettingsError> {
    let mut method = LcpMethod::default();
    method.set_tolerance(tolerance);
    method.build().map(drop)
}

/// Checks that a solver supports an empty problem of the given class and storage.
fn asked<'a, S: Solver + ?Sized>(
    solver: &S,
    empty: Result<<S::Class as Class>::Problem<'a>, ProblemError>,
) -> Result<(), Unsupported>
where
    <S::Class as Class>::Problem<'a>: Sized,
{
    empty.map_or(Ok(()), |empty| solver.supports(&empty))
}

const LINEAR: &str = "models without friction, relays or cones; choose a method of the class that the laws require \
                      (ContactMethod, GmpMethod, RelayMethod, AviMethod), or the default";
const BOUNDED: &str = "models without friction, polyhedra or second-order cones; choose a method of the class that \
                       the laws require, or the default";
const POLYHEDRAL: &str = "models with polyhedra, relays, complementarity conditions and equalities only; choose \
                          a method of the class that the laws require, or the default";
const BLOCKS: &str = "models with friction, relays, complementarity conditions and equalities; for polyhedra choose an AviMethod, \
                      for second-order cones a ContactMethod, or the default";
const FRICTION_ONLY: &str = "models in which all laws are NewtonImpactFriction of one size, or second-order cones; \
                             choose a GmpMethod, or the default";
