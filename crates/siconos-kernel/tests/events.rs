//! Events: their order, their merging, and their manager, alone and under time-stepping.

use siconos_kernel::prelude::*;

fn manager(t_end: f64, h: f64) -> EventsManager {
    EventsManager::new(TimeDiscretisation::uniform(0.0, t_end, h).unwrap(), EventSettings::default()).unwrap()
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(Event::kind).collect()
}

#[test]
fn at_equal_ticks_the_order_is_that_of_the_kinds_and_then_of_scheduling() {
    use EventKind::{Actuator, Custom, NonSmooth, Observer, Sensor, TimeDiscretisation};
    let mut events = manager(1.0, 0.5);
    let mut ids = Vec::new();
    for kind in [Custom, Observer, Sensor, Actuator, Sensor] {
        ids.push(events.schedule(kind, 0.5).unwrap());
    }
    events.schedule_non_smooth(0.5).unwrap();
    assert_eq!(events.next_event().map(|event| event.kind()), Some(NonSmooth));
    let group = events.process_events().to_vec();
    assert_eq!(kinds(&group), [NonSmooth, TimeDiscretisation, Sensor, Sensor, Actuator, Observer, Custom]);
    let order: Vec<_> = group.iter().filter_map(Event::id).collect();
    assert_eq!(order, [ids[2], ids[4], ids[3], ids[1], ids[0]]);
    assert!(group.iter().all(|event| event.tick() == group[0].tick()));
    assert_eq!(events.current_event(), group[6]);
    assert_eq!(events.next_time(), Some(1.0));
}
