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
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 50 }
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
    /// Whether the loop is done.
    pub converged: bool,
}
