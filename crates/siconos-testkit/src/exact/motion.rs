//! Motion of an impact oscillator: arcs, impacts, and the reason for its end.

use super::Oscillator;

/// Arc of free motion that starts at `t` with position `u` and velocity `v` (a right limit).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Start of the arc.
    pub t: f64,
    /// Position at the start.
    pub u: f64,
    /// Velocity at the start.
    pub v: f64,
}

/// Impact of the body on the obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Time of the impact.
    pub t: f64,
    /// Position of the obstacle.
    pub u: f64,
    /// Velocity of the body before the impact.
    pub v_minus: f64,
    /// Velocity of the body after the impact.
    pub v_plus: f64,
}

/// Reason why a computation ended. Only the first two variants mean that the requested computation was
/// completed. In the other cases arcs and impacts alone do not determine the next impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The end of the time interval was reached.
    TimeReached,
    /// The requested number of impacts was reached.
    ImpactsReached,
    /// The body touches the obstacle almost tangentially at `t`, so that rounding decides whether there is an
    /// impact.
    Grazing {
        /// Time of the contact.
        t: f64,
    },
    /// At `t` the relative velocity (after the impact, if there is one) is 0, and the force lifts the body
    /// off.
    SlowImpact {
        /// Time of the impact.
        t: f64,
    },
    /// At `t` the relative velocity (after the impact, if there is one) is 0, and the force presses the body
    /// onto the obstacle: the contact persists.
    PersistentContact {
        /// Time of the contact.
        t: f64,
    },
    /// Impacts follow each other at shrinking intervals (Zeno).
    Accumulation {
        /// Time of the last computed impact.
        t: f64,
        /// Accumulation time, extrapolated from the ratio of the last intervals.
        limit: f64,
    },
    /// The start is below the obstacle.
    StartsInside {
        /// Distance of the start below the obstacle.
        depth: f64,
    },
}

/// Motion of an impact oscillator: exact arcs between impacts.
#[derive(Clone, Debug)]
pub struct ImpactMotion {
    pub(super) oscillator: Oscillator,
    /// Arcs in order; each lasts until the next begins.
    pub arcs: Vec<Arc>,
    /// Impacts in order.
    pub impacts: Vec<Impact>,
    /// Reason why the computation ended.
    pub end: End,
    /// Time up to which the motion is known.
    pub t_end: f64,
}

impl ImpactMotion {
    /// Returns position and velocity at `t`; the right limit at an impact.
    ///
    /// # Panics
    ///
    /// If `t` is before the start or after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t <= t))
    }

    /// Returns position and velocity just before `t`: the left limit at an impact.
    ///
    /// # Panics
    ///
    /// If `t` is not after the start, or after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state_before(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t < t))
    }

    /// Returns the state at `t` on the last of the first `begun` arcs.
    #[track_caller]
    fn on_arc(&self, t: f64, begun: usize) -> (f64, f64) {
        assert!(begun > 0 && t <= self.t_end, "t = {t} is outside the motion, which ends at {}", self.t_end);
        let arc = self.arcs[begun - 1];
        self.oscillator.flow(t - arc.t, arc.u, arc.v)
    }
}
