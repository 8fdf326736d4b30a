//! Errors of events: times that cannot be scheduled, names that mean nothing.

use super::{EventId, EventKind};

/// Why an event cannot be scheduled, found or gone to. The events manager is then as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// A time or a period is NaN or infinite.
    #[error("the {what} of an event must be finite, it is {value}")]
    NotFinite {
        /// Time, first time or period.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A time is too large to be counted in ticks.
    #[error("t = {time} cannot be counted in ticks of {tick} s: times go from -{limit:e} to {limit:e}")]
    OutOfRange {
        /// The time \[s\].
        time: f64,
        /// The size of a tick \[s\].
        tick: f64,
        /// The largest time that can be counted \[s\].
        limit: f64,
    },
    /// An event has to come after the current one, by more than the gap.
    #[error(
        "an event at t = {time} is in the past: the current event is at t = {current}, and events come later than \
         that by more than {gap:e} s"
    )]
    InThePast {
        /// The time of the event \[s\].
        time: f64,
        /// The time of the current event \[s\].
        current: f64,
        /// Events that are closer than this are one \[s\].
        gap: f64,
    },
    /// A period is not positive, or so short that two occurrences would be one event.
    #[error("the period of an event is {period}; it must be above {must_exceed:e} s")]
    Period {
        /// The period \[s\].
        period: f64,
        /// What it must exceed \[s\].
        must_exceed: f64,
    },
    /// No event of this name is to come.
    #[error(
        "there is no {id} to come: it has taken place or was removed, or it is of another events manager"
    )]
    UnknownEvent {
        /// The name.
        id: EventId,
    },
    /// The kind belongs to the grid, or to root finding.
    #[error(
        "events of kind {kind} are not scheduled by hand; take one of Sensor, Actuator, Observer and Custom"
    )]
    ReservedKind {
        /// The kind.
        kind: EventKind,
    },
    /// The time discretisation has no such point.
    #[error("the time discretisation has no point {point}; its last is {last}")]
    UnknownPoint {
        /// The point asked for, counted from 0.
        point: usize,
        /// The last one.
        last: usize,
    },
    /// A time is not within the time discretisation.
    #[error("t = {time} is outside the time discretisation, which goes from {first} to {last}")]
    OutsideGrid {
        /// The time \[s\].
        time: f64,
        /// The first time of the grid \[s\].
        first: f64,
        /// Its last time \[s\].
        last: f64,
    },
}
