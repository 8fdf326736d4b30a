//! Values of the guards at an instant, before the events of this instant.

use super::probe::{Jumps, Probe};

/// Two values of a guard count as equal if they differ by at most this multiple of the rounding error.
const SAME: f64 = 4.0;

/// Guards at an instant, evaluated before the events of the instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Located {
    /// Time \[s\], or `None` before the first instant.
    t: Option<f64>,
    guards: Vec<LocatedGuard>,
    /// Derivatives of the continuous variables in the direction of integration.
    pub(super) rates: Vec<f64>,
}

/// Guard at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedGuard {
    /// Value of the guard.
    pub(super) g: f64,
    /// Magnitude up to which the guard counts as zero.
    pub(super) band: f64,
    /// Estimated rounding error of the value.
    rounding: f64,
    pub(super) jumps: Jumps,
}

impl LocatedGuard {
    /// Returns `true` if the events at the instant have not changed the guard. `g` is the current value of
    /// the guard, and `rounding` is its rounding error.
    pub(super) fn is_left_by(&self, g: f64, rounding: f64) -> bool {
        (g - self.g).abs() <= SAME * (self.rounding + rounding)
    }
}

impl Located {
    /// Stores the guards of a probe at time t \[s\].
    pub(super) fn note(&mut self, t: f64, probe: &Probe) {
        self.t = Some(t);
        self.guards.clear();
        self.guards.extend((0..probe.g.len()).map(|guard| LocatedGuard {
            g: probe.g[guard],
            band: probe.band(guard),
            rounding: probe.rounding[guard],
            jumps: probe.jumps[guard],
        }));
        self.rates.clone_from(&probe.rates);
    }

    /// Returns a guard, or `None` if the stored instant is not at time t \[s\].
    pub(super) fn at(&self, guard: usize, t: f64) -> Option<LocatedGuard> {
        self.guards.get(guard).copied().filter(|_| self.t == Some(t))
    }

    /// Discards the stored instant.
    pub(super) fn clear(&mut self) {
        self.t = None;
    }
}
