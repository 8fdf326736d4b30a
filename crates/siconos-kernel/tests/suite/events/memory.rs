//! Runs in steady state allocate no memory.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;

#[test]
fn processing_in_steady_state_allocates_nothing() {
    let grid = TimeDiscretisation::uniform(0.0, 100.0, 0.01).unwrap();
    let mut events = EventsManager::new(grid, EventSettings::default()).unwrap();
    events.schedule_periodic(EventKind::Sensor, 0.003, 0.003).unwrap();
    events.schedule_periodic(EventKind::Actuator, 0.01, 0.01).unwrap();
    events.schedule_periodic(EventKind::Observer, 0.017, 0.1).unwrap();
    let mut processed = 0;
    let mut some = |events: &mut EventsManager, rounds: usize| {
        for round in 0..rounds {
            if let Some(next) = events.next_time().filter(|_| round % 7 == 0) {
                events.schedule_non_smooth(0.5 * (events.current_event().time() + next)).unwrap();
            }
            if round % 11 == 0 {
                events.schedule(EventKind::Custom, events.current_event().time() + 0.002).unwrap();
            }
            processed += events.process_events().len();
        }
    };
    some(&mut events, 3000);
    assert_eq!(count_allocations(|| some(&mut events, 10_000)), 0);
    // The first return allocates memory for the single events that are scheduled again.
    events.go_to(5).unwrap();
    some(&mut events, 100);
    assert_eq!(count_allocations(|| events.go_to(5).unwrap()), 0);
    assert!(processed > 13_000);
}

#[test]
fn a_step_with_events_allocates_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0])).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.01).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    sim.events_mut().schedule_periodic(EventKind::Sensor, 0.007, 0.007).unwrap();
    let mut reported = 0;
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| ()).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let count = count_allocations(|| {
        sim.run(&model, &mut state, |report, _| reported += report.events.len()).unwrap();
    });
    assert_eq!((count, reported), (0, 1428));
}
