//! Events: order, merging, and the events manager, alone and in time-stepping.

mod against_vector;
mod manager;
mod memory;
mod nonsmooth;
mod time_stepping;

use siconos_kernel::prelude::*;

/// Creates a manager with a uniform grid that starts at 0.
fn manager(t_end: f64, h: f64) -> EventsManager {
    let grid = TimeDiscretisation::uniform(0.0, t_end, h).unwrap();
    EventsManager::new(grid, EventSettings::default()).unwrap()
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(Event::kind).collect()
}

/// Returns all future events in groups.
fn run(events: &mut EventsManager) -> Vec<Vec<Event>> {
    let mut groups = Vec::new();
    while events.has_next_event() {
        groups.push(events.process_events().to_vec());
    }
    groups
}
