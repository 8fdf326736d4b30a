//! Timed events: when the next one comes.

use super::event::Kind;
use super::solution::HybridSolution;
use siconos_kernel::simulation::{EventSettings, Tick};

/// Whether two times \[s\] are one instant.
pub(super) fn is_one_instant(settings: &EventSettings, a: f64, b: f64) -> bool {
    let tick = |t| Tick::of_time(t, settings.tick);
    a == b
        || matches!((tick(a), tick(b)), (Ok(tick_a), Ok(tick_b)) if settings.is_near((tick_a, a), (tick_b, b)))
}

/// The first of the times `start + k every`, k = 0, 1, .., behind `after` in the direction of `sign`, and not
/// of one instant with it.
fn next_time(
    settings: &EventSettings,
    (start, every): (f64, Option<f64>),
    after: f64,
    sign: f64,
) -> Option<f64> {
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
    /// Whether the timed event at a place comes at `t`.
    pub(super) fn comes_at(&self, place: usize, t: f64) -> bool {
        let Kind::Time { start, every } = self.system.events[place].kind else { return false };
        let count = every.map_or(0.0, |every| ((t - start) / every).round().max(0.0));
        let time = start + every.map_or(0.0, |every| count * every);
        is_one_instant(&self.settings.instant, time, t)
    }

    /// The time of the next timed event that is enabled, behind the last instant.
    pub(super) fn next_timed(&self) -> Option<f64> {
        let sign = self.sign();
        let times = self.system.events.iter().enumerate().filter_map(|(place, event)| {
            let Kind::Time { start, every } = event.kind else { return None };
            if !self.enabled[place] {
                return None;
            }
            // It does not fire again at or before the time at which it fired last.
            let after = match self.last_fired[place] {
                Some(last) if sign * (last - self.instant) > 0.0 => last,
                _ => self.instant,
            };
            next_time(&self.settings.instant, (start, every), after, sign)
        });
        times.reduce(|a, b| if sign * (a - b) <= 0.0 { a } else { b })
    }

    /// The next time at which the integration is to begin anew, whatever happens.
    pub(super) fn next_restart(&self) -> Option<f64> {
        let (sign, every) = (self.sign(), self.settings.restart_every?);
        // Counted from the initial time along the integration.
        let of_s = (sign * self.t0, Some(every));
        next_time(&self.settings.instant, of_s, sign * self.instant, 1.0).map(|s| sign * s)
    }

    /// Returns the next time at which the integration has to stop: for a timed event, for a switch of the
    /// equations, or for a restart at `restart`. If a stop is one instant with a timed event, the time of the
    /// timed event is returned.
    pub(super) fn next_stop(&self, restart: Option<f64>) -> Option<f64> {
        let sign = self.sign();
        let first = |a: f64, b: f64| if sign * (a - b) <= 0.0 { a } else { b };
        let others = [restart, self.piece.next].into_iter().flatten().reduce(first);
        let (timed, Some(other)) = (self.next_timed(), others) else { return self.next_timed() };
        let comes_first = |timed: &f64| {
            sign * (timed - other) <= 0.0 || is_one_instant(&self.settings.instant, *timed, other)
        };
        timed.filter(comes_first).or(Some(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_time_is_the_first_behind_whichever_way_one_goes() {
        let settings = EventSettings::default();
        let next = |every, after, sign| next_time(&settings, (1.0, every), after, sign);
        assert_eq!(next(None, 0.0, 1.0), Some(1.0));
        assert_eq!(next(None, 1.0, 1.0), None);
        assert_eq!(next(None, 2.0, -1.0), Some(1.0));
        assert_eq!(next(Some(0.1), 0.0, 1.0), Some(1.0));
        assert_eq!(next(Some(0.1), 1.0, 1.0), Some(1.0 + 0.1));
        assert_eq!(next(Some(0.1), 1.0 + 7.0 * 0.1 - 1e-15, 1.0), Some(1.0 + 8.0 * 0.1));
        assert_eq!(next(Some(0.1), 1.25, -1.0), Some(1.0 + 2.0 * 0.1));
        assert_eq!(next(Some(0.1), 1.0 + 2.0 * 0.1, -1.0), Some(1.0 + 0.1));
        assert_eq!(next(Some(0.1), 1.0, -1.0), None);
        // Of many none is left out.
        let (mut t, mut count) = (0.0, 0);
        while let Some(at) = next(Some(1e-3), t, 1.0).filter(|at| *at < 100.0005) {
            assert_eq!(at, 1.0 + f64::from(count) * 1e-3);
            (t, count) = (at, count + 1);
        }
        assert_eq!(count, 99_001);
    }
}
