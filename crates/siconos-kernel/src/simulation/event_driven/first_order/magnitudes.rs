//! Magnitudes of the terms of guards, which determine whether a guard counts as zero.

use siconos_ode::OdeSettings;

use super::probe::NEARLY_ZERO;

/// Magnitudes of states and of their rates: the true values, or [resolved](Self::resolve) values, which are
/// at least as large as the values that the integration distinguishes from zero. In a circuit that is at rest
/// up to rounding error, signs have no meaning, and terms that are zero now can grow.
#[derive(Debug)]
pub(super) struct Magnitudes {
    /// Magnitudes of the states.
    pub(super) x: Vec<f64>,
    /// Magnitudes of the rates of the states without lambda.
    pub(super) rate: Vec<f64>,
    resolution: Vec<f64>,
    is_resolved: bool,
}

impl Magnitudes {
    pub(super) fn new(states: usize) -> Self {
        let zeros = || vec![0.0; states];
        Self { x: zeros(), rate: zeros(), resolution: zeros(), is_resolved: false }
    }

    /// Sets the resolution of the integration, so that an error within the tolerances of the integrator
    /// counts as nearly zero. `places` are the indices of the states among all integrated states.
    pub(super) fn set_resolution(&mut self, integration: &OdeSettings, places: &[usize]) {
        let resolution = self.resolution.iter_mut().zip(places);
        resolution.for_each(|(least, &place)| *least = integration.weight(place, 0.0) / NEARLY_ZERO);
    }

    /// Selects resolved magnitudes for the next call of [`set`](Self::set), or true values.
    pub(super) fn resolve(&mut self, is_resolved: bool) {
        self.is_resolved = is_resolved;
    }

    /// Sets the magnitudes from a state and its rates. A rate is small if it changes the state little in the
    /// time scale of the model.
    pub(super) fn set(&mut self, x: &[f64], rate: &[f64], time_scale: f64) {
        for (i, least) in self.resolution.iter().enumerate() {
            let least = if self.is_resolved { *least } else { 0.0 };
            self.x[i] = x[i].abs() + least;
            self.rate[i] = rate[i].abs() + least / time_scale;
        }
    }

    /// Adds the changes of the states due to the given rates over a time.
    pub(super) fn move_on(&mut self, rate: &[f64], time: f64) {
        self.x.iter_mut().zip(rate).for_each(|(x, rate)| *x += time * rate.abs());
    }
}
