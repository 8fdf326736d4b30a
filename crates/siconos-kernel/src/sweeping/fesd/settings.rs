//! How a step of finite elements with switch detection is divided, and when its iterations end.

use serde::{Deserialize, Serialize};

use crate::error::{SettingsError, check_number};

/// Settings of [`Fesd`](super::Fesd).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FesdSettings {
    /// The elements of a step. A step with more switches than boundaries between its elements takes one
    /// element more for each. Default 2, at least 1.
    pub elements: usize,
    /// The largest error of a condition that counts as 0, relative to the size of its terms; see
    /// [`FesdResidual`](super::FesdResidual). Default 1e-12, in \[1e-14, 1e-2\].
    pub tolerance: f64,
    /// The largest number of Newton steps of one solve. Default 40, at least 1.
    pub max_iterations: usize,
    /// The largest number of switches in a step. Default 30.
    pub max_switches: usize,
}

impl Default for FesdSettings {
    fn default() -> Self {
        Self { elements: 2, tolerance: 1e-12, max_iterations: 40, max_switches: 30 }
    }
}

impl FesdSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check_number("elements", self.elements as f64, |n| n >= 1.0, "at least 1")?;
        check_number("tolerance", self.tolerance, |x| (1e-14..=1e-2).contains(&x), "in [1e-14, 1e-2]")?;
        check_number("max_iterations", self.max_iterations as f64, |n| n >= 1.0, "at least 1")
    }
}
