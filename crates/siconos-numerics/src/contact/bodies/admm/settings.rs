//! Settings of ADMM in velocity space.

use serde::{Deserialize, Serialize};

/// Settings of [`VelocityAdmm`](crate::contact::VelocityAdmm).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityAdmmSettings {
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// Maximum number of iterations, each with a pair of triangular solves. Default 20 000.
    pub max_iterations: usize,
    /// Initial penalty of each contact, as a multiple of its effective mass. Default 1, above 0.
    pub penalty: f64,
    /// Over-relaxation factor, in (0, 2); 1 means no relaxation. Default 1.
    pub relaxation: f64,
    /// `true` if the iterates are extrapolated, with restarts (momentum). Default `true`.
    pub acceleration: bool,
    /// Ratio of the larger to the smaller residual above which the penalty is changed. Default 10, above 1.
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
    /// Returns settings for piles of bodies. Penalty 3 and relaxation 1.6 take fewer iterations. The penalty
    /// is constant, so problems with the same masses and contacts share one factorisation.
    #[must_use]
    pub fn for_piles() -> Self {
        Self { penalty: 3.0, relaxation: 1.6, imbalance: f64::MAX, ..Self::default() }
    }
}
