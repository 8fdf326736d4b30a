//! Magnitudes of the terms of guards, which determine whether a guard counts as zero.

use siconos_ode::OdeSettings;

use super::probe::NEARLY_ZERO;

/// Magnitudes of the states and of their rates. They are either the true magnitudes, or the true magnitudes
/// plus the [resolution](Self::set_resolution) of the integration (*resolved* magnitudes). Resolved
/// magnitudes are needed in a circuit that is at rest up to rounding error: the signs of its values have no
/// meaning, and terms that are zero can grow later.
#[derive(Debug)]
pub(super) struct Magnitudes {
    /// Magnitudes of the states.
    pub(super) x: Vec<f64>,
    /// Magnitudes of the rates of the states if lambda is zero.
    pub(super) rate: Vec<f64>,
    resolution: Vec<f64>,
    is_resolved: bool,
}

impl Magnitudes {
    pub(super) fn new(states: usize) -> Self {
        let zeros = || vec![0.0; states];
        Self { x: zeros(), rate: zeros(), resolution: zeros(), is_resolved: false }
    }

    /// Sets the resolution of the integration, such that errors within the tolerances of the integrator
    /// count as nearly zero. `places` are the indices of the states of the island among all integrated
    /// states.
    pub(super) fn set_resolution(&mut self, integration: &OdeSettings, places: &[usize]) {
        let resolution = self.resolution.iter_mut().zip(places);
        resolution.for_each(|(least, &place)| *least = integration.weight(place, 0.0) / NEARLY_ZERO);
    }

    /// Selects resolved magnitudes (`true`) or true magnitudes for the following calls of [`set`](Self::set).
    pub(super) fn resolve(&mut self, is_resolved: bool) {
        self.is_resolved = is_resolved;
    }

    /// Sets the magnitudes from the states `x` and their rates. The resolution of a rate is the resolution of
    /// its state divided by the time scale of the model.
    pub(super) fn set(&mut self, x: &[f64], rate: &[f64], time_scale: f64) {
        for (i, least) in self.resolution.iter().enumerate() {
            let least = if self.is_resolved { *least } else { 0.0 };
            self.x[i] = x[i].abs() + least;
            self.rate[i] = rate[i].abs() + least / time_scale;
        }
    }

    /// Adds the magnitudes of `rate` times `time` to the magnitudes of the states.
    pub(super) fn move_on(&mut self, rate: &[f64], time: f64) {
        self.x.iter_mut().zip(rate).for_each(|(x, rate)| *x += time * rate.abs());
    }
}
