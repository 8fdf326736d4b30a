//! Accumulations of impacts: infinitely many in a finite time. They are looked for at each contact by itself:
//! what is far away does not count.

use super::AccumulationSettings;
use crate::state::ImpactHistory;

/// So many widths of the location of roots is the shortest flight that is one.
const SHORTEST_FLIGHT: f64 = 16.0;

/// Notes an impact at a contact at `t`, with the speed at which it closed.
pub(super) fn note_impact(history: &mut ImpactHistory, settings: &AccumulationSettings, t: f64, speed: f64) {
    let interval = history.last.map(|last| t - last).filter(|interval| *interval > 0.0);
    let before = history.interval.unwrap_or(f64::INFINITY);
    // A body that is squeezed between others bounces at shorter and shorter intervals too, but faster and
    // faster.
    match interval {
        Some(interval) if interval < before && speed < history.speed => {
            history.shrinking += 1;
            history.ratio = interval / before;
        }
        _ => history.shrinking = 0,
    }
    (history.last, history.interval, history.speed) = (Some(t), interval, speed);
    if history.burst_start.is_none_or(|start| t - start > settings.window) {
        (history.burst_start, history.burst_impacts) = (Some(t), 0);
    }
    history.burst_impacts += 1;
}

/// Whether a flight that begins at `t` goes on with what the impacts at the contact have begun: the last of
/// them was no longer ago than the one before it. A contact with a plastic law has its impact first, and is
/// lifted by that of another.
fn goes_on(history: &ImpactHistory, t: f64) -> bool {
    history.last.is_some_and(|last| t - last <= history.interval.unwrap_or(0.0))
}

/// The estimated time of the accumulation at a contact whose flight begins at `t`, if its impacts accumulate.
pub(super) fn accumulates(history: &ImpactHistory, settings: &AccumulationSettings, t: f64) -> Option<f64> {
    if !goes_on(history, t) {
        return None;
    }
    if let Some(interval) = history.interval.filter(|_| history.shrinking >= settings.impacts) {
        let left = interval * history.ratio / (1.0 - history.ratio);
        if left <= settings.window {
            return Some(t + left);
        }
    }
    (history.burst_impacts > settings.most_impacts).then_some(t)
}

/// Whether the flight that begins at a contact at `t` cannot be told from rest, going by the time between its
/// last impacts: that lasted no longer than a few times the width to which impacts are located, or was no
/// higher than the rounding of the gap. `finest` are that width \[s\] and that rounding \[m\]. A parabola of
/// duration $\Delta$ that begins with the velocity v is $v \Delta / 4$ high.
pub(super) fn is_unresolved(history: &ImpactHistory, t: f64, velocity: f64, finest: (f64, f64)) -> bool {
    let Some(interval) = history.interval.filter(|_| goes_on(history, t)) else { return false };
    interval <= SHORTEST_FLIGHT * finest.0 || 0.25 * velocity * interval <= 2.0 * finest.1
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

    /// Notes that a guard fires at `t`; says how often it has, each time no more than `width` after the time
    /// before.
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
