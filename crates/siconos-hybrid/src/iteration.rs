//! State of the iteration over the events at one time.

use siconos_ode::Crossing;

use super::EventNumber;

/// State of an iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Iteration {
    pub(super) pass: usize,
    /// Index of the next event.
    pub(super) next: usize,
    /// By event: which way its guard went along the integration, where its trigger has come to this time; a
    /// timed one goes [`Any`](Crossing::Any) way.
    pub(super) pending: Vec<Option<Crossing>>,
    /// By event: whether it has fired at this time.
    pub(super) has_fired: Vec<bool>,
    /// The events that fired in this pass, and all at this time, in order.
    pub(super) fired_in_pass: Vec<EventNumber>,
    pub(super) fired: Vec<EventNumber>,
    /// The event that halts the integration when the iteration has ended.
    pub(super) delayed: Option<usize>,
    /// All values when the events at this time began.
    pub(super) begun_with: Vec<f64>,
    /// `true` if an iteration is requested without a trigger.
    pub(super) is_called: bool,
}

impl Iteration {
    /// Clears the iteration, for a number of events.
    pub(super) fn clear(&mut self, events: usize) {
        self.pending.clear();
        self.pending.resize(events, None);
        self.has_fired.clear();
        self.has_fired.resize(events, false);
        self.fired.clear();
        self.fired_in_pass.clear();
        (self.pass, self.next, self.delayed, self.is_called) = (0, 0, None, false);
    }

    /// Returns `true` if an iteration is due.
    pub(super) fn is_asked_for(&self) -> bool {
        self.is_called || self.pending.iter().any(Option::is_some)
    }
}
