//! Record of the events of a trajectory.

use super::EventNumber;
use super::event_workspace::EventWorkspace;

/// Instants at which events fired, with the values of all variables before and after each instant.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) is_on: bool,
    /// Time at which the record starts \[s\]. `initial` contains all variables at this time, before any
    /// event.
    pub(super) from: f64,
    pub(super) initial: Vec<f64>,
    pub(super) marks: Vec<Mark>,
    /// All variables before and after each instant.
    pub(super) values: Vec<f64>,
    pub(super) fired: Vec<EventNumber>,
}

/// Instant at which events fired.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) t: f64,
    /// Range of the events of this instant in the list of fired events.
    pub(super) fired: (usize, usize),
}

impl Record {
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on, ..Self::default() }
    }

    /// Discards all entries. The record restarts at the time `from`.
    pub(super) fn clear(&mut self, from: f64, initial: &[f64]) {
        self.from = from;
        self.initial.clear();
        self.initial.extend_from_slice(initial);
        self.marks.clear();
        self.values.clear();
        self.fired.clear();
    }

    /// Adds the effect of events at the current time. Earlier entries at the same time are merged with it.
    pub(super) fn note(&mut self, before: &[f64], event_workspace: &EventWorkspace, fired: &[EventNumber]) {
        // Events that do not count as fired can also have changed variables.
        if !self.is_on || (fired.is_empty() && event_workspace.values == before) {
            return;
        }
        let n = event_workspace.values.len();
        let is_same_instant = self.marks.last().is_some_and(|mark| mark.t == event_workspace.t);
        if is_same_instant {
            self.values.truncate(self.values.len() - n);
        } else {
            let place = self.fired.len();
            self.marks.push(Mark { t: event_workspace.t, fired: (place, place) });
            self.values.extend_from_slice(before);
        }
        self.values.extend_from_slice(&event_workspace.values);
        self.fired.extend_from_slice(fired);
        if let Some(mark) = self.marks.last_mut() {
            mark.fired.1 = self.fired.len();
        }
    }

    /// Returns all variables before (`side` = 0) or after (`side` = 1) the instant with index `mark`.
    pub(super) fn values(&self, mark: usize, n: usize, side: usize) -> &[f64] {
        let place = (2 * mark + side) * n;
        &self.values[place..place + n]
    }
}
