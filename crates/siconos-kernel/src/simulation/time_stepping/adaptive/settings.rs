//! Tolerances and limits of adaptive steps.

use serde::{Deserialize, Serialize};

use crate::settings_error::SettingsError;

/// Tolerances and limits of [`AdaptiveStepping`](super::AdaptiveStepping).
///
/// The error that a step adds to a component of q, v or x is kept below `absolute_tolerance` +
/// `relative_tolerance` times the magnitude of the component.
///
/// ```
/// use siconos_kernel::simulation::AdaptiveSettings;
///
/// let settings = AdaptiveSettings { largest_step: 0.01, ..AdaptiveSettings::of_tolerance(1e-5) };
/// assert!(settings.validate().is_ok());
/// assert!(AdaptiveSettings { smallest_step: 0.1, ..settings }.validate().is_err(), "above the largest");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdaptiveSettings {
    /// Tolerance relative to the magnitude of each component \[1\]. Default: 1e-4.
    pub relative_tolerance: f64,
    /// Absolute tolerance in the unit of each component of q and x. Velocities are first multiplied by the
    /// [time scale](crate::model::NonSmoothDynamicalSystem::set_time_scale) of the model. Default: 1e-4.
    pub absolute_tolerance: f64,
    /// Length of the first step \[s\]. Default: 1e-6. It must be short, because the error of the first step
    /// cannot be estimated. The following steps become longer.
    pub first_step: f64,
    /// Step length \[s\] at or below which a step is accepted even if its error exceeds the tolerance.
    /// Impacts are located with this accuracy. Default: 1e-9.
    pub smallest_step: f64,
    /// Maximum step length \[s\]. Default: infinite.
    pub largest_step: f64,
}

impl Default for AdaptiveSettings {
    fn default() -> Self {
        Self::of_tolerance(1e-4)
    }
}

impl AdaptiveSettings {
    /// Creates settings with the same value for both tolerances.
    #[must_use]
    pub fn of_tolerance(tolerance: f64) -> Self {
        Self {
            relative_tolerance: tolerance,
            absolute_tolerance: tolerance,
            first_step: 1e-6,
            smallest_step: 1e-9,
            largest_step: f64::INFINITY,
        }
    }

    /// Checks that all settings are in range.
    ///
    /// # Errors
    ///
    /// If a tolerance is negative or not finite, both tolerances are zero, a step length is not positive, or
    /// the smallest step exceeds the largest: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        let refused = |name, value, must_be| Err(SettingsError::OutOfRange { name, value, must_be });
        let tolerances = [
            ("relative_tolerance", self.relative_tolerance),
            ("absolute_tolerance", self.absolute_tolerance),
        ];
        for (name, value) in tolerances {
            if !(value >= 0.0 && value.is_finite()) {
                return refused(name, value, "finite and nonnegative");
            }
        }
        if self.relative_tolerance == 0.0 && self.absolute_tolerance == 0.0 {
            return refused("absolute_tolerance", 0.0, "positive if the relative tolerance is 0");
        }
        for (name, value) in [("first_step", self.first_step), ("smallest_step", self.smallest_step)] {
            if !(value > 0.0 && value.is_finite()) {
                return refused(name, value, "finite and positive");
            }
        }
        // The comparison is false if the largest step is NaN.
        if self.largest_step >= self.smallest_step {
            return Ok(());
        }
        refused("largest_step", self.largest_step, "at least the smallest step")
    }
}
