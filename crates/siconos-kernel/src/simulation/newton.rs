//! Settings and progress of Newton's loop around the one-step problem of a nonlinear model.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;

/// When Newton's loop of a step ends.
///
/// The error measure is the larger of two, taken after each update: the residual of the equations of motion, with the
/// Jacobian J at the new position, relative to its own terms,
/// norm(R - J^T lambda) / (norm(M v) + norm(J^T lambda) + h norm(f_k) + h norm(f)); and the change of each active contact
/// velocity when J is evaluated there, relative to its own terms, the sum of abs(J_i v_i) and abs of the time derivative
/// of h. Both are free of units.
///
/// Of first-order systems it is the largest of three residuals, each relative to the size of its own terms (developer's notes
/// of Siconos, 8.3, 8.12 and 8.16): that of the equation of motion, $M (x - x_k) - h \theta f - h (1 - \theta) f_k - h \theta_r
/// r - h (1 - \theta_r) r_k$, that of the output, $y - h(t, x, \lambda)$, and that of the input, $r - g(t, x, \lambda)$.
///
/// ```
/// use siconos_kernel::simulation::NewtonSettings;
///
/// let settings = NewtonSettings { max_iterations: 20, ..NewtonSettings::default() };
/// assert_eq!(settings.tolerance, 1e-10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewtonSettings {
    /// The error measure at which the loop ends. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations, at least 1. Default 50.
    pub max_iterations: usize,
    /// How much of a step is taken, on first-order systems. Default: all of it.
    pub damping: Damping,
}

/// How much of a Newton step is taken.
///
/// The point that a step leads to satisfies the law of each interaction exactly, one in between only as far as it has come. So the
/// loop ends after a full step only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Damping {
    /// All of it: quadratic convergence near a solution.
    #[default]
    None,
    /// The step is halved, at most six times, until the error measure is below `1 - tau / 10` times that before, where tau
    /// is the part of the step; otherwise the last trial is taken. The first iteration, which begins at a point that does not
    /// satisfy the laws at the end of the step, is not damped.
    Backtracking,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 50, damping: Damping::None }
    }
}

impl NewtonSettings {
    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        if !(self.tolerance.is_finite() && self.tolerance > 0.0) {
            let (name, must_be) = ("Newton tolerance", "finite and above 0");
            return Err(SettingsError::OutOfRange { name, value: self.tolerance, must_be });
        }
        if self.max_iterations == 0 {
            let (name, must_be) = ("Newton max_iterations", "at least 1");
            return Err(SettingsError::OutOfRange { name, value: 0.0, must_be });
        }
        Ok(())
    }
}

/// Where Newton's loop stands after an update.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonProgress {
    /// Iterations made in this step.
    pub iterations: usize,
    /// The error measure; 0 for a linear model.
    pub error: f64,
    /// Its three parts of first-order systems, and the part of the step that was taken.
    pub first_order: Residuals,
    /// Whether the loop is done.
    pub converged: bool,
}

/// How far an iterate is from solving the equations of first-order systems, each part relative to the size of its terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Of the equation of motion.
    pub x: f64,
    /// Of the outputs, y - h(t, x, lambda).
    pub y: f64,
    /// Of the inputs, r - g(t, x, lambda).
    pub r: f64,
    /// The part of the last Newton step that was taken, 1 without damping.
    pub taken: f64,
}

impl Default for Residuals {
    fn default() -> Self {
        Self { x: 0.0, y: 0.0, r: 0.0, taken: 1.0 }
    }
}

impl Residuals {
    /// The largest of the three; NaN if one is.
    #[must_use]
    pub fn largest(&self) -> f64 {
        larger(self.x, larger(self.y, self.r))
    }
}

/// The larger of two numbers, NaN if one is: `f64::max` would hide it.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
