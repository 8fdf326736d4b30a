//! Relations that are functions of the positions of bodies.

use ndarray::{ArrayViewMut2, s};
use smallvec::SmallVec;

use super::{BodyCoordinates, BodyGeometry, BodyRow};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::AXES;
use crate::model::{At, Quaternion};

/// Relation between rigid bodies, $y = h(t, q)$, $\dot y = C(t, q) T(q) v + \partial_t h$. The derivative
/// $C = \partial h / \partial q$ is taken with respect to the seven position coordinates of each body
/// (developer's notes of Siconos, 9.2). The product C T and the reaction $p = (C T)^T \lambda$ are computed
/// internally. Joints, distances and couplers also exist for planar bodies, see
/// [`JointBodies::in_plane`](crate::model::JointBodies::in_plane).
///
/// ```
/// use siconos_kernel::model::{NewtonEuler, NewtonEulerRelation, Quaternion};
/// use siconos_kernel::prelude::*;
///
/// // A ball with a radius of 0.1 m stays above the floor.
/// let floor = NewtonEulerRelation::new(1, |_, q, y| y[0] = q[2] - 0.1)
///     .with_derivative(|_, _q, c| c[[0, 2]] = 1.0);
/// let mut model = NonSmoothDynamicalSystem::new();
/// let ball = NewtonEuler::new(1.0, 0.004, [0.0, 0.0, 1.0], Quaternion::IDENTITY);
/// let ball = model.add_system(ball)?;
/// model.add_interaction([ball], floor, NewtonImpact::new(0.9)?)?;
/// # Ok::<(), ModelError>(())
/// ```
#[doc(alias = "NewtonEulerR")]
#[derive(Clone, Debug)]
pub struct NewtonEulerRelation(pub(in crate::model::relation) Constraint);

/// Maximum number of entries for which C is stored on the stack. For two bodies and six components, C has 84
/// entries.
const STACK: usize = 96;

impl NewtonEulerRelation {
    /// Creates a relation with `size` components and the function `h(at, q, y)`. `q` contains the seven
    /// coordinates of each body, concatenated; `y` is zeroed before the call. The derivative is computed by
    /// central differences unless [`with_derivative`](Self::with_derivative) sets it.
    pub fn new(size: usize, h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self(Constraint::new(size, h))
    }

    /// Sets $C = \partial h / \partial q$ as a function `(at, q, out)`, with `size x 7` entries for one body
    /// and `size x 14` for two; `out` is zeroed before the call.
    #[must_use]
    pub fn with_derivative(
        self,
        derivative: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        let size = self.0.size;
        Self(self.0.with_jacobian(move |at, q, j| {
            let mut memory = SmallVec::<[f64; STACK]>::from_elem(0.0, size * q.len());
            let c = ArrayViewMut2::from_shape((size, q.len()), &mut memory);
            let mut c = c.expect("memory for all rows");
            derivative(at, q, &mut c);
            for (entries, c) in j.rows_mut().into_iter().zip(c.rows()) {
                let mut row = BodyRow { coordinates: BodyCoordinates::Spatial, entries };
                for (body, q) in q.chunks_exact(7).enumerate() {
                    let (orientation, c) = (Quaternion::of_body(q), c.slice(s![7 * body..7 * body + 7]));
                    let rotation = AXES.map(|axis| {
                        let rate = orientation.rate(axis).0;
                        rate.iter().enumerate().map(|(i, t)| c[3 + i] * t).sum()
                    });
                    row.add(body, [c[0], c[1], c[2]], rotation);
                }
            }
        }))
    }

    /// Makes h depend on time, and sets its partial derivative with respect to time as a function
    /// `(at, q, out)`; `out` is zeroed before the call.
    #[must_use]
    pub fn with_time_derivative(
        self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_time_derivative(derivative))
    }

    /// Replaces the reaction $p = (C T)^T \lambda$ with $p = G^T(t, q) \lambda$. The matrix G is given as a
    /// function `(at, q, out)`, with `size x 6` entries for one body and `size x 12` for two; `out` is zeroed
    /// before the call. For each body, a row of G contains the force on the centre of mass in the inertial
    /// frame, and the moment in the body frame, for a multiplier of 1. In the developer's notes of Siconos
    /// (9.2), the reaction is R = G(X, lambda). Here, it must be linear in lambda, so that lambda can be an
    /// impulse.
    ///
    /// If $G \ne C T$, the reaction can add energy, and a one-step nonsmooth problem might not have a
    /// solution.
    #[must_use]
    pub fn with_input(
        self,
        input: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_input(input))
    }

    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Returns the geometry from which the relation was made, such as a contact or a joint, or `None` if it
    /// was made from user functions.
    #[must_use]
    pub fn geometry(&self) -> Option<&BodyGeometry> {
        self.0.geometry()
    }

    /// Returns the origin of h, or `None` if the relation has a [geometry](Self::geometry).
    #[must_use]
    pub fn h(&self) -> Option<&Origin> {
        self.0.h_origin()
    }

    /// Returns the origin of C, or `None` if C is computed by finite differences or follows from the
    /// geometry.
    #[must_use]
    pub fn derivative(&self) -> Option<&Origin> {
        self.0.jacobian_origin()
    }

    /// Returns the origin of the partial derivative of h with respect to time, or `None` if h does not depend
    /// on time.
    #[must_use]
    pub fn time_derivative(&self) -> Option<&Origin> {
        self.0.time_derivative_origin()
    }

    /// Returns the origin of G, or `None` if the reaction is $p = (C T)^T \lambda$.
    #[must_use]
    pub fn input(&self) -> Option<&Origin> {
        self.0.input_origin()
    }
}

impl HasParts for NewtonEulerRelation {
    fn parts(&self) -> PartList<'_> {
        self.0.parts("NewtonEulerRelation", "C")
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        self.0.origins_mut()
    }
}
