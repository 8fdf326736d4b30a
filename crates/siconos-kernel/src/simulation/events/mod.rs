//! shim
#![allow(missing_docs)]
use super::TimeDiscretisation;
use crate::error::SettingsError;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    NonSmooth,
    TimeDiscretisation,
    Sensor,
    Actuator,
    Observer,
    Custom,
}
#[derive(Clone, Copy, Debug)]
pub struct Event {
    kind: EventKind,
    time: f64,
}
impl Event {
    pub fn kind(&self) -> EventKind {
        self.kind
    }
    pub fn time(&self) -> f64 {
        self.time
    }
}
#[derive(Clone, Debug, Default)]
pub struct EventSettings {}
#[derive(Clone, Debug)]
pub struct EventsManager {
    grid: TimeDiscretisation,
    k: usize,
    root: Option<f64>,
    done: Vec<Event>,
    current: Event,
}
impl EventsManager {
    pub fn new(grid: TimeDiscretisation, _s: EventSettings) -> Result<Self, SettingsError> {
        let current = Event { kind: EventKind::TimeDiscretisation, time: grid.t0() };
        Ok(Self { grid, k: 0, root: None, done: vec![], current })
    }
    pub fn next_event(&self) -> Option<Event> {
        self.root
            .map(|time| Event { kind: EventKind::NonSmooth, time })
            .or(self.grid.time(self.k + 1).map(|time| Event { kind: EventKind::TimeDiscretisation, time }))
    }
    pub fn next_critical_time(&self) -> Option<f64> {
        None
    }
    pub fn schedule_non_smooth(&mut self, t: f64) -> Result<Event, crate::error::SimulationError> {
        self.root = Some(t);
        Ok(Event { kind: EventKind::NonSmooth, time: t })
    }
    pub fn process_events(&mut self) -> &[Event] {
        self.done.clear();
        if let Some(e) = self.next_event() {
            if self.root.take().is_none() {
                self.k += 1;
            }
            self.done.push(e);
            self.current = e;
        }
        &self.done
    }
    pub fn processed(&self) -> &[Event] {
        &self.done
    }
    pub fn current_event(&self) -> Event {
        self.current
    }
    pub fn go_to(&mut self, t: f64) -> Result<(), crate::error::SimulationError> {
        self.root = None;
        self.k = self.grid.nearest(t);
        if self.grid.time(self.k).unwrap_or(t) > t {
            self.k = self.k.saturating_sub(1);
        }
        Ok(())
    }
}
