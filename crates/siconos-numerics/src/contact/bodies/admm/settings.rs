//! Settings of ADMM in velocity space.

use serde::{Deserialize, Serialize};

/// Settings of [`VelocityAdmm`](crate::contact::VelocityAdmm).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityAdmmSettings {
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of iterations, each a pair of triangular solves. Default 20 000.
    pub max_iterations: usize,
    /// Initial penalty, as a multiple of the effective mass of each contact. Default 1, above 0.
    pub penalty: f64,
    /// Over-relaxation in (0, 2); 1 means none. Default 1.
    pub relaxation: f64,
    /// `true` to extrapolate, with restarts. Default true.
    pub acceleration: bool,
    /// Ratio of the two residuals above which the penalty is changed. Default 10, above 1.
    pub imbalance: f64,
}

impl Default for VelocityAdmmSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 20_000,
            penalty: 1.0,
            relaxation: 1.0,
            acceleration: true,
            imbalance: 10.0,
        }
    }
}

impl VelocityAdmmSettings {
    /// Returns settings for piles of bodies: penalty 3 and relaxation 1.6, which take fewer iterations, and a
    /// constant penalty, so that problems with the same masses and contacts share one factorisation.
    #[must_use]
    pub fn for_piles() -> Self {
        Self { penalty: 3.0, relaxation: 1.6, imbalance: f64::MAX, ..Self::default() }
    }
}
