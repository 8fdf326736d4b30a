//! Scleronomous and rheonomous constraints: relations that are functions of position, or of time and
//! position.

use ndarray::ArrayViewMut2;

use super::body::BodyGeometry;
use super::constraint::Constraint;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, Parameters};

/// Scleronomous constraint $y = h(q)$, $\dot y = J(q) v$, $p = J(q)^T \lambda$, which does not depend on
/// time.
///
/// ```
/// use siconos_kernel::model::{LagrangianScleronomousRelation, Relation};
///
/// // The tip of a pendulum of length 1 stays to the right of the wall x = 0.
/// let wall = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin())
///     .with_jacobian(|_, q, j| j[[0, 0]] = q[0].cos());
/// Relation::from(wall).check_jacobians(0.0, &[0.3], 1e-8)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "LagrangianScleronomousR")]
#[derive(Clone, Debug)]
pub struct LagrangianScleronomousRelation(pub(super) Constraint);

impl LagrangianScleronomousRelation {
    /// Creates a relation with `size` components and the function `h(parameters, q, y)`; `y` is zeroed before
    /// the call. The Jacobian is computed by central differences unless
    /// [`with_jacobian`](Self::with_jacobian) sets it.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn new(size: usize, h: impl Fn(&Parameters, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| h(at.parameters(), q, y);
        Self(Constraint::new(size, h))
    }

    /// Sets the Jacobian `J(parameters, q, out)`, `size x N` for systems with N velocities; `out` is zeroed
    /// before the call.
    #[must_use]
    pub fn with_jacobian(
        self,
        jacobian: impl Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_jacobian(move |at, q, j| jacobian(at.parameters(), q, j)))
    }

    /// Sets the convective acceleration of y, $\dot J v = v^T \nabla^2 h(q) v$, as a function
    /// `(parameters, q, v, out)`; `out` is zeroed before the call. It is the part of the acceleration of y
    /// that does not depend on the acceleration of q. Event-driven simulations need it. Default: finite
    /// differences of sixth order.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        self,
        convective: impl Fn(&Parameters, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_convective_acceleration(move |at, q, v, out| convective(at.parameters(), q, v, out)))
    }

    /// Sets the finite-difference step for derivatives with respect to q; see
    /// [`Jacobian`](crate::model::Jacobian). It is used if the Jacobian or the convective acceleration is not
    /// given. Default: [`DIFFERENCE_STEP`](crate::model::dynamical_system::DIFFERENCE_STEP).
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        self.0.step = step;
        self
    }

    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Returns the geometry from which the relation was made, such as a
    /// [planar contact](crate::model::PlanarContact), or `None` if it was made from user functions.
    #[must_use]
    pub fn geometry(&self) -> Option<&BodyGeometry> {
        self.0.geometry()
    }

    /// Returns the origin of h.
    #[must_use]
    pub fn h(&self) -> &Origin {
        self.0.h_origin().unwrap_or(&Origin::Unknown)
    }

    /// Returns the origin of the Jacobian, or `None` if it is computed by finite differences.
    #[must_use]
    pub fn jacobian(&self) -> Option<&Origin> {
        self.0.jacobian_origin()
    }

    /// Returns the origin of the convective acceleration, or `None` if it is computed by finite differences.
    #[must_use]
    pub fn convective_acceleration(&self) -> Option<&Origin> {
        self.0.convective_origin()
    }

    /// Returns the finite-difference step for derivatives with respect to q.
    #[must_use]
    pub fn difference_step(&self) -> f64 {
        self.0.step
    }
}

/// Rheonomous constraint $y = h(t, q)$, $\dot y = J(t, q) v + \partial_t h(t, q)$, $p = J(t, q)^T \lambda$,
/// which depends on time. An example is the constraint of a driven cam.
///
/// ```
/// use siconos_kernel::model::{LagrangianRheonomousRelation, Relation};
///
/// // A mass above a vibrating table: y = q - 0.01 sin(50 t).
/// let table = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - 0.01 * (50.0 * at.t).sin())
///     .with_jacobian(|_at, _q, j| j[[0, 0]] = 1.0)
///     .with_time_derivative(|at, _q, y_t| y_t[0] = -0.5 * (50.0 * at.t).cos());
/// Relation::from(table).check_jacobians(0.01, &[0.2], 1e-6)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "LagrangianRheonomousR")]
#[derive(Clone, Debug)]
pub struct LagrangianRheonomousRelation(pub(super) Constraint);

impl LagrangianRheonomousRelation {
    /// Creates a relation with `size` components and the function `h(at, q, y)`; `y` is zeroed before the
    /// call. The Jacobian and the time derivative are computed by central differences unless they are set.
    /// The finite-difference step in time is a fraction of the
    /// [time scale](crate::model::NonSmoothDynamicalSystem::set_time_scale) of the model.
    pub fn new(size: usize, h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self(Constraint::new(size, h).rheonomous())
    }

    /// Sets the Jacobian `J(at, q, out)`, `size x N`; `out` is zeroed before the call.
    #[must_use]
    pub fn with_jacobian(
        self,
        jacobian: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_jacobian(jacobian))
    }

    /// Sets the partial derivative of h with respect to time, as a function `(at, q, out)`; `out` is zeroed
    /// before the call.
    #[must_use]
    pub fn with_time_derivative(
        self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_time_derivative(derivative))
    }

    /// Sets the convective acceleration of y, $\dot J v + \partial_t (J v + \partial_t h)$, as a function
    /// `(at, q, v, out)`; `out` is zeroed before the call. It is the part of the acceleration of y that does
    /// not depend on the acceleration of q. Event-driven simulations need it. Default: finite differences of
    /// sixth order, with a step that depends on the
    /// [time scale](crate::model::NonSmoothDynamicalSystem::set_time_scale) of the model and on the speed.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        self,
        convective: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self(self.0.with_convective_acceleration(convective))
    }

    /// Sets the finite-difference step for derivatives with respect to q; see
    /// [`Jacobian`](crate::model::Jacobian). It is used if the Jacobian or the convective acceleration is not
    /// given. Default: [`DIFFERENCE_STEP`](crate::model::dynamical_system::DIFFERENCE_STEP).
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        self.0.step = step;
        self
    }

    /// Returns the number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Returns the origin of h.
    #[must_use]
    pub fn h(&self) -> &Origin {
        self.0.h_origin().unwrap_or(&Origin::Unknown)
    }

    /// Returns the origin of the Jacobian, or `None` if it is computed by finite differences.
    #[must_use]
    pub fn jacobian(&self) -> Option<&Origin> {
        self.0.jacobian_origin()
    }

    /// Returns the origin of the partial derivative with respect to time, or `None` if it is computed by
    /// finite differences.
    #[must_use]
    pub fn time_derivative(&self) -> Option<&Origin> {
        self.0.time_derivative_origin()
    }

    /// Returns the origin of the convective acceleration, or `None` if it is computed by finite differences.
    #[must_use]
    pub fn convective_acceleration(&self) -> Option<&Origin> {
        self.0.convective_origin()
    }

    /// Returns the finite-difference step for derivatives with respect to q.
    #[must_use]
    pub fn difference_step(&self) -> f64 {
        self.0.step
    }
}

impl HasParts for LagrangianScleronomousRelation {
    fn parts(&self) -> PartList<'_> {
        self.0.parts("LagrangianScleronomousRelation", "J")
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        self.0.origins_mut()
    }
}

impl HasParts for LagrangianRheonomousRelation {
    fn parts(&self) -> PartList<'_> {
        self.0.parts("LagrangianRheonomousRelation", "J")
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        self.0.origins_mut()
    }
}
