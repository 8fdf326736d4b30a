//! What scleronomous and rheonomous relations are: a function of the position, its derivatives, and what they
//! are taken by where they are not given.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2, s};

use super::convective::{ConvectiveScratch, Path, path_step, time_derivative};
use crate::error::ModelError;
use crate::model::At;
use crate::model::closure::Closure;
use crate::model::configuration::PositionSpace;
use crate::model::dynamical_system::{
    DIFFERENCE_STEP, DifferenceScratch, JacobianMismatch, check_step, compare_jacobians,
};
use crate::model::fingerprint::Fingerprint;
use crate::model::nonsmooth_dynamical_system::DEFAULT_TIME_SCALE;

type VectorFn = Closure<dyn Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync>;
type MotionFn = Closure<dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync>;
type MatrixFn = Closure<dyn Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// h and its derivatives.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(super) size: usize,
    h: VectorFn,
    time: Time,
    jacobian: Option<MatrixFn>,
    convective: Option<MotionFn>,
    /// The rows along which multipliers act, where these are not those of the Jacobian.
    input: Option<MatrixFn>,
    /// Of central differences in q.
    pub(super) step: f64,
    /// How many components, the first ones, J is the derivative of; of the others, tangents, only the
    /// velocity is of use.
    integrable: usize,
    /// Between how many bodies it is made, where it is for no other number.
    pub(crate) bodies: Option<usize>,
}

/// Whether h depends on time, and its partial derivative in time, where that is given.
#[derive(Clone, Debug)]
enum Time {
    Scleronomous,
    Rheonomous { derivative: Option<VectorFn> },
}

impl Constraint {
    /// $y = h(at, q)$, without derivatives and without time.
    pub(super) fn new(size: usize, h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let (time, step, integrable) = (Time::Scleronomous, DIFFERENCE_STEP, size);
        let h = Closure(Arc::new(h) as _);
        Self { size, h, time, jacobian: None, convective: None, input: None, step, integrable, bodies: None }
    }

    pub(super) fn with_jacobian(
        mut self,
        jacobian: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.jacobian = Some(Closure(Arc::new(jacobian)));
        self
    }

    pub(super) fn with_convective_acceleration(
        mut self,
        convective: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.convective = Some(Closure(Arc::new(convective)));
        self
    }

    pub(super) fn with_input(
        mut self,
        input: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.input = Some(Closure(Arc::new(input)));
        self
    }

    /// Whether multipliers act along other rows than those of the Jacobian.
    pub(crate) fn has_input(&self) -> bool {
        self.input.is_some()
    }

    /// h depends on time; its partial derivative is taken by differences.
    pub(super) fn rheonomous(mut self) -> Self {
        self.time = Time::Rheonomous { derivative: None };
        self
    }

    /// Only the first components have J as their derivative.
    pub(super) fn integrable(mut self, components: usize) -> Self {
        self.integrable = components;
        self
    }

    /// The relation is between so many bodies and no other number of them.
    pub(super) fn between(mut self, bodies: usize) -> Self {
        self.bodies = Some(bodies);
        self
    }

    /// h depends on time, with this partial derivative.
    pub(super) fn with_time_derivative(
        mut self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.time = Time::Rheonomous { derivative: Some(Closure(Arc::new(derivative))) };
        self
    }

    pub(super) fn is_rheonomous(&self) -> bool {
        matches!(self.time, Time::Rheonomous { .. })
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        of.name(match self.time {
            Time::Scleronomous => "LagrangianScleronomousRelation",
            Time::Rheonomous { .. } => "LagrangianRheonomousRelation",
        });
        of.option(self.jacobian.as_ref(), |of, _| of.function());
        of.option(self.convective.as_ref(), |of, _| of.function());
        if self.has_input() {
            of.name("input");
            of.function();
        }
        of.number(self.step);
        if let Time::Rheonomous { derivative } = &self.time {
            of.option(derivative.as_ref(), |of, _| of.function());
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_step(self.step)
    }

    pub(crate) fn output_into(&self, at: At<'_>, q: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        (self.h.0)(at, q, y);
    }

    pub(crate) fn jacobian_into(
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

    /// Writes the rows along which multipliers act, by velocity coordinates.
    pub(crate) fn input_into(
        &self,
        at: At<'_>,
        positions: (&PositionSpace, &[f64]),
        scratch: &mut DifferenceScratch,
        mut rows: ArrayViewMut2<'_, f64>,
    ) {
        match &self.input {
            Some(input) => {
                rows.fill(0.0);
                (input.0)(at, positions.1, &mut rows);
            }
            None => self.jacobian_into(at, positions, scratch, rows),
        }
    }

    /// Writes the partial derivative in time; `scratch` has as many entries.
    pub(crate) fn time_derivative_into(
        &self,
        (at, q, time_scale): (At<'_>, &[f64], f64),
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        match &self.time {
            Time::Scleronomous => {}
            Time::Rheonomous { derivative: Some(derivative) } => (derivative.0)(at, q, out),
            Time::Rheonomous { derivative: None } => {
                self.difference_in_time((at, q, time_scale), scratch, out);
            }
        }
    }

    fn difference_in_time(
        &self,
        (at, q, time_scale): (At<'_>, &[f64], f64),
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        time_derivative(at.t, time_scale, scratch, out, |t, y| self.output_into(at.time(t), q, y));
    }

    /// Writes the second derivative of h along the path of a motion with a constant velocity.
    pub(crate) fn convective_into(
        &self,
        (at, space, q, v): (At<'_>, &PositionSpace, &[f64], &[f64]),
        time_scale: f64,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along = Path { at, space, q, v, step: path_step(v, self.step, (at.t, time_scale)) };
        out.fill(0.0);
        match (&self.convective, &self.jacobian, &self.time) {
            (Some(convective), _, _) => (convective.0)(at, q, v, out),
            (None, None, _) | (None, Some(_), Time::Rheonomous { derivative: None }) => {
                along.second_derivative(scratch, out, |at, q, y| self.output_into(at, q, y));
            }
            (None, Some(jacobian), time) => along.first_derivative(scratch, out, |at, q, v, j, rate| {
                j.fill(0.0);
                (jacobian.0)(at, q, &mut j.view_mut());
                rate.fill(0.0);
                if let Time::Rheonomous { derivative: Some(h_t) } = time {
                    (h_t.0)(at, q, rate);
                }
                for (rate, row) in rate.iter_mut().zip(j.rows()) {
                    *rate += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
                }
            }),
        }
    }

    /// Compares the derivatives with central differences at one point.
    pub(super) fn check_jacobians(
        &self,
        at: At<'_>,
        (space, columns, q): (&PositionSpace, usize, &[f64]),
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let mut scratch = DifferenceScratch::new(self.size, columns);
        let mut given = Array2::zeros((self.size, columns));
        self.jacobian_into(at, (space, q), &mut scratch, given.view_mut());
        scratch.difference_along(space, q, self.step, |q, y| (self.h.0)(at, q, y));
        let rows = s![..self.integrable, ..];
        let (given, expected) = (given.slice_move(rows), scratch.matrix.slice(rows).to_owned());
        compare_jacobians("derivative of h in q", &given, &expected, tolerance)?;
        if !self.is_rheonomous() {
            return Ok(());
        }
        let column = |values: Vec<f64>| Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i]);
        let point = (at, q, DEFAULT_TIME_SCALE);
        let [mut given, mut expected, mut scratch] = [(); 3].map(|()| vec![0.0; self.size]);
        self.time_derivative_into(point, &mut scratch, &mut given);
        self.difference_in_time(point, &mut scratch, &mut expected);
        compare_jacobians("partial derivative of h in t", &column(given), &column(expected), tolerance)
    }
}
