//! What an event-driven step tells.

use siconos_numerics::SolveInfo;

use crate::simulation::{Event, UnitaryRelation};

/// The account of one event, or of several at the same tick.
#[derive(Clone, Copy, Debug)]
pub struct EventReport<'a> {
    /// The time \[s\]: of the root where there was one, of the scheduled events otherwise.
    pub t: f64,
    /// The events that were processed, in the order of their kinds.
    pub events: &'a [Event],
    /// The contacts that closed with an impact.
    pub impacts: &'a [UnitaryRelation],
    /// The contacts that closed with an impact before the step, at the time of the state that it began from:
    /// it was set by the user, or forces were changed by a user event. The impulses of such impacts are in
    /// the state after [`EventDriven::settle`](super::EventDriven::settle) only.
    pub impacts_before: &'a [UnitaryRelation],
    /// The contacts that left I_2.
    pub released: &'a [UnitaryRelation],
    /// The contacts with neither acceleration nor force, of which the next derivative says nothing either;
    /// they stay in I_2.
    pub undetermined: &'a [UnitaryRelation],
    /// The index set I_2 after the event: contacts that last, and bilateral constraints. Of first-order
    /// systems the active constraints.
    pub closed: &'a [UnitaryRelation],
    /// Whether the state of first-order systems has jumped, at this event, or where it was settled before the
    /// step: after a user event, or after the user has set it. An impulse $\sigma$ of lambda has moved it,
    /// which after a jump at the event is in [`State::lambda`](crate::State::lambda) at
    /// [`Level::Velocity`](crate::Level::Velocity), and as $p\[1\] = M (x^+ - x^-) = B \sigma$ in
    /// [`State::impulse`](crate::State::impulse); that of a jump before the step is there after
    /// [`EventDriven::settle`](super::EventDriven::settle).
    pub jumped: bool,
    /// What the solver told of the problem at velocity level; nothing to solve where there was no impact. Of
    /// first-order systems that of the jump, where it is a complementarity problem.
    pub impact_solve: SolveInfo,
    /// How the solver ended at acceleration level; of first-order systems, at the choice of the active
    /// constraints, where one was solved.
    pub acceleration_solve: SolveInfo,
    /// Where impacts accumulated at this event.
    pub accumulation: Option<Accumulation<'a>>,
}

/// An accumulation of impacts that was cut short.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accumulation<'a> {
    /// The estimated time at which infinitely many impacts would have taken place \[s\].
    pub t: f64,
    /// The contacts.
    pub contacts: &'a [UnitaryRelation],
}
