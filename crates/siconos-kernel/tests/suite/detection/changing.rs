//! Detected contacts that appear and vanish next to declared contacts, events, and stages that end early.

use ndarray::array;
use siconos_kernel::prelude::*;

use super::balls::{Ball, Balls, falling_ball};
use super::simulation;

/// Returns a ball at rest on a floor, and a simulation of ten steps.
fn ball_on_floor() -> (NonSmoothDynamicalSystem, TimeStepping) {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1], [0.0; 3])).unwrap();
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    let sim = simulation(&model, (10, 1e-3), Balls::new(law, [Ball::centred(ball, 0.1)]));
    (model, sim)
}

/// A bead that rests on a declared stop keeps its contact force while a ball bounces next to it.
#[test]
fn a_declared_contact_persists_while_detected_ones_change() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.2], [0.0; 3])).unwrap();
    let bead = LagrangianLinear::new(vec![0.0], vec![0.0], array![2.0]);
    let bead = model.add_system(bead.with_constant_external_force(vec![-10.0])).unwrap();
    let stop = LagrangianLinearRelation::new(array![[1.0]]);
    let stop = model.add_interaction([bead], stop, NewtonImpact::new(0.0).unwrap()).unwrap();
    let late = LagrangianLinear::new(vec![0.3], vec![0.0], array![1.0]);
    let late = model.add_system(late.with_constant_external_force(vec![-10.0])).unwrap();
    let relation = LagrangianLinearRelation::new(array![[1.0]]);
    let late = model.add_interaction([late], relation, NewtonImpact::new(0.0).unwrap()).unwrap();
    let law = NewtonImpactFriction::in_space(0.8, 0.3).unwrap();
    let source = Balls { margin: 1e-3, ..Balls::new(law, [Ball::centred(ball, 0.1)]) };
    let mut sim = simulation(&model, (1000, 1e-3), source);
    let mut state = sim.initial_state(&model).unwrap();
    let (mut changes, mut before) = (0, 0);
    sim.run(&model, &mut state, |report, state| {
        changes += usize::from(state.contacts().len() != before);
        before = state.contacts().len();
        assert!((state.lambda(stop, Level::Velocity)[0] - 1e-2).abs() < 1e-15, "{}", report.step);
        assert!(state.q(bead)[0].abs() < 1e-15);
    })
    .unwrap();
    assert!(changes > 6, "{changes}");
    assert!((state.lambda(late, Level::Velocity)[0] - 1e-2).abs() < 1e-15);
}

/// A simulation that has taken steps with contacts starts again at t0, with an event there.
#[test]
fn an_event_at_the_start_is_reported_again() {
    let (model, mut sim) = ball_on_floor();
    sim.events_mut().schedule_periodic(EventKind::Sensor, 0.0, 5e-3).unwrap();
    let start = sim.initial_state(&model).unwrap();
    let mut ends = Vec::new();
    for _ in 0..2 {
        let mut state = start.clone();
        sim.events_mut().go_to(0).unwrap();
        let mut sampled = Vec::new();
        sim.run(&model, &mut state, |report, _| {
            sampled.extend((!report.events.is_empty()).then_some(report.step));
        })
        .unwrap();
        assert_eq!(sampled, [0, 5, 10]);
        ends.push(serde_json::to_string(&state.record(&model).unwrap()).unwrap());
    }
    assert_eq!(ends[0], ends[1]);
}

/// A stage that is called with a copy of the state from before the detection is an error.
#[test]
fn stages_need_the_state_with_the_contacts() {
    let (model, mut sim) = ball_on_floor();
    let state = sim.initial_state(&model).unwrap();
    let mut begun = state.clone();
    assert!(sim.begin_step(&model, &mut begun).unwrap());
    let error = sim.update_index_sets(&model, &state).unwrap_err();
    assert_eq!(error, SimulationError::OtherState { called: "update_index_sets" });
    sim.update_index_sets(&model, &begun).unwrap();
}

/// Contacts of an earlier simulation do not remain in the state of a simulation without a source.
#[test]
fn a_simulation_without_a_source_has_no_contacts() {
    let (model, mut sim) = ball_on_floor();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(state.contacts().len(), 1);
    let grid = TimeDiscretisation::uniform(0.0, 1e-2, 1e-3).unwrap();
    let mut free = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    free.step(&model, &mut state).unwrap();
    assert!(state.contacts().is_empty());
}

/// Rolling friction stops a ball on the floor: over the distance 7/5 r v^2 / (2 g mu_r) for a coefficient
/// mu_r \[m\].
#[test]
fn rolling_friction_stops_a_ball() {
    let (radius, rolling, speed) = (0.1, 2e-3, 1.0);
    let mut model = NonSmoothDynamicalSystem::new();
    let body = NewtonEuler::new(1.0, Inertia::of_ball(1.0, radius), [0.0, 0.0, radius], Quaternion::IDENTITY)
        .with_twist([speed, 0.0, 0.0], [0.0, speed / radius, 0.0])
        .with_constant_external_force([0.0, 0.0, -10.0]);
    let ball = model.add_system(body).unwrap();
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap().with_rolling(rolling).unwrap();
    let mut sim = simulation(&model, (7500, 1e-3), Balls::new(law, [Ball::centred(ball, radius)]));
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    let expected = 1.4 * radius * speed * speed / (2.0 * 10.0 * rolling);
    let distance = state.q(ball)[0];
    assert!((distance - expected).abs() < 2e-3 * expected, "{distance} {expected}");
    assert!(state.v(ball).iter().all(|v| v.abs() < 1e-8), "{:?}", state.v(ball));
}
