//! Perturbed sweeping processes over sets defined by smooth inequalities.

use std::fmt;

use ndarray::{Array2, ArrayViewMut2};

use super::FesdError;
use siconos_kernel::ModelError;

/// Writes f(t, x) or h(t, x).
type Values = dyn Fn(f64, &[f64], &mut [f64]) + Send + Sync;
/// Writes df/dx or dh/dx.
type Derivative = dyn Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync;

/// Perturbed sweeping process over the set $\lbrace x : h(t, x) \ge 0 \rbrace$, which is defined by m
/// inequalities. If the set does not move, the process is a projected dynamical system:
///
/// $$ \dot x = f(t, x) + \nabla h(t, x) \lambda, \qquad 0 \le h(t, x) \perp \lambda \ge 0. $$
///
/// As plain text: x' = f + grad h lambda, 0 <= h perpendicular lambda >= 0. The gradients of constraints that
/// are active together must be linearly independent. f is the rate of the unconstrained motion, so its sign
/// is opposite to the sign of f in [`CatchingUp`](crate::CatchingUp).
///
/// ```
/// use siconos_sweeping::fesd::SweepingSystem;
///
/// // A point in the plane outside the unit disc, driven to the left.
/// let system = SweepingSystem::new(
///     2,
///     1,
///     |_t, _x, f| f[0] = -1.0,
///     |_t, x, h| h[0] = x[0] * x[0] + x[1] * x[1] - 1.0,
///     |_t, x, mut gradients| {
///         gradients[[0, 0]] = 2.0 * x[0];
///         gradients[[0, 1]] = 2.0 * x[1];
///     },
/// )?;
/// assert_eq!((system.states(), system.constraints()), (2, 1));
/// # Ok::<(), siconos_sweeping::fesd::FesdError>(())
/// ```
///
/// References: A. Pozharskiy, A. Nurkanovic, M. Diehl (2024), "Finite elements with switch detection for
/// numerical optimal control of projected dynamical systems", arXiv 2412.11320.
pub struct SweepingSystem {
    states: usize,
    constraints: usize,
    field: Box<Values>,
    constraint: Box<Values>,
    gradient: Box<Derivative>,
    derivative: Option<Box<Derivative>>,
    pub(super) gradients: Array2<f64>,
}

impl fmt::Debug for SweepingSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SweepingSystem")
            .field("states", &self.states)
            .field("constraints", &self.constraints)
            .finish_non_exhaustive()
    }
}

impl SweepingSystem {
    /// Creates a process with n states and m constraints. `field(t, x, f)` writes f \[unit of x per s\],
    /// `constraints(t, x, h)` writes h, and `gradients(t, x, G)` writes dh/dx, m x n; all outputs are 0 on
    /// entry. The gradients are required, because the reaction acts in their direction.
    ///
    /// # Errors
    ///
    /// If n = 0 or m = 0 ([`FesdError::Model`]).
    pub fn new(
        n: usize,
        m: usize,
        field: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
        constraints: impl Fn(f64, &[f64], &mut [f64]) + Send + Sync + 'static,
        gradients: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Result<Self, FesdError> {
        if n == 0 {
            return Err(ModelError::NoDegreeOfFreedom.into());
        }
        if m == 0 {
            return Err(ModelError::Empty { what: "h of a sweeping process" }.into());
        }
        Ok(Self {
            states: n,
            constraints: m,
            field: Box::new(field),
            constraint: Box::new(constraints),
            gradient: Box::new(gradients),
            derivative: None,
            gradients: Array2::zeros((m, n)),
        })
    }

    /// Sets the derivative of the field. The function `(t, x, J)` writes the n x n matrix df/dx to J, which
    /// is 0 on entry. The derivative is used only while no constraint is active. While a constraint is
    /// active, or if no derivative is set, finite differences are used.
    #[must_use]
    pub fn with_jacobian(
        mut self,
        derivative: impl Fn(f64, &[f64], ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        self.derivative = Some(Box::new(derivative));
        self
    }

    /// Returns n, the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns m, the number of constraints.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.constraints
    }

    /// Writes f.
    pub(super) fn write_field(&self, t: f64, x: &[f64], f: &mut [f64]) {
        f.fill(0.0);
        (self.field)(t, x, f);
    }

    /// Writes h.
    pub(super) fn write_constraints(&self, t: f64, x: &[f64], h: &mut [f64]) {
        h.fill(0.0);
        (self.constraint)(t, x, h);
    }

    /// Updates the gradients.
    pub(super) fn update_gradients(&mut self, t: f64, x: &[f64]) {
        self.gradients.fill(0.0);
        (self.gradient)(t, x, self.gradients.view_mut());
    }

    /// Writes df/dx. Returns `false` if the user set no derivative.
    pub(super) fn write_derivative(&self, t: f64, x: &[f64], to: ArrayViewMut2<'_, f64>) -> bool {
        let Some(derivative) = &self.derivative else { return false };
        derivative(t, x, to);
        true
    }
}
