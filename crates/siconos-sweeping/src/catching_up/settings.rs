//! Settings of the catching-up algorithm.

use serde::{Deserialize, Serialize};
use siconos_numerics::engine::fixed_point::{FixedPoint, FixedPointSettings, Scheme};

use siconos_kernel::SettingsError;
use siconos_kernel::engine::{check_number, check_positive};

/// Tolerance and maximum numbers of iterations of [`CatchingUp`](super::CatchingUp).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CatchingUpSettings {
    /// Relative tolerance on the change of the state per iteration, for the inner iterations (which solve for
    /// f) and for the outer iterations (which update the set). Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Maximum number of outer iterations that update the state u in K(t, u). Default: 10 000. At least 1.
    pub max_outer: usize,
    /// Maximum number of iterations of the extragradient method. Default: 20 000.
    pub max_inner: usize,
}

impl Default for CatchingUpSettings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_outer: 10_000, max_inner: 20_000 }
    }
}

impl CatchingUpSettings {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check_positive("tolerance", self.tolerance)?;
        check_number("max_outer", self.max_outer as f64, |most| most >= 1.0, "at least 1")
    }

    /// Creates the extragradient method with these settings.
    pub(super) fn extragradient(&self) -> FixedPoint {
        let settings = FixedPointSettings {
            tolerance: self.tolerance,
            max_iterations: self.max_inner,
            ..FixedPointSettings::default()
        };
        FixedPoint::new(Scheme::Extragradient, settings)
            .unwrap_or_else(|_never| FixedPoint::with_defaults(Scheme::Extragradient))
    }
}
