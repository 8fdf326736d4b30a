//! Accumulations of impacts, and of events of hybrid systems: infinitely many in a finite time. They are
//! looked for at each contact or event by itself: what is far away does not count.

use serde::{Deserialize, Serialize};

use crate::settings_error::{SettingsError, check_number, check_positive};
use crate::state::ImpactHistory;

/// When impacts, or the events of a hybrid system, count as an accumulation.
///
/// At a contact whose impacts follow each other at intervals that shrink, each interval shorter than the one
/// before and each impact slower, the rest of a geometric series estimates the time that is left:
/// $\Delta \rho / (1 - \rho)$ with the last interval $\Delta$ and the ratio $\rho$ of the last two. The
/// contact *accumulates* when there were at least [`impacts`](Self::impacts) such impacts and this time is at
/// most [`window`](Self::window). So does a contact with more than [`most_impacts`](Self::most_impacts)
/// impacts within one window, whatever their intervals; and one whose bounces are no longer higher than the
/// rounding of its gap. Each contact counts by itself: other bodies have no influence.
///
/// Of an event the impacts are the times at which it fires, and only the intervals count: the rate of its
/// trigger need not fall.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccumulationCriterion {
    /// The least number of impacts at shrinking intervals. Default 8, at least 3.
    pub impacts: usize,
    /// The longest time to the accumulation \[s\] at which it is cut short. Default 1e-6, above 0.
    pub window: f64,
    /// The largest number of impacts at one contact in one window. Default 200, at least 3.
    pub most_impacts: usize,
}

impl Default for AccumulationCriterion {
    fn default() -> Self {
        Self { impacts: 8, window: 1e-6, most_impacts: 200 }
    }
}

impl AccumulationCriterion {
    /// Checks the range of every number.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_positive("window", self.window)?;
        check_number("impacts", self.impacts as f64, |count| count >= 3.0, "at least 3")?;
        check_number("most_impacts", self.most_impacts as f64, |count| count >= 3.0, "at least 3")
    }
}

/// So many widths of the location of roots is the shortest flight that is one.
const SHORTEST_FLIGHT: f64 = 16.0;

/// Notes an impact at a contact at `t`, with the speed at which it closed; without one, speeds do not count.
pub fn note_impact(
    history: &mut ImpactHistory,
    criterion: &AccumulationCriterion,
    t: f64,
    speed: Option<f64>,
) {
    let interval = history.last.map(|last| t - last).filter(|interval| *interval > 0.0);
    let before = history.interval.unwrap_or(f64::INFINITY);
    // A body that is squeezed between others bounces at shorter and shorter intervals too, but faster and
    // faster.
    match interval {
        Some(interval) if interval < before && speed.is_none_or(|speed| speed < history.speed) => {
            history.shrinking = history.shrinking.saturating_add(1);
            history.ratio = interval / before;
        }
        _ => history.shrinking = 0,
    }
    (history.last, history.interval, history.speed) = (Some(t), interval, speed.unwrap_or(0.0));
    if history.burst_start.is_none_or(|start| t - start > criterion.window) {
        (history.burst_start, history.burst_impacts) = (Some(t), 0);
    }
    // A record that was changed may say any number.
    history.burst_impacts = history.burst_impacts.saturating_add(1);
}

/// Whether a flight that begins at `t` goes on with what the impacts at the contact have begun: the last of
/// them was no longer ago than the one before it. A contact with a plastic law has its impact first, and is
/// lifted by that of another.
fn goes_on(history: &ImpactHistory, t: f64) -> bool {
    history.last.is_some_and(|last| t - last <= history.interval.unwrap_or(0.0))
}

/// The estimated time of the accumulation at a contact whose flight begins at `t`, if its impacts accumulate.
pub fn accumulates(history: &ImpactHistory, criterion: &AccumulationCriterion, t: f64) -> Option<f64> {
    if !goes_on(history, t) {
        return None;
    }
    if let Some(interval) = history.interval.filter(|_| history.shrinking >= criterion.impacts) {
        let left = interval * history.ratio / (1.0 - history.ratio);
        if left <= criterion.window {
            return Some(t + left);
        }
    }
    (history.burst_impacts > criterion.most_impacts).then_some(t)
}

/// Whether the flight that begins at a contact at `t` cannot be told from rest, going by the time between its
/// last impacts: that lasted no longer than a few times the width to which impacts are located, or was no
/// higher than the rounding of the gap. `finest` are that width \[s\] and that rounding \[m\]. A parabola of
/// duration $\Delta$ that begins with the velocity v is $v \Delta / 4$ high.
pub fn is_unresolved(history: &ImpactHistory, t: f64, velocity: f64, finest: (f64, f64)) -> bool {
    let Some(interval) = history.interval.filter(|_| goes_on(history, t)) else { return false };
    interval <= SHORTEST_FLIGHT * finest.0 || 0.25 * velocity * interval <= 2.0 * finest.1
}

/// How often each guard has fired while the time stood still.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats {
    /// By guard: when it fired last, and how often it has.
    guards: Vec<(f64, usize)>,
}

impl Repeats {
    /// Forgets the past.
    pub(crate) fn clear(&mut self) {
        self.guards.clear();
    }

    /// Notes that a guard fires at `t`; says how often it has, each time no more than `width` after the time
    /// before.
    pub(crate) fn note(&mut self, guard: usize, t: f64, width: f64) -> usize {
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
