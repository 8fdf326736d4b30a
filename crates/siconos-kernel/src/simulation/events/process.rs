//! Moving on: what comes next, the events of a tick, and going to another point of the grid.

use std::collections::{BinaryHeap, VecDeque};

use super::queue::Entry;
use super::{Event, EventKind, EventsManager, Tick};
use crate::simulation::EventError;

/// What comes next: where it stands, and up to which tick events belong to it.
#[derive(Clone, Copy, Debug)]
struct Group {
    tick: Tick,
    time: f64,
    last: Tick,
}

impl Group {
    fn contains(&self, event: &Event) -> bool {
        event.tick <= self.last
    }

    /// The event as it takes place: a root keeps its time.
    fn place(&self, event: Event) -> Event {
        let time = if event.kind == EventKind::NonSmooth { event.time } else { self.time };
        Event { tick: self.tick, time, ..event }
    }
}

/// How many past events room is made for at once, so that keeping them does not allocate.
const ROOM: usize = 1024;

/// Keeps the last so many values.
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
    /// Whether an event is to come.
    #[doc(alias = "hasNextEvent")]
    #[must_use]
    pub fn has_next_event(&self) -> bool {
        self.next_group().is_some()
    }

    /// The event that comes next, the first of its tick; `None` at the end of the grid.
    #[doc(alias = "nextEvent")]
    #[must_use]
    pub fn next_event(&self) -> Option<Event> {
        let group = self.next_group()?;
        let scheduled = self.queue.iter().map(|entry| entry.event);
        let members = self.next_point().into_iter().chain(self.non_smooth.iter().copied()).chain(scheduled);
        members.filter(|event| group.contains(event)).map(|event| group.place(event)).min_by(in_group)
    }

    /// The time \[s\] up to which one integrates: that of the next tick, never before the current event;
    /// `None` at the end of the grid.
    #[must_use]
    pub fn next_time(&self) -> Option<f64> {
        // A root within the gap before the current event has its tick.
        self.next_group().map(|group| group.time.max(self.current_event().time))
    }

    /// The time \[s\] of the earliest event to come at which something may change: one that is neither a
    /// point of the grid nor a sensor nor an observer; `None` without any. An integrator must not step over
    /// it, as it may over the others, where the state is only looked at.
    #[must_use]
    pub fn next_critical_time(&self) -> Option<f64> {
        let acts = |entry: &&Entry| !matches!(entry.event.kind, EventKind::Sensor | EventKind::Observer);
        // The greatest entry is the one that comes first.
        let scheduled = self.queue.iter().filter(acts).max().map(|entry| entry.event);
        let root = self.non_smooth.iter().min_by_key(|event| event.tick).copied();
        let root = root.map(|root| match self.next_group() {
            Some(group) if group.contains(&root) => Event { tick: group.tick, time: group.time, ..root },
            _ => root,
        });
        scheduled.into_iter().chain(root).min_by_key(|event| event.tick).map(|event| event.time)
    }

    /// What is to come: the next point of the grid, the nonsmooth events, those of the user, periodic ones
    /// with their next occurrence; in order of tick, kind and scheduling. What is within the gap is merged
    /// when it is processed.
    #[doc(alias = "unProcessedEvents")]
    #[must_use]
    pub fn unprocessed_events(&self) -> Vec<Event> {
        let scheduled = self.queue.iter().map(|entry| entry.event);
        let mut events: Vec<_> =
            self.next_point().into_iter().chain(self.non_smooth.iter().copied()).chain(scheduled).collect();
        events.sort_by(|a, b| a.tick.cmp(&b.tick).then_with(|| in_group(a, b)));
        events
    }

    /// Moves on to the next tick: the current event becomes a past one, and all events of that tick are
    /// returned, in the order in which they are to be dealt with. The last of them is the current event then.
    /// Periodic events are scheduled anew. At the end of the grid nothing happens, and nothing is returned.
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

    /// The events of the last tick that was processed, in their order.
    #[must_use]
    pub fn processed_events(&self) -> &[Event] {
        &self.processed
    }

    /// Goes to a point of the grid, which becomes the current event as if all events up to it had been
    /// processed.
    ///
    /// Forwards, events in between are passed over. Backwards (to the first point, those at that point as
    /// well), they are to come again: periodic ones, and single ones as far as they are among the last
    /// [`keep_past`](super::EventSettings::keep_past) that took place. Nonsmooth events that were to come are
    /// forgotten, for they belong to the motion that is left.
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
    /// [`EventError::UnknownPoint`] beyond the last point.
    pub fn go_to(&mut self, point: usize) -> Result<(), EventError> {
        let last = self.discretisation.steps();
        if point > last {
            return Err(EventError::UnknownPoint { point, last });
        }
        self.stand_at(point, None);
        Ok(())
    }

    /// Goes to any time \[s\] of the grid, as [`go_to`](Self::go_to) does to a point: for a state between two
    /// points, as an event-driven simulation leaves it after an impact. Unless the time is that of a point,
    /// the current event is then a nonsmooth one.
    ///
    /// # Errors
    ///
    /// [`EventError`]: a time that is not finite, or outside the grid.
    pub fn go_to_time(&mut self, time: f64) -> Result<(), EventError> {
        let tick = Tick::of_time(time, self.settings.tick)?;
        let now = self.current_event();
        if self.is_near(tick, time, now.tick, now.time) {
            // What is still to come at this time stays to come, and what has been processed does not come
            // again.
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

    /// Follows a time-stepping simulation over a step between two times, `point` being the last point of the
    /// grid until its end, and returns the events of the user in it. Without any, all else is found when it
    /// is asked for.
    #[inline]
    pub(in crate::simulation) fn follow(&mut self, (from, to): (f64, f64), point: usize) -> &[Event] {
        if self.used {
            return self.process_step((from, to), point);
        }
        (self.point, self.current) = (point, self.between(point, to));
        &[]
    }

    /// The next event of the user, for a simulation of a state at the time `t`.
    pub(in crate::simulation) fn next_of_user(&mut self, t: f64) -> Result<Option<f64>, EventError> {
        if self.used {
            self.go_to_time(t)?;
        }
        Ok(self.queue.peek().map(|entry| entry.event.time))
    }

    /// What stands for a time after a point of the grid and before the next; `None` for that of the point.
    pub(super) fn between(&self, point: usize, time: f64) -> Option<Event> {
        if self.discretisation.time(point) == Some(time) {
            return None;
        }
        let tick = Tick::of_time(time, self.settings.tick).unwrap_or(Tick::NEVER);
        Some(Event { kind: EventKind::NonSmooth, tick, time, id: None })
    }

    /// Whether events of the user are to come at the first point of the grid, for a simulation of a state at
    /// the time `t`.
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

    /// Processes the events at the first point of the grid, for a time-stepping simulation.
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

    /// Processes the events of the user in a step, at their own ticks. The end of the step is the current
    /// event then, and is kept neither here nor in the past: the step is the event.
    #[cold]
    fn process_step(&mut self, (from, to): (f64, f64), point: usize) -> &[Event] {
        // Steps begin and end within the grid.
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

    /// The next point of the grid.
    fn next_point(&self) -> Option<Event> {
        (self.point < self.discretisation.steps()).then(|| self.grid_event(self.point + 1))
    }

    /// The earliest of what comes by schedule: a point of the grid, or an event of the user.
    pub(super) fn next_scheduled(&self) -> Option<Event> {
        let user = self.queue.peek().map(|entry| entry.event);
        self.next_point().into_iter().chain(user).min_by_key(|event| event.tick)
    }

    fn next_scheduled_of_user(&self) -> Option<Group> {
        self.queue.peek().map(|entry| self.group_at(&entry.event))
    }

    fn group_at(&self, event: &Event) -> Group {
        Group { tick: event.tick, time: event.time, last: event.tick.plus(self.gap_at(event.time)) }
    }

    fn next_group(&self) -> Option<Group> {
        let scheduled = self.next_scheduled();
        // Of equal ticks the first root: its time is where one integrates to if it is alone.
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

    /// Takes the events of the user that belong to a group out of the queue, and schedules periodic ones
    /// anew.
    fn take_scheduled(&mut self, group: Group) {
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

    /// Moves a periodic event to its first occurrence after a tick, from an occurrence before.
    fn recur(&self, entry: &mut Entry, after: Tick) {
        let Some(recurrence) = &mut entry.recurrence else { return };
        // A period is longer than the gap, so that this takes a few rounds at most.
        while entry.event.tick <= after {
            recurrence.k += 1;
            entry.event = self.occurrence(entry.event, recurrence.time());
        }
    }

    fn occurrence(&self, event: Event, time: f64) -> Event {
        // What is too late to be counted is later than the end of the grid.
        match Tick::of_time(time, self.settings.tick) {
            Ok(tick) => self.on_grid(Event { tick, time, ..event }),
            Err(_) => Event { tick: Tick::NEVER, time, ..event },
        }
    }

    /// The current event, with all of its tick, becomes a past one.
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

    /// Makes a point of the grid, or an event after it, the current event.
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
        // Events at the first point take place before anything moves: from there they are to come.
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

/// The order within a group: kind, then scheduling; roots by their time.
fn in_group(a: &Event, b: &Event) -> std::cmp::Ordering {
    a.kind.cmp(&b.kind).then_with(|| a.id.cmp(&b.id)).then_with(|| a.time.total_cmp(&b.time))
}
