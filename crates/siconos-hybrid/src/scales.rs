//! Warnings about motions that are too small or too short for the tolerances.

use super::solution::HybridSolution;

/// A variable below this multiple of its absolute tolerance has only a few accurate digits.
const FEW_TOLERANCES: f64 = 1e3;

/// A variable whose largest magnitude is below this fraction of the largest variable is ignored, because its
/// values can be rounding errors.
const ROUNDING: f64 = 1e-14;

/// An integration shorter than this multiple of the root location width is reported in a warning.
const FEW_WIDTHS: f64 = 1e3;

impl HybridSolution {
    /// Updates the largest magnitudes of the continuous variables with their current values.
    pub(super) fn note_sizes(&mut self) {
        let (x, _) = self.event_workspace.split(&self.system);
        self.largest.resize(x.len(), 0.0);
        for (largest, x) in self.largest.iter_mut().zip(x) {
            *largest = largest.max(x.abs());
        }
    }

    /// Emits a `tracing` warning about continuous variables that were small at every stop of the integration.
    /// Because their absolute tolerances are comparatively large, only a few of their digits are accurate,
    /// and events can be missed.
    pub fn warn_of_small_variables(&self) {
        let all = self.largest.iter().fold(0.0_f64, |all, largest| all.max(*largest));
        for (index, (name, largest)) in self.system.names.iter().zip(&self.largest).enumerate() {
            let tolerance = self.settings.ode.weight(index, 0.0);
            if *largest > ROUNDING * all && *largest < FEW_TOLERANCES * tolerance {
                tracing::warn!(
                    variable = name.as_str(),
                    largest,
                    absolute_tolerance = tolerance,
                    "a variable has stayed near its absolute tolerance, so its motion and its events have few correct \
                     digits; set `absolute_tolerance` to a small fraction of its size"
                );
            }
        }
    }

    /// Emits a `tracing` warning if the integration is not much longer than the root location width, which is
    /// the length of the time interval to which a root is located.
    pub(super) fn warn_of_short_way(&self, t: f64) {
        let width = self.settings.ode.location().width(self.t0);
        if (t - self.t0).abs() < FEW_WIDTHS * width {
            tracing::warn!(
                t0 = self.t0,
                t,
                root_tolerance = width,
                "the interval to this time is only a few times the width to which roots are located, and events within a few of \
                 these widths count as one instant; set `root_tolerance`, or use `HybridSettings::for_span`"
            );
        }
    }
}
