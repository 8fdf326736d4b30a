//! What an event is.

use std::fmt;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::Tick;

/// What an event is about. At equal ticks events take place in this order.
///
/// The jump of the velocity comes first, so that output and measurement at that instant see the state after
/// it. Then comes a sampled controller in the order of its signals: a sensor measures, an observer estimates
/// from the measurement, an actuator sets the input that follows from the estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EventKind {
    /// The dynamics is not smooth: a constraint closes or opens. Located by root finding.
    #[doc(alias = "NonSmoothEvent")]
    NonSmooth,
    /// A point of the time discretisation, where the state is kept.
    #[doc(alias = "TimeDiscretisationEvent")]
    TimeDiscretisation,
    /// A sensor samples the state.
    #[doc(alias = "SensorEvent")]
    Sensor,
    /// An observer estimates.
    #[doc(alias = "ObserverEvent")]
    Observer,
    /// An actuator takes a new value, a [parameter](crate::model::Parameter) say.
    #[doc(alias = "ActuatorEvent")]
    Actuator,
    /// Any other event of the user.
    Custom,
    /// An event-driven simulation begins its integration anew, for nothing but that: from the state there a
    /// run goes on to the same bits.
    Restart,
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The name of an event, or of a series of periodic ones, that the user has scheduled.
///
/// It means something to the [`EventsManager`](super::EventsManager) that gave it. The order of the names is
/// that in which the events were scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(NonZeroU64);

impl EventId {
    pub(super) const FIRST: Self = Self(NonZeroU64::MIN);

    /// The name after this one.
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event #{}", self.0)
    }
}

/// An instant at which something is to be done.
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
    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        self.kind
    }

    /// Its place in the order of events.
    #[doc(alias = "getTimeOfEvent")]
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Its time \[s\] in full precision. Of a nonsmooth event it is the root as it was located, which may
    /// differ from the time of its tick by as much as the gap.
    #[doc(alias = "getDoubleTimeOfEvent")]
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The name that scheduling gave it; `None` for points of the grid and nonsmooth events.
    #[must_use]
    pub fn id(&self) -> Option<EventId> {
        self.id
    }
}
