//! Relations between the local variables y (such as gaps) and lambda (such as contact impulses) of an
//! interaction and the state of its systems.
//!
//! All Lagrangian relations are $y = h(q, t)$, with the velocity $\dot y = J(q, t) v + \partial_t h(q, t)$
//! and the generalised reaction $p = J(q, t)^T \lambda$. The vectors $q$ and $v$ are the concatenated
//! positions and velocities of all systems of the interaction. Positive y means that the systems are apart;
//! positive lambda means that they push each other apart. Relations of first-order systems are
//! $y = h(t, x, \lambda)$ with the input $r = g(t, x, \lambda)$. A
//! [`FirstOrderLinearRelation`] can also connect first-order systems with Lagrangian systems.

mod body;
mod constraint;
mod convective;
mod first_order_linear;
mod first_order_nonlinear;
mod lagrangian_linear;
mod nonlinear;
mod relation_jacobian;
mod support;
pub(crate) mod values;

pub(crate) use body::{BodyCoordinates, ContactFrame, SpatialImpulse};
pub use body::{
    BodyGeometry, ContactBall, ContactPoints, ContactRows, ContactShape, ContactSurface, Coupler,
    CouplerKind, Disc, Distance, Joint, JointBodies, JointCoordinate, JointKind, JointStop,
    NewtonEulerRelation, PlanarContact, PlanarRows, PlanarSurface, PointContact, PrescribedMotion,
};
pub(crate) use constraint::Constraint;
pub(crate) use convective::ConvectiveScratch;
pub use first_order_linear::FirstOrderLinearRelation;
pub use first_order_nonlinear::{FirstOrderNonlinearRelation, RelationPoint};
pub use lagrangian_linear::LagrangianLinearRelation;
pub use nonlinear::{LagrangianRheonomousRelation, LagrangianScleronomousRelation};
pub use relation_jacobian::{RelationJacobian, RelationMatrixFunction};
pub(crate) use values::RelationValues;

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::{Csc, Matrix};

use crate::model::configuration::{PositionSpace, VECTOR};
use crate::model::dynamical_system::{DifferenceScratch, JacobianMismatch};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError};

/// Relation of an interaction, of any kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Relation {
    /// $y = H q + b + D \lambda$.
    LagrangianLinear(LagrangianLinearRelation),
    /// $y = h(q)$.
    LagrangianScleronomous(LagrangianScleronomousRelation),
    /// $y = h(t, q)$.
    LagrangianRheonomous(LagrangianRheonomousRelation),
    /// $y = h(t, q)$ between rigid bodies.
    NewtonEuler(NewtonEulerRelation),
    /// $y = C x + F z + D \lambda + e$, $r = B \lambda$.
    FirstOrderLinear(Box<FirstOrderLinearRelation>),
    /// $y = h(t, x, \lambda, z)$, $r = g(t, x, \lambda, z)$.
    FirstOrderNonlinear(Box<FirstOrderNonlinearRelation>),
}

impl From<FirstOrderLinearRelation> for Relation {
    fn from(relation: FirstOrderLinearRelation) -> Self {
        Self::FirstOrderLinear(Box::new(relation))
    }
}

impl From<FirstOrderNonlinearRelation> for Relation {
    fn from(relation: FirstOrderNonlinearRelation) -> Self {
        Self::FirstOrderNonlinear(Box::new(relation))
    }
}

/// Converts a relation between rigid bodies, or an object that defines one, such as a joint or a contact.
impl<B: Into<NewtonEulerRelation>> From<B> for Relation {
    fn from(of_bodies: B) -> Self {
        Self::NewtonEuler(of_bodies.into())
    }
}

impl From<LagrangianLinearRelation> for Relation {
    fn from(relation: LagrangianLinearRelation) -> Self {
        Self::LagrangianLinear(relation)
    }
}

impl From<LagrangianScleronomousRelation> for Relation {
    fn from(relation: LagrangianScleronomousRelation) -> Self {
        Self::LagrangianScleronomous(relation)
    }
}

impl From<LagrangianRheonomousRelation> for Relation {
    fn from(relation: LagrangianRheonomousRelation) -> Self {
        Self::LagrangianRheonomous(relation)
    }
}

impl Relation {
    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::LagrangianLinear(relation) => relation.h().rows(),
            Self::LagrangianScleronomous(relation) => relation.size(),
            Self::LagrangianRheonomous(relation) => relation.size(),
            Self::NewtonEuler(relation) => relation.size(),
            Self::FirstOrderLinear(relation) => relation.size(),
            Self::FirstOrderNonlinear(relation) => relation.size(),
        }
    }

    /// Returns `true` for a relation of first-order systems.
    #[must_use]
    pub fn is_first_order(&self) -> bool {
        matches!(self, Self::FirstOrderLinear(_) | Self::FirstOrderNonlinear(_))
    }

    /// Compares the user-supplied Jacobian and time derivative with central differences at one point. `q` is
    /// the concatenated position of all systems of the interaction. For first-order systems, it is their
    /// concatenated state x, and lambda is 0 (see [`FirstOrderNonlinearRelation::check_jacobians`]). The
    /// finite-difference step for derivatives with respect to time is 1/4096 s. For systems whose positions
    /// are not vectors, use [`Interaction::check_jacobians`](crate::model::Interaction::check_jacobians).
    ///
    /// # Errors
    ///
    /// If the difference in an entry exceeds `tolerance` times the larger of 1 and the largest magnitude of
    /// an entry. The error reports the entry with the largest difference.
    pub fn check_jacobians<'a>(
        &self,
        at: impl Into<At<'a>>,
        q: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        self.check_jacobians_in(&VECTOR, q.len(), at.into(), q, tolerance)
    }

    /// Implements [`check_jacobians`](Self::check_jacobians) for positions in any space; `columns` is the
    /// number of velocities.
    pub(super) fn check_jacobians_in(
        &self,
        space: &PositionSpace,
        columns: usize,
        at: At<'_>,
        q: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        match self {
            Self::LagrangianLinear(_) | Self::FirstOrderLinear(_) => Ok(()),
            Self::LagrangianScleronomous(relation) => {
                relation.0.check_jacobians(at, space, columns, q, tolerance)
            }
            Self::LagrangianRheonomous(relation) => {
                relation.0.check_jacobians(at, space, columns, q, tolerance)
            }
            Self::NewtonEuler(relation) => relation.0.check_jacobians(at, space, columns, q, tolerance),
            Self::FirstOrderNonlinear(relation) => {
                relation.check_jacobians(at, q, &vec![0.0; relation.size()], tolerance)
            }
        }
    }

    /// Checks that the data are consistent with `columns` degrees of freedom.
    pub(crate) fn check(&self, columns: usize) -> Result<(), ModelError> {
        if self.size() == 0 {
            return Err(ModelError::Empty { what: "relation" });
        }
        match self {
            Self::LagrangianLinear(relation) => relation.check(columns),
            Self::LagrangianScleronomous(relation) => relation.0.check(),
            Self::LagrangianRheonomous(relation) => relation.0.check(),
            Self::NewtonEuler(relation) => relation.0.check(),
            Self::FirstOrderLinear(relation) => relation.check(columns),
            Self::FirstOrderNonlinear(relation) => relation.check(columns),
        }
    }

    /// Returns `true` if the Jacobians are constant matrices.
    pub(crate) fn has_constant_jacobian(&self) -> bool {
        match self {
            Self::LagrangianLinear(_) => true,
            Self::FirstOrderLinear(relation) => relation.is_constant(),
            _ => false,
        }
    }

    /// Returns the transpose of a constant Jacobian without its zeros; `None` if the Jacobian is not sparse.
    pub(crate) fn sparse_rows(&self) -> Option<&Csc> {
        match self {
            Self::LagrangianLinear(relation) => relation.sparse_rows(),
            _ => None,
        }
    }

    /// Returns the indices of the states that a relation of first-order systems reads or acts on, if they are
    /// known and few.
    pub(crate) fn support(&self) -> Option<&[usize]> {
        match self {
            Self::FirstOrderLinear(relation) => relation.support(),
            _ => None,
        }
    }

    /// Returns the compliance D, or `None` if the relation is not compliant.
    pub(crate) fn compliance(&self) -> Option<&Array2<f64>> {
        match self {
            Self::LagrangianLinear(relation) => relation.compliance(),
            _ => None,
        }
    }

    /// Returns `true` if r depends on x.
    pub(crate) fn has_k(&self) -> bool {
        matches!(self, Self::FirstOrderNonlinear(relation) if relation.has_k())
    }

    /// Returns the constraint of a nonlinear relation of Lagrangian systems; `None` for other relations.
    pub(crate) fn constraint(&self) -> Option<&Constraint> {
        match self {
            Self::LagrangianScleronomous(LagrangianScleronomousRelation(constraint))
            | Self::LagrangianRheonomous(LagrangianRheonomousRelation(constraint))
            | Self::NewtonEuler(NewtonEulerRelation(constraint)) => Some(constraint),
            _ => None,
        }
    }

    /// Returns `true` if the systems must be planar bodies.
    pub(crate) fn requires_planar_bodies(&self) -> bool {
        self.constraint().is_some_and(Constraint::requires_planar_bodies)
    }

    /// Writes the matrix G of the reaction $p = G^T \lambda$ of a relation of Lagrangian systems,
    /// `size x columns`, in velocity coordinates. G is J unless a separate input matrix is given.
    pub(crate) fn input_into(
        &self,
        at: At<'_>,
        space: &PositionSpace,
        q: &[f64],
        scratch: &mut DifferenceScratch,
        mut j: ArrayViewMut2<'_, f64>,
    ) {
        match (self, self.constraint()) {
            (_, Some(constraint)) => constraint.input_into(at, space, q, scratch, j),
            (Self::LagrangianLinear(relation), None) => match relation.h() {
                Matrix::Dense(h) => j.assign(h),
                other => j.assign(&other.view().to_dense()),
            },
            _ => {}
        }
    }
}

impl HasParts for Relation {
    fn parts(&self) -> PartList<'_> {
        match self {
            Self::LagrangianLinear(relation) => relation.parts(),
            Self::LagrangianScleronomous(relation) => relation.parts(),
            Self::LagrangianRheonomous(relation) => relation.parts(),
            Self::NewtonEuler(relation) => relation.parts(),
            Self::FirstOrderLinear(relation) => relation.parts(),
            Self::FirstOrderNonlinear(relation) => relation.parts(),
        }
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match self {
            Self::LagrangianLinear(relation) => relation.origins_mut(),
            Self::LagrangianScleronomous(relation) => relation.origins_mut(),
            Self::LagrangianRheonomous(relation) => relation.origins_mut(),
            Self::NewtonEuler(relation) => relation.origins_mut(),
            Self::FirstOrderLinear(relation) => relation.origins_mut(),
            Self::FirstOrderNonlinear(relation) => relation.origins_mut(),
        }
    }
}
