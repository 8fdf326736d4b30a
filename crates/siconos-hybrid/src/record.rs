//! What is kept of the events on the way.

use super::EventNumber;
use super::desk::Desk;

/// The instants at which events fired, with all variables before and after.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) is_on: bool,
    /// Where what is kept begins: the time \[s\], and all variables there before any event.
    pub(super) from: f64,
    pub(super) initial: Vec<f64>,
    pub(super) marks: Vec<Mark>,
    /// All variables, before and after each instant.
    pub(super) values: Vec<f64>,
    pub(super) fired: Vec<EventNumber>,
}

/// An instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) t: f64,
    /// Where its events begin and end.
    pub(super) fired: (usize, usize),
}

impl Record {
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on, ..Self::default() }
    }

    /// Forgets all; what is kept begins here.
    pub(super) fn clear(&mut self, from: f64, initial: &[f64]) {
        self.from = from;
        self.initial.clear();
        self.initial.extend_from_slice(initial);
        self.marks.clear();
        self.values.clear();
        self.fired.clear();
    }

    /// Notes what events have done at the present time, in addition to what is noted there already.
    pub(super) fn note(&mut self, before: &[f64], desk: &Desk, fired: &[EventNumber]) {
        // What counts as not fired may have changed variables all the same.
        if !self.is_on || (fired.is_empty() && desk.values == before) {
            return;
        }
        let n = desk.values.len();
        let goes_on = self.marks.last().is_some_and(|mark| mark.t == desk.t);
        if goes_on {
            self.values.truncate(self.values.len() - n);
        } else {
            let place = self.fired.len();
            self.marks.push(Mark { t: desk.t, fired: (place, place) });
            self.values.extend_from_slice(before);
        }
        self.values.extend_from_slice(&desk.values);
        self.fired.extend_from_slice(fired);
        if let Some(mark) = self.marks.last_mut() {
            mark.fired.1 = self.fired.len();
        }
    }

    /// All variables before (0) or after (1) an instant.
    pub(super) fn values(&self, mark: usize, n: usize, side: usize) -> &[f64] {
        let place = (2 * mark + side) * n;
        &self.values[place..place + n]
    }
}
