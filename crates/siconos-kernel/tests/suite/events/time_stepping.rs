//! Time-stepping with user events. Each event is reported once, in the step that contains it, for states of
//! any origin.

use ndarray::array;
use siconos_kernel::prelude::*;

/// Creates a simulation of a free mass with a sensor and with single events. The period of the sensor is not
/// a multiple of the step length.
fn simulation(model: &NonSmoothDynamicalSystem, h: f64) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 2.0, h).unwrap();
    let mut sim = TimeStepping::builder(model).discretisation(grid).build().unwrap();
    sim.events_mut().schedule_periodic(EventKind::Sensor, 0.013, 0.037).unwrap();
    for time in [0.5, 0.511, 1.9] {
        sim.events_mut().schedule(EventKind::Actuator, time).unwrap();
    }
    sim
}

fn model() -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0])).unwrap();
    model
}

/// Returns the events of all remaining steps, with the number of the step that reported them.
fn events_of(
    sim: &mut TimeStepping,
    model: &NonSmoothDynamicalSystem,
    state: &mut State,
) -> Vec<(usize, Event)> {
    let mut found = Vec::new();
    sim.run(model, state, |report, _| {
        for event in report.events {
            assert!(event.time() <= report.t + 1e-14 && event.time() > report.t - report.h - 1e-14);
        }
        found.extend(report.events.iter().map(|&event| (report.step, event)));
    })
    .unwrap();
    found
}

#[test]
fn a_sensor_off_the_grid_is_reported_once_per_period() {
    let model = model();
    for h in [0.01, 0.025, 0.1, 0.5] {
        let mut sim = simulation(&model, h);
        let mut state = sim.initial_state(&model).unwrap();
        let found = events_of(&mut sim, &model, &mut state);
        let sensed: Vec<_> = found
            .iter()
            .filter(|(_, event)| event.kind() == EventKind::Sensor)
            .map(|(_, e)| e.time())
            .collect();
        let expected: Vec<_> = (0..54).map(|k| 0.013 + f64::from(k) * 0.037).collect();
        assert_eq!(sensed.len(), expected.len(), "h = {h}");
        for (found, expected) in sensed.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14);
        }
        assert!(found.windows(2).all(|pair| pair[0].1.tick() <= pair[1].1.tick()), "in order");
        assert_eq!(found.len(), 54 + 3);
        let past: Vec<_> = sim.events().past_events().collect();
        let reported: Vec<_> = found.iter().map(|&(_, event)| event).collect();
        assert_eq!(past, reported);
    }
}

#[test]
fn an_event_at_the_end_of_a_step_belongs_to_that_step() {
    let model = model();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    // Most of these times are not k * 0.1 to the last bit.
    for (k, time) in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0].into_iter().enumerate() {
        sim.events_mut().schedule(EventKind::Sensor, time).unwrap();
        sim.events_mut().schedule(EventKind::Custom, time - 0.05).unwrap();
        assert_eq!(sim.events().unprocessed_events().len(), 2 * (k + 1) + 1);
    }
    let mut state = sim.initial_state(&model).unwrap();
    let mut steps = 0;
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        let kinds: Vec<_> = report.events.iter().map(Event::kind).collect();
        assert_eq!(kinds, [EventKind::Custom, EventKind::Sensor]);
        assert_eq!(report.events[1].time(), report.t, "to the last bit that of the grid");
        steps += 1;
    }
    assert_eq!(steps, 10);
}

#[test]
fn events_follow_a_state_that_is_set_back_or_comes_from_elsewhere() {
    let model = model();
    let mut sim = simulation(&model, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    let mut kept = Vec::new();
    while sim.step(&model, &mut state).unwrap().is_some() {
        kept.push(state.clone());
    }
    let whole = {
        let mut state = sim.initial_state(&model).unwrap();
        events_of(&mut sim, &model, &mut state)
    };
    for (k, state) in kept.iter().enumerate() {
        let rest: Vec<_> = whole.iter().filter(|(step, _)| *step > k + 1).copied().collect();
        assert_eq!(events_of(&mut sim, &model, &mut state.clone()), rest, "set back to step {}", k + 1);
        // A new simulation, with a state in the middle of the grid.
        let mut other = simulation(&model, 0.1);
        assert_eq!(events_of(&mut other, &model, &mut state.clone()), rest, "resumed at step {}", k + 1);
        // Single steps, each from a different state.
        let step = kept.len() - 1 - k;
        let report = sim.step(&model, &mut kept[step].clone()).unwrap().map(|report| report.events.to_vec());
        let expected = whole.iter().filter(|(s, _)| *s == step + 2).map(|&(_, event)| event).collect();
        assert_eq!(report.unwrap_or_default(), if step + 1 < kept.len() { expected } else { Vec::new() });
    }
}

#[test]
fn without_events_of_the_user_the_manager_follows_and_reports_nothing() {
    let model = model();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    for k in 1..=5 {
        assert!(sim.step(&model, &mut state).unwrap().is_some_and(|report| report.events.is_empty()));
        let current = sim.events().current_event();
        assert_eq!((current.kind(), current.time()), (EventKind::TimeDiscretisation, state.t));
        assert_eq!((sim.events().current_point(), sim.events().past_events().len()), (k, 0));
    }
    // During the run, past times are refused, and a future event is reported once.
    let refused = sim.events_mut().schedule(EventKind::Custom, 0.45);
    assert!(matches!(refused, Err(EventError::InThePast { current: 0.5, .. })));
    let id = sim.events_mut().schedule(EventKind::Custom, 0.55).unwrap();
    let report = sim.step(&model, &mut state).unwrap().unwrap();
    assert_eq!(report.events.iter().map(Event::id).collect::<Vec<_>>(), [Some(id)]);
    assert!(sim.step(&model, &mut state).unwrap().unwrap().events.is_empty());
}

#[test]
fn a_step_that_fails_leaves_its_events_to_come() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![0.0], vec![f64::MAX], array![1.0])
        .with_external_force(|_, f| f[0] = 0.1 * f64::MAX);
    let mass = model.add_system(mass).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let id = sim.events_mut().schedule(EventKind::Sensor, 0.05).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).expect_err("the velocity overflows");
    state.set_velocity(mass, &[0.0]).unwrap();
    let report = sim.step(&model, &mut state).unwrap().unwrap();
    assert_eq!(report.events.iter().map(Event::id).collect::<Vec<_>>(), [Some(id)]);
}
