//! Where the derivative of a user's force comes from: given, constant, zero, or by finite differences.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::{exponent, power_of_two};

use crate::model::closure::Closure;
use crate::model::configuration::PositionSpace;
use crate::model::origin::Origin;
use crate::model::parts::PartList;
use crate::model::{At, ModelError, check_finite, check_shape};

/// The derivative of a force with respect to position or velocity, `n x n`.
///
/// A missing Jacobian is a choice, not an accident: it has to be named.
///
/// ```
/// use siconos_kernel::model::{At, Jacobian};
///
/// // d/dq of F = g sin q for a pendulum
/// let stiffness = Jacobian::function(|_at: At<'_>, q: &[f64], _v: &[f64], j: &mut ndarray::ArrayViewMut2<'_, f64>| {
///     j[[0, 0]] = 9.81 * q[0].cos();
/// });
/// assert!(matches!(stiffness, Jacobian::Function(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Jacobian {
    /// The force does not depend on this variable.
    Zero,
    /// A constant matrix, `n x n`.
    Constant(Array2<f64>),
    /// A function of the user; make it with [`Jacobian::function`].
    Function(JacobianFunction),
    /// Central differences with a step of 6e-6 in the unit of the variable ([`DIFFERENCE_STEP`]): right for
    /// variables that change on a scale of 1, metres and radians say. Two evaluations of the force per
    /// column.
    FiniteDifference,
    /// Central differences with a step of one's own, about 6e-6 times the scale on which the variable
    /// changes: micrometres, say. The step does not grow with the variable, whose origin means nothing (an
    /// angle after many turns).
    FiniteDifferenceWithStep(f64),
}

/// The step of central differences that balances truncation and rounding for a function that changes on a
/// scale of 1: $\varepsilon^{1/3}$.
pub const DIFFERENCE_STEP: f64 = 6.055e-6;

/// A matrix-valued function `(at, q, v, out)` of the user; `out` is zeroed before the call.
#[derive(Clone, Debug)]
pub struct JacobianFunction(Closure<MatrixFn>);

type MatrixFn = dyn Fn(At<'_>, &[f64], &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync;

impl JacobianFunction {
    /// Where the function comes from. It is set through the system that has the Jacobian, by
    /// [`set_origin`](crate::model::UserFunctions::set_origin).
    #[must_use]
    pub fn origin(&self) -> &Origin {
        self.0.origin_or_unknown()
    }
}

/// Functions are equal when they are the same object.
impl PartialEq for JacobianFunction {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

impl Jacobian {
    /// A Jacobian computed by a function `(at, q, v, out)`; `out` arrives zeroed.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn function(
        function: impl Fn(At<'_>, &[f64], &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::Function(JacobianFunction(Closure::new(Arc::new(function))))
    }

    /// A Jacobian of a function of time and state `(at, x, out)`, as of a first-order system; `out` arrives
    /// zeroed.
    pub fn of_state(
        function: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::function(move |at, x, _, out| function(at, x, out))
    }

    /// Lists it under a name.
    pub(super) fn list<'a>(&'a self, name: &'static str, parts: &mut PartList<'a>) {
        match self {
            Self::Zero => parts.word(name, "zero"),
            Self::Constant(a) => parts.dense(name, a.view()),
            Self::Function(JacobianFunction(function)) => parts.function(name, function),
            Self::FiniteDifference => parts.differences(name, None),
            Self::FiniteDifferenceWithStep(step) => parts.differences(name, Some(*step)),
        }
    }

    pub(super) fn origin_mut(&mut self) -> Option<&mut Origin> {
        match self {
            Self::Function(JacobianFunction(function)) => function.origin_mut(),
            _ => None,
        }
    }

    pub(crate) fn check(&self, what: &'static str, n: usize) -> Result<(), ModelError> {
        match self {
            Self::Constant(a) => {
                check_shape(what, (n, n), a.dim())?;
                check_finite(what, a)
            }
            Self::FiniteDifferenceWithStep(step) => check_step(*step),
            Self::Zero | Self::Function(_) | Self::FiniteDifference => Ok(()),
        }
    }

    /// Whether [`add_into`](Self::add_into) works in memory of its own.
    pub(crate) fn needs_scratch(&self) -> bool {
        !matches!(self, Self::Zero | Self::Constant(_))
    }

    /// Adds `factor` times the derivative to `out`; `force` is evaluated for finite differences only.
    pub(crate) fn add_into(
        &self,
        factor: f64,
        point: Point<'_>,
        force: impl FnMut(&[f64], &mut [f64]),
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        match self {
            Self::Zero => {}
            Self::Constant(a) => out.scaled_add(factor, a),
            Self::Function(JacobianFunction(function)) => {
                scratch.matrix.fill(0.0);
                (function.0)(point.at, point.q, point.v, &mut scratch.matrix.view_mut());
                out.scaled_add(factor, &scratch.matrix);
            }
            Self::FiniteDifference => {
                point.difference(DIFFERENCE_STEP, force, scratch);
                out.scaled_add(factor, &scratch.matrix);
            }
            Self::FiniteDifferenceWithStep(step) => {
                point.difference(*step, force, scratch);
                out.scaled_add(factor, &scratch.matrix);
            }
        }
    }
}

/// The variable with respect to which a derivative is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Position,
    Velocity,
}

/// Where a derivative is taken.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    pub(crate) at: At<'a>,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    pub(crate) variable: Variable,
    pub(crate) space: &'a PositionSpace,
}

impl<'a> Point<'a> {
    /// A function of (q, v) as a function of the one variable of this point, the other held.
    pub(super) fn partial(
        self,
        mut function: impl FnMut(&[f64], &[f64], &mut [f64]) + 'a,
    ) -> impl FnMut(&[f64], &mut [f64]) + 'a {
        move |x, out| match self.variable {
            Variable::Position => function(x, self.v, out),
            Variable::Velocity => function(self.q, x, out),
        }
    }
}

impl Point<'_> {
    /// Fills the matrix with the central differences of a function of the variable.
    fn difference(
        self,
        step: f64,
        function: impl FnMut(&[f64], &mut [f64]),
        scratch: &mut DifferenceScratch,
    ) {
        match self.variable {
            Variable::Position => scratch.difference_along(self.space, self.q, step, function),
            Variable::Velocity => scratch.difference(self.v, step, function),
        }
    }
}

/// Checks a step that a user gives.
pub fn check_step(step: f64) -> Result<(), ModelError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(ModelError::DifferenceStep { value: step }) }
}

/// The memory of a central difference of a function from R^n to R^m.
#[derive(Clone, Debug, Default)]
pub struct DifferenceScratch {
    /// The Jacobian, `outputs x inputs`.
    pub matrix: Array2<f64>,
    x: Vec<f64>,
    displacement: Vec<f64>,
    plus: Vec<f64>,
    minus: Vec<f64>,
}

impl DifferenceScratch {
    /// Memory for a function with these numbers of outputs and inputs.
    #[must_use]
    pub fn new(outputs: usize, inputs: usize) -> Self {
        Self {
            matrix: Array2::zeros((outputs, inputs)),
            x: vec![0.0; inputs],
            displacement: Vec::new(),
            plus: vec![0.0; outputs],
            minus: vec![0.0; outputs],
        }
    }

    /// Fills `matrix` with the central differences of `function` at `x`.
    pub fn difference(&mut self, x: &[f64], step: f64, mut function: impl FnMut(&[f64], &mut [f64])) {
        self.x.clear();
        self.x.extend_from_slice(x);
        for (j, &xj) in x.iter().enumerate() {
            let step = representable(step, xj);
            let (right, left) = (xj + step, xj - step);
            self.x[j] = right;
            self.plus.fill(0.0);
            function(&self.x, &mut self.plus);
            self.x[j] = left;
            self.minus.fill(0.0);
            function(&self.x, &mut self.minus);
            self.x[j] = xj;
            // The step as it is after rounding.
            for ((target, plus), minus) in
                self.matrix.column_mut(j).iter_mut().zip(&self.plus).zip(&self.minus)
            {
                *target = (plus - minus) / (right - left);
            }
        }
    }
}

impl DifferenceScratch {
    /// Fills `matrix` with the central differences of a function of positions along the velocity coordinates.
    pub(crate) fn difference_along(
        &mut self,
        space: &PositionSpace,
        q: &[f64],
        step: f64,
        mut function: impl FnMut(&[f64], &mut [f64]),
    ) {
        if space.is_vector() {
            return self.difference(q, step, function);
        }
        // Vectors among the positions move by all of a power of two.
        let step = power_of_two(exponent(step).unwrap_or_default());
        self.x.clear();
        self.x.resize(q.len(), 0.0);
        self.displacement.clear();
        self.displacement.resize(self.matrix.ncols(), 0.0);
        for j in 0..self.displacement.len() {
            for (by, values) in [(step, &mut self.plus), (-step, &mut self.minus)] {
                self.displacement[j] = by;
                space.advance(q, &self.displacement, &mut self.x);
                values.fill(0.0);
                function(&self.x, values);
            }
            self.displacement[j] = 0.0;
            for ((target, plus), minus) in
                self.matrix.column_mut(j).iter_mut().zip(&self.plus).zip(&self.minus)
            {
                *target = (plus - minus) / (2.0 * step);
            }
        }
    }
}

/// At least the step that can be told from `x` in floating point.
fn representable(step: f64, x: f64) -> f64 {
    step.max(16.0 * f64::EPSILON * x.abs())
}

/// An entry of a user's Jacobian that does not agree with finite differences.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("entry ({row}, {column}) of the Jacobian `{what}` is {given}, finite differences give {expected}")]
pub struct JacobianMismatch {
    /// Which Jacobian.
    pub what: &'static str,
    /// Row of the entry that is off the most.
    pub row: usize,
    /// Column of that entry.
    pub column: usize,
    /// The user's value.
    pub given: f64,
    /// The central difference.
    pub expected: f64,
}

/// Finds the entry that differs most, relative to the size of the matrix, if by more than `tolerance`.
pub(crate) fn compare(
    what: &'static str,
    given: &Array2<f64>,
    expected: &Array2<f64>,
    tolerance: f64,
) -> Result<(), JacobianMismatch> {
    let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let worst = given
        .indexed_iter()
        .zip(expected)
        .map(|((place, g), e)| (place, *g, *e, (g - e).abs()))
        .max_by(|a, b| a.3.total_cmp(&b.3));
    match worst {
        // Written so that a NaN counts as a mismatch.
        Some(((row, column), given, expected, off)) if off.is_nan() || off > tolerance * scale => {
            Err(JacobianMismatch { what, row, column, given, expected })
        }
        _ => Ok(()),
    }
}
