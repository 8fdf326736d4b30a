//! Detection of accumulations: infinitely many impacts, or infinitely many events of a hybrid system, in a
//! finite time.

use serde::{Deserialize, Serialize};

use crate::settings_error::{SettingsError, check_number, check_positive};
use crate::state::ImpactHistory;

/// Criterion that detects an accumulation of impacts or of events of a hybrid system.
///
/// The impacts at a contact *accumulate* if one of these conditions holds:
///
/// - There were at least [`impacts`](Self::impacts) consecutive impacts at shrinking intervals and with
///   decreasing speeds, and the estimated time until the accumulation is at most [`window`](Self::window).
///   The estimate is the sum of the remaining intervals as a geometric series, $\Delta \rho / (1 - \rho)$,
///   where $\Delta$ is the last interval and $\rho$ is the ratio of the last two intervals.
/// - There were more than [`most_impacts`](Self::most_impacts) impacts within one window, whatever their
///   intervals.
/// - The flight after the impact is too short to be located, or its height does not exceed the rounding error
///   of the gap.
///
/// Each contact is checked separately. The impacts at other contacts have no influence.
///
/// For an event of a hybrid system, each firing of the event counts as an impact. The intervals between
/// firings must shrink, but the time derivative of the trigger function need not decrease.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccumulationCriterion {
    /// Minimum number of impacts at shrinking intervals. Default: 8. Must be at least 3.
    pub impacts: usize,
    /// Maximum estimated time until the accumulation \[s\]. This is also the length of the window for
    /// [`most_impacts`](Self::most_impacts). Default: 1e-6. Must be positive.
    pub window: f64,
    /// Maximum number of impacts at one contact in one window. More impacts count as an accumulation.
    /// Default: 200. Must be at least 3.
    pub most_impacts: usize,
}

impl Default for AccumulationCriterion {
    fn default() -> Self {
        Self { impacts: 8, window: 1e-6, most_impacts: 200 }
    }
}

impl AccumulationCriterion {
    /// Checks that all settings are in range.
    ///
    /// # Errors
    ///
    /// If a setting is out of range: [`SettingsError::OutOfRange`].
    pub fn validate(&self) -> Result<(), SettingsError> {
        check_positive("window", self.window)?;
        check_number("impacts", self.impacts as f64, |count| count >= 3.0, "at least 3")?;
        check_number("most_impacts", self.most_impacts as f64, |count| count >= 3.0, "at least 3")
    }
}

/// Minimum duration of a flight that is simulated, as a multiple of the accuracy of located impacts.
const SHORTEST_FLIGHT: f64 = 16.0;

/// Records an impact at a contact at time `t` with the closing speed `speed`. If no speed is given, only the
/// intervals between impacts are used to detect an accumulation.
pub fn note_impact(
    history: &mut ImpactHistory,
    criterion: &AccumulationCriterion,
    t: f64,
    speed: Option<f64>,
) {
    let interval = history.last.map(|last| t - last).filter(|interval| *interval > 0.0);
    let before = history.interval.unwrap_or(f64::INFINITY);
    // A body that is squeezed between others also bounces at shrinking intervals, but with increasing speed.
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
    // The addition saturates, because an edited state record can contain any count.
    history.burst_impacts = history.burst_impacts.saturating_add(1);
}

/// Returns `true` if the time from the last impact at a contact to the opening at `t` is at most the last
/// interval between impacts. A later opening is caused by an impact at another contact and does not continue
/// the series.
fn continues_series(history: &ImpactHistory, t: f64) -> bool {
    history.last.is_some_and(|last| t - last <= history.interval.unwrap_or(0.0))
}

/// Returns the estimated time of the accumulation if the impacts at a contact that opens at `t` accumulate,
/// and `None` otherwise.
pub fn accumulates(history: &ImpactHistory, criterion: &AccumulationCriterion, t: f64) -> Option<f64> {
    if !continues_series(history, t) {
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

/// Returns `true` if the flight that begins at a contact at `t` cannot be distinguished from rest, because it
/// is too short to be located or not higher than the rounding error of the gap. The duration of the flight is
/// estimated by the interval $\Delta$ between the last two impacts, and its height by $v \Delta / 4$ with the
/// initial velocity v. `finest` contains the accuracy of located impacts \[s\] and the rounding error of the
/// gap \[m\].
pub fn is_unresolved(history: &ImpactHistory, t: f64, velocity: f64, finest: (f64, f64)) -> bool {
    let Some(interval) = history.interval.filter(|_| continues_series(history, t)) else { return false };
    interval <= SHORTEST_FLIGHT * finest.0 || 0.25 * velocity * interval <= 2.0 * finest.1
}

/// Counter of the consecutive firings of each guard without progress in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct FiringCounter {
    /// Time of the last firing and number of consecutive firings, for each guard.
    guards: Vec<(f64, usize)>,
}

impl FiringCounter {
    /// Resets all counts.
    pub(crate) fn clear(&mut self) {
        self.guards.clear();
    }

    /// Records that a guard fires at `t`. Returns the number of consecutive firings that are at most `width`
    /// apart.
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
        let mut repeats = FiringCounter::default();
        for k in 0..10 {
            assert_eq!(repeats.note(3, 1.0 + 1e-13 * f64::from(k), 2e-13), k as usize + 1);
            // Another guard fires as often, but the time advances between its firings.
            assert_eq!(repeats.note(0, f64::from(k), 2e-13), 1);
        }
        repeats.clear();
        assert_eq!(repeats.note(3, 1.0, 2e-13), 1);
    }
}
