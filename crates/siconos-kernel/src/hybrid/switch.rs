//! Switches: where the equations of a hybrid system jump or have a kink, so that no step is taken across one
//! unseen.

use std::fmt;
use std::sync::Arc;

use super::answer::Direction;
use super::event::GuardOf;
use super::solution::HybridSolution;
use super::{GuardFunction, HybridSystem, View};
use crate::model::At;

/// A time at which the equations switch, in the direction of the integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchTime {
    /// The last time \[s\] of the piece before.
    pub last: f64,
    /// The time \[s\] of the switch, just behind that.
    pub at: f64,
    /// The first time \[s\] of the piece after: that of the switch, or just behind it.
    pub first: f64,
}

/// The next time at which the equations switch, as seen from a point.
pub type SwitchTimes = Arc<dyn Fn(View<'_>, Direction) -> Option<SwitchTime> + Send + Sync>;

/// A function at whose zeros the equations switch.
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

impl HybridSystem {
    /// Declares that the equations jump or have a kink where a function of t, x and d goes through zero. The
    /// integration stops and begins anew there, so that no step is taken across. The name is for messages.
    ///
    /// ```
    /// use siconos_kernel::hybrid::{
    ///     Answer, GuardFunction, HybridSettings, HybridSolution, HybridSystem, View,
    /// };
    ///
    /// // A push that lasts a thousandth, while x' = 1 takes y from 0 to 1e-3.
    /// let push = |p: View, rate: &mut [f64]| {
    ///     (rate[0], rate[1]) = (1.0, if p.x[0] > 0.5 && p.x[0] < 0.501 { 1.0 } else { 0.0 });
    /// };
    /// let mut system = HybridSystem::first_order(["x", "y"], push)?;
    /// for edge in [0.5, 0.501] {
    ///     system.switch("an edge", GuardFunction::new(move |p: View| p.x[0] - edge).with_degree(1));
    /// }
    /// let mut solution = HybridSolution::new(&system, 0.0, &[0.0, 0.0], HybridSettings::default())?;
    /// assert_eq!(solution.at(10.0)?, Answer::Reached);
    /// assert!((solution.x()[1] - 1e-3).abs() < 1e-12);
    /// # Ok::<(), siconos_kernel::hybrid::HybridError>(())
    /// ```
    pub fn switch(&mut self, name: impl Into<String>, f: impl Into<GuardFunction>) {
        self.switches.push(Switch { name: name.into(), f: GuardOf::Function(f.into()) });
    }

    /// Declares at which times the equations switch whatever the state. The function gives the first such
    /// time behind that of the point, in a direction; it may read the time, parameters and discrete
    /// variables. Steps end at the switch, and the equations are evaluated on one side of it only.
    pub fn switch_times(
        &mut self,
        times: impl Fn(View<'_>, Direction) -> Option<SwitchTime> + Send + Sync + 'static,
    ) {
        self.switch_times.push(Arc::new(times));
    }
}

/// The times between two switches, along the integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// The first and the last time at which the equations are evaluated \[s\].
    pub(super) first: f64,
    pub(super) last: f64,
    /// The time of the next switch \[s\], if there is one.
    pub(super) next: Option<f64>,
}

impl Piece {
    /// All times, in a direction.
    pub(super) fn all(direction: Direction) -> Self {
        let end = direction.sign() * f64::INFINITY;
        Self { first: -end, last: end, next: None }
    }

    /// The time of the piece that is nearest to a time.
    pub(super) fn nearest(&self, t: f64) -> f64 {
        let (first, last) = (self.first, self.last);
        if first <= last { t.clamp(first, last) } else { t.clamp(last, first) }
    }
}

impl HybridSolution {
    /// The piece that begins at the present instant. A switch within the instant is behind.
    pub(super) fn piece_here(&self) -> Piece {
        let direction = self.direction.unwrap_or(Direction::Right);
        let mut piece = Piece::all(direction);
        if self.system.switch_times.is_empty() {
            return piece;
        }
        let (sign, here) = (direction.sign(), self.desk.t);
        let mut after = here - sign * self.settings.instant.gap_at(here) as f64 * self.settings.instant.tick;
        while let Some(switch) = self.next_switch(after, direction) {
            if sign * (switch.at - after) <= 0.0 {
                break;
            }
            if sign * (switch.at - here) > 0.0 && !self.is_one_instant(switch.at, here) {
                (piece.last, piece.next) = (switch.last, Some(switch.at));
                break;
            }
            (piece.first, after) = (switch.first, switch.first);
        }
        piece
    }

    /// The first switch behind a time.
    fn next_switch(&self, after: f64, direction: Direction) -> Option<SwitchTime> {
        let (x, discrete) = self.desk.split(&self.system);
        let view = View { at: At::new(after, &self.parameters), x, discrete };
        let times = self.system.switch_times.iter().filter_map(|next| next(view, direction));
        let sign = direction.sign();
        times.reduce(|a, b| {
            // Of two switches at one time the piece between ends before both, and the next begins behind
            // both.
            let (mut first, second) = if sign * (a.at - b.at) <= 0.0 { (a, b) } else { (b, a) };
            if first.at == second.at {
                first.last = if sign * (first.last - second.last) <= 0.0 { first.last } else { second.last };
                first.first =
                    if sign * (first.first - second.first) >= 0.0 { first.first } else { second.first };
            }
            first
        })
    }
}
