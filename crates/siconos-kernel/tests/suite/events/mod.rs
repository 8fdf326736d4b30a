//! Events: their order, their merging, and their manager, alone and under time-stepping.

mod against_vector;
mod manager;
mod memory;
mod nonsmooth;
mod time_stepping;

use siconos_kernel::prelude::*;

/// A manager on a uniform grid from 0.
fn manager(t_end: f64, h: f64) -> EventsManager {
    let grid = TimeDiscretisation::uniform(0.0, t_end, h).unwrap();
    EventsManager::new(grid, EventSettings::default()).unwrap()
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(Event::kind).collect()
}

/// All that is to come, group by group.
fn run(events: &mut EventsManager) -> Vec<Vec<Event>> {
    let mut groups = Vec::new();
    while events.has_next_event() {
        groups.push(events.process_events().to_vec());
    }
    groups
}
