//! Relations that are functions of the position, and of time: scleronomous and rheonomous constraints.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::convective::{ConvectiveScratch, Path, path_step};

use crate::error::ModelError;
use crate::model::closure::Closure;
use crate::model::dynamical_system::{
    DIFFERENCE_STEP, DifferenceScratch, JacobianMismatch, check_step, compare_jacobians, representable,
};

/// The part of a time step over which a difference in time is taken to each side: its truncation is then small beside
/// the error of the scheme, and its rounding as well.
const PART_OF_STEP: f64 = 1.0 / 16.0;

type VectorFn = Closure<dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync>;
type MotionFn = Closure<dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync>;
type MatrixFn = Closure<dyn Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// $y = h(q)$, $\dot y = J(q) v$, $p = J(q)^T \lambda$: a constraint that does not move.
///
/// ```
/// use siconos_kernel::model::{LagrangianScleronomousRelation, Relation};
///
/// // The tip of a pendulum of length 1 stays to the right of the wall x = 0.
/// let wall = LagrangianScleronomousRelation::new(1, |q, y| y[0] = q[0].sin())
///     .with_jacobian(|q, j| j[[0, 0]] = q[0].cos());
/// Relation::from(wall).check_jacobians(0.0, &[0.3], 1e-8)?;
/// # Ok::<(), siconos_kernel::model::JacobianMismatch>(())
/// ```
#[doc(alias = "LagrangianScleronomousR")]
#[derive(Clone, Debug)]
pub struct LagrangianScleronomousRelation(Constraint);

impl LagrangianScleronomousRelation {
    /// A relation with `size` components and `h(q, y)`; `y` arrives zeroed. The Jacobian is taken by central
    /// differences unless [`with_jacobian`](Self::with_jacobian) gives it.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn new(size: usize, h: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self(Constraint::new(size, Closure(Arc::new(move |_t: f64, q: &[f64], y: &mut [f64]| h(q, y)))))
    }

    /// Gives the Jacobian `J(q, out)`, `size x N`; `out` arrives zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(&[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.0.jacobian =
            Some(Closure(Arc::new(move |_t: f64, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
                jacobian(q, j);
            })));
        self
    }

    /// Gives the part of the acceleration of y that comes from the velocity, $\dot J v = v^T \nabla^2 h(q) v$, as `(q, v, out)`;
    /// `out` arrives zeroed. Event-driven simulations need it; without it, it is taken by differences of fourth order.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        mut self,
        convective: impl Fn(&[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.0.convective = Some(Closure(Arc::new(move |_t: f64, q: &[f64], v: &[f64], out: &mut [f64]| {
            convective(q, v, out);
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

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_step(self.0.step)
    }

    pub(super) fn convective_into(
        &self,
        q: &[f64],
        v: &[f64],
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along = Path { t: 0.0, q, v, step: path_step(v, self.0.step, f64::INFINITY) };
        self.0.convective_into(along, None, scratch, out);
    }

    pub(super) fn check_jacobian(&self, q: &[f64], tolerance: f64) -> Result<(), JacobianMismatch> {
        self.0.check_jacobian(0.0, q, tolerance)
    }

    pub(super) fn output_into(&self, q: &[f64], y: &mut [f64]) {
        self.0.output_into(0.0, q, y);
    }

    pub(super) fn jacobian_into(
        &self,
        q: &[f64],
        scratch: &mut DifferenceScratch,
        j: ArrayViewMut2<'_, f64>,
    ) {
        self.0.jacobian_into(0.0, q, scratch, j);
    }
}

/// $y = h(t, q)$, $\dot y = J(t, q) v + \partial_t h(t, q)$, $p = J(t, q)^T \lambda$: a constraint that moves by
/// itself, as a driven cam does.
///
/// ```
/// use siconos_kernel::model::{LagrangianRheonomousRelation, Relation};
///
/// // A mass above a table that shakes: y = q - 0.01 sin(50 t).
/// let table = LagrangianRheonomousRelation::new(1, |t, q, y| y[0] = q[0] - 0.01 * (50.0 * t).sin())
///     .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0)
///     .with_time_derivative(|t, _q, y_t| y_t[0] = -0.5 * (50.0 * t).cos());
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
    /// A relation with `size` components and `h(t, q, y)`; `y` arrives zeroed. Jacobian and time derivative are
    /// taken by central differences unless they are given; in time, over an eighth of a time step.
    pub fn new(size: usize, h: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self { constraint: Constraint::new(size, Closure(Arc::new(h))), time_derivative: None }
    }

    /// Gives the Jacobian `J(t, q, out)`, `size x N`; `out` arrives zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.constraint.jacobian = Some(Closure(Arc::new(jacobian)));
        self
    }

    /// Gives the partial derivative of h in time, `(t, q, out)`; `out` arrives zeroed.
    #[must_use]
    pub fn with_time_derivative(
        mut self,
        derivative: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.time_derivative = Some(Closure(Arc::new(derivative)));
        self
    }

    /// Gives the part of the acceleration of y that does not come from the acceleration of q,
    /// $\dot J v + \partial_t (J v + \partial_t h)$, as `(t, q, v, out)`; `out` arrives zeroed. Event-driven simulations need it;
    /// without it, it is taken by differences of fourth order, in time over an eighth of the distance of points of output.
    #[doc(alias = "dotjacqh")]
    #[must_use]
    pub fn with_convective_acceleration(
        mut self,
        convective: impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
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

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_step(self.constraint.step)
    }

    pub(super) fn check_jacobians(&self, t: f64, q: &[f64], tolerance: f64) -> Result<(), JacobianMismatch> {
        self.constraint.check_jacobian(t, q, tolerance)?;
        let column = |values: Vec<f64>| Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i]);
        let mut given = vec![0.0; self.size()];
        let mut expected = vec![0.0; self.size()];
        let mut scratch = vec![0.0; self.size()];
        let h = DIFFERENCE_STEP / PART_OF_STEP;
        self.time_derivative_into(t, q, h, &mut scratch, &mut given);
        self.difference_in_time(t, q, h, &mut scratch, &mut expected);
        compare_jacobians("partial derivative of h in t", &column(given), &column(expected), tolerance)
    }

    pub(super) fn output_into(&self, t: f64, q: &[f64], y: &mut [f64]) {
        self.constraint.output_into(t, q, y);
    }

    pub(super) fn jacobian_into(
        &self,
        t: f64,
        q: &[f64],
        scratch: &mut DifferenceScratch,
        j: ArrayViewMut2<'_, f64>,
    ) {
        self.constraint.jacobian_into(t, q, scratch, j);
    }

    pub(super) fn convective_into(
        &self,
        (t, q, v): (f64, &[f64], &[f64]),
        h: f64,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along = Path { t, q, v, step: path_step(v, self.constraint.step, h * PART_OF_STEP) };
        self.constraint.convective_into(along, Some(self.time_derivative.as_ref()), scratch, out);
    }

    /// Writes the partial derivative in time; `out` arrives zeroed, `scratch` has as many entries.
    pub(super) fn time_derivative_into(
        &self,
        t: f64,
        q: &[f64],
        h: f64,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        match &self.time_derivative {
            Some(derivative) => (derivative.0)(t, q, out),
            None => self.difference_in_time(t, q, h, scratch, out),
        }
    }

    fn difference_in_time(&self, t: f64, q: &[f64], h: f64, scratch: &mut [f64], out: &mut [f64]) {
        let step = representable(h * PART_OF_STEP, t);
        let (right, left) = (t + step, t - step);
        self.output_into(right, q, out);
        self.output_into(left, q, scratch);
        for (out, left_value) in out.iter_mut().zip(scratch) {
            *out = (*out - *left_value) / (right - left);
        }
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
    /// Writes the second derivative of h along the straight path of a motion; `time_derivative` is that of a rheonomous constraint,
    /// where it is given.
    fn convective_into(
        &self,
        along: Path<'_>,
        time_derivative: Option<Option<&VectorFn>>,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        out.fill(0.0);
        match (&self.convective, &self.jacobian, time_derivative) {
            (Some(convective), _, _) => (convective.0)(along.t, along.q, along.v, out),
            (None, Some(jacobian), None | Some(Some(_))) => {
                let h_t = time_derivative.flatten();
                along.first_derivative(scratch, out, |t, q, v, j, rate| {
                    j.fill(0.0);
                    (jacobian.0)(t, q, &mut j.view_mut());
                    rate.fill(0.0);
                    if let Some(h_t) = h_t {
                        (h_t.0)(t, q, rate);
                    }
                    for (rate, row) in rate.iter_mut().zip(j.rows()) {
                        *rate += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
                    }
                });
            }
            _ => along.second_derivative(scratch, out, |t, q, y| self.output_into(t, q, y)),
        }
    }

    fn new(size: usize, h: VectorFn) -> Self {
        Self { size, h, jacobian: None, convective: None, step: DIFFERENCE_STEP }
    }

    fn output_into(&self, t: f64, q: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        (self.h.0)(t, q, y);
    }

    fn jacobian_into(
        &self,
        t: f64,
        q: &[f64],
        scratch: &mut DifferenceScratch,
        mut j: ArrayViewMut2<'_, f64>,
    ) {
        if let Some(jacobian) = &self.jacobian {
            j.fill(0.0);
            (jacobian.0)(t, q, &mut j);
        } else {
            scratch.difference(q, self.step, |q, y| (self.h.0)(t, q, y));
            j.assign(&scratch.matrix);
        }
    }

    fn check_jacobian(&self, t: f64, q: &[f64], tolerance: f64) -> Result<(), JacobianMismatch> {
        let mut scratch = DifferenceScratch::new(self.size, q.len());
        let mut given = Array2::zeros((self.size, q.len()));
        self.jacobian_into(t, q, &mut scratch, given.view_mut());
        scratch.difference(q, self.step, |q, y| (self.h.0)(t, q, y));
        compare_jacobians("derivative of h in q", &given, &scratch.matrix, tolerance)
    }
}
