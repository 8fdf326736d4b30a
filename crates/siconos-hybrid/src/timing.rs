//! Times at which the integration has to stop: timed events, switches and restarts.

use super::answer::Direction;
use super::event::EventTrigger;
use super::settings::is_one_instant;
use super::solution::HybridSolution;
use super::switch::{Piece, SwitchTime};
use super::view::View;
use siconos_kernel::model::At;
use siconos_kernel::simulation::EventSettings;

/// Returns the next time `start + k every`, k = 0, 1, .., in the direction of `sign`. The time must be after
/// `after`, and must not count as one instant with `after`. If there is no period, `start` is the only time.
fn next_time(settings: &EventSettings, start: f64, every: Option<f64>, after: f64, sign: f64) -> Option<f64> {
    let is_behind = |t: f64| sign * (t - after) > 0.0 && !is_one_instant(settings, t, after);
    let Some(every) = every else {
        return is_behind(start).then_some(start);
    };
    let k = (after - start) / every;
    if sign > 0.0 {
        let first = (k.floor() - 1.0).max(0.0);
        (0..4).map(|ahead| start + (first + f64::from(ahead)) * every).find(|t| is_behind(*t))
    } else {
        let last = k.ceil() + 1.0;
        let counts = (0..4).map(|back| last - f64::from(back)).filter(|k| *k >= 0.0);
        counts.map(|k| start + k * every).find(|t| is_behind(*t))
    }
}

impl HybridSolution {
    /// Returns `true` if the timed event with index `place` fires at time t.
    pub(super) fn comes_at(&self, place: usize, t: f64) -> bool {
        let EventTrigger::Time { start, every } = self.system.events[place].kind else { return false };
        let count = every.map_or(0.0, |every| ((t - start) / every).round().max(0.0));
        let time = start + every.map_or(0.0, |every| count * every);
        self.is_one_instant(time, t)
    }

    /// Returns the earliest time, after the last instant, at which an enabled timed event fires.
    pub(super) fn next_timed(&self) -> Option<f64> {
        let sign = self.sign();
        let times = self.system.events.iter().enumerate().filter_map(|(place, event)| {
            let EventTrigger::Time { start, every } = event.kind else { return None };
            if !self.enabled[place] {
                return None;
            }
            // A time at or before the last firing is skipped.
            let after = match self.last_fired[place] {
                Some(last) if sign * (last - self.instant) > 0.0 => last,
                _ => self.instant,
            };
            next_time(&self.settings.instant, start, every, after, sign)
        });
        times.reduce(|a, b| if sign * (a - b) <= 0.0 { a } else { b })
    }

    /// Returns the time of the next restart required by the settings.
    pub(super) fn next_restart(&self) -> Option<f64> {
        let (sign, every) = (self.sign(), self.settings.restart_every?);
        // Restarts are counted from the initial time in the direction of integration.
        let start = sign * self.t0;
        next_time(&self.settings.instant, start, Some(every), sign * self.instant, 1.0).map(|s| sign * s)
    }

    /// Returns the next time at which the integration has to stop: for a timed event, for a switch of the
    /// equations, or for a restart at the time `restart`. If a timed event and another stop count as one
    /// instant, returns the time of the timed event.
    pub(super) fn next_stop(&self, restart: Option<f64>) -> Option<f64> {
        let sign = self.sign();
        let first = |a: f64, b: f64| if sign * (a - b) <= 0.0 { a } else { b };
        let others = [restart, self.piece.next].into_iter().flatten().reduce(first);
        let (timed, Some(other)) = (self.next_timed(), others) else { return self.next_timed() };
        let comes_first = |timed: &f64| sign * (timed - other) <= 0.0 || self.is_one_instant(*timed, other);
        timed.filter(comes_first).or(Some(other))
    }

    /// Returns the interval between switches that starts at the present instant. A switch that counts as the
    /// same instant is already passed.
    pub(super) fn piece_here(&self) -> Piece {
        let direction = self.direction.unwrap_or(Direction::Right);
        let mut piece = Piece::all(direction);
        if self.system.switch_times.is_empty() {
            return piece;
        }
        let (sign, here) = (direction.sign(), self.event_workspace.t);
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

    /// Returns the next switch after a time, in the direction of integration.
    fn next_switch(&self, after: f64, direction: Direction) -> Option<SwitchTime> {
        let here = self.event_workspace.view(&self.system, &self.parameters);
        let view = View { at: At::new(after, &self.parameters), ..here };
        let times = self.system.switch_times.iter().filter_map(|next| next(view, direction));
        let sign = direction.sign();
        times.reduce(|a, b| {
            // If two switches coincide, the piece ends before both, and the next piece starts after both.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_time_is_the_first_behind_whichever_way_one_goes() {
        let settings = EventSettings::default();
        let next = |every, after, sign| next_time(&settings, 1.0, every, after, sign);
        assert_eq!(next(None, 0.0, 1.0), Some(1.0));
        assert_eq!(next(None, 1.0, 1.0), None);
        assert_eq!(next(None, 2.0, -1.0), Some(1.0));
        assert_eq!(next(Some(0.1), 0.0, 1.0), Some(1.0));
        assert_eq!(next(Some(0.1), 1.0, 1.0), Some(1.0 + 0.1));
        assert_eq!(next(Some(0.1), 1.0 + 7.0 * 0.1 - 1e-15, 1.0), Some(1.0 + 8.0 * 0.1));
        assert_eq!(next(Some(0.1), 1.25, -1.0), Some(1.0 + 2.0 * 0.1));
        assert_eq!(next(Some(0.1), 1.0 + 2.0 * 0.1, -1.0), Some(1.0 + 0.1));
        assert_eq!(next(Some(0.1), 1.0, -1.0), None);
        // No time of a long series is skipped.
        let (mut t, mut count) = (0.0, 0);
        while let Some(at) = next(Some(1e-3), t, 1.0).filter(|at| *at < 100.0005) {
            assert_eq!(at, 1.0 + f64::from(count) * 1e-3);
            (t, count) = (at, count + 1);
        }
        assert_eq!(count, 99_001);
    }
}
