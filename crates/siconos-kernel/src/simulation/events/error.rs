//! Errors of the events manager.

use super::{EventId, EventKind};

/// Error of scheduling, finding or reaching an event. After an error, the events manager is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// A time or a period is NaN or infinite.
    #[error("the {what} of an event must be finite, not {value}")]
    NotFinite {
        /// Name of the quantity: time, first time or period.
        what: &'static str,
        /// Value of the quantity.
        value: f64,
    },
    /// A time is too large to be counted in ticks.
    #[error(
        "t = {time} cannot be represented in ticks of {tick} s; times must be between -{limit:e} and {limit:e}"
    )]
    OutOfRange {
        /// Time \[s\].
        time: f64,
        /// Size of a tick \[s\].
        tick: f64,
        /// Largest time that can be counted \[s\].
        limit: f64,
    },
    /// An event is in the past. Its time must exceed the time of the current event by more than the time gap.
    #[error(
        "an event at t = {time} is in the past: the current event is at t = {current}, and events must be later than \
         that by more than {gap:e} s"
    )]
    InThePast {
        /// Time of the event \[s\].
        time: f64,
        /// Time of the current event \[s\].
        current: f64,
        /// Time gap \[s\] ([`EventSettings::gap`](super::EventSettings::gap)). Events that are closer than
        /// this gap are processed as one group.
        gap: f64,
    },
    /// A period is not positive, or so short that two consecutive events of the series would be processed as
    /// one group.
    #[error("the period of an event is {period}; it must be above {must_exceed:e} s")]
    Period {
        /// Period \[s\].
        period: f64,
        /// Minimum period \[s\]. The period must exceed this value.
        must_exceed: f64,
    },
    /// No future event has this id.
    #[error(
        "there is no pending event {id}: it was processed or removed, or it belongs to another events manager"
    )]
    UnknownEvent {
        /// Id of the event.
        id: EventId,
    },
    /// The kind is reserved for grid points or for root finding.
    #[error("events of kind {kind} cannot be scheduled; use Sensor, Actuator, Observer, Custom or Restart")]
    ReservedKind {
        /// Kind of the event.
        kind: EventKind,
    },
    /// The time discretisation has no point with this index.
    #[error("the time discretisation has no point {point}; its last point is {last}")]
    UnknownPoint {
        /// Index of the requested point, counted from 0.
        point: usize,
        /// Index of the last point.
        last: usize,
    },
    /// A time is outside the time discretisation.
    #[error("t = {time} is outside the time discretisation, which goes from {first} to {last}")]
    OutsideGrid {
        /// Time \[s\].
        time: f64,
        /// First time of the grid \[s\].
        first: f64,
        /// Last time of the grid \[s\].
        last: f64,
    },
}
