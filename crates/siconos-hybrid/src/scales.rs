//! Warnings about motions that are too small or too short for the tolerances.

use super::solution::HybridSolution;

/// Number of absolute tolerances below which a variable is known to few digits.
const FEW_TOLERANCES: f64 = 1e3;

/// Fraction of the largest variable below which a variable is rounding error.
const ROUNDING: f64 = 1e-14;

/// Length of an integration that is nearly one instant, in widths to which roots are located.
const FEW_WIDTHS: f64 = 1e3;

impl HybridSolution {
    /// Updates the largest magnitudes of the continuous variables with the present point.
    pub(super) fn note_sizes(&mut self) {
        let (x, _) = self.event_workspace.split(&self.system);
        self.largest.resize(x.len(), 0.0);
        for (largest, x) in self.largest.iter_mut().zip(x) {
            *largest = largest.max(x.abs());
        }
    }

    /// Warns by `tracing` about continuous variables that were small wherever the integration stopped, so
    /// that their absolute tolerance leaves few digits. Events of such a motion may be missed.
    pub fn warn_of_small_variables(&self) {
        let all = self.largest.iter().fold(0.0_f64, |all, largest| all.max(*largest));
        for (index, (name, largest)) in self.system.names.iter().zip(&self.largest).enumerate() {
            let tolerance = self.settings.ode.weight(index, 0.0);
            if *largest > ROUNDING * all && *largest < FEW_TOLERANCES * tolerance {
                tracing::warn!(
                    variable = name.as_str(),
                    largest,
                    absolute_tolerance = tolerance,
                    "a variable has stayed near its absolute tolerance, so its motion and its events are known to few \
                     digits; set `absolute_tolerance` to a small fraction of its size"
                );
            }
        }
    }

    /// Warns by `tracing` if the integration is not much longer than the width to which roots are located.
    pub(super) fn warn_of_short_way(&self, t: f64) {
        let width = self.settings.ode.location().width(self.t0);
        if (t - self.t0).abs() < FEW_WIDTHS * width {
            tracing::warn!(
                t0 = self.t0,
                t,
                root_tolerance = width,
                "the way to this time is only some widths to which roots are located, and events within a few of \
                 these widths are one instant; set `root_tolerance`, or take `HybridSettings::for_span`"
            );
        }
    }
}
