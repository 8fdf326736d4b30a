//! Parameters of a contact in a multiple impact, and settings of the solver.

use serde::{Deserialize, Serialize};

use siconos_numerics::error::SettingsError;

/// Parameters of one contact of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImpactContact {
    /// Stiffness K in $F = K \delta^\eta$ \[N/m^eta\]. Must be positive. If the exponents of all contacts are
    /// equal, only the ratios of the stiffnesses matter.
    pub stiffness: f64,
    /// Exponent $\eta$ of the force: 1 for a linear contact, 3/2 for a Hertz contact. Must be at least 1.
    pub exponent: f64,
    /// Energetic coefficient of restitution e in \[0, 1\]. The contact returns the fraction $e^2$ of its
    /// compression energy.
    pub restitution: f64,
}

impl ImpactContact {
    /// Checks that all parameters are in their ranges.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] with the name of the parameter if a parameter is out of range.
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
    /// Number of time steps per radian of the oscillation of the fastest contact. Must be at least 1. The
    /// compression of this contact takes about 1.6 times as many steps. Default: 64.
    pub steps_per_radian: usize,
    /// Maximum number of steps. Default: 1 000 000.
    pub max_iterations: usize,
    /// Maximum relative error of the energy balance at which an impact counts as solved. Must be positive.
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
    /// If the tolerance is not positive or `steps_per_radian` is 0: [`SettingsError`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        SettingsError::check_tolerance(self.tolerance)?;
        let steps = self.steps_per_radian as f64;
        SettingsError::check_at_least("steps_per_radian", steps, 1.0, "at least 1")
    }
}
