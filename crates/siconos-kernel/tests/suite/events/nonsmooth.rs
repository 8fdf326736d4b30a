//! Nonsmooth events: located by root finding, merged with scheduled events, and discarded if the motion
//! changes.

use siconos_kernel::prelude::*;

use super::{kinds, manager, run};

#[test]
fn a_root_within_the_gap_of_the_next_event_takes_its_tick_and_keeps_its_time() {
    for (root, merges) in
        [(0.5 - 5e-15, true), (0.5, true), (0.5 + 5e-15, true), (0.5 - 3e-14, false), (0.4, false)]
    {
        let mut events = manager(1.0, 0.5);
        let scheduled = events.schedule_non_smooth(root).unwrap();
        assert_eq!((scheduled.kind(), scheduled.time()), (EventKind::NonSmooth, root));
        let to_come = events.unprocessed_events();
        let point = to_come.iter().find(|event| event.kind() == EventKind::TimeDiscretisation).unwrap();
        assert_eq!(scheduled.tick() == point.tick(), merges, "{root}");
        assert_eq!(events.next_event(), Some(scheduled), "it comes before what it merges with");
        assert_eq!(events.next_time(), Some(if merges { 0.5 } else { root }));
        let group = events.process_events().to_vec();
        assert_eq!(group[0], scheduled);
        let both = [EventKind::NonSmooth, EventKind::TimeDiscretisation];
        assert_eq!(kinds(&group), if merges { &both[..] } else { &both[..1] });
        assert_eq!(events.next_time(), Some(if merges { 1.0 } else { 0.5 }));
    }
}

#[test]
fn a_root_at_the_current_event_has_its_tick_and_one_before_is_refused() {
    let mut events = manager(1.0, 0.5);
    events.process_events();
    let current = events.current_event();
    for root in [0.5 - 5e-15, 0.5, 0.5 + 5e-15] {
        assert_eq!(events.schedule_non_smooth(root).unwrap().tick(), current.tick());
        assert_eq!(events.next_time(), Some(root.max(0.5)), "no integration backwards");
        assert_eq!(kinds(events.process_events()), [EventKind::NonSmooth]);
        events.go_to(1).unwrap();
    }
    let refused = events.schedule_non_smooth(0.5 - 1e-13).unwrap_err();
    assert!(matches!(refused, EventError::InThePast { current: 0.5, .. }), "{refused}");
    assert_eq!(events.next_time(), Some(1.0));
}

#[test]
fn a_root_at_the_last_point_is_still_processed_and_nothing_after_it() {
    let mut events = manager(1.0, 0.5);
    events.schedule(EventKind::Custom, 1.25).unwrap();
    events.schedule_periodic(EventKind::Sensor, 0.75, 0.75).unwrap();
    events.go_to(1).unwrap();
    events.schedule_non_smooth(1.0).unwrap();
    let groups: Vec<_> = run(&mut events).iter().map(|group| kinds(group)).collect();
    let last = vec![EventKind::NonSmooth, EventKind::TimeDiscretisation];
    assert_eq!(groups, [vec![EventKind::Sensor], last]);
    events.schedule_non_smooth(1.0).unwrap();
    assert!(events.has_next_event(), "an impact at the very end");
    events.process_events();
    events.schedule_non_smooth(1.1).unwrap();
    assert!(!events.has_next_event());
}

#[test]
fn the_critical_time_is_that_of_the_next_event_off_the_grid() {
    let mut events = manager(1.0, 0.1);
    assert_eq!(events.next_critical_time(), None);
    let actuator = events.schedule(EventKind::Actuator, 0.45).unwrap();
    assert_eq!((events.next_time(), events.next_critical_time()), (Some(0.1), Some(0.45)));
    events.schedule_non_smooth(0.33).unwrap();
    assert_eq!(events.next_critical_time(), Some(0.33));
    events.clear_non_smooth();
    assert_eq!(events.next_critical_time(), Some(0.45));
    events.remove(actuator).unwrap();
    // 3 * 0.1 is not 0.3. The event has the time of the grid point, so that the two limits of an integration
    // agree.
    events.schedule(EventKind::Actuator, 0.3).unwrap();
    events.go_to(2).unwrap();
    assert_eq!(events.next_critical_time(), events.next_time());
    assert_eq!(events.next_time(), Some(3.0 * 0.1));
}

#[test]
fn sensors_and_observers_are_not_critical() {
    let mut events = manager(1.0, 0.1);
    events.schedule_periodic(EventKind::Sensor, 0.05, 0.02).unwrap();
    events.schedule(EventKind::Observer, 0.25).unwrap();
    assert_eq!((events.next_time(), events.next_critical_time()), (Some(0.05), None));
    events.schedule(EventKind::Custom, 0.45).unwrap();
    events.schedule(EventKind::Actuator, 0.6).unwrap();
    assert_eq!((events.next_time(), events.next_critical_time()), (Some(0.05), Some(0.45)));
}
