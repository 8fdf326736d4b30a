//! What an impact oscillator did: arcs, impacts, and why it ended.

use super::Oscillator;

/// A piece of free motion: it starts at `t` with position `u` and velocity `v` (a right limit).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Start.
    pub t: f64,
    /// Position there.
    pub u: f64,
    /// Velocity there.
    pub v: f64,
}

/// One impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// When.
    pub t: f64,
    /// Where: the position of the obstacle.
    pub u: f64,
    /// Velocity before.
    pub v_minus: f64,
    /// Velocity after.
    pub v_plus: f64,
}

/// Why a computation ended. Only the first two mean that all that was asked for was done; the others are
/// places where the next impact cannot be told by arcs and impacts alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// The end of the time interval.
    TimeReached,
    /// The number of impacts asked for.
    ImpactsReached,
    /// The body touches the obstacle almost tangentially at `t`: rounding decides whether it is an impact.
    Grazing {
        /// When.
        t: f64,
    },
    /// At `t` the relative velocity (after the impact, if there is one) vanishes, and the force pulls the
    /// body off.
    SlowImpact {
        /// When.
        t: f64,
    },
    /// At `t` the relative velocity (after the impact, if there is one) vanishes, and the force presses the
    /// body onto the obstacle: contact persists.
    PersistentContact {
        /// When.
        t: f64,
    },
    /// Impacts follow each other in shrinking intervals (Zeno); `t` is that of the last one computed.
    Accumulation {
        /// When the last computed impact was.
        t: f64,
        /// The time to which they accumulate, as the ratio of the last intervals tells.
        limit: f64,
    },
    /// The start is below the obstacle by `depth`.
    StartsInside {
        /// How far.
        depth: f64,
    },
}

/// The motion: exact arcs between impacts.
#[derive(Clone, Debug)]
pub struct ImpactMotion {
    pub(super) oscillator: Oscillator,
    /// The arcs in order; each lasts until the next begins.
    pub arcs: Vec<Arc>,
    /// The impacts in order.
    pub impacts: Vec<Impact>,
    /// Why it ended.
    pub end: End,
    /// Up to when the motion is known.
    pub t_end: f64,
}

impl ImpactMotion {
    /// Position and velocity at `t`; the right limit at an impact.
    ///
    /// # Panics
    ///
    /// Before the start and after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t <= t))
    }

    /// Position and velocity just before `t`: the left limit at an impact.
    ///
    /// # Panics
    ///
    /// Up to the start and after [`t_end`](Self::t_end).
    #[track_caller]
    #[must_use]
    pub fn state_before(&self, t: f64) -> (f64, f64) {
        self.on_arc(t, self.arcs.partition_point(|arc| arc.t < t))
    }

    /// State at `t` on the last of the first `begun` arcs.
    #[track_caller]
    fn on_arc(&self, t: f64, begun: usize) -> (f64, f64) {
        assert!(begun > 0 && t <= self.t_end, "t = {t} is outside the motion, which ends at {}", self.t_end);
        let arc = self.arcs[begun - 1];
        self.oscillator.flow(t - arc.t, arc.u, arc.v)
    }
}
