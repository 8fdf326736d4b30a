//! State of the event iteration at one instant.

use siconos_ode::Crossing;

use super::EventNumber;

/// State of an iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Iteration {
    pub(super) pass: usize,
    /// Index of the event that is processed next.
    pub(super) next: usize,
    /// For each event whose trigger fires at this time, the direction of the zero crossing of its guard, as
    /// seen in the direction of integration; [`Any`](Crossing::Any) for a timed event.
    pub(super) pending: Vec<Option<Crossing>>,
    /// For each event, `true` if it has fired at this time.
    pub(super) has_fired: Vec<bool>,
    /// Event numbers of the events that fired in this pass. `fired` lists all events that fired at this time,
    /// in order.
    pub(super) fired_in_pass: Vec<EventNumber>,
    pub(super) fired: Vec<EventNumber>,
    /// Event that halts the integration after the iteration has ended.
    pub(super) delayed: Option<usize>,
    /// All variables at the start of the iteration.
    pub(super) begun_with: Vec<f64>,
    /// `true` if an iteration takes place even if no trigger fires.
    pub(super) is_called: bool,
}

impl Iteration {
    /// Clears the state for a system with `events` events.
    pub(super) fn clear(&mut self, events: usize) {
        self.pending.clear();
        self.pending.resize(events, None);
        self.has_fired.clear();
        self.has_fired.resize(events, false);
        self.fired.clear();
        self.fired_in_pass.clear();
        (self.pass, self.next, self.delayed, self.is_called) = (0, 0, None, false);
    }

    /// Returns `true` if an iteration must take place.
    pub(super) fn is_asked_for(&self) -> bool {
        self.is_called || self.pending.iter().any(Option::is_some)
    }
}
