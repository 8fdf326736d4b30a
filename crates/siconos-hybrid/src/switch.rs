//! Switches: points at which the equations of a hybrid system jump or have a kink. No step crosses a switch
//! that has not been located.

use std::fmt;
use std::sync::Arc;

use super::answer::Direction;
use super::event::GuardOf;
use super::view::View;

/// Time at which the equations switch. "First", "last" and "after" refer to the direction of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchTime {
    /// Last time \[s\] of the previous piece.
    pub last: f64,
    /// Time \[s\] of the switch, just after `last`.
    pub at: f64,
    /// First time \[s\] of the next piece: `at`, or just after `at`.
    pub first: f64,
}

/// Function that returns the next time at which the equations switch, as seen from a point in a given
/// direction.
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

/// Time interval between two switches, in the direction of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// First time at which the equations are evaluated \[s\].
    pub(super) first: f64,
    /// Last time at which the equations are evaluated \[s\].
    pub(super) last: f64,
    /// Time of the next switch \[s\], if there is one.
    pub(super) next: Option<f64>,
}

impl Piece {
    /// Returns the piece that contains all times, for a direction of integration.
    pub(super) fn all(direction: Direction) -> Self {
        let end = direction.sign() * f64::INFINITY;
        Self { first: -end, last: end, next: None }
    }

    /// Returns the time in the piece that is nearest to a given time.
    pub(super) fn nearest(&self, t: f64) -> f64 {
        let (first, last) = (self.first, self.last);
        if first <= last { t.clamp(first, last) } else { t.clamp(last, first) }
    }
}
