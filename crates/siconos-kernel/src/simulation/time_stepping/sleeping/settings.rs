//! Settings of sleeping bodies.

use serde::{Deserialize, Serialize};

use crate::settings_error::{SettingsError, check_number};

/// Conditions under which bodies at rest are held in place, which saves the cost of their contacts.
///
/// A body is slow in a step if the speed at its end is at most `fraction` of the speed that its loads alone
/// would cause in the step. Both speeds are norms in the mass matrix. Bodies that are connected by detected
/// contacts fall asleep together, after each of them was slow for `steps` steps. They then keep their
/// positions, their velocities are 0, and their contacts are not part of the one-step problem.
///
/// They wake together when another body or a moving obstacle comes near, when an obstacle that carries them
/// disappears, when the load of one of them changes, when the user sets positions or velocities, or when an
/// interaction of the model acts on one of them. Bodies on which interactions act, bodies that touch a moving
/// obstacle, and nonlinear Lagrangian systems do not sleep.
///
/// Sleeping bodies that would tip or slide with less than $f g / n$ (as plain text: f g / n, with the
/// fraction f, n steps and the acceleration g of the loads) remain at rest.
///
/// ```
/// use siconos_kernel::simulation::Sleeping;
///
/// let patient = Sleeping { steps: 1000, ..Sleeping::default() };
/// assert!(patient.validate().is_ok());
/// assert!(Sleeping { fraction: -1.0, ..patient }.validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sleeping {
    /// Maximum speed of a slow body, as a fraction of the speed that its loads cause in a step. Default:
    /// 1/1000.
    pub fraction: f64,
    /// Number of consecutive slow steps after which bodies fall asleep. Default: 100.
    pub steps: u32,
}

impl Default for Sleeping {
    fn default() -> Self {
        Self { fraction: 1e-3, steps: 100 }
    }
}

impl Sleeping {
    /// Checks that the settings are in range.
    ///
    /// # Errors
    ///
    /// If the fraction is not between 0 and 1, or if the number of steps is 0: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_number("fraction", self.fraction, |f| (0.0..=1.0).contains(&f), "between 0 and 1")?;
        check_number("steps", f64::from(self.steps), |n| n > 0.0, "at least 1")
    }
}
