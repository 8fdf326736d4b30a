//! Switches of the equations: points at which the equations jump or have a kink. The integration stops and
//! restarts at each switch, so that no step crosses it.

use std::fmt;
use std::sync::Arc;

use super::answer::Direction;
use super::event::GuardOf;
use super::view::View;

/// Time at which the equations switch. "Before", "after", "first" and "last" refer to the direction of
/// integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchTime {
    /// Last time \[s\] at which the equations valid before the switch can be evaluated.
    pub last: f64,
    /// Time of the switch \[s\], just after `last`.
    pub at: f64,
    /// First time \[s\] at which the equations valid after the switch can be evaluated: `at`, or just after
    /// `at`.
    pub first: f64,
}

/// Function that returns the next switch of the equations after a point, in a given direction of integration.
pub type SwitchTimes = Arc<dyn Fn(View<'_>, Direction) -> Option<SwitchTime> + Send + Sync>;

/// Function at whose zeros the equations switch.
#[derive(Clone)]
pub(super) struct Switch {
    pub(super) name: String,
    pub(super) f: GuardOf,
}

impl fmt::Debug for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Time interval between two switches. "First", "last", "before" and "next" refer to the direction of
/// integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// Start of the interval in which the equations can be evaluated \[s\].
    pub(super) first: f64,
    /// End of the interval in which the equations can be evaluated \[s\], just before the next switch.
    pub(super) last: f64,
    /// Time of the next switch \[s\]; `None` after the last switch.
    pub(super) next: Option<f64>,
}

impl Piece {
    /// Returns the piece that contains all times.
    pub(super) fn all(direction: Direction) -> Self {
        let end = direction.sign() * f64::INFINITY;
        Self { first: -end, last: end, next: None }
    }

    /// Returns the time in the piece that is closest to t.
    pub(super) fn nearest(&self, t: f64) -> f64 {
        let (first, last) = (self.first, self.last);
        if first <= last { t.clamp(first, last) } else { t.clamp(last, first) }
    }
}
