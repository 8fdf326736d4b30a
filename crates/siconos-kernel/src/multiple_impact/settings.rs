//! Parameters of a contact and settings of the integration.

use serde::{Deserialize, Serialize};

use siconos_numerics::error::SettingsError;

/// Parameters of one contact of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpactContact {
    /// Stiffness K in $F = K \delta^\eta$ \[N/m^eta\], above 0. If the exponents of all contacts are equal,
    /// only the ratios of the stiffnesses matter.
    pub stiffness: f64,
    /// Exponent $\eta$ of the force, at least 1: 1 for a linear contact, 3/2 for a Hertz contact.
    pub exponent: f64,
    /// Energetic coefficient of restitution e in \[0, 1\]: the fraction $e^2$ of the compression energy is
    /// returned.
    pub restitution: f64,
}

impl ImpactContact {
    /// Checks that all parameters are in their ranges.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] with the name of the first parameter that is out of range.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let Self { stiffness, exponent, restitution } = *self;
        SettingsError::check_at_least("stiffness", stiffness, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_at_least("exponent", exponent, 1.0, "at least 1")?;
        let (name, value, must_be) = ("restitution", restitution, "between 0 and 1");
        match (0.0..=1.0).contains(&value) {
            true => Ok(()),
            false => Err(SettingsError::OutOfRange { name, value, must_be }),
        }
    }
}

/// Settings of [`MultipleImpact`](super::MultipleImpact).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MultipleImpactSettings {
    /// Number of time steps per radian of the oscillation of the fastest contact, at least 1. The compression
    /// of this contact takes about 1.6 times as many steps. Default: 64.
    pub steps_per_radian: usize,
    /// Maximum number of steps. Default: 1 000 000.
    pub max_iterations: usize,
    /// Maximum relative error of the energy balance for which an impact counts as solved. It must be above 0.
    /// Default: 1e-6.
    pub tolerance: f64,
}

impl Default for MultipleImpactSettings {
    fn default() -> Self {
        Self { steps_per_radian: 64, max_iterations: 1_000_000, tolerance: 1e-6 }
    }
}

impl MultipleImpactSettings {
    /// Checks that all settings are in their ranges.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if the tolerance is not above 0 or `steps_per_radian` is 0.
    pub fn validate(&self) -> Result<(), SettingsError> {
        SettingsError::check_tolerance(self.tolerance)?;
        let steps = self.steps_per_radian as f64;
        SettingsError::check_at_least("steps_per_radian", steps, 1.0, "at least 1")
    }
}
