//! Settings and progress of Newton's loop around the one-step problem of a nonlinear model.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;

/// When Newton's loop of a step ends.
///
/// The error measure is the larger of two, taken after each update: the residual of the equations of motion,
/// norm(R - J^T lambda) / max(1, norm(M v), norm(J^T lambda)), with the Jacobian J at the new position; and the change
/// of the contact velocities when J is evaluated there, relative to max(1, the largest of them).
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
