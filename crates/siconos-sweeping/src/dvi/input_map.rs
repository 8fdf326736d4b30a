//! Matrix B that multiplies u.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::state_map::{MatrixFn, add_product};
use siconos_kernel::ModelError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::{DifferenceScratch, check_step};
use siconos_kernel::engine::{check_finite, check_shape};
use siconos_kernel::model::dynamical_system::DIFFERENCE_STEP;

/// Matrix B, n x m: constant, or a function of time and state.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::InputMap;
///
/// let constant = InputMap::from(array![[0.0], [1.0]]);
/// let turning = InputMap::function((2, 1), |t, _x, b| (b[[0, 0]], b[[1, 0]]) = (t.cos(), t.sin()));
/// assert!(constant.is_constant() && !turning.is_constant());
/// ```
#[derive(Clone, Debug)]
pub struct InputMap(InputKind);

#[derive(Clone, Debug)]
enum InputKind {
    Constant(Array2<f64>),
    Function { shape: (usize, usize), value: MatrixFn, difference_step: f64 },
}

impl From<Array2<f64>> for InputMap {
    fn from(matrix: Array2<f64>) -> Self {
        Self(InputKind::Constant(matrix.as_standard_layout().into_owned()))
    }
}

impl InputMap {
    /// Creates a matrix of the given shape from a function `(t, x, out)`; `out` is 0 on entry. Boundary value
    /// problems need the derivative of B with respect to x. They compute it by central differences with the
    /// step 6e-6 (in the unit of x).
    ///
    /// A closure that is first stored in a variable needs explicit types of its arguments.
    pub fn function(
        shape: (usize, usize),
        value: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        let (value, difference_step) = (Closure::new(Arc::new(value) as _), DIFFERENCE_STEP);
        Self(InputKind::Function { shape, value, difference_step })
    }

    /// Sets the step of the central differences. Choose about 6e-6 times the scale on which x changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let InputKind::Function { difference_step, .. } = &mut self.0 {
            *difference_step = step;
        }
        self
    }

    /// Returns `true` if B is constant.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        matches!(self.0, InputKind::Constant(_))
    }

    /// Returns the matrix if it is constant.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match &self.0 {
            InputKind::Constant(matrix) => Some(matrix),
            InputKind::Function { .. } => None,
        }
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn dim(&self) -> (usize, usize) {
        match &self.0 {
            InputKind::Constant(matrix) => matrix.dim(),
            InputKind::Function { shape, .. } => *shape,
        }
    }

    pub(super) fn value_into(&self, t: f64, x: &[f64], out: &mut Array2<f64>) {
        match &self.0 {
            InputKind::Constant(matrix) => out.assign(matrix),
            InputKind::Function { value, .. } => {
                out.fill(0.0);
                (value.0)(t, x, &mut out.view_mut());
            }
        }
    }

    /// Adds the derivative of $B(t, x) u$ with respect to x, at constant u, to `out`.
    pub(super) fn add_jacobian(
        &self,
        t: f64,
        (x, u): (&[f64], &[f64]),
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        let InputKind::Function { value, shape, difference_step } = &self.0 else { return };
        if scratch.matrix.dim() != out.dim() {
            *scratch = DifferenceScratch::new(out.nrows(), out.ncols());
        }
        let mut b = Array2::zeros(*shape);
        scratch.difference(x, *difference_step, |x, y| {
            b.fill(0.0);
            (value.0)(t, x, &mut b.view_mut());
            add_product(&b, u, y);
        });
        *out += &scratch.matrix;
    }

    pub(super) fn check(&self, shape: (usize, usize)) -> Result<(), ModelError> {
        check_shape("B", shape, self.dim())?;
        match &self.0 {
            InputKind::Constant(matrix) => check_finite("B", matrix),
            InputKind::Function { difference_step, .. } => check_step(*difference_step),
        }
    }
}
