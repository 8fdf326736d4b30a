//! Accumulations of impacts: infinitely many in a finite time.

use super::AccumulationSettings;

/// What is known of the impacts at one contact.
#[derive(Clone, Copy, Debug)]
struct History {
    /// Time of the last impact; NaN before the first.
    last: f64,
    /// The interval before it; infinite before the second.
    interval: f64,
    /// The ratio of the last two intervals.
    ratio: f64,
    /// The gap velocity after the last impact.
    speed: f64,
    /// Impacts at shrinking intervals with shrinking rebounds, the last included.
    shrinking: usize,
    /// When the window began in which impacts are counted, and how many there were.
    burst_start: f64,
    burst_impacts: usize,
}

/// So many widths of the location of roots is the shortest flight that is one.
const SHORTEST_FLIGHT: f64 = 16.0;

/// What is told apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finest {
    /// The width to which roots are located \[s\].
    pub(super) time: f64,
    /// The rounding of a gap \[m\].
    pub(super) gap: f64,
}

const NEVER: History = History {
    last: f64::NAN,
    interval: f64::INFINITY,
    ratio: f64::NAN,
    speed: f64::INFINITY,
    shrinking: 0,
    burst_start: f64::NEG_INFINITY,
    burst_impacts: 0,
};

/// Looks out for accumulations, at each contact by itself: what is far away does not count.
#[derive(Clone, Debug, Default)]
pub(super) struct Detector {
    contacts: Vec<History>,
}

impl Detector {
    pub(super) fn new(contacts: usize) -> Self {
        Self { contacts: vec![NEVER; contacts] }
    }

    /// Notes an impact at a contact, with the gap velocity after it.
    pub(super) fn impact(&mut self, settings: &AccumulationSettings, contact: usize, t: f64, speed: f64) {
        let history = &mut self.contacts[contact];
        let interval = t - history.last;
        // A body that is squeezed between others bounces at shorter and shorter intervals too, but faster and faster.
        if interval > 0.0 && interval < history.interval && speed < history.speed {
            history.shrinking += 1;
            history.ratio = interval / history.interval;
        } else {
            history.shrinking = 0;
        }
        history.speed = speed;
        (history.last, history.interval) = (t, if interval > 0.0 { interval } else { f64::INFINITY });
        if t - history.burst_start > settings.window {
            (history.burst_start, history.burst_impacts) = (t, 0);
        }
        history.burst_impacts += 1;
    }

    /// The estimated time of the accumulation at a contact that had an impact at `t`, if it accumulates there.
    pub(super) fn accumulates(&self, settings: &AccumulationSettings, contact: usize, t: f64) -> Option<f64> {
        let history = &self.contacts[contact];
        if history.last != t {
            return None;
        }
        let left = history.interval * history.ratio / (1.0 - history.ratio);
        if history.shrinking >= settings.impacts && left <= settings.window {
            return Some(t + left);
        }
        (history.burst_impacts > settings.most_impacts).then_some(t)
    }

    /// Whether the flight that begins at a contact with an impact at `t` cannot be told from rest, going by the flight before
    /// it: that lasted no longer than a few times the width to which impacts are located, or was no higher than the rounding
    /// of the gap. A parabola of duration $\Delta$ that begins with the velocity v is $v \Delta / 4$ high.
    pub(super) fn is_unresolved(&self, contact: usize, t: f64, velocity: f64, finest: &Finest) -> bool {
        let history = &self.contacts[contact];
        if history.last != t {
            return false;
        }
        let height = 0.25 * velocity * history.interval;
        history.interval <= SHORTEST_FLIGHT * finest.time || height <= 2.0 * finest.gap
    }

    /// A contact was closed: what comes after has nothing to do with what was before.
    pub(super) fn forget(&mut self, contact: usize) {
        self.contacts[contact] = NEVER;
    }
}

/// How often each guard has fired while the time stood still.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// By guard: when it fired last, and how often it has.
    guards: Vec<(f64, usize)>,
}

impl Repeats {
    /// Forgets the past.
    pub(super) fn clear(&mut self) {
        self.guards.clear();
    }

    /// Notes that a guard fires at `t`; says how often it has, each time no more than `width` after the time before.
    pub(super) fn note(&mut self, guard: usize, t: f64, width: f64) -> usize {
        if self.guards.len() <= guard {
            self.guards.resize(guard + 1, (f64::NEG_INFINITY, 0));
        }
        let (last, count) = &mut self.guards[guard];
        *count = if t - *last <= width { *count + 1 } else { 1 };
        *last = t;
        *count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_still_is_counted() {
        let mut repeats = Repeats::default();
        for k in 0..10 {
            assert_eq!(repeats.note(3, 1.0 + 1e-13 * f64::from(k), 2e-13), k as usize + 1);
            // Another guard, and one that fires as often with the time going on.
            assert_eq!(repeats.note(0, f64::from(k), 2e-13), 1);
        }
        repeats.clear();
        assert_eq!(repeats.note(3, 1.0, 2e-13), 1);
    }
}
