//! Settings of ADMM in velocity space.

use serde::{Deserialize, Serialize};

/// Settings of [`VelocityAdmm`](crate::contact::VelocityAdmm).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityAdmmSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Each iteration takes a pair of triangular solves. Default: 20 000.
    pub max_iterations: usize,
    /// Initial penalty of each contact, as a multiple of its effective mass. Default: 1. Must be positive.
    pub penalty: f64,
    /// Over-relaxation factor. Must be in (0, 2). Default: 1, which means no relaxation.
    pub relaxation: f64,
    /// `true` if the iterates are extrapolated, with restarts (momentum). Default: `true`.
    pub acceleration: bool,
    /// Maximum ratio of the larger to the smaller residual. If the ratio exceeds this value, the penalty
    /// changes. Default: 10. Must be above 1.
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
    /// Returns settings for piles of bodies: penalty 3 and relaxation 1.6. With these settings, piles need
    /// fewer iterations than with the defaults. The penalty does not change during a solve, so problems with
    /// the same masses and contacts share one factorisation.
    #[must_use]
    pub fn for_piles() -> Self {
        Self { penalty: 3.0, relaxation: 1.6, imbalance: f64::MAX, ..Self::default() }
    }
}
