//! Events manager alone: order, merging, periodic events, removal, refused events.

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Tick;

use super::{kinds, manager, run};

#[test]
fn at_equal_ticks_the_order_is_that_of_the_kinds_and_then_of_scheduling() {
    use EventKind::{Actuator, Custom, NonSmooth, Observer, Sensor, TimeDiscretisation};
    let mut events = manager(1.0, 0.5);
    let mut ids = Vec::new();
    for kind in [Custom, Observer, Sensor, Actuator, Sensor] {
        ids.push(events.schedule(kind, 0.5).unwrap());
    }
    events.schedule_non_smooth(0.5).unwrap();
    let to_come = kinds(&events.unprocessed_events());
    assert_eq!(events.next_event().map(|event| event.kind()), Some(NonSmooth));
    let group = events.process_events().to_vec();
    assert_eq!(kinds(&group), [NonSmooth, TimeDiscretisation, Sensor, Sensor, Observer, Actuator, Custom]);
    assert_eq!(to_come, kinds(&group), "what is to come is told in the same order");
    let order: Vec<_> = group.iter().filter_map(Event::id).collect();
    assert_eq!(order, [ids[2], ids[4], ids[1], ids[3], ids[0]]);
    assert!(group.iter().all(|event| event.tick() == group[0].tick()));
    assert_eq!(events.current_event(), group[6]);
    assert_eq!(events.next_time(), Some(1.0));
}

#[test]
fn events_merge_up_to_the_gap_and_no_further() {
    let settings = EventSettings { tick: 1e-12, gap: 50, ..EventSettings::default() };
    let at = |ticks: i32| 0.2 + f64::from(ticks) * 1e-12;
    for (ticks, groups) in [(0, 2), (1, 2), (50, 2), (51, 3), (100, 3)] {
        for reversed in [false, true] {
            let grid = TimeDiscretisation::uniform(0.0, 1.0, 1.0).unwrap();
            let mut events = EventsManager::new(grid, settings).unwrap();
            let mut times = [at(0), at(ticks)];
            if reversed {
                times.reverse();
            }
            for time in times {
                events.schedule(EventKind::Custom, time).unwrap();
            }
            let order = run(&mut events);
            assert_eq!(order.len(), groups, "{ticks} ticks apart");
            assert_eq!(order[0][0].time(), at(0));
            if groups == 2 {
                assert_eq!((order[0].len(), order[0][1].time()), (2, at(0)), "both at the earlier time");
            }
        }
        // Near a point of the grid, on both sides: the group has the time of the point.
        for sign in [1, -1] {
            let grid = TimeDiscretisation::uniform(0.0, 0.4, 0.2).unwrap();
            let mut events = EventsManager::new(grid, settings).unwrap();
            events.schedule(EventKind::Sensor, at(sign * ticks)).unwrap();
            let first = run(&mut events).swap_remove(0);
            let alone = groups == 3;
            assert_eq!(first.len(), if alone { 1 } else { 2 }, "{} ticks from the grid", sign * ticks);
            if !alone {
                assert_eq!((first[0].time(), first[1].time()), (0.2, 0.2));
                assert_eq!(kinds(&first), [EventKind::TimeDiscretisation, EventKind::Sensor]);
            }
        }
    }
}

#[test]
fn a_chain_of_close_events_is_not_one_event() {
    // Each event is within the gap of the previous one. A group contains the events within the gap of its
    // first event.
    let mut events = manager(1.0, 1.0);
    let tick = events.settings().tick;
    for i in 0..10 {
        events.schedule(EventKind::Custom, 0.25 + f64::from(i) * 60.0 * tick).unwrap();
    }
    let sizes: Vec<_> = run(&mut events).iter().map(Vec::len).collect();
    assert_eq!(sizes, [2, 2, 2, 2, 2, 1]);
}

#[test]
fn late_times_that_differ_by_rounding_only_are_one_instant() {
    // Four rounding errors exceed 100 ticks at these times. Every third sensor event coincides with a point
    // of the grid.
    let (h, period) = (0.3, 0.1);
    let t0 = 5000.0;
    let grid = TimeDiscretisation::uniform(t0, t0 + 3000.0, h).unwrap();
    let mut events = EventsManager::new(grid, EventSettings::default()).unwrap();
    events.schedule_periodic(EventKind::Sensor, t0 + period, period).unwrap();
    let groups = run(&mut events);
    assert!(groups.iter().all(|group| group.iter().any(|event| event.kind() == EventKind::Sensor)));
    let grid_points = groups.iter().filter(|group| group.len() == 2).count();
    assert_eq!((grid_points, groups.len()), (10_000, 30_000));
}

#[test]
fn a_million_periods_do_not_drift() {
    let (first, period, count) = (0.1, 0.1, 1_000_000_u32);
    let mut events = manager(100_000.0, 12_345.0);
    let id = events.schedule_periodic(EventKind::Sensor, first, period).unwrap();
    let (mut k, mut sum, mut last) = (0_u32, 0.0, 0.0);
    while events.has_next_event() {
        for event in events.process_events() {
            if event.id() != Some(id) {
                continue;
            }
            k += 1;
            sum += period;
            last = event.time();
            // Tenths of a second in whole ticks, in integer arithmetic.
            let exact = i128::from(k) * 1_000_000_000_000_000;
            let rounding = 2.0 * f64::EPSILON * last / 1e-16;
            assert!(((event.tick().count() - exact) as f64).abs() <= rounding.max(1.0), "occurrence {k}");
        }
    }
    // The grid ends at 8 * 12345, before the millionth occurrence.
    assert_eq!(k, 8 * 123_450);
    assert!(count > k && (last - 98_760.0).abs() < 2e-11);
    assert!((sum - last).abs() > 1e-7, "a running sum would have drifted");
}

#[test]
fn removal_and_insertion_work_while_running() {
    let mut events = manager(1.0, 0.25);
    let periodic = events.schedule_periodic(EventKind::Sensor, 0.1, 0.1).unwrap();
    let single = events.schedule(EventKind::Actuator, 0.85).unwrap();
    let (mut times, mut added) = (Vec::new(), None);
    while events.has_next_event() {
        let group = events.process_events().to_vec();
        let now = events.current_event().time();
        times.extend(group.iter().filter(|event| event.id().is_some()).map(Event::time));
        if now == 0.5 {
            events.remove(periodic).unwrap();
            assert_eq!(events.remove(periodic), Err(EventError::UnknownEvent { id: periodic }));
            // One event before all others, and one at a point of the grid.
            added = Some(events.schedule(EventKind::Custom, 0.55).unwrap());
            events.schedule(EventKind::Custom, 0.75).unwrap();
        }
    }
    assert_eq!(times, [0.1, 0.2, 0.1 + 0.2, 0.4, 0.5, 0.55, 0.75, 0.85]);
    for gone in [Some(single), added].into_iter().flatten() {
        assert_eq!(events.remove(gone), Err(EventError::UnknownEvent { id: gone }));
    }
}

#[test]
fn what_cannot_be_scheduled_is_refused_with_the_numbers() {
    let mut events = manager(1.0, 0.5);
    events.schedule(EventKind::Custom, 0.25).unwrap();
    events.process_events();
    let before = format!("{events:?}");
    for time in [-1.0, 0.0, 0.2, 0.25, 0.25 + 1e-15] {
        let refused = events.schedule(EventKind::Custom, time).unwrap_err();
        assert!(matches!(refused, EventError::InThePast { time: t, current: 0.25, .. } if t == time));
        assert!(refused.to_string().contains("t = 0.25"), "{refused}");
    }
    let refused = events.schedule_periodic(EventKind::Sensor, 0.1, 1.0);
    assert!(matches!(refused, Err(EventError::InThePast { .. })));
    for value in [f64::NAN, f64::INFINITY] {
        assert!(matches!(events.schedule(EventKind::Custom, value), Err(EventError::NotFinite { .. })));
        assert!(matches!(events.schedule_non_smooth(value), Err(EventError::NotFinite { .. })));
        assert!(matches!(events.go_to_time(value), Err(EventError::NotFinite { .. })));
        let refused = events.schedule_periodic(EventKind::Custom, 0.5, value);
        assert!(matches!(refused, Err(EventError::NotFinite { what: "period", .. })));
    }
    for period in [0.0, -1.0, 1e-15] {
        let refused = events.schedule_periodic(EventKind::Custom, 0.5, period);
        assert!(matches!(refused, Err(EventError::Period { period: p, .. }) if p == period));
    }
    for kind in [EventKind::NonSmooth, EventKind::TimeDiscretisation] {
        assert_eq!(events.schedule(kind, 0.5), Err(EventError::ReservedKind { kind }));
    }
    assert!(matches!(events.schedule(EventKind::Custom, 1e30), Err(EventError::OutOfRange { .. })));
    assert_eq!(events.go_to(3), Err(EventError::UnknownPoint { point: 3, last: 2 }));
    assert!(matches!(events.go_to_time(1.5), Err(EventError::OutsideGrid { last: 1.0, .. })));
    assert!(matches!(events.go_to_time(-0.5), Err(EventError::OutsideGrid { first: 0.0, .. })));
    assert_eq!(format!("{events:?}"), before, "what is refused leaves no trace");
    for tick in [0.0, -1e-16, f64::NAN, f64::INFINITY, 1e-60] {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.5).unwrap();
        let settings = EventSettings { tick, ..EventSettings::default() };
        let refused = EventsManager::new(grid, settings);
        assert!(matches!(refused, Err(SettingsError::OutOfRange { name: "tick", .. })), "{tick}");
    }
}

#[test]
fn the_past_is_bounded_and_ordered() {
    let settings = EventSettings { keep_past: 10, ..EventSettings::default() };
    let grid = TimeDiscretisation::uniform(0.0, 100.0, 1.0).unwrap();
    let mut events = EventsManager::new(grid, settings).unwrap();
    assert_eq!((events.past_events().len(), events.current_event().time()), (0, 0.0));
    events.schedule_periodic(EventKind::Sensor, 0.5, 1.0).unwrap();
    run(&mut events);
    let past: Vec<_> = events.past_events().map(|event| event.time()).collect();
    assert_eq!(past, [95.0, 95.5, 96.0, 96.5, 97.0, 97.5, 98.0, 98.5, 99.0, 99.5]);
    assert_eq!((events.current_event().time(), events.next_event()), (100.0, None));
    assert!(events.process_events().is_empty(), "after the end nothing happens");
    assert_eq!(events.current_event().time(), 100.0);
    let none = EventSettings { keep_past: 0, ..settings };
    let grid = TimeDiscretisation::uniform(0.0, 3.0, 1.0).unwrap();
    let mut events = EventsManager::new(grid, none).unwrap();
    events.schedule(EventKind::Custom, 0.5).unwrap();
    assert_eq!(run(&mut events).len(), 4);
    assert_eq!(events.past_events().len(), 0);
}

#[test]
fn going_back_brings_the_same_events_again() {
    let mut events = manager(2.0, 0.1);
    events.schedule_periodic(EventKind::Sensor, 0.05, 0.07).unwrap();
    events.schedule(EventKind::Actuator, 0.33).unwrap();
    events.schedule(EventKind::Actuator, 1.5).unwrap();
    let whole = run(&mut events);
    for point in [0_usize, 3, 7, 15, 20] {
        events.go_to(point).unwrap();
        let now = events.current_event();
        assert_eq!((now.kind(), events.current_point()), (EventKind::TimeDiscretisation, point));
        assert!(events.past_events().all(|event| event.tick() <= now.tick()));
        let rest: Vec<_> = whole.iter().filter(|group| group[0].tick() > now.tick()).cloned().collect();
        assert_eq!(run(&mut events), rest, "from point {point}");
    }
    // Return to the time of an impact between two points.
    events.go_to_time(0.34).unwrap();
    assert_eq!(events.current_event().kind(), EventKind::NonSmooth);
    assert_eq!((events.current_event().time(), events.current_point()), (0.34, 3));
    let now = Tick::of_time(0.34, 1e-16).unwrap();
    let rest: Vec<_> = whole.iter().filter(|group| group[0].tick() > now).cloned().collect();
    assert_eq!(run(&mut events), rest);
    events.go_to_time(0.7).unwrap();
    assert_eq!((events.current_event().kind(), events.current_point()), (EventKind::TimeDiscretisation, 7));
}
