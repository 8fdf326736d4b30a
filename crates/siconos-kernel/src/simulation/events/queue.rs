//! Queue of user events: single events, and the next occurrence of periodic events.

use std::cmp::Ordering;

use super::Event;

/// Series of events at `first + k period`. Times are computed from k, so the series does not drift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence {
    pub(super) first: f64,
    pub(super) period: f64,
    pub(super) k: u64,
}

impl Recurrence {
    /// Returns the time of occurrence k.
    pub(super) fn time(&self) -> f64 {
        self.first + self.k as f64 * self.period
    }

    /// Moves to an occurrence slightly before `time`, or to the first occurrence if `time` is near or before
    /// it.
    pub(super) fn approach(&mut self, time: f64) {
        // The cast saturates: times before the first occurrence give 0.
        self.k = (((time - self.first) / self.period).floor() as u64).saturating_sub(2);
    }
}

/// Event in the queue. The order is reversed, because the heap of the standard library returns the greatest
/// entry first.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedEvent {
    pub(super) event: Event,
    pub(super) recurrence: Option<Recurrence>,
}

impl PartialEq for QueuedEvent {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for QueuedEvent {}
impl PartialOrd for QueuedEvent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for QueuedEvent {
    fn cmp(&self, other: &Self) -> Ordering {
        // Within one tick, the earlier time comes first, so that the first event of a group does not depend
        // on the order in which events were inserted.
        let (a, b) = (&other.event, &self.event);
        a.tick.cmp(&b.tick).then_with(|| a.time.total_cmp(&b.time)).then_with(|| a.id.cmp(&b.id))
    }
}
