//! What is known of guards at an instant before its events.

use super::probe::{Jumps, Probe};

/// So many times their rounding two values of a guard may differ and be the same.
const SAME: f64 = 4.0;

/// The guards as they were measured at an instant, before its events have done anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Located {
    /// The time \[s\]; none before the first instant.
    t: Option<f64>,
    guards: Vec<LocatedGuard>,
    /// Derivatives of the continuous variables along the integration.
    pub(super) rates: Vec<f64>,
}

/// A guard at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedGuard {
    /// Its value.
    pub(super) g: f64,
    /// How far from zero it may be if it is at zero.
    pub(super) band: f64,
    /// What of its value may be rounding.
    rounding: f64,
    pub(super) jumps: Jumps,
}

impl LocatedGuard {
    /// Returns `true` if the events have left a guard that now has the value `g` as it was, up to rounding.
    pub(super) fn is_left_by(&self, g: f64, rounding: f64) -> bool {
        (g - self.g).abs() <= SAME * (self.rounding + rounding)
    }
}

impl Located {
    /// Notes what a probe has found at an instant.
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

    /// A guard, if the instant is at the time `t` \[s\].
    pub(super) fn at(&self, guard: usize, t: f64) -> Option<LocatedGuard> {
        self.guards.get(guard).copied().filter(|_| self.t == Some(t))
    }

    /// Forgets the instant.
    pub(super) fn clear(&mut self) {
        self.t = None;
    }
}
