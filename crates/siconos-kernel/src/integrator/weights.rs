//! Weights of the two ends of a step.

use serde::{Deserialize, Serialize};

use crate::settings_error::SettingsError;

/// Time at which a [`ZeroOrderHold`](super::ZeroOrderHold) evaluates the source b of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeldSource {
    /// $b(t_k)$: only past values are used, as in a controller with sample and hold. Default.
    #[default]
    Beginning,
    /// $b(t_{k+1})$, at the time of the law, as in Siconos.
    End,
}

/// Unknown of the one-step problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// lambda
    Multiplier,
    /// sigma = h lambda
    Measure,
}

/// Weights of the two ends of a step. The step of a first-order system is
///
/// $M (x - x_k) = h (\theta f + (1 - \theta) f_k) + h \theta_r r + h (1 - \theta_r) r_k$, with y and r
/// evaluated at $t_k + \gamma h$ and $x_\gamma = (1 - \gamma) x_k + \gamma x$. Under a zero-order hold, x is
/// the exact solution with constant r. For second-order systems, only theta is used, as the weight of the
/// velocity at the end of the step in the change of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    pub(crate) theta: f64,
    pub(crate) theta_r: f64,
    pub(crate) gamma: f64,
    pub(crate) unknown: Unknown,
    /// Time at which the source is evaluated under a zero-order hold; `None` in other schemes.
    pub(crate) hold: Option<HeldSource>,
}

impl Weights {
    /// Returns the weights of the theta scheme, with gamma = theta_r = 1 and the multiplier as unknown.
    pub(super) const fn implicit(theta: f64) -> Self {
        Self { theta, theta_r: 1.0, gamma: 1.0, unknown: Unknown::Multiplier, hold: None }
    }

    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        for (name, value) in [("theta", self.theta), ("theta_r", self.theta_r), ("gamma", self.gamma)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SettingsError::OutOfRange { name, value, must_be: "between 0 and 1" });
            }
        }
        Ok(())
    }

    /// Returns $t_k + \gamma h$, the time at which y, r and the law are evaluated.
    pub(crate) fn time_of_law(&self, t_k: f64, t_kp1: f64) -> f64 {
        if self.gamma == 1.0 { t_kp1 } else { t_k + self.gamma * (t_kp1 - t_k) }
    }

    /// Returns the ratio of the unknown of the one-step problem to lambda, for a step of length `h`.
    pub(crate) fn scale(&self, h: f64) -> f64 {
        match self.unknown {
            Unknown::Multiplier => 1.0,
            Unknown::Measure => h,
        }
    }
}
