//! Switches: points at which the equations of a hybrid system jump or have a kink. No step crosses a switch
//! that has not been located.

use std::fmt;
use std::sync::Arc;

use super::answer::Direction;
use super::event::GuardOf;
use super::solution::HybridSolution;
use super::{GuardFunction, HybridSystem, View};
use siconos_kernel::model::At;

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

/// Function that returns the first time after a point at which the equations switch, in a direction.
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

impl HybridSystem {
    /// Declares that the equations jump or have a kink where a function of t, x and d crosses zero. The
    /// integration stops and restarts there, so that no step crosses the switch. The name is used in
    /// messages.
    ///
    /// ```
    /// use siconos_hybrid::{
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
    /// # Ok::<(), siconos_hybrid::HybridError>(())
    /// ```
    pub fn switch(&mut self, name: impl Into<String>, f: impl Into<GuardFunction>) {
        self.switches.push(Switch { name: name.into(), f: GuardOf::Function(f.into()) });
    }

    /// Declares times at which the equations switch, independent of the state. The function returns the first
    /// such time after the time of the point, in the given direction. It may read the time, the parameters
    /// and the discrete variables. Steps end at the switch, and each step evaluates the equations on one side
    /// of the switch only.
    pub fn switch_times(
        &mut self,
        times: impl Fn(View<'_>, Direction) -> Option<SwitchTime> + Send + Sync + 'static,
    ) {
        self.switch_times.push(Arc::new(times));
    }
}

/// Times between two switches, along the integration.
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
    /// Returns the piece of all times, in a direction.
    pub(super) fn all(direction: Direction) -> Self {
        let end = direction.sign() * f64::INFINITY;
        Self { first: -end, last: end, next: None }
    }

    /// Returns the time of the piece that is nearest to a given time.
    pub(super) fn nearest(&self, t: f64) -> f64 {
        let (first, last) = (self.first, self.last);
        if first <= last { t.clamp(first, last) } else { t.clamp(last, first) }
    }
}

impl HybridSolution {
    /// Returns the piece that begins at the present instant. A switch within the instant counts as passed.
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

    /// Returns the first switch after a time.
    fn next_switch(&self, after: f64, direction: Direction) -> Option<SwitchTime> {
        let (x, discrete) = self.desk.split(&self.system);
        let view = View { at: At::new(after, &self.parameters), x, discrete };
        let times = self.system.switch_times.iter().filter_map(|next| next(view, direction));
        let sign = direction.sign();
        times.reduce(|a, b| {
            // If two switches coincide, the piece ends before both, and the next piece begins after both.
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
