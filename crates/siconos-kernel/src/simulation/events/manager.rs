//! The events manager: what there is to come, what is now, what has been.

use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use super::queue::{Entry, Recurrence};
use super::{Event, EventId, EventKind, Tick};
use crate::settings_error::SettingsError;
use crate::simulation::{Error, EventError, TimeDiscretisation};

/// How finely events are told apart, and how many of the past are kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventSettings {
    /// The size of a tick \[s\], above 0. Default: 1e-16.
    #[doc(alias = "setTick")]
    pub tick: f64,
    /// Events that are not further apart than so many ticks take place together. Default: 100. Where the
    /// rounding of times is coarser than that, 4 roundings take its place.
    #[doc(alias = "GapLimit")]
    #[doc(alias = "GAPLIMIT_DEFAULT")]
    pub gap: u32,
    /// How many past events are kept. Default: 1000.
    pub keep_past: usize,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self { tick: 1e-16, gap: 100, keep_past: 1000 }
    }
}

impl EventSettings {
    /// The gap at a time, in ticks: at least four roundings of the time.
    pub fn gap_at(&self, time: f64) -> i128 {
        let rounding = 4.0 * f64::EPSILON * time.abs() / self.tick;
        i128::from(self.gap).max(rounding.ceil() as i128)
    }

    /// Returns `true` if two instants, each a tick and its time, are no further apart than the gap at the
    /// earlier one.
    pub fn is_near(&self, tick: Tick, time: f64, other: Tick, time_of_other: f64) -> bool {
        match tick <= other {
            true => other <= tick.plus(self.gap_at(time)),
            false => tick <= other.plus(self.gap_at(time_of_other)),
        }
    }
}

/// Past events, the current one, and those to come, in order.
///
/// The points of a [`TimeDiscretisation`] are there from the beginning; the user schedules events and
/// periodic ones, root finding nonsmooth ones, at any time. The current event is the one processed last,
/// where an integration begins; [`process_events`](Self::process_events) moves on to the next tick. After the
/// last point of the grid no event takes place.
///
/// ```
/// use siconos_kernel::prelude::*;
///
/// let grid = TimeDiscretisation::uniform(0.0, 0.5, 0.25)?;
/// let mut events = EventsManager::new(grid, EventSettings::default())?;
/// let sensor = events.schedule_periodic(EventKind::Sensor, 0.1, 0.15)?;
/// let mut order = Vec::new();
/// while events.has_next_event() {
///     // Here a simulation integrates up to events.next_time(), and may schedule what root finding has found on the way.
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
/// Memory: points of the grid are made when they are needed, an occurrence of a periodic event when the one
/// before it is processed, and past events are kept up to a number. So a run in steady state allocates
/// nothing.
#[derive(Clone, Debug)]
pub struct EventsManager {
    pub(super) discretisation: TimeDiscretisation,
    pub(super) settings: EventSettings,
    /// The last point of the grid that has been reached.
    pub(super) point: usize,
    /// The tick of the last point.
    pub(super) end: Tick,
    /// The current event; `None` for the point of the grid, which is then computed when it is asked for.
    pub(super) current: Option<Event>,
    /// What the last call processed.
    pub(super) processed: Vec<Event>,
    pub(super) queue: BinaryHeap<Entry>,
    pub(super) non_smooth: Vec<Event>,
    pub(super) past: VecDeque<Event>,
    /// Single events that lie behind the current one, for a return to an earlier time.
    pub(super) behind: VecDeque<Entry>,
    pub(super) next_id: EventId,
    /// Whether there has ever been anything but points of the grid.
    pub(super) used: bool,
}

impl EventsManager {
    /// A manager at the first point of a grid, which is its current event.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`]: a tick that is not positive, or so small that the times of the grid
    /// cannot be counted.
    pub fn new(discretisation: TimeDiscretisation, settings: EventSettings) -> Result<Self, SettingsError> {
        let value = settings.tick;
        let refused = |must_be| SettingsError::OutOfRange { name: "tick", value, must_be };
        if !(value > 0.0 && value.is_finite()) {
            return Err(refused("finite and above 0"));
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

    /// Takes another grid, on which the events to come take place at their times. The current event stays;
    /// before anything has been processed it is the first point of the new grid.
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
    /// [`SettingsError::OutOfRange`] as for [`new`](Self::new); [`EventError::OutsideGrid`] where the current
    /// event is not within the new grid. The manager is then as it was.
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
        self.queue = queue.map(|entry| Entry { event: self.on_grid(entry.event), ..entry }).collect();
        Ok(())
    }

    /// The grid.
    #[must_use]
    pub fn discretisation(&self) -> &TimeDiscretisation {
        &self.discretisation
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> EventSettings {
        self.settings
    }

    /// The events that have been processed before the current tick, the oldest first: the last
    /// [`keep_past`](EventSettings::keep_past) of them.
    #[doc(alias = "pastEvents")]
    pub fn past_events(&self) -> impl ExactSizeIterator<Item = Event> + '_ {
        self.past.iter().copied()
    }

    /// The event that was processed last, the last of its tick.
    #[doc(alias = "currentEvent")]
    #[must_use]
    pub fn current_event(&self) -> Event {
        self.current.unwrap_or_else(|| self.grid_event(self.point))
    }

    /// The number of the last point of the grid that has been reached, counted from 0.
    #[must_use]
    pub fn current_point(&self) -> usize {
        self.point
    }

    /// Schedules an event of the user: a sensor, an actuator, an observer, or a custom one.
    ///
    /// # Errors
    ///
    /// [`EventError`]: a time that is not finite, too large, or not after the current event, unless that is
    /// the first point of the grid; a kind that is not the user's.
    #[doc(alias = "insertEvent")]
    pub fn schedule(&mut self, kind: EventKind, time: f64) -> Result<EventId, EventError> {
        self.insert(kind, time, None)
    }

    /// Schedules events of the user at `first + k period` \[s\], k = 0, 1, 2, ..: each is computed from k,
    /// and does not drift.
    ///
    /// # Errors
    ///
    /// As [`schedule`](Self::schedule) for the first; [`EventError::Period`] when the period is not positive
    /// or no longer than the gap.
    pub fn schedule_periodic(
        &mut self,
        kind: EventKind,
        first: f64,
        period: f64,
    ) -> Result<EventId, EventError> {
        if !period.is_finite() {
            return Err(EventError::NotFinite { what: "period", value: period });
        }
        // The gap grows with the time: what it is at either end of the grid bounds it.
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
        self.queue.push(Entry { event, recurrence });
        Ok(id)
    }

    /// Removes an event to come, or all that is to come of a periodic one.
    ///
    /// # Errors
    ///
    /// [`EventError::UnknownEvent`] when there is none: a single event that has taken place is no longer
    /// known.
    #[doc(alias = "removeEvent")]
    pub fn remove(&mut self, id: EventId) -> Result<(), EventError> {
        let before = self.queue.len();
        self.queue.retain(|entry| entry.event.id != Some(id));
        if self.queue.len() < before { Ok(()) } else { Err(EventError::UnknownEvent { id }) }
    }

    /// Schedules a nonsmooth event at a root that has been located, and tells which it is.
    ///
    /// Within the gap of the next scheduled event it takes the tick of that event, before which it comes;
    /// within the gap of the current one the tick of that. Its time stays the root.
    ///
    /// # Errors
    ///
    /// [`EventError`]: a root that is not finite, too large, or before the current event by more than the
    /// gap.
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
        // It is kept at its own tick, as what it merges with may be removed before it takes place.
        self.used = true;
        self.non_smooth.push(event);
        let next = self.next_scheduled().filter(|next| self.is_near(tick, time, next.tick, next.time));
        Ok(next.map_or(event, |next| Event { tick: next.tick, ..event }))
    }

    /// Forgets the nonsmooth events that are not yet processed: an earlier event has changed the motion they
    /// were found on.
    pub fn clear_non_smooth(&mut self) {
        self.non_smooth.clear();
    }

    /// Whether the manager stands at the first point of the grid, and has processed nothing there.
    pub(super) fn is_at_start(&self) -> bool {
        self.point == 0 && self.current.is_none()
    }

    /// Point `k` of the grid as an event.
    pub(super) fn grid_event(&self, k: usize) -> Event {
        let grid = &self.discretisation;
        let time = grid.time(k).or(grid.time(grid.steps())).unwrap_or(grid.t0());
        // The ends of the grid were checked when the manager was made.
        let tick = Tick::of_time(time, self.settings.tick).unwrap_or(Tick::NEVER);
        Event { kind: EventKind::TimeDiscretisation, tick, time, id: None }
    }

    /// The gap at a time, in ticks.
    pub(super) fn gap_at(&self, time: f64) -> i128 {
        self.settings.gap_at(time)
    }

    /// Whether two instants are no further apart than the gap at the earlier one.
    pub(super) fn is_near(&self, tick: Tick, time: f64, other: Tick, time_of_other: f64) -> bool {
        self.settings.is_near(tick, time, other, time_of_other)
    }

    /// An event of the user; within the gap of a point of the grid it takes place there.
    pub(super) fn on_grid(&self, event: Event) -> Event {
        let point = self.grid_event(self.discretisation.nearest(event.time));
        if self.is_near(event.tick, event.time, point.tick, point.time) {
            Event { tick: point.tick, time: point.time, ..event }
        } else {
            event
        }
    }
}
