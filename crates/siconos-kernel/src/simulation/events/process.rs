//! Progress through the events: the next event, groups of events, and moves to another grid point.

use std::collections::{BinaryHeap, VecDeque};

use super::queue::QueuedEvent;
use super::{Event, EventKind, EventsManager, Tick};
use crate::simulation::EventError;

/// Next group of events, with its tick and time, and the last tick that belongs to the group.
#[derive(Clone, Copy, Debug)]
struct EventGroup {
    tick: Tick,
    time: f64,
    last: Tick,
}

impl EventGroup {
    fn contains(&self, event: &Event) -> bool {
        event.tick <= self.last
    }

    /// Returns the event with the tick and the time of the group. A nonsmooth event keeps the time of its
    /// root.
    fn place(&self, event: Event) -> Event {
        let time = if event.kind == EventKind::NonSmooth { event.time } else { self.time };
        Event { tick: self.tick, time, ..event }
    }
}

/// Maximum number of past events for which memory is reserved in advance, so that adding an event does not
/// allocate.
const ROOM: usize = 1024;

/// Appends a value, and keeps only the last `at_most` values.
fn keep<T>(kept: &mut VecDeque<T>, value: T, at_most: usize) {
    if at_most == 0 {
        return;
    }
    if kept.capacity() == 0 {
        kept.reserve_exact(at_most.min(ROOM));
    }
    while kept.len() >= at_most {
        kept.pop_front();
    }
    kept.push_back(value);
}

impl EventsManager {
    /// Returns `true` if there is a future event.
    #[doc(alias = "hasNextEvent")]
    #[must_use]
    pub fn has_next_event(&self) -> bool {
        self.next_group().is_some()
    }

    /// Returns the first event of the next group, or `None` at the end of the grid.
    #[doc(alias = "nextEvent")]
    #[must_use]
    pub fn next_event(&self) -> Option<Event> {
        let group = self.next_group()?;
        let scheduled = self.queue.iter().map(|entry| entry.event);
        let members = self.next_point().into_iter().chain(self.non_smooth.iter().copied()).chain(scheduled);
        members.filter(|event| group.contains(event)).map(|event| group.place(event)).min_by(in_group)
    }

    /// Returns the time \[s\] at which the integration must stop next, or `None` at the end of the grid. This
    /// is the time of the next group of events, but never earlier than the current event.
    #[must_use]
    pub fn next_time(&self) -> Option<f64> {
        // A root slightly before the current event, within the gap, has the tick of the current event.
        self.next_group().map(|group| group.time.max(self.current_event().time))
    }

    /// Returns the time \[s\] of the next event that can change the motion, or `None` if no future event
    /// can. Grid points, sensors and observers only read the state, so an integrator can step over them. It
    /// must not step over the returned time.
    #[must_use]
    pub fn next_critical_time(&self) -> Option<f64> {
        let acts =
            |entry: &&QueuedEvent| !matches!(entry.event.kind, EventKind::Sensor | EventKind::Observer);
        // The order of the queue is reversed, so the greatest entry is the earliest event.
        let scheduled = self.queue.iter().filter(acts).max().map(|entry| entry.event);
        let root = self.non_smooth.iter().min_by_key(|event| event.tick).copied();
        let root = root.map(|root| match self.next_group() {
            Some(group) if group.contains(&root) => Event { tick: group.tick, time: group.time, ..root },
            _ => root,
        });
        scheduled.into_iter().chain(root).min_by_key(|event| event.tick).map(|event| event.time)
    }

    /// Returns the future events: the next grid point, the nonsmooth events and the user events. A periodic
    /// event is listed once, with its next occurrence. The list is ordered by tick, then by kind, then by the
    /// order of scheduling. Events within the gap are merged only when they are processed.
    #[doc(alias = "unProcessedEvents")]
    #[must_use]
    pub fn unprocessed_events(&self) -> Vec<Event> {
        let scheduled = self.queue.iter().map(|entry| entry.event);
        let mut events: Vec<_> =
            self.next_point().into_iter().chain(self.non_smooth.iter().copied()).chain(scheduled).collect();
        events.sort_by(|a, b| a.tick.cmp(&b.tick).then_with(|| in_group(a, b)));
        events
    }

    /// Processes the next group of events. The current event becomes a past event. All events of the group
    /// are returned in the order in which the caller must handle them, and the last of them becomes the
    /// current event. Periodic events are scheduled again. At the end of the grid, the manager does not
    /// change and the returned list is empty.
    #[doc(alias = "processEvents")]
    pub fn process_events(&mut self) -> &[Event] {
        let Some(group) = self.next_group() else { return &[] };
        self.used = true;
        self.retire_current();
        self.processed.clear();
        let Self { non_smooth, processed, .. } = self;
        non_smooth.retain(|event| {
            let now = group.contains(event);
            if now {
                processed.push(group.place(*event));
            }
            !now
        });
        if let Some(point) = self.next_point().filter(|point| group.contains(point)) {
            self.processed.push(point);
            self.point += 1;
        }
        self.take_scheduled(group);
        self.processed.sort_unstable_by(in_group);
        self.current = self.processed.last().copied();
        &self.processed
    }

    /// Returns the events of the group that was processed last, in their order.
    #[must_use]
    pub fn processed_events(&self) -> &[Event] {
        &self.processed
    }

    /// Moves to a grid point, which becomes the current event. The manager is then in the state in which it
    /// would be if all events up to the point had been processed.
    ///
    /// A forward move skips the events in between. A backward move schedules the events after the new point
    /// again: all periodic events, and single events, of which at most
    /// [`keep_past`](super::EventSettings::keep_past) are kept. A move to the first point also schedules the
    /// events at the first point again. Nonsmooth events that have not been processed are removed, because
    /// they belong to the old motion.
    ///
    /// ```
    /// # use siconos_kernel::prelude::*;
    /// let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.25)?;
    /// let mut events = EventsManager::new(grid, EventSettings::default())?;
    /// events.schedule_periodic(EventKind::Actuator, 0.1, 0.1)?;
    /// events.go_to(2)?;
    /// assert_eq!((events.current_event().time(), events.next_time()), (0.5, Some(0.1 + 5.0 * 0.1)));
    /// events.go_to(0)?;
    /// assert_eq!((events.current_event().time(), events.next_time()), (0.0, Some(0.1)));
    /// # Ok::<(), siconos_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `point` is greater than the index of the last point: [`EventError::UnknownPoint`].
    pub fn go_to(&mut self, point: usize) -> Result<(), EventError> {
        let last = self.discretisation.steps();
        if point > last {
            return Err(EventError::UnknownPoint { point, last });
        }
        self.stand_at(point, None);
        Ok(())
    }

    /// Moves to any time \[s\] within the grid, as [`go_to`](Self::go_to) does for a grid point. This is used
    /// for a state between two points, for example after an impact in an event-driven simulation. If the time
    /// is not within the gap of the current event or of a grid point, the current event becomes a nonsmooth
    /// event at this time.
    ///
    /// # Errors
    ///
    /// If the time is not finite or outside the grid: [`EventError`].
    pub fn go_to_time(&mut self, time: f64) -> Result<(), EventError> {
        let tick = Tick::of_time(time, self.settings.tick)?;
        let now = self.current_event();
        if self.is_near(tick, time, now.tick, now.time) {
            // Events at this time that were not processed stay scheduled; processed events are not repeated.
            self.non_smooth.clear();
            return Ok(());
        }
        let nearest = self.discretisation.nearest(time);
        let point = self.grid_event(nearest);
        if self.is_near(tick, time, point.tick, point.time) {
            self.stand_at(nearest, None);
            return Ok(());
        }
        let (first, last) = (self.discretisation.t0(), self.grid_event(self.discretisation.steps()).time);
        if time < first || time > last {
            return Err(EventError::OutsideGrid { time, first, last });
        }
        let before = if point.tick > tick { nearest - 1 } else { nearest };
        self.stand_at(before, Some(Event { kind: EventKind::NonSmooth, tick, time, id: None }));
        Ok(())
    }

    /// Processes the events in the step from `from` to `to` of a time-stepping simulation, and returns the
    /// user events in this step. `point` is the last grid point that is not later than `to`. If no event has
    /// ever been scheduled, only the current event is updated.
    #[inline]
    pub(in crate::simulation) fn follow(&mut self, (from, to): (f64, f64), point: usize) -> &[Event] {
        if self.used {
            return self.process_step((from, to), point);
        }
        (self.point, self.current) = (point, self.between(point, to));
        &[]
    }

    /// Returns the time of the next user event, for a simulation whose state is at the time `t`.
    pub(in crate::simulation) fn next_of_user(&mut self, t: f64) -> Result<Option<f64>, EventError> {
        if self.used {
            self.go_to_time(t)?;
        }
        Ok(self.queue.peek().map(|entry| entry.event.time))
    }

    /// Returns an event at `time`, which must lie between the grid point `point` and the next one, or `None`
    /// if `time` is the time of the grid point.
    pub(super) fn between(&self, point: usize, time: f64) -> Option<Event> {
        if self.discretisation.time(point) == Some(time) {
            return None;
        }
        let tick = Tick::of_time(time, self.settings.tick).unwrap_or(Tick::NEVER);
        Some(Event { kind: EventKind::NonSmooth, tick, time, id: None })
    }

    /// Returns `true` if user events are scheduled at the first grid point, for a simulation whose state is
    /// at the time `t`.
    #[inline]
    pub(in crate::simulation) fn starts(&mut self, t: f64) -> bool {
        self.used && t == self.discretisation.t0() && self.looks_for_start()
    }

    #[cold]
    fn looks_for_start(&mut self) -> bool {
        if !self.is_at_start() {
            self.stand_at(0, None);
        }
        let start = self.grid_event(0).tick;
        self.next_scheduled_of_user().is_some_and(|group| group.tick <= start)
    }

    /// Processes the events at the first grid point, for a time-stepping simulation.
    pub(in crate::simulation) fn process_start(&mut self) -> &[Event] {
        self.processed.clear();
        let start = self.grid_event(0).tick;
        if let Some(group) = self.next_scheduled_of_user().filter(|group| group.tick <= start) {
            self.take_scheduled(group);
            self.processed.sort_unstable_by(in_group);
        }
        for &event in &self.processed {
            keep(&mut self.past, event, self.settings.keep_past);
        }
        &self.processed
    }

    /// Processes the user events in a step, at their own ticks. The end of the step becomes the current
    /// event; it is not added to the processed or past events.
    #[cold]
    fn process_step(&mut self, (from, to): (f64, f64), point: usize) -> &[Event] {
        // This cannot fail, because steps are within the grid.
        if self.go_to_time(from).is_err() {
            return &[];
        }
        self.processed.clear();
        (self.point, self.current) = (point, self.between(point, to));
        if self.queue.is_empty() {
            return &[];
        }
        let end = self.current_event().tick;
        while let Some(group) = self.next_scheduled_of_user().filter(|group| group.tick <= end) {
            let from = self.processed.len();
            self.take_scheduled(group);
            self.processed[from..].sort_unstable_by(in_group);
        }
        for &event in &self.processed {
            keep(&mut self.past, event, self.settings.keep_past);
        }
        &self.processed
    }

    /// Returns the next grid point.
    fn next_point(&self) -> Option<Event> {
        (self.point < self.discretisation.steps()).then(|| self.grid_event(self.point + 1))
    }

    /// Returns the earliest scheduled event: a grid point or a user event.
    pub(super) fn next_scheduled(&self) -> Option<Event> {
        let user = self.queue.peek().map(|entry| entry.event);
        self.next_point().into_iter().chain(user).min_by_key(|event| event.tick)
    }

    fn next_scheduled_of_user(&self) -> Option<EventGroup> {
        self.queue.peek().map(|entry| self.group_at(&entry.event))
    }

    fn group_at(&self, event: &Event) -> EventGroup {
        EventGroup { tick: event.tick, time: event.time, last: event.tick.plus(self.gap_at(event.time)) }
    }

    fn next_group(&self) -> Option<EventGroup> {
        let scheduled = self.next_scheduled();
        // Among roots at one tick, take the earliest. If the group has no scheduled event, the integration
        // ends at the time of this root.
        let root = self.non_smooth.iter().min_by(|a, b| a.tick.cmp(&b.tick).then(a.time.total_cmp(&b.time)));
        let first = match (root, scheduled) {
            (Some(root), Some(scheduled)) => {
                let together = self.is_near(root.tick, root.time, scheduled.tick, scheduled.time);
                if together || scheduled.tick < root.tick { scheduled } else { *root }
            }
            (root, scheduled) => root.copied().or(scheduled)?,
        };
        (first.tick <= self.end).then(|| self.group_at(&first))
    }

    /// Moves the user events of a group from the queue to the processed events, and schedules periodic events
    /// again.
    fn take_scheduled(&mut self, group: EventGroup) {
        while let Some(mut entry) = self.queue.peek().copied().filter(|entry| group.contains(&entry.event)) {
            self.queue.pop();
            self.processed.push(group.place(entry.event));
            if entry.recurrence.is_some() {
                self.recur(&mut entry, group.last);
                self.queue.push(entry);
            } else {
                keep(&mut self.behind, entry, self.settings.keep_past);
            }
        }
    }

    /// Moves a periodic event from an earlier occurrence to its first occurrence after a tick.
    fn recur(&self, entry: &mut QueuedEvent, after: Tick) {
        let Some(recurrence) = &mut entry.recurrence else { return };
        // A period is longer than the gap, so a few iterations are enough.
        while entry.event.tick <= after {
            recurrence.k += 1;
            entry.event = self.occurrence(entry.event, recurrence.time());
        }
    }

    fn occurrence(&self, event: Event, time: f64) -> Event {
        // A time that is too large to be counted is later than the end of the grid.
        match Tick::of_time(time, self.settings.tick) {
            Ok(tick) => self.on_grid(Event { tick, time, ..event }),
            Err(_) => Event { tick: Tick::NEVER, time, ..event },
        }
    }

    /// Moves the current event, with all events of its tick, to the past events.
    fn retire_current(&mut self) {
        let at_most = self.settings.keep_past;
        if self.current.is_some() && !self.processed.is_empty() {
            for &event in &self.processed {
                keep(&mut self.past, event, at_most);
            }
        } else {
            let event = self.current_event();
            keep(&mut self.past, event, at_most);
        }
    }

    /// Makes a grid point, or an event after it, the current event.
    fn stand_at(&mut self, point: usize, between: Option<Event>) {
        let now = between.unwrap_or_else(|| self.grid_event(point));
        if self.current.is_some() {
            self.retire_current();
        }
        self.past.retain(|event| event.tick < now.tick || (event.tick == now.tick && event.kind != now.kind));
        self.used |= between.is_some();
        self.non_smooth.clear();
        self.processed.clear();
        (self.point, self.current) = (point, between);
        let gap = self.gap_at(now.time);
        // Events at the first point take place before the motion starts. A move to the first point therefore
        // schedules them again.
        let limit = now.tick.plus(match between {
            Some(_) => gap,
            None if point == 0 => -gap - 1,
            None => 0,
        });
        for _ in 0..self.behind.len() {
            if let Some(entry) = self.behind.pop_front() {
                if entry.event.tick > limit {
                    self.queue.push(entry);
                } else {
                    self.behind.push_back(entry);
                }
            }
        }
        let mut entries = std::mem::take(&mut self.queue).into_vec();
        entries.retain_mut(|entry| {
            if let Some(recurrence) = &mut entry.recurrence {
                recurrence.approach(now.time);
                entry.event = self.occurrence(entry.event, recurrence.time());
                self.recur(entry, limit);
                return true;
            }
            let to_come = entry.event.tick > limit;
            if !to_come {
                keep(&mut self.behind, *entry, self.settings.keep_past);
            }
            to_come
        });
        self.queue = BinaryHeap::from(entries);
    }
}

/// Compares two events of a group by kind, then by the order of scheduling, and nonsmooth events by time.
fn in_group(a: &Event, b: &Event) -> std::cmp::Ordering {
    a.kind.cmp(&b.kind).then_with(|| a.id.cmp(&b.id)).then_with(|| a.time.total_cmp(&b.time))
}
