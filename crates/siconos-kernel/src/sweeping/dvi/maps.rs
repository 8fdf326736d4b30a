//! The functions of a differential variational inequality: affine ones, which are known as such, and others.

use std::sync::Arc;

use ndarray::{Array1, Array2, ArrayViewMut2};

use crate::error::{ModelError, check_finite, check_shape};
use crate::model::Closure;
use crate::model::dynamical_system::{DIFFERENCE_STEP, DifferenceScratch, check_step};

type SourceFn = Closure<dyn Fn(f64, &mut [f64]) + Send + Sync>;
type VectorFn = Closure<dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync>;
type MatrixFn = Closure<dyn Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// A vector that does not depend on the state.
#[derive(Clone, Debug)]
enum Offset {
    None,
    Constant(Vec<f64>),
    OfTime(SourceFn),
}

/// Where a derivative comes from.
#[derive(Clone, Debug)]
enum Derivative {
    Given(MatrixFn),
    Difference(f64),
}

impl Derivative {
    fn write(
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

/// A function of time and state: f or G.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::sweeping::dvi::StateMap;
///
/// // f = A x + e(t), and the pendulum.
/// let driven = StateMap::linear(array![[0.0, 1.0], [-4.0, 0.0]]).with_offset_function(|t, e| e[1] = t.sin());
/// let pendulum = StateMap::function(2, |_t, x, f| (f[0], f[1]) = (x[1], -x[0].sin()));
/// assert!(driven.is_affine() && !pendulum.is_affine());
/// ```
#[derive(Clone, Debug)]
pub struct StateMap(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Affine { matrix: Array2<f64>, offset: Offset },
    Function { rows: usize, value: VectorFn, derivative: Derivative },
}

impl StateMap {
    /// The linear function of x with this matrix.
    #[must_use]
    pub fn linear(matrix: Array2<f64>) -> Self {
        let matrix = matrix.as_standard_layout().into_owned();
        Self(Kind::Affine { matrix, offset: Offset::None })
    }

    /// Adds a constant vector to a linear function; another function stays what it is.
    #[must_use]
    pub fn with_offset(mut self, constant: impl Into<Array1<f64>>) -> Self {
        if let Kind::Affine { offset, .. } = &mut self.0 {
            *offset = Offset::Constant(constant.into().to_vec());
        }
        self
    }

    /// Adds a vector that is a function `(t, out)` of time to a linear function; another function stays what
    /// it is. `out` arrives zeroed.
    #[must_use]
    pub fn with_offset_function(
        mut self,
        function: impl Fn(f64, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        if let Kind::Affine { offset, .. } = &mut self.0 {
            *offset = Offset::OfTime(Closure(Arc::new(function)));
        }
        self
    }

    /// Any function `(t, x, out)` with so many components; `out` arrives zeroed. Its derivative in x is taken
    /// by central differences with a step of 6e-6 in the unit of x, unless it is given.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn function(rows: usize, value: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let derivative = Derivative::Difference(DIFFERENCE_STEP);
        Self(Kind::Function { rows, value: Closure(Arc::new(value)), derivative })
    }

    /// Gives the derivative in x, `(t, x, out)`, of a function that is not linear; `out` arrives zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        if let Kind::Function { derivative, .. } = &mut self.0 {
            *derivative = Derivative::Given(Closure(Arc::new(jacobian)));
        }
        self
    }

    /// The step of the central differences, about 6e-6 times the scale on which x changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let Kind::Function { derivative, .. } = &mut self.0 {
            *derivative = Derivative::Difference(step);
        }
        self
    }

    /// Whether it is affine in x with a constant matrix.
    #[must_use]
    pub fn is_affine(&self) -> bool {
        matches!(self.0, Kind::Affine { .. })
    }

    /// The constant matrix of an affine function.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match &self.0 {
            Kind::Affine { matrix, .. } => Some(matrix),
            Kind::Function { .. } => None,
        }
    }

    /// Whether the time matters.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        !matches!(self.0, Kind::Affine { offset: Offset::None | Offset::Constant(_), .. })
    }

    /// The number of components.
    #[must_use]
    pub fn rows(&self) -> usize {
        match &self.0 {
            Kind::Affine { matrix, .. } => matrix.nrows(),
            Kind::Function { rows, .. } => *rows,
        }
    }

    /// Writes the value at a time and a state.
    ///
    /// # Panics
    ///
    /// When a slice is shorter than the function of the user takes it for.
    pub fn value_into(&self, t: f64, x: &[f64], out: &mut [f64]) {
        match &self.0 {
            Kind::Affine { matrix, offset } => {
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
            Kind::Function { value, .. } => {
                out.fill(0.0);
                (value.0)(t, x, out);
            }
        }
    }

    /// Writes the derivative in x.
    pub(super) fn jacobian_into(
        &self,
        t: f64,
        x: &[f64],
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        match &self.0 {
            Kind::Affine { matrix, .. } => out.assign(matrix),
            Kind::Function { value, derivative, .. } => derivative.write(t, x, value, scratch, out),
        }
    }

    pub(super) fn check(&self, what: &'static str, shape: (usize, usize)) -> Result<(), ModelError> {
        check_shape(what, (shape.0, 1), (self.rows(), 1))?;
        match &self.0 {
            Kind::Affine { matrix, offset } => {
                check_shape(what, shape, matrix.dim())?;
                check_finite(what, matrix)?;
                if let Offset::Constant(constant) = offset {
                    check_shape(what, (shape.0, 1), (constant.len(), 1))?;
                    check_finite(what, constant)?;
                }
                Ok(())
            }
            Kind::Function { derivative: Derivative::Difference(step), .. } => check_step(*step),
            Kind::Function { .. } => Ok(()),
        }
    }
}

/// The matrix B, n x m: constant, or a function of time and state.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::sweeping::dvi::InputMap;
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
    /// A matrix `(t, x, out)` of this shape; `out` arrives zeroed. Boundary value problems take its
    /// derivative in x by central differences with a step of 6e-6 in the unit of x.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn function(
        shape: (usize, usize),
        value: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        let (value, difference_step) = (Closure(Arc::new(value) as _), DIFFERENCE_STEP);
        Self(InputKind::Function { shape, value, difference_step })
    }

    /// The step of the central differences, about 6e-6 times the scale on which x changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let InputKind::Function { difference_step, .. } = &mut self.0 {
            *difference_step = step;
        }
        self
    }

    /// Whether it is a constant.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        matches!(self.0, InputKind::Constant(_))
    }

    /// The matrix, where it is constant.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match &self.0 {
            InputKind::Constant(matrix) => Some(matrix),
            InputKind::Function { .. } => None,
        }
    }

    /// Rows and columns.
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

    /// Adds the derivative of $B(t, x) u$ in x, u held, to `out`.
    pub(super) fn add_jacobian(
        &self,
        (t, x, u): (f64, &[f64], &[f64]),
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

/// The map F of the variational inequality.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::sweeping::dvi::ViMap;
///
/// let diode = ViMap::function(1, |u, w| w[0] = u[0].exp() - 1.0).with_jacobian(|u, j| j[[0, 0]] = u[0].exp());
/// assert!(ViMap::Linear(array![[1.0]]).matrix().is_some() && diode.matrix().is_none());
/// ```
#[derive(Clone, Debug)]
pub enum ViMap {
    /// $F(u) = D u$ with D, m x m.
    Linear(Array2<f64>),
    /// Any other; make it with [`ViMap::function`].
    Function(ViFunction),
}

/// A map F that is not linear.
#[derive(Clone, Debug)]
pub struct ViFunction {
    size: usize,
    value: VectorFn,
    derivative: Derivative,
}

impl ViMap {
    /// A function `(u, out)` with so many components; `out` arrives zeroed. Its derivative is taken by
    /// central differences with a step of 6e-6 in the unit of u, unless it is given.
    ///
    /// A closure kept in a `let` before needs its argument types written out.
    pub fn function(size: usize, value: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let value = Closure(Arc::new(move |_t: f64, u: &[f64], w: &mut [f64]| value(u, w)) as _);
        Self::Function(ViFunction { size, value, derivative: Derivative::Difference(DIFFERENCE_STEP) })
    }

    /// Gives the derivative `(u, out)` of a function that is not linear; `out` arrives zeroed.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        jacobian: impl Fn(&[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        if let Self::Function(function) = &mut self {
            let jacobian = move |_t: f64, u: &[f64], out: &mut ArrayViewMut2<'_, f64>| jacobian(u, out);
            function.derivative = Derivative::Given(Closure(Arc::new(jacobian)));
        }
        self
    }

    /// The step of the central differences, about 6e-6 times the scale on which u changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let Self::Function(function) = &mut self {
            function.derivative = Derivative::Difference(step);
        }
        self
    }

    /// D, where F is linear.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match self {
            Self::Linear(matrix) => Some(matrix),
            Self::Function(_) => None,
        }
    }

    /// The number m of components.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Linear(matrix) => matrix.nrows(),
            Self::Function(function) => function.size,
        }
    }

    /// Adds F(u) to `out`; `scratch` has as many entries.
    pub(super) fn add_value(&self, u: &[f64], scratch: &mut [f64], out: &mut [f64]) {
        match self {
            Self::Linear(matrix) => add_product(matrix, u, out),
            Self::Function(function) => {
                scratch.fill(0.0);
                (function.value.0)(0.0, u, scratch);
                out.iter_mut().zip(&*scratch).for_each(|(out, w)| *out += w);
            }
        }
    }

    pub(super) fn jacobian_into(&self, u: &[f64], scratch: &mut DifferenceScratch, out: &mut Array2<f64>) {
        match self {
            Self::Linear(matrix) => out.assign(matrix),
            Self::Function(function) => {
                function.derivative.write(0.0, u, &function.value, scratch, out);
            }
        }
    }

    pub(super) fn check(&self, m: usize) -> Result<(), ModelError> {
        check_shape("F", (m, 1), (self.size(), 1))?;
        match self {
            Self::Linear(matrix) => {
                check_shape("D", (m, m), matrix.dim())?;
                check_finite("D", matrix)
            }
            Self::Function(ViFunction { derivative: Derivative::Difference(step), .. }) => check_step(*step),
            Self::Function(_) => Ok(()),
        }
    }
}

/// Adds a matrix times x to y.
pub(super) fn add_product(matrix: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(matrix.rows()) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}
