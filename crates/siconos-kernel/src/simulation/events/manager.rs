//! Events manager: past, current and future events.

use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use super::queue::{QueuedEvent, Recurrence};
use super::{Event, EventId, EventKind, Tick};
use crate::settings_error::SettingsError;
use crate::simulation::{Error, EventError, TimeDiscretisation};

/// Time resolution of the events, and length of their history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventSettings {
    /// Length of a tick \[s\]. Default: 1e-16. Must be positive.
    #[doc(alias = "setTick")]
    pub tick: f64,
    /// Maximum distance, in ticks, between events that take place together. Default: 100. The distance that
    /// is used at a time t is never less than $4 \epsilon |t|$, four times the rounding error of the time.
    #[doc(alias = "GapLimit")]
    #[doc(alias = "GAPLIMIT_DEFAULT")]
    pub gap: u32,
    /// Number of past events that are kept. Default: 1000.
    pub keep_past: usize,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self { tick: 1e-16, gap: 100, keep_past: 1000 }
    }
}

impl EventSettings {
    /// Returns the gap at a time t, in ticks. The gap is at least $4 \epsilon |t|$.
    pub fn gap_at(&self, time: f64) -> i128 {
        let rounding = 4.0 * f64::EPSILON * time.abs() / self.tick;
        i128::from(self.gap).max(rounding.ceil() as i128)
    }

    /// Returns `true` if two times, each given with its tick, are not further apart than the gap at the
    /// earlier time.
    pub fn is_near(&self, tick: Tick, time: f64, other: Tick, time_of_other: f64) -> bool {
        match tick <= other {
            true => other <= tick.plus(self.gap_at(time)),
            false => tick <= other.plus(self.gap_at(time_of_other)),
        }
    }
}

/// Past events, the current event and future events, in order.
///
/// The points of a [`TimeDiscretisation`] are events from the start. The user can schedule single and
/// periodic events at any time; root finding schedules nonsmooth events. The current event is the last
/// processed event, from which an integration starts. [`process_events`](Self::process_events) moves on to
/// the next tick. No event takes place after the last point of the grid.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// let grid = TimeDiscretisation::uniform(0.0, 0.5, 0.25)?;
/// let mut events = EventsManager::new(grid, EventSettings::default())?;
/// let sensor = events.schedule_periodic(EventKind::Sensor, 0.1, 0.15)?;
/// let mut order = Vec::new();
/// while events.has_next_event() {
///     // A simulation integrates up to events.next_time() here, and schedules the roots that it finds.
///     for event in events.process_events() {
///         order.push((event.kind(), event.time()));
///     }
/// }
/// assert_eq!(order, [
///     (EventKind::Sensor, 0.1),
///     (EventKind::TimeDiscretisation, 0.25),
///     (EventKind::Sensor, 0.25),
///     (EventKind::Sensor, 0.1 + 2.0 * 0.15),
///     (EventKind::TimeDiscretisation, 0.5),
/// ]);
/// # Ok::<(), siconos_kernel::Error>(())
/// ```
///
/// A run in steady state allocates no memory: grid points are created on demand, an occurrence of a periodic
/// event is created when the previous one is processed, and the number of past events is limited.
#[derive(Clone, Debug)]
pub struct EventsManager {
    pub(super) discretisation: TimeDiscretisation,
    pub(super) settings: EventSettings,
    /// Index of the last grid point that has been reached.
    pub(super) point: usize,
    /// Tick of the last grid point.
    pub(super) end: Tick,
    /// Current event; `None` if it is the grid point `point`, which is then computed on demand.
    pub(super) current: Option<Event>,
    /// Events that the last call of [`process_events`](Self::process_events) processed.
    pub(super) processed: Vec<Event>,
    pub(super) queue: BinaryHeap<QueuedEvent>,
    pub(super) non_smooth: Vec<Event>,
    pub(super) past: VecDeque<Event>,
    /// Single user events that are not later than the current event. A move to an earlier time schedules them
    /// again.
    pub(super) behind: VecDeque<QueuedEvent>,
    pub(super) next_id: EventId,
    /// `true` if an event has ever been scheduled or processed.
    pub(super) used: bool,
}

impl EventsManager {
    /// Creates a manager. Its current event is the first point of the grid.
    ///
    /// # Errors
    ///
    /// If the tick is not positive, or so small that the times of the grid cannot be counted:
    /// [`SettingsError::OutOfRange`].
    pub fn new(discretisation: TimeDiscretisation, settings: EventSettings) -> Result<Self, SettingsError> {
        let value = settings.tick;
        let refused = |must_be| SettingsError::OutOfRange { name: "tick", value, must_be };
        if !(value > 0.0 && value.is_finite()) {
            return Err(refused("finite and positive"));
        }
        let must_be = "large enough that the times of the grid are no more than 2^126 ticks";
        let tick = |time| Tick::of_time(time, value).map_err(|_| refused(must_be));
        tick(discretisation.t0())?;
        let end = tick(discretisation.time(discretisation.steps()).unwrap_or(discretisation.t0()))?;
        Ok(Self {
            discretisation,
            settings,
            point: 0,
            end,
            current: None,
            processed: Vec::new(),
            queue: BinaryHeap::new(),
            non_smooth: Vec::new(),
            past: VecDeque::new(),
            behind: VecDeque::new(),
            next_id: EventId::FIRST,
            used: false,
        })
    }

    /// Replaces the grid. Future events keep their times. If no event has been processed, the first point of
    /// the new grid becomes the current event. Otherwise the current event does not change.
    ///
    /// ```
    /// # use siconos_kernel::prelude::*;
    /// let coarse = TimeDiscretisation::uniform(0.0, 1.0, 0.5)?;
    /// let mut events = EventsManager::new(coarse, EventSettings::default())?;
    /// events.go_to(1)?;
    /// events.set_discretisation(TimeDiscretisation::uniform(0.0, 2.0, 0.1)?)?;
    /// assert_eq!((events.current_event().time(), events.current_point()), (0.5, 5));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the tick is too small for the new grid: [`SettingsError::OutOfRange`], as for [`new`](Self::new).
    /// If the current event is outside the new grid: [`EventError::OutsideGrid`]. The manager is then
    /// unchanged.
    pub fn set_discretisation(&mut self, discretisation: TimeDiscretisation) -> Result<(), Error> {
        let fresh = Self::new(discretisation, self.settings)?;
        let (now, begins) = (self.current_event(), self.is_at_start() && self.past.is_empty());
        let (first, last) = (fresh.grid_event(0).time, fresh.grid_event(fresh.discretisation.steps()).time);
        if !begins && !(first..=last).contains(&now.time) {
            return Err(EventError::OutsideGrid { time: now.time, first, last }.into());
        }
        (self.discretisation, self.end) = (fresh.discretisation, fresh.end);
        if !begins {
            self.point = self.discretisation.last_until(now.time);
            self.current = self.current.or(self.between(self.point, now.time));
        }
        let queue = std::mem::take(&mut self.queue).into_iter();
        self.queue = queue.map(|entry| QueuedEvent { event: self.on_grid(entry.event), ..entry }).collect();
        Ok(())
    }

    /// Returns the grid.
    #[must_use]
    pub fn discretisation(&self) -> &TimeDiscretisation {
        &self.discretisation
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> EventSettings {
        self.settings
    }

    /// Returns the events processed before the current tick, oldest first. At most
    /// [`keep_past`](EventSettings::keep_past) events are kept.
    #[doc(alias = "pastEvents")]
    pub fn past_events(&self) -> impl ExactSizeIterator<Item = Event> + '_ {
        self.past.iter().copied()
    }

    /// Returns the last event that was processed.
    #[doc(alias = "currentEvent")]
    #[must_use]
    pub fn current_event(&self) -> Event {
        self.current.unwrap_or_else(|| self.grid_event(self.point))
    }

    /// Returns the index of the last grid point that has been reached, counted from 0.
    #[must_use]
    pub fn current_point(&self) -> usize {
        self.point
    }

    /// Schedules a user event: a sensor, an actuator, an observer, a restart, or a custom event.
    ///
    /// # Errors
    ///
    /// If the time is not finite, too large, or not after the current event (before any event has been
    /// processed, the first grid point is allowed), or if the kind is reserved: [`EventError`].
    #[doc(alias = "insertEvent")]
    pub fn schedule(&mut self, kind: EventKind, time: f64) -> Result<EventId, EventError> {
        self.insert(kind, time, None)
    }

    /// Schedules periodic user events at the times `first + k period` \[s\] for k = 0, 1, 2, ... Each time is
    /// computed from k, so the series does not drift.
    ///
    /// # Errors
    ///
    /// As for [`schedule`](Self::schedule), for the first event. [`EventError::Period`] if the period is not
    /// positive or not longer than the gap.
    pub fn schedule_periodic(
        &mut self,
        kind: EventKind,
        first: f64,
        period: f64,
    ) -> Result<EventId, EventError> {
        if !period.is_finite() {
            return Err(EventError::NotFinite { what: "period", value: period });
        }
        // The gap grows with the magnitude of the time, so the larger of its values at both ends of the grid
        // is an upper bound.
        let end = self.grid_event(self.discretisation.steps()).time;
        let gap = self.gap_at(self.discretisation.t0()).max(self.gap_at(end));
        let must_exceed = (gap + 1) as f64 * self.settings.tick;
        if period <= must_exceed {
            return Err(EventError::Period { period, must_exceed });
        }
        self.insert(kind, first, Some(Recurrence { first, period, k: 0 }))
    }

    fn insert(
        &mut self,
        kind: EventKind,
        time: f64,
        recurrence: Option<Recurrence>,
    ) -> Result<EventId, EventError> {
        if matches!(kind, EventKind::NonSmooth | EventKind::TimeDiscretisation) {
            return Err(EventError::ReservedKind { kind });
        }
        let tick = Tick::of_time(time, self.settings.tick)?;
        let current = self.current_event();
        let gap = self.gap_at(current.time);
        let first = if self.is_at_start() { current.tick.plus(-gap) } else { current.tick.plus(gap + 1) };
        if tick < first {
            let gap = gap as f64 * self.settings.tick;
            return Err(EventError::InThePast { time, current: current.time, gap });
        }
        let id = self.next_id;
        self.next_id = id.next();
        let event = self.on_grid(Event { kind, tick, time, id: Some(id) });
        self.used = true;
        self.queue.push(QueuedEvent { event, recurrence });
        Ok(id)
    }

    /// Removes a future event, or all future occurrences of a periodic event.
    ///
    /// # Errors
    ///
    /// If no future event has this id, for example after a single event has taken place:
    /// [`EventError::UnknownEvent`].
    #[doc(alias = "removeEvent")]
    pub fn remove(&mut self, id: EventId) -> Result<(), EventError> {
        let before = self.queue.len();
        self.queue.retain(|entry| entry.event.id != Some(id));
        if self.queue.len() < before { Ok(()) } else { Err(EventError::UnknownEvent { id }) }
    }

    /// Schedules a nonsmooth event at a located root, and returns the event.
    ///
    /// If the root is within the gap of the next scheduled event, the nonsmooth event takes the tick of this
    /// event and is processed before it. If the root is within the gap of the current event, the nonsmooth
    /// event takes the tick of the current event. The time of the nonsmooth event remains the root.
    ///
    /// # Errors
    ///
    /// If the root is not finite, too large, or earlier than the current event by more than the gap:
    /// [`EventError`].
    #[doc(alias = "scheduleNonSmoothEvent")]
    pub fn schedule_non_smooth(&mut self, time: f64) -> Result<Event, EventError> {
        let mut tick = Tick::of_time(time, self.settings.tick)?;
        let current = self.current_event();
        let gap = self.gap_at(current.time);
        if tick < current.tick.plus(-gap) {
            let gap = gap as f64 * self.settings.tick;
            return Err(EventError::InThePast { time, current: current.time, gap });
        }
        if tick <= current.tick.plus(gap) {
            tick = current.tick;
        }
        let event = Event { kind: EventKind::NonSmooth, tick, time, id: None };
        // The event keeps its own tick here, because an event with which it merges can be removed before it
        // takes place.
        self.used = true;
        self.non_smooth.push(event);
        let next = self.next_scheduled().filter(|next| self.is_near(tick, time, next.tick, next.time));
        Ok(next.map_or(event, |next| Event { tick: next.tick, ..event }))
    }

    /// Removes the nonsmooth events that have not been processed. Call this method after an earlier event has
    /// changed the motion.
    pub fn clear_non_smooth(&mut self) {
        self.non_smooth.clear();
    }

    /// Returns `true` if the manager is at the first grid point and has not processed any event there.
    pub(super) fn is_at_start(&self) -> bool {
        self.point == 0 && self.current.is_none()
    }

    /// Returns grid point `k` as an event.
    pub(super) fn grid_event(&self, k: usize) -> Event {
        let grid = &self.discretisation;
        let time = grid.time(k).or(grid.time(grid.steps())).unwrap_or(grid.t0());
        // The ends of the grid were checked when the manager was created.
        let tick = Tick::of_time(time, self.settings.tick).unwrap_or(Tick::NEVER);
        Event { kind: EventKind::TimeDiscretisation, tick, time, id: None }
    }

    /// Returns the gap at a time, in ticks.
    pub(super) fn gap_at(&self, time: f64) -> i128 {
        self.settings.gap_at(time)
    }

    /// Returns `true` if two times are not further apart than the gap at the earlier time.
    pub(super) fn is_near(&self, tick: Tick, time: f64, other: Tick, time_of_other: f64) -> bool {
        self.settings.is_near(tick, time, other, time_of_other)
    }

    /// Moves a user event that is within the gap of a grid point to this point.
    pub(super) fn on_grid(&self, event: Event) -> Event {
        let point = self.grid_event(self.discretisation.nearest(event.time));
        if self.is_near(event.tick, event.time, point.tick, point.time) {
            Event { tick: point.tick, time: point.time, ..event }
        } else {
            event
        }
    }
}
