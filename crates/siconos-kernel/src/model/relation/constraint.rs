//! Constraint functions of scleronomous and rheonomous relations. Their derivatives are user functions or
//! finite differences.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2, s};

use super::body::{BodyCoordinates, BodyGeometry};
use super::convective::{ConstantVelocityMotion, ConvectiveScratch, path_step, time_derivative};
use crate::model::closure::Closure;
use crate::model::configuration::PositionSpace;
use crate::model::dynamical_system::{
    DIFFERENCE_STEP, DifferenceScratch, JacobianMismatch, check_step, compare_jacobians,
};
use crate::model::nonsmooth_dynamical_system::DEFAULT_TIME_SCALE;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, DynamicalSystemId, ModelError};

type VectorFn = Closure<dyn Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync>;
type MotionFn = Closure<dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync>;
type MatrixFn = Closure<dyn Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// Constraint function h with its derivatives.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(super) size: usize,
    h: VectorFn,
    time: Time,
    jacobian: Option<MatrixFn>,
    convective: Option<MotionFn>,
    /// Matrix G of the reaction $p = G^T \lambda$; `None` if G is the Jacobian.
    input: Option<MatrixFn>,
    /// Finite-difference step for derivatives with respect to q.
    pub(super) step: f64,
    /// If this is 1, J is the derivative of all components of h. If it is the number of components of each
    /// contact, J is the derivative only of the first component of each contact. The other components are
    /// tangential, and only their velocities are used.
    integrable_every: usize,
    /// Magnitude of the terms of each component of h, in addition to those that follow from J and q; empty if
    /// there are none.
    scales: Box<[f64]>,
    /// Required number of position coordinates of each system; `None` if any number is permitted.
    positions: Option<usize>,
    /// Required number of bodies; `None` if any number is permitted.
    bodies: Option<usize>,
    /// Geometry from which h and J are derived; `None` for user functions.
    geometry: Option<Arc<BodyGeometry>>,
}

/// Time dependence of h, with the partial derivative with respect to time if it is given.
#[derive(Clone, Debug)]
enum Time {
    Scleronomous,
    Rheonomous { derivative: Option<VectorFn> },
}

impl Constraint {
    /// Creates $y = h(at, q)$, without derivatives and without time dependence.
    pub(super) fn new(size: usize, h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::of_function(size, Closure::new(Arc::new(h)))
    }

    fn of_function(size: usize, h: VectorFn) -> Self {
        Self {
            size,
            h,
            time: Time::Scleronomous,
            jacobian: None,
            convective: None,
            input: None,
            step: DIFFERENCE_STEP,
            integrable_every: 1,
            scales: Box::default(),
            positions: None,
            bodies: None,
            geometry: None,
        }
    }

    /// Creates a constraint from the geometry of bodies. The functions h and J are defined by this crate.
    pub(super) fn of_geometry(
        geometry: BodyGeometry,
        size: usize,
        h: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        jacobian: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            jacobian: Some(Closure::of_crate(Arc::new(jacobian))),
            geometry: Some(Arc::new(geometry)),
            ..Self::of_function(size, Closure::of_crate(Arc::new(h)))
        }
    }

    pub(super) fn with_jacobian(
        mut self,
        jacobian: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.jacobian = Some(Closure::new(Arc::new(jacobian)));
        self
    }

    pub(super) fn with_convective_acceleration(
        mut self,
        convective: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.convective = Some(Closure::new(Arc::new(convective)));
        self
    }

    pub(super) fn with_input(
        mut self,
        input: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.input = Some(Closure::new(Arc::new(input)));
        self
    }

    /// Returns `true` if the matrix G of the reaction $p = G^T \lambda$ differs from the Jacobian.
    pub(crate) fn has_input(&self) -> bool {
        self.input.is_some()
    }

    /// Makes h time-dependent. Its partial derivative with respect to time is computed by finite differences.
    pub(super) fn rheonomous(mut self) -> Self {
        self.time = Time::Rheonomous { derivative: None };
        self
    }

    /// Declares that J is the derivative of only one of every `components` components of h, beginning with
    /// the first.
    pub(super) fn integrable_every(mut self, components: usize) -> Self {
        self.integrable_every = components;
        self
    }

    /// Sets the magnitude of the terms of each component of h that does not follow from J and q, such as a
    /// distance from the centre of a body whose angle is 0.
    pub(super) fn with_scales(mut self, scales: impl IntoIterator<Item = f64>) -> Self {
        self.scales = scales.into_iter().collect();
        self
    }

    /// Returns the magnitude of the terms of a component of h that does not follow from J and q.
    pub(crate) fn scale(&self, component: usize) -> f64 {
        self.scales.get(component).copied().unwrap_or_default()
    }

    /// Restricts the constraint to systems with this number of position coordinates.
    pub(super) fn of_positions(mut self, positions: usize) -> Self {
        self.positions = Some(positions);
        self
    }

    /// Returns `true` if the systems must be planar bodies.
    pub(super) fn requires_planar_bodies(&self) -> bool {
        self.positions == Some(BodyCoordinates::Planar.positions())
    }

    /// Checks the number of position coordinates of a system.
    pub(crate) fn check_positions(&self, id: DynamicalSystemId, found: usize) -> Result<(), ModelError> {
        match self.positions {
            Some(expected) if expected != found => Err(ModelError::NotPlanarBody { id, found }),
            _ => Ok(()),
        }
    }

    /// Restricts the constraint to this number of bodies.
    pub(super) fn between(mut self, bodies: usize) -> Self {
        self.bodies = Some(bodies);
        self
    }

    /// Checks the number of systems.
    pub(crate) fn check_bodies(&self, found: usize) -> Result<(), ModelError> {
        const MOST_IN_CONTACT: usize = 2;
        match self.bodies {
            Some(expected) if expected != found => Err(ModelError::JointBodyCount { expected, found }),
            None if found > MOST_IN_CONTACT && matches!(self.geometry(), Some(BodyGeometry::Contact(_))) => {
                Err(ModelError::ContactBodyCount { most: MOST_IN_CONTACT, found })
            }
            _ => Ok(()),
        }
    }

    /// Makes h time-dependent, with this partial derivative with respect to time.
    pub(super) fn with_time_derivative(
        mut self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.time = Time::Rheonomous { derivative: Some(Closure::new(Arc::new(derivative))) };
        self
    }

    /// Makes h time-dependent, with a partial derivative with respect to time that is a function of this
    /// crate.
    pub(super) fn with_own_time_derivative(
        mut self,
        derivative: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.time = Time::Rheonomous { derivative: Some(Closure::of_crate(Arc::new(derivative))) };
        self
    }

    /// Returns the geometry from which h and J are derived, or `None` for user functions.
    pub(crate) fn geometry(&self) -> Option<&BodyGeometry> {
        self.geometry.as_deref()
    }

    /// Returns the origin of h, if it is a user function.
    pub(super) fn h_origin(&self) -> Option<&Origin> {
        self.h.origin()
    }

    /// Returns the origin of the Jacobian, if the user gave it.
    pub(super) fn jacobian_origin(&self) -> Option<&Origin> {
        self.jacobian.as_ref()?.origin()
    }

    /// Returns the origin of the partial derivative with respect to time, if the user gave it.
    pub(super) fn time_derivative_origin(&self) -> Option<&Origin> {
        match &self.time {
            Time::Scleronomous => None,
            Time::Rheonomous { derivative } => derivative.as_ref()?.origin(),
        }
    }

    /// Returns the origin of the convective acceleration, if the user gave it.
    pub(super) fn convective_origin(&self) -> Option<&Origin> {
        self.convective.as_ref()?.origin()
    }

    /// Returns the origin of the matrix G of the reaction $p = G^T \lambda$, if the user gave it.
    pub(super) fn input_origin(&self) -> Option<&Origin> {
        self.input.as_ref()?.origin()
    }

    /// Returns the parts of a relation of this kind. `jacobian` is the name of its Jacobian.
    pub(super) fn parts(&self, kind: &'static str, jacobian: &'static str) -> PartList<'_> {
        let mut parts = self.geometry().map_or_else(|| PartList::of(kind), HasParts::parts);
        parts.count("size", self.size);
        parts.function("h", &self.h);
        match &self.jacobian {
            Some(function) => parts.function(jacobian, function),
            None => parts.differences(jacobian, None),
        }
        let derivative = "partial derivative of h in t";
        match &self.time {
            Time::Scleronomous => {}
            Time::Rheonomous { derivative: Some(function) } => parts.function(derivative, function),
            Time::Rheonomous { derivative: None } => parts.differences(derivative, None),
        }
        self.convective.iter().for_each(|function| parts.function("convective acceleration", function));
        self.input.iter().for_each(|function| parts.function("G", function));
        // The step is also used for finite differences along a motion, even if J is given.
        parts.number("difference step", self.step);
        parts
    }

    pub(super) fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let mut origins = Vec::new();
        if let Some(geometry) = &mut self.geometry {
            origins.extend(Arc::make_mut(geometry).origins_mut());
        }
        origins.extend(self.h.origin_mut());
        origins.extend(self.jacobian.as_mut().and_then(Closure::origin_mut));
        if let Time::Rheonomous { derivative: Some(function) } = &mut self.time {
            origins.extend(function.origin_mut());
        }
        origins.extend(self.convective.as_mut().and_then(Closure::origin_mut));
        origins.extend(self.input.as_mut().and_then(Closure::origin_mut));
        origins
    }

    pub(super) fn is_rheonomous(&self) -> bool {
        matches!(self.time, Time::Rheonomous { .. })
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
        space: &PositionSpace,
        q: &[f64],
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

    /// Writes the matrix G of the reaction $p = G^T \lambda$, in velocity coordinates.
    pub(crate) fn input_into(
        &self,
        at: At<'_>,
        space: &PositionSpace,
        q: &[f64],
        scratch: &mut DifferenceScratch,
        mut rows: ArrayViewMut2<'_, f64>,
    ) {
        match &self.input {
            Some(input) => {
                rows.fill(0.0);
                (input.0)(at, q, &mut rows);
            }
            None => self.jacobian_into(at, space, q, scratch, rows),
        }
    }

    /// Writes the partial derivative with respect to time; `scratch` has the length of `out`.
    pub(crate) fn time_derivative_into(
        &self,
        at: At<'_>,
        q: &[f64],
        time_scale: f64,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        match &self.time {
            Time::Scleronomous => {}
            Time::Rheonomous { derivative: Some(derivative) } => (derivative.0)(at, q, out),
            Time::Rheonomous { derivative: None } => {
                self.difference_in_time(at, q, time_scale, scratch, out);
            }
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

    /// Writes the second time derivative of h along a motion with constant velocity.
    pub(crate) fn convective_into(
        &self,
        at: At<'_>,
        space: &PositionSpace,
        (q, v): (&[f64], &[f64]),
        time_scale: f64,
        scratch: &mut ConvectiveScratch,
        out: &mut [f64],
    ) {
        let along =
            ConstantVelocityMotion { at, space, q, v, step: path_step(v, self.step, (at.t, time_scale)) };
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
        space: &PositionSpace,
        columns: usize,
        q: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let mut scratch = DifferenceScratch::new(self.size, columns);
        let mut given = Array2::zeros((self.size, columns));
        self.jacobian_into(at, space, q, &mut scratch, given.view_mut());
        scratch.difference_along(space, q, self.step, |q, y| (self.h.0)(at, q, y));
        let rows = s![..;self.integrable_every, ..];
        let (given, expected) = (given.slice_move(rows), scratch.matrix.slice(rows).to_owned());
        compare_jacobians("derivative of h in q", &given, &expected, tolerance)?;
        if !self.is_rheonomous() {
            return Ok(());
        }
        let column = |values: Vec<f64>| Array2::from_shape_fn((values.len(), 1), |(i, _)| values[i]);
        let [mut given, mut expected, mut scratch] = [(); 3].map(|()| vec![0.0; self.size]);
        self.time_derivative_into(at, q, DEFAULT_TIME_SCALE, &mut scratch, &mut given);
        self.difference_in_time(at, q, DEFAULT_TIME_SCALE, &mut scratch, &mut expected);
        compare_jacobians("partial derivative of h in t", &column(given), &column(expected), tolerance)
    }
}
