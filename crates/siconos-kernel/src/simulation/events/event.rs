//! Events and their kinds.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::Tick;

/// Kind of an event. Events of one group are processed in the order of these variants.
///
/// Nonsmooth events come first, so that output and measurements at this time see the state after the jump of
/// the velocity. The order of the other kinds follows the signals of a sampled controller: a sensor measures,
/// an observer estimates from the measurement, and an actuator sets the input that follows from the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EventKind {
    /// Nonsmooth event, located by root finding: a constraint closes or opens.
    #[doc(alias = "NonSmoothEvent")]
    NonSmooth,
    /// Point of the time discretisation. The state is output there.
    #[doc(alias = "TimeDiscretisationEvent")]
    TimeDiscretisation,
    /// Sensor: samples the state.
    #[doc(alias = "SensorEvent")]
    Sensor,
    /// Observer: computes an estimate.
    #[doc(alias = "ObserverEvent")]
    Observer,
    /// Actuator: takes a new value, for example a [parameter](crate::model::Parameter).
    #[doc(alias = "ActuatorEvent")]
    Actuator,
    /// Any other user event.
    Custom,
    /// Restart of the integrator of an event-driven simulation, without any other action. A run can be
    /// resumed bit for bit from the state at this event.
    Restart,
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Id of a user event, or of a series of periodic user events.
///
/// An id is valid only for the [`EventsManager`](super::EventsManager) that returned it. Ids increase in the
/// order in which the events were scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(NonZeroU64);

impl EventId {
    pub(super) const FIRST: Self = Self(NonZeroU64::MIN);

    /// Returns the next id.
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event #{}", self.0)
    }
}

/// Time at which a simulation has to act.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.5)?;
/// let mut events = EventsManager::new(grid, EventSettings::default())?;
/// let sample = events.schedule(EventKind::Sensor, 0.2)?;
/// let event = events.process_events()[0];
/// assert_eq!((event.kind(), event.time(), event.id()), (EventKind::Sensor, 0.2, Some(sample)));
/// assert_eq!(event.tick().count(), 2_000_000_000_000_000);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    pub(super) kind: EventKind,
    pub(super) tick: Tick,
    pub(super) time: f64,
    pub(super) id: Option<EventId>,
}

impl Event {
    /// Returns the kind of the event.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// Returns the tick, by which events are ordered.
    #[doc(alias = "getTimeOfEvent")]
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Returns the time \[s\] in full precision. For a nonsmooth event, this is the located root, which can
    /// differ from the time of its tick by at most [`EventSettings::gap`](super::EventSettings::gap).
    #[doc(alias = "getDoubleTimeOfEvent")]
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the id that the event was given when it was scheduled; `None` for grid points and nonsmooth
    /// events.
    #[must_use]
    pub fn id(&self) -> Option<EventId> {
        self.id
    }
}
