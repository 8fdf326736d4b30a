//! Jacobians of user-supplied forces: given, constant, zero, or computed by finite differences.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::{exponent, power_of_two};

use crate::model::closure::Closure;
use crate::model::configuration::PositionSpace;
use crate::model::origin::Origin;
use crate::model::parts::PartList;
use crate::model::{At, ModelError, check_finite, check_shape};

/// Derivative of a force with respect to position or velocity, `n x n`.
///
/// A Jacobian has no default. The user must state explicitly that it is zero or approximated.
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
    /// User function; create it with [`Jacobian::function`].
    Function(JacobianFunction),
    /// Central differences with a finite-difference step of 6e-6 ([`DIFFERENCE_STEP`]) in the unit of the
    /// variable. This suits variables that vary by about 1 in their unit, such as positions in metres and
    /// angles in radians. The force is evaluated twice per column.
    FiniteDifference,
    /// Central differences with the given finite-difference step, which should be about 6e-6 times the scale
    /// on which the variable varies. For example, a position in metres that varies by a few micrometres needs
    /// a step of about 1e-11. The step is not relative to the value of the variable, because the origin of a
    /// variable is arbitrary. For example, an angle is large after many revolutions.
    FiniteDifferenceWithStep(f64),
}

/// Finite-difference step for a variable that varies on a scale of 1. The step is $\varepsilon^{1/3}$, which
/// balances truncation and rounding errors.
pub const DIFFERENCE_STEP: f64 = 6.055e-6;

/// User-supplied matrix-valued function `(at, q, v, out)`; `out` is zeroed before the call.
#[derive(Clone, Debug)]
pub struct JacobianFunction(Closure<MatrixFn>);

type MatrixFn = dyn Fn(At<'_>, &[f64], &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync;

impl JacobianFunction {
    /// Returns the origin of the function. To set it, call
    /// [`set_origin`](crate::model::UserFunctions::set_origin) on the system that contains the Jacobian.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        self.0.origin_or_unknown()
    }
}

/// Functions are equal if they are the same object.
impl PartialEq for JacobianFunction {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

impl Jacobian {
    /// Creates a Jacobian from a function `(at, q, v, out)` that computes it; `out` is zeroed before the
    /// call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn function(
        function: impl Fn(At<'_>, &[f64], &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::Function(JacobianFunction(Closure::new(Arc::new(function))))
    }

    /// Creates the Jacobian of a first-order system from a function `(at, x, out)` of time and state that
    /// computes it; `out` is zeroed before the call.
    pub fn of_state(
        function: impl Fn(At<'_>, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::function(move |at, x, _, out| function(at, x, out))
    }

    /// Adds the Jacobian to `parts` as the part called `name`.
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

    /// Returns `true` if [`add_into`](Self::add_into) uses the workspace.
    pub(crate) fn needs_scratch(&self) -> bool {
        !matches!(self, Self::Zero | Self::Constant(_))
    }

    /// Adds `factor` times the derivative to `out`; `force` is evaluated only for finite differences.
    pub(crate) fn add_into(
        &self,
        factor: f64,
        point: DerivativePoint<'_>,
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

/// Variable with respect to which a derivative is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Position,
    Velocity,
}

/// Point at which a derivative is computed, and the variable with respect to which it is computed.
#[derive(Clone, Copy)]
pub(crate) struct DerivativePoint<'a> {
    pub(crate) at: At<'a>,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
    pub(crate) variable: Variable,
    pub(crate) space: &'a PositionSpace,
}

impl<'a> DerivativePoint<'a> {
    /// Converts a function of (q, v) to a function of the variable of this point, with the other variable
    /// fixed.
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

impl DerivativePoint<'_> {
    /// Fills `scratch.matrix` with the central differences of a function of the variable of this point.
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

/// Checks that a user-supplied difference step is finite and positive.
pub fn check_step(step: f64) -> Result<(), ModelError> {
    if step.is_finite() && step > 0.0 { Ok(()) } else { Err(ModelError::DifferenceStep { value: step }) }
}

/// Workspace for central differences of a function from R^n to R^m.
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
    /// Allocates the workspace for a function with the given numbers of outputs and inputs.
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
            // Divide by the distance between the rounded points, not by twice the step.
            for ((target, plus), minus) in
                self.matrix.column_mut(j).iter_mut().zip(&self.plus).zip(&self.minus)
            {
                *target = (plus - minus) / (right - left);
            }
        }
    }
}

impl DifferenceScratch {
    /// Fills `matrix` with the central differences of a function of positions, with respect to the velocity
    /// coordinates.
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
        // The step is a power of two, so that adding it to the coordinates of vectors causes no rounding
        // errors.
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

/// Returns the step, enlarged if necessary so that it changes `x` in floating point.
fn representable(step: f64, x: f64) -> f64 {
    step.max(16.0 * f64::EPSILON * x.abs())
}

/// Entry of a user-supplied Jacobian that does not agree with finite differences.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "entry ({row}, {column}) of the Jacobian `{what}` is {given}, but finite differences give {expected}"
)]
pub struct JacobianMismatch {
    /// Name of the Jacobian that was checked.
    pub what: &'static str,
    /// Row of the entry with the largest difference.
    pub row: usize,
    /// Column of this entry.
    pub column: usize,
    /// User-supplied value.
    pub given: f64,
    /// Value computed by central differences.
    pub expected: f64,
}

/// Compares two matrices. The error reports the entry with the largest difference, if this difference exceeds
/// `tolerance` times the larger of 1 and the largest magnitude in `expected`.
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
