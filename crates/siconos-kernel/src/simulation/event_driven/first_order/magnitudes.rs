//! How large the terms of guards are, and so what is zero beside them.

use siconos_ode::OdeSettings;

use super::probe::NEARLY_ZERO;

/// Magnitudes of states and of their rates: as they are, or [resolved](Self::resolve), none below what the
/// integration tells from zero. A circuit that has come to rest but for rounding shows signs that mean
/// nothing, and terms that are zero now say nothing of what they will be.
#[derive(Debug)]
pub(super) struct Magnitudes {
    /// Of the states.
    pub(super) x: Vec<f64>,
    /// Of their rates without lambda.
    pub(super) rate: Vec<f64>,
    resolution: Vec<f64>,
    is_resolved: bool,
}

impl Magnitudes {
    pub(super) fn new(states: usize) -> Self {
        let zeros = || vec![0.0; states];
        Self { x: zeros(), rate: zeros(), resolution: zeros(), is_resolved: false }
    }

    /// Takes what the integration resolves: an error that it allows is nearly zero. `places` are those of the
    /// states among all that it carries.
    pub(super) fn set_resolution(&mut self, integration: &OdeSettings, places: &[usize]) {
        let resolution = self.resolution.iter_mut().zip(places);
        resolution.for_each(|(least, &place)| *least = integration.weight(place, 0.0) / NEARLY_ZERO);
    }

    /// Whether the next magnitudes are those that the integration resolves.
    pub(super) fn resolve(&mut self, is_resolved: bool) {
        self.is_resolved = is_resolved;
    }

    /// Takes the magnitudes of a state and of rates; what changes the state by little in the time scale of
    /// the model is a small rate.
    pub(super) fn set(&mut self, x: &[f64], rate: &[f64], time_scale: f64) {
        for (i, least) in self.resolution.iter().enumerate() {
            let least = if self.is_resolved { *least } else { 0.0 };
            self.x[i] = x[i].abs() + least;
            self.rate[i] = rate[i].abs() + least / time_scale;
        }
    }

    /// Adds what rates change in a time.
    pub(super) fn move_on(&mut self, rate: &[f64], time: f64) {
        self.x.iter_mut().zip(rate).for_each(|(x, rate)| *x += time * rate.abs());
    }
}
