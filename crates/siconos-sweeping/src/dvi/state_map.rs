//! Affine and general functions of time and state.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayViewMut2};

use siconos_kernel::ModelError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::{DifferenceScratch, check_step};
use siconos_kernel::engine::{check_finite, check_shape};
use siconos_kernel::model::dynamical_system::DIFFERENCE_STEP;

type SourceFn = Closure<dyn Fn(f64, &mut [f64]) + Send + Sync>;
pub(super) type VectorFn = Closure<dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync>;
pub(super) type MatrixFn = Closure<dyn Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// Term of an affine function that does not depend on the state.
#[derive(Clone, Debug)]
enum Offset {
    None,
    Constant(Vec<f64>),
    OfTime(SourceFn),
}

/// Method by which a derivative is computed.
#[derive(Clone, Debug)]
pub(super) enum Derivative {
    Given(MatrixFn),
    Difference(f64),
}

impl Derivative {
    pub(super) fn write(
        &self,
        t: f64,
        x: &[f64],
        value: &VectorFn,
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        match self {
            Self::Given(function) => {
                out.fill(0.0);
                (function.0)(t, x, &mut out.view_mut());
            }
            Self::Difference(step) => {
                if scratch.matrix.dim() != out.dim() {
                    *scratch = DifferenceScratch::new(out.nrows(), out.ncols());
                }
                scratch.difference(x, *step, |x, y| (value.0)(t, x, y));
                out.assign(&scratch.matrix);
            }
        }
    }
}

/// Function of time and state, used for f and G.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::StateMap;
///
/// // An affine function f = A x + e(t), and a pendulum.
/// let driven = StateMap::linear(array![[0.0, 1.0], [-4.0, 0.0]]).with_offset_function(|t, e| e[1] = t.sin());
/// let pendulum = StateMap::function(2, |_t, x, f| (f[0], f[1]) = (x[1], -x[0].sin()));
/// assert!(driven.is_affine() && !pendulum.is_affine());
/// ```
#[derive(Clone, Debug)]
pub struct StateMap(StateMapKind);

#[derive(Clone, Debug)]
enum StateMapKind {
    Affine { matrix: Array2<f64>, offset: Offset },
    Function { rows: usize, value: VectorFn, derivative: Derivative },
}

impl StateMap {
    /// Creates a linear function of x from its matrix.
    #[must_use]
    pub fn linear(matrix: Array2<f64>) -> Self {
        let matrix = matrix.as_standard_layout().into_owned();
        Self(StateMapKind::Affine { matrix, offset: Offset::None })
    }

    /// Sets the constant term of an affine function. Has no effect on other functions.
    #[must_use]
    pub fn with_offset(mut self, constant: impl Into<Array1<f64>>) -> Self {
        if let StateMapKind::Affine { offset, .. } = &mut self.0 {
            *offset = Offset::Constant(constant.into().to_vec());
        }
        self
    }

    /// Sets the term of an affine function that does not depend on x to a function `(t, out)` of time; `out`
    /// is 0 on entry. Has no effect on other functions.
    #[must_use]
    pub fn with_offset_function(
        mut self,
        function: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        if let StateMapKind::Affine { offset, .. } = &mut self.0 {
            *offset = Offset::OfTime(Closure::new(Arc::new(function)));
        }
        self
    }

    /// Creates a general function `(t, x, out)` with `rows` components; `out` is 0 on entry. Its derivative
    /// with respect to x is computed by central differences with the step 6e-6 (in the unit of x), unless
    /// [`with_jacobian`](Self::with_jacobian) sets the derivative.
    ///
    /// A closure that is first stored in a variable needs explicit types of its arguments.
    pub fn function(rows: usize, value: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let derivative = Derivative::Difference(DIFFERENCE_STEP);
        Self(StateMapKind::Function { rows, value: Closure::new(Arc::new(value)), derivative })
    }

    /// Sets the derivative of a general function with respect to x to a function `(t, x, out)`; `out` is 0 on
    /// entry. Has no effect on affine functions.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        if let StateMapKind::Function { derivative, .. } = &mut self.0 {
            *derivative = Derivative::Given(Closure::new(Arc::new(jacobian)));
        }
        self
    }

    /// Sets the step of the central differences. Choose about 6e-6 times the scale on which x changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let StateMapKind::Function { derivative, .. } = &mut self.0 {
            *derivative = Derivative::Difference(step);
        }
        self
    }

    /// Returns `true` if the function was created as an affine function of x with a constant matrix.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        matches!(self.0, StateMapKind::Affine { .. })
    }

    /// Returns the constant matrix of an affine function.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match &self.0 {
            StateMapKind::Affine { matrix, .. } => Some(matrix),
            StateMapKind::Function { .. } => None,
        }
    }

    /// Returns `true` if the function can depend on time.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        !matches!(self.0, StateMapKind::Affine { offset: Offset::None | Offset::Constant(_), .. })
    }

    /// Returns the number of components.
    #[must_use]
    pub fn rows(&self) -> usize {
        match &self.0 {
            StateMapKind::Affine { matrix, .. } => matrix.nrows(),
            StateMapKind::Function { rows, .. } => *rows,
        }
    }

    /// Writes the value of the function at time t and state x.
    ///
    /// # Panics
    ///
    /// If a slice is shorter than the user function expects.
    pub fn value_into(&self, t: f64, x: &[f64], out: &mut [f64]) {
        match &self.0 {
            StateMapKind::Affine { matrix, offset } => {
                match offset {
                    Offset::None => out.fill(0.0),
                    Offset::Constant(constant) => out.copy_from_slice(constant),
                    Offset::OfTime(function) => {
                        out.fill(0.0);
                        (function.0)(t, out);
                    }
                }
                add_product(matrix, x, out);
            }
            StateMapKind::Function { value, .. } => {
                out.fill(0.0);
                (value.0)(t, x, out);
            }
        }
    }

    /// Writes the derivative with respect to x.
    pub(super) fn jacobian_into(
        &self,
        t: f64,
        x: &[f64],
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        match &self.0 {
            StateMapKind::Affine { matrix, .. } => out.assign(matrix),
            StateMapKind::Function { value, derivative, .. } => derivative.write(t, x, value, scratch, out),
        }
    }

    pub(super) fn check(&self, what: &'static str, shape: (usize, usize)) -> Result<(), ModelError> {
        check_shape(what, (shape.0, 1), (self.rows(), 1))?;
        match &self.0 {
            StateMapKind::Affine { matrix, offset } => {
                check_shape(what, shape, matrix.dim())?;
                check_finite(what, matrix)?;
                if let Offset::Constant(constant) = offset {
                    check_shape(what, (shape.0, 1), (constant.len(), 1))?;
                    check_finite(what, constant)?;
                }
                Ok(())
            }
            StateMapKind::Function { derivative: Derivative::Difference(step), .. } => check_step(*step),
            StateMapKind::Function { .. } => Ok(()),
        }
    }
}

/// Adds a matrix times x to y.
pub(super) fn add_product(matrix: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(matrix.rows()) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}
