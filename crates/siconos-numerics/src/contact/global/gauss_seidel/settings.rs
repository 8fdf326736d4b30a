//! The settings.

use serde::{Deserialize, Serialize};

use crate::contact::{GaussSeidelSettings, LocalSolver, SweepOrder};

/// Settings of [`GlobalGaussSeidel`](super::GlobalGaussSeidel), with the meaning that they have in
/// [`GaussSeidelSettings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlobalGaussSeidelSettings {
    /// The [`global_error_of_point`](crate::contact::global_error_of_point) at which a point counts as a
    /// solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// The solver of one contact. Default [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// $\omega$ in $r \leftarrow P_K(r + \omega (r_{new} - r))$. Default 1, in (0, 2).
    pub relaxation: f64,
    /// The order of the contacts. Default [`SweepOrder::Forward`].
    pub order: SweepOrder,
}

impl Default for GlobalGaussSeidelSettings {
    fn default() -> Self {
        let GaussSeidelSettings { local, relaxation, order, .. } = GaussSeidelSettings::default();
        Self { tolerance: 1e-10, max_iterations: 10_000, local, relaxation, order }
    }
}

impl GlobalGaussSeidelSettings {
    /// The settings of the sweeps themselves.
    pub(super) fn of_sweeps(&self) -> GaussSeidelSettings {
        let Self { tolerance, max_iterations, local, relaxation, order } = *self;
        GaussSeidelSettings { tolerance, max_iterations, local, relaxation, order, ..Default::default() }
    }
}
