//! Relations that are functions of the position, and of time: scleronomous and rheonomous constraints.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::convective::{ConvectiveScratch, Path, path_step, time_derivative};

use crate::error::ModelError;
use crate::model::closure::Closure;
use crate::model::configuration::PositionSpace;
use crate::model::dynamical_system::{
    DIFFERENCE_STEP, DifferenceScratch, JacobianMismatch, check_step, compare_jacobians,
};
use crate::model::fingerprint::Fingerprint;
use crate::model::nonsmooth_dynamical_system::DEFAULT_TIME_SCALE;
use crate::model::{At, Parameters};

type VectorFn = Closure<dyn Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync>;
type MotionFn = Closure<dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync>;
type MatrixFn = Closure<dyn Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// $y = h(q)$, $\dot y = J(q) v$, $p = J(q)^T \lambda$: a constraint that does not move.
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
pub struct LagrangianScleronomousRelation(Constraint);

impl LagrangianScleronomousRelation {
    /// A relation with `size` components and `h(parameters, q, y)`; `y` arrives zeroed. The Jacobian is taken
    /// by central differences unless [`with_jacobian`](Self::with_jacobian) gives it.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn new(size: usize, h: impl Fn(&Parameters, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let h = move |at: At<'_>, q: &[f64], y: &mut [f64]| h(at.parameters(), q, y);
        Self(Constraint::new(size, Closure(Arc::new(h))))
    }

    /// Gives the Jacobian `J(parameters, q, out)`, `size x N` for systems with N velocities; `out` arrives
    /// zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.0.jacobian =
            Some(Closure(Arc::new(move |at: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
                jacobian(at.parameters(), q, j);
            })));
        self
    }

    /// Gives the part of the acceleration of y that comes from the velocity,
    /// $\dot J v = v^T \nabla^2 h(q) v$, as `(parameters, q, v, out)`; `out` arrives zeroed. Event-driven
    /// simulations need it; without it, it is taken by differences of fourth order.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        mut self,
        convective: impl Fn(&Parameters, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.0.convective =
            Some(Closure(Arc::new(move |at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| {
                convective(at.parameters(), q, v, out);
            })));
        self
    }

    /// The step of the central differences in q, where no Jacobian is given; see
    /// [`Jacobian`](crate::model::Jacobian). Default [`DIFFERENCE_STEP`].
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        self.0.step = step;
        self
    }

    /// The number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        of.name("LagrangianScleronomousRelation");
        self.0.fingerprint(of);
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_step(self.0.step)
    }

    pub(super) fn convective_into(
        &self,
        (at, space, q, v): (At<'_>, &PositionSpace, &[f64], &[f64]),
        time_scale: f64,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along = Path { at, space, q, v, step: path_step(v, self.0.step, (at.t, time_scale)) };
        self.0.convective_into(along, None, scratch, out);
    }

    pub(super) fn check_jacobian(
        &self,
        at: At<'_>,
        positions: (&PositionSpace, usize, &[f64]),
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        self.0.check_jacobian(at, positions, tolerance)
    }

    pub(super) fn output_into(&self, at: At<'_>, q: &[f64], y: &mut [f64]) {
        self.0.output_into(at, q, y);
    }

    pub(super) fn jacobian_into(
        &self,
        at: At<'_>,
        (space, q): (&PositionSpace, &[f64]),
        scratch: &mut DifferenceScratch,
        j: ArrayViewMut2<'_, f64>,
    ) {
        self.0.jacobian_into(at, (space, q), scratch, j);
    }
}

/// $y = h(t, q)$, $\dot y = J(t, q) v + \partial_t h(t, q)$, $p = J(t, q)^T \lambda$: a constraint that moves
/// by itself, as a driven cam does.
///
/// ```
/// use siconos_kernel::model::{LagrangianRheonomousRelation, Relation};
///
/// // A mass above a table that shakes: y = q - 0.01 sin(50 t).
/// let table = LagrangianRheonomousRelation::new(1, |at, q, y| y[0] = q[0] - 0.01 * (50.0 * at.t).sin())
///     .with_jacobian(|_at, _q, j| j[[0, 0]] = 1.0)
///     .with_time_derivative(|at, _q, y_t| y_t[0] = -0.5 * (50.0 * at.t).cos());
/// Relation::from(table).check_jacobians(0.01, &[0.2], 1e-6)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "LagrangianRheonomousR")]
#[derive(Clone, Debug)]
pub struct LagrangianRheonomousRelation {
    constraint: Constraint,
    time_derivative: Option<VectorFn>,
}

impl LagrangianRheonomousRelation {
    /// A relation with `size` components and `h(at, q, y)`; `y` arrives zeroed. Jacobian and time derivative
    /// are taken by central differences unless they are given; in time, with a step that follows from the
    /// [time scale](crate::model::NonSmoothDynamicalSystem::set_time_scale) of the model.
    pub fn new(size: usize, h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self { constraint: Constraint::new(size, Closure(Arc::new(h))), time_derivative: None }
    }

    /// Gives the Jacobian `J(at, q, out)`, `size x N`; `out` arrives zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.constraint.jacobian = Some(Closure(Arc::new(jacobian)));
        self
    }

    /// Gives the partial derivative of h in time, `(at, q, out)`; `out` arrives zeroed.
    #[must_use]
    pub fn with_time_derivative(
        mut self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.time_derivative = Some(Closure(Arc::new(derivative)));
        self
    }

    /// Gives the part of the acceleration of y that does not come from the acceleration of q,
    /// $\dot J v + \partial_t (J v + \partial_t h)$, as `(at, q, v, out)`; `out` arrives zeroed. Event-driven
    /// simulations need it; without it, it is taken by differences of sixth order, whose step follows from
    /// the [time scale](crate::model::NonSmoothDynamicalSystem::set_time_scale) of the model and from the
    /// speed.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        mut self,
        convective: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.constraint.convective = Some(Closure(Arc::new(convective)));
        self
    }

    /// The step of the central differences in q, where no Jacobian is given; see
    /// [`Jacobian`](crate::model::Jacobian). Default [`DIFFERENCE_STEP`].
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        self.constraint.step = step;
        self
    }

    /// The number of components of y.
    #[must_use]
    pub fn size(&self) -> usize {
        self.constraint.size
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        of.name("LagrangianRheonomousRelation");
        self.constraint.fingerprint(of);
        of.option(self.time_derivative.as_ref(), |of, _| of.function());
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_step(self.constraint.step)
    }

    pub(super) fn check_jacobians(
        &self,
        at: At<'_>,
        positions: (&PositionSpace, usize, &[f64]),
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        self.constraint.check_jacobian(at, positions, tolerance)?;
        let q = positions.2;
        let column = |values: Vec<f64>| Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i]);
        let mut given = vec![0.0; self.size()];
        let mut expected = vec![0.0; self.size()];
        let mut scratch = vec![0.0; self.size()];
        self.time_derivative_into(at, q, DEFAULT_TIME_SCALE, &mut scratch, &mut given);
        self.difference_in_time(at, q, DEFAULT_TIME_SCALE, &mut scratch, &mut expected);
        compare_jacobians("partial derivative of h in t", &column(given), &column(expected), tolerance)
    }

    pub(super) fn output_into(&self, at: At<'_>, q: &[f64], y: &mut [f64]) {
        self.constraint.output_into(at, q, y);
    }

    pub(super) fn jacobian_into(
        &self,
        at: At<'_>,
        (space, q): (&PositionSpace, &[f64]),
        scratch: &mut DifferenceScratch,
        j: ArrayViewMut2<'_, f64>,
    ) {
        self.constraint.jacobian_into(at, (space, q), scratch, j);
    }

    pub(super) fn convective_into(
        &self,
        (at, space, q, v): (At<'_>, &PositionSpace, &[f64], &[f64]),
        time_scale: f64,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along = Path { at, space, q, v, step: path_step(v, self.constraint.step, (at.t, time_scale)) };
        self.constraint.convective_into(along, Some(self.time_derivative.as_ref()), scratch, out);
    }

    /// Writes the partial derivative in time; `out` arrives zeroed, `scratch` has as many entries.
    pub(super) fn time_derivative_into(
        &self,
        at: At<'_>,
        q: &[f64],
        time_scale: f64,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        match &self.time_derivative {
            Some(derivative) => (derivative.0)(at, q, out),
            None => self.difference_in_time(at, q, time_scale, scratch, out),
        }
    }

    fn difference_in_time(
        &self,
        at: At<'_>,
        q: &[f64],
        time_scale: f64,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        time_derivative(at.t, time_scale, scratch, out, |t, y| self.output_into(at.time(t), q, y));
    }
}

/// What both relations have: h and its Jacobian.
#[derive(Clone, Debug)]
struct Constraint {
    size: usize,
    h: VectorFn,
    jacobian: Option<MatrixFn>,
    convective: Option<MotionFn>,
    /// Of central differences in q.
    step: f64,
}

impl Constraint {
    /// Writes the second derivative of h along the straight path of a motion; `time_derivative` is that of a
    /// rheonomous constraint, where it is given.
    fn convective_into(
        &self,
        along: Path<'_>,
        time_derivative: Option<Option<&VectorFn>>,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        match (&self.convective, &self.jacobian, time_derivative) {
            (Some(convective), _, _) => (convective.0)(along.at, along.q, along.v, out),
            (None, Some(jacobian), None | Some(Some(_))) => {
                let h_t = time_derivative.flatten();
                along.first_derivative(scratch, out, |at, q, v, j, rate| {
                    j.fill(0.0);
                    (jacobian.0)(at, q, &mut j.view_mut());
                    rate.fill(0.0);
                    if let Some(h_t) = h_t {
                        (h_t.0)(at, q, rate);
                    }
                    for (rate, row) in rate.iter_mut().zip(j.rows()) {
                        *rate += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
                    }
                });
            }
            _ => along.second_derivative(scratch, out, |at, q, y| self.output_into(at, q, y)),
        }
    }

    fn new(size: usize, h: VectorFn) -> Self {
        Self { size, h, jacobian: None, convective: None, step: DIFFERENCE_STEP }
    }

    fn fingerprint(&self, of: &mut Fingerprint) {
        of.option(self.jacobian.as_ref(), |of, _| of.function());
        of.option(self.convective.as_ref(), |of, _| of.function());
        of.number(self.step);
    }

    fn output_into(&self, at: At<'_>, q: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        (self.h.0)(at, q, y);
    }

    fn jacobian_into(
        &self,
        at: At<'_>,
        (space, q): (&PositionSpace, &[f64]),
        scratch: &mut DifferenceScratch,
        mut j: ArrayViewMut2<'_, f64>,
    ) {
        if let Some(jacobian) = &self.jacobian {
            j.fill(0.0);
            (jacobian.0)(at, q, &mut j);
        } else {
            scratch.difference_along(space, q, self.step, |q, y| (self.h.0)(at, q, y));
            j.assign(&scratch.matrix);
        }
    }

    fn check_jacobian(
        &self,
        at: At<'_>,
        (space, columns, q): (&PositionSpace, usize, &[f64]),
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let mut scratch = DifferenceScratch::new(self.size, columns);
        let mut given = Array2::zeros((self.size, columns));
        self.jacobian_into(at, (space, q), &mut scratch, given.view_mut());
        scratch.difference_along(space, q, self.step, |q, y| (self.h.0)(at, q, y));
        compare_jacobians("derivative of h in q", &given, &scratch.matrix, tolerance)
    }
}
