//! Motion of an impact oscillator: arcs of free motion, impacts, and the reason for its end.

use super::Oscillator;

/// Arc of free motion, given by its initial state (a right limit). It lasts until the next impact.
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

/// Reason why a computation ended. Only after the first two reasons is the requested computation complete. In
/// the other cases the computed arcs and impacts do not determine how the motion continues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The end of the time interval was reached.
    TimeReached,
    /// The requested number of impacts was reached.
    ImpactsReached,
    /// The body touches the obstacle almost tangentially at `t`, so that rounding decides if there is an
    /// impact.
    Grazing {
        /// Time of the contact.
        t: f64,
    },
    /// The relative velocity at `t` (after the impact, if there is one) is 0, and the force lifts the body
    /// off.
    SlowImpact {
        /// Time of the impact.
        t: f64,
    },
    /// The relative velocity at `t` (after the impact, if there is one) is 0, and the force presses the body
    /// onto the obstacle, so that the contact persists.
    PersistentContact {
        /// Time of the contact.
        t: f64,
    },
    /// Impacts follow each other at decreasing intervals (Zeno).
    Accumulation {
        /// Time of the last computed impact.
        t: f64,
        /// Accumulation time, extrapolated from the last intervals.
        limit: f64,
    },
    /// The initial position is below the obstacle.
    StartsInside {
        /// Distance of the initial position below the obstacle.
        depth: f64,
    },
}

/// Motion of an impact oscillator: exact arcs between impacts.
#[derive(Clone, Debug)]
pub struct ImpactMotion {
    pub(super) oscillator: Oscillator,
    /// Arcs in order. Each lasts until the start of the next.
    pub arcs: Vec<Arc>,
    /// Impacts in order.
    pub impacts: Vec<Impact>,
    /// Reason why the computation ended.
    pub end: End,
    /// Time up to which the motion is known.
    pub t_end: f64,
}

impl ImpactMotion {
    /// Returns position and velocity at `t`. The value at an impact is the right limit.
    ///
    /// # Panics
    ///
    /// If `t` is before the start or after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t <= t))
    }

    /// Returns position and velocity just before `t`. The value at an impact is the left limit.
    ///
    /// # Panics
    ///
    /// If `t` is not after the start, or if it is after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state_before(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t < t))
    }

    /// Returns the state at `t` on the arc with the index `begun - 1`.
    #[track_caller]
    fn on_arc(&self, t: f64, begun: usize) -> (f64, f64) {
        assert!(begun > 0 && t <= self.t_end, "t = {t} is outside the motion, which ends at {}", self.t_end);
        let arc = self.arcs[begun - 1];
        self.oscillator.flow(t - arc.t, arc.u, arc.v)
    }
}
