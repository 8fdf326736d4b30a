//! The queue of what the user has scheduled: single events, and the next occurrence of periodic ones.

use std::cmp::Ordering;

use super::Event;

/// A series of events at `first + k period`: computed from k, so that it does not drift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence {
    pub(super) first: f64,
    pub(super) period: f64,
    pub(super) k: u64,
}

impl Recurrence {
    /// The time of occurrence k.
    pub(super) fn time(&self) -> f64 {
        self.first + self.k as f64 * self.period
    }

    /// Goes to an occurrence near `time` which is not after it, or to the first.
    pub(super) fn approach(&mut self, time: f64) {
        // A cast saturates: what lies before the first occurrence becomes 0.
        self.k = (((time - self.first) / self.period).floor() as u64).saturating_sub(2);
    }
}

/// An event in the queue. The greatest entry is the one that comes first, as the heap of the standard library
/// wants it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) event: Event,
    pub(super) recurrence: Option<Recurrence>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        // The time decides between times of one tick, so that the first of a group does not depend on who
        // came first.
        let (a, b) = (&other.event, &self.event);
        a.tick.cmp(&b.tick).then_with(|| a.time.total_cmp(&b.time)).then_with(|| a.id.cmp(&b.id))
    }
}
