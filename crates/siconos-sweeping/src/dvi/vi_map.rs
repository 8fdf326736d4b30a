//! Map F of the variational inequality, which does not depend on x.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::state_map::{Derivative, VectorFn, add_product};
use siconos_kernel::ModelError;
use siconos_kernel::engine::Closure;
use siconos_kernel::engine::{DifferenceScratch, check_step};
use siconos_kernel::engine::{check_finite, check_shape};
use siconos_kernel::model::dynamical_system::DIFFERENCE_STEP;

/// Map F of the variational inequality.
///
/// ```
/// use ndarray::array;
/// use siconos_sweeping::dvi::ViMap;
///
/// let diode = ViMap::function(1, |u, w| w[0] = u[0].exp() - 1.0).with_jacobian(|u, j| j[[0, 0]] = u[0].exp());
/// assert!(ViMap::Linear(array![[1.0]]).matrix().is_some() && diode.matrix().is_none());
/// ```
#[derive(Clone, Debug)]
pub enum ViMap {
    /// $F(u) = D u$ with D, m x m.
    Linear(Array2<f64>),
    /// Any other map, which can depend on time; create it with [`ViMap::function`] or
    /// [`ViMap::function_of_time`].
    Function(ViFunction),
}

/// Map F that is not linear.
#[derive(Clone, Debug)]
pub struct ViFunction {
    size: usize,
    value: VectorFn,
    derivative: Derivative,
    depends_on_time: bool,
}

impl ViFunction {
    fn new(size: usize, value: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let derivative = Derivative::Difference(DIFFERENCE_STEP);
        Self { size, value: Closure::new(Arc::new(value)), derivative, depends_on_time: true }
    }
}

impl ViMap {
    /// Creates a map from a function `(u, out)` with `size` components; `out` is 0 on entry. Its derivative
    /// is computed by central differences with the step 6e-6 (in the unit of u), unless
    /// [`with_jacobian`](Self::with_jacobian) sets the derivative.
    ///
    /// A closure that is first stored in a variable needs explicit types of its arguments.
    pub fn function(size: usize, value: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::Function(ViFunction {
            depends_on_time: false,
            ..ViFunction::new(size, move |_t: f64, u: &[f64], w: &mut [f64]| value(u, w))
        })
    }

    /// Creates a map F(t, u) from a function `(t, u, out)` with `size` components; `out` is 0 on entry. t is
    /// the time at the end of the step \[s\]. Pang and Stewart do not treat an F that depends on time, but
    /// the scheme is the same. The derivative with respect to u is computed as for
    /// [`function`](Self::function).
    ///
    /// A closure that is first stored in a variable needs explicit types of its arguments.
    ///
    /// ```
    /// use siconos_sweeping::dvi::ViMap;
    ///
    /// // A resistance that grows while it warms up.
    /// let resistor = ViMap::function_of_time(1, |t, u, w| w[0] = (2.0 - (-t).exp()) * u[0]);
    /// assert!(resistor.depends_on_time());
    /// ```
    pub fn function_of_time(
        size: usize,
        value: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::Function(ViFunction::new(size, value))
    }

    /// Sets the derivative of a nonlinear map by a function `(u, out)`; `out` is 0 on entry.
    #[must_use]
    pub fn with_jacobian(
        self,
        jacobian: impl Fn(&[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.with_jacobian_of_time(move |_t: f64, u: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
            jacobian(u, out);
        })
    }

    /// Sets the derivative of a nonlinear map with respect to u by a function `(t, u, out)`; `out` is 0 on
    /// entry.
    #[must_use]
    pub fn with_jacobian_of_time(
        mut self,
        jacobian: impl Fn(f64, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        if let Self::Function(function) = &mut self {
            function.derivative = Derivative::Given(Closure::new(Arc::new(jacobian)));
        }
        self
    }

    /// Sets the step of the central differences. Choose about 6e-6 times the scale on which u changes.
    #[must_use]
    pub fn with_difference_step(mut self, step: f64) -> Self {
        if let Self::Function(function) = &mut self {
            function.derivative = Derivative::Difference(step);
        }
        self
    }

    /// Returns D, or `None` if F is not linear.
    #[must_use]
    pub fn matrix(&self) -> Option<&Array2<f64>> {
        match self {
            Self::Linear(matrix) => Some(matrix),
            Self::Function(_) => None,
        }
    }

    /// Returns `true` if F depends on time.
    #[must_use]
    pub fn depends_on_time(&self) -> bool {
        matches!(self, Self::Function(ViFunction { depends_on_time: true, .. }))
    }

    /// Returns m, the number of components.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Linear(matrix) => matrix.nrows(),
            Self::Function(function) => function.size,
        }
    }

    /// Adds F(t, u) to `out`. `scratch` is workspace with the length of `out`.
    pub(super) fn add_value(&self, t: f64, u: &[f64], scratch: &mut [f64], out: &mut [f64]) {
        match self {
            Self::Linear(matrix) => add_product(matrix, u, out),
            Self::Function(function) => {
                scratch.fill(0.0);
                (function.value.0)(t, u, scratch);
                out.iter_mut().zip(&*scratch).for_each(|(out, w)| *out += w);
            }
        }
    }

    pub(super) fn jacobian_into(
        &self,
        t: f64,
        u: &[f64],
        scratch: &mut DifferenceScratch,
        out: &mut Array2<f64>,
    ) {
        match self {
            Self::Linear(matrix) => out.assign(matrix),
            Self::Function(function) => {
                function.derivative.write(t, u, &function.value, scratch, out);
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
