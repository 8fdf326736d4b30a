//! Continuation from any state: clones, changes of the model, single steps, user events.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ndarray::array;
use siconos_kernel::SimulationError;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::OneStepProblem;
use siconos_models::{BuiltModel, ball, cradle, oscillating_table, rope_pendulum};
use siconos_testkit::exact::BouncingBall;

use crate::event_driven::common::{motion, run, simulation};
use siconos_testkit::compare::worse;

const G: f64 = 9.81;

fn systems() -> Vec<(&'static str, BuiltModel, f64)> {
    vec![
        ("ball", ball(G, 0.8, 1.0, 0.0).unwrap(), 5.0),
        ("table", oscillating_table(G, 0.3, 0.02, 30.0).unwrap(), 0.6),
        ("rope", rope_pendulum(G, 1.0, 1.0, 0.9).unwrap(), 2.0),
        ("cradle", cradle(0.8, &[0.0, 0.5, 0.5, 1.4], &[1.0, 0.0, 0.1, 0.0]).unwrap(), 3.0),
    ]
}

#[test]
fn two_runs_are_alike_bit_for_bit() {
    for (name, built, t_end) in systems() {
        let states = || {
            let mut sim = simulation(&built.model, t_end, 0.05);
            let mut state = sim.initial_state(&built.model).unwrap();
            let mut states = vec![format!("{state:?}")];
            run(&built.model, &mut sim, &mut state, |state| states.push(format!("{state:?}")));
            states
        };
        assert!(states() == states(), "{name}");
    }
}

#[test]
fn a_fresh_simulation_goes_on_from_any_event() {
    for (name, built, t_end) in systems() {
        let mut sim = simulation(&built.model, t_end, 0.05);
        let mut state = sim.initial_state(&built.model).unwrap();
        let mut states = vec![state.clone()];
        run(&built.model, &mut sim, &mut state, |state| states.push(state.clone()));
        let mut worst = 0.0_f64;
        for from in states.iter().step_by(7) {
            let mut fresh = simulation(&built.model, t_end, 0.05);
            let mut state = from.clone();
            run(&built.model, &mut fresh, &mut state, |_| {});
            assert!((state.t - t_end).abs() < 1e-14);
            let ((q, _), (exact, _)) = (motion(&built, &state), motion(&built, states.last().unwrap()));
            worst = q.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(worst, worse);
            // The same simulation can also return to an earlier state.
            let mut state = from.clone();
            run(&built.model, &mut sim, &mut state, |_| {});
            assert!((state.t - t_end).abs() < 1e-14);
            let (q, _) = motion(&built, &state);
            worst = q.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(worst, worse);
        }
        println!("{name}: {} states, off by {worst:.1e}", states.len());
        assert!(worst < 1e-8, "{name}: {worst:e}");
    }
}

/// The public single steps are equivalent to `step`.
#[test]
fn single_steps_are_the_whole_step() {
    for (name, built, t_end) in systems() {
        let model = &built.model;
        let mut whole = simulation(model, t_end, 0.05);
        let mut parts = simulation(model, t_end, 0.05);
        let mut a = whole.initial_state(model).unwrap();
        let mut b = parts.initial_state(model).unwrap();
        let mut events = 0;
        loop {
            let more = whole.step(model, &mut a).unwrap().is_some();
            assert_eq!(parts.advance_to_event(model, &mut b).unwrap(), more);
            if !more {
                break;
            }
            events += 1;
            let is_nonsmooth = parts.events().next_event().unwrap().kind() == EventKind::NonSmooth;
            if is_nonsmooth {
                parts.update_index_sets(model).unwrap();
                if parts.needs_impact() {
                    assert!(
                        parts
                            .compute_one_step_ns_problem(model, OneStepProblem::Impact)
                            .unwrap()
                            .status
                            .is_success()
                    );
                }
                if parts.has_lasting_contacts() {
                    assert!(
                        parts
                            .compute_one_step_ns_problem(model, OneStepProblem::Acceleration)
                            .unwrap()
                            .status
                            .is_success()
                    );
                    parts.update_index_sets_with_double_condition(model).unwrap();
                }
                parts.next_step(model, &mut b).unwrap();
            } else {
                parts.process_events(model, &mut b).unwrap();
            }
            assert!(format!("{a:?}") == format!("{b:?}"), "{name}, t = {}: {a:?} {b:?}", a.t);
        }
        assert!(events > 10);
    }
}

#[test]
fn a_model_that_changes_within_an_event_is_refused() {
    let built = ball(G, 0.5, 1.0, 0.0).unwrap();
    let mut sim = simulation(&built.model, 2.0, 1.0);
    let mut state = sim.initial_state(&built.model).unwrap();
    assert!(sim.advance_to_event(&built.model, &mut state).unwrap());
    let mut changed = built.model.clone();
    changed.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], ndarray::array![1.0])).unwrap();
    let refused = sim.update_index_sets(&changed);
    assert!(
        matches!(refused, Err(SimulationError::OtherState { called: "update_index_sets" })),
        "{refused:?}"
    );
    sim.update_index_sets(&built.model).unwrap();
}

#[test]
fn steps_out_of_order_are_refused() {
    let built = ball(G, 0.5, 1.0, 0.0).unwrap();
    let model = &built.model;
    let mut sim = simulation(model, 2.0, 1.0);
    let mut state = sim.initial_state(model).unwrap();
    fn refused<T>(result: Result<T, SimulationError>) {
        assert!(matches!(result, Err(SimulationError::OutOfOrder { .. })));
    }
    let before = format!("{state:?}");
    refused(sim.update_index_sets(model));
    refused(sim.compute_one_step_ns_problem(model, OneStepProblem::Impact));
    refused(sim.compute_one_step_ns_problem(model, OneStepProblem::Acceleration));
    refused(sim.update_index_sets_with_double_condition(model));
    refused(sim.next_step(model, &mut state).map(|_| ()));
    refused(sim.process_events(model, &mut state).map(|_| ()));
    assert_eq!(before, format!("{state:?}"));
    assert!(sim.advance_to_event(model, &mut state).unwrap());
    // The event must not be located a second time before it is processed.
    refused(sim.advance_to_event(model, &mut state));
    refused(sim.step(model, &mut state).map(|_| ()));
    refused(sim.next_step(model, &mut state).map(|_| ()));
    refused(sim.compute_one_step_ns_problem(model, OneStepProblem::Impact));
    sim.update_index_sets(model).unwrap();
    assert!(sim.needs_impact());
    refused(sim.update_index_sets(model));
    refused(sim.advance_to_event(model, &mut state));
    assert!(sim.compute_one_step_ns_problem(model, OneStepProblem::Impact).unwrap().status.is_success());
    refused(sim.compute_one_step_ns_problem(model, OneStepProblem::Impact));
    let report = sim.next_step(model, &mut state).unwrap();
    assert_eq!(report.impacts.len(), 1);
    let exact = BouncingBall::new(G, 0.5, 1.0, 0.0);
    assert!((state.v(built.bodies[0])[0] - 0.5 * exact.impact_speed(1)).abs() < 1e-12);
    run(model, &mut sim, &mut state, |_| {});
    assert_eq!(state.t, 2.0);
    // `update_state` discards an event that was not completed.
    let mut state = sim.initial_state(model).unwrap();
    assert!(sim.advance_to_event(model, &mut state).unwrap());
    sim.update_state(model, &mut state).unwrap();
    run(model, &mut sim, &mut state, |_| {});
    assert_eq!(state.t, 2.0);
    assert!((state.q(built.bodies[0])[0] - exact.position(2.0)).abs() < 1e-12);
}

/// An impact at the current event must not be skipped.
#[test]
fn an_impact_that_closes_cannot_be_left_out() {
    let built = ball(G, 0.5, 1.0, 0.0).unwrap();
    let model = &built.model;
    let mut sim = simulation(model, 2.0, 1.0);
    let mut state = sim.initial_state(model).unwrap();
    assert!(sim.advance_to_event(model, &mut state).unwrap());
    sim.update_index_sets(model).unwrap();
    assert!(sim.needs_impact());
    let result = sim.next_step(model, &mut state).map(|_| ());
    assert!(matches!(result, Err(SimulationError::OutOfOrder { .. })), "{result:?}");
}

#[test]
fn velocities_and_models_that_change_in_the_middle() {
    let mut built = ball(G, 0.5, 1.0, 0.0).unwrap();
    let body = built.bodies[0];
    let mut sim = simulation(&built.model, 3.0, 0.1);
    let mut state = sim.initial_state(&built.model).unwrap();
    for _ in 0..2 {
        sim.step(&built.model, &mut state).unwrap();
    }
    // A change of velocity at t = 0.2.
    let q = state.q(body)[0];
    state.set_velocity(body, &[3.0]).unwrap();
    let kicked = BouncingBall::new(G, 0.5, q, 3.0);
    for _ in 0..3 {
        sim.step(&built.model, &mut state).unwrap();
        assert!((state.q(body)[0] - kicked.position(state.t - 0.2)).abs() < 1e-12);
    }
    // A ceiling at the ball stops it; then the ceiling is removed.
    let (q, v) = (state.q(body)[0], state.v(body)[0]);
    let law = NewtonImpact::new(0.0).unwrap();
    let ceiling = LagrangianLinearRelation::new(array![[-1.0]]).with_offset(array![q]);
    let ceiling = built.model.add_interaction([body], ceiling, law).unwrap();
    println!("t = {}, q = {q}, v = {v}", state.t);
    state.set_velocity(body, &[2.0]).unwrap();
    let before = state.t;
    sim.step(&built.model, &mut state).unwrap();
    let tau = state.t - before;
    assert!((state.q(body)[0] - (q - 0.5 * G * tau * tau)).abs() < 1e-12);
    built.model.remove_interaction(ceiling).unwrap();
    let (q, v, from) = (state.q(body)[0], state.v(body)[0], state.t);
    let exact = BouncingBall::new(G, 0.5, q, v);
    run(&built.model, &mut sim, &mut state, |_| {});
    assert_eq!(state.t, 3.0);
    assert!((state.q(body)[0] - exact.position(3.0 - from)).abs() < 1e-10);
    assert_eq!(state.closed(built.contacts[0]).len(), 1);
}

/// The floor below a resting ball is removed.
#[test]
fn a_closed_contact_that_is_removed_lets_the_body_fall() {
    let mut built = ball(G, 0.5, 0.0, 0.0).unwrap();
    let body = built.bodies[0];
    let mut sim = simulation(&built.model, 1.0, 0.25);
    let mut state = sim.initial_state(&built.model).unwrap();
    sim.step(&built.model, &mut state).unwrap();
    built.model.remove_interaction(built.contacts[0]).unwrap();
    run(&built.model, &mut sim, &mut state, |_| {});
    assert!((state.q(body)[0] + 0.5 * G * 0.75 * 0.75).abs() < 1e-12, "{}", state.q(body)[0]);
}

/// A force that is switched by an actuator is integrated exactly, independently of sensors and of the grid.
#[test]
fn a_force_that_an_actuator_switches() {
    let force = Arc::new(AtomicU64::new(1.0_f64.to_bits()));
    let read = force.clone();
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![2.0])
        .with_external_force(move |_t, f| f[0] = f64::from_bits(read.load(Ordering::Relaxed)));
    let body = model.add_system(body).unwrap();
    let mut sim = simulation(&model, 2.0, 0.25);
    let sensor = sim.events_mut().schedule_periodic(EventKind::Sensor, 0.05, 0.07).unwrap();
    let actuator = sim.events_mut().schedule_periodic(EventKind::Actuator, 0.11, 0.13).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let (mut samples, mut switches) = (0, 0);
    // The reference is a piecewise parabola.
    let (mut from, mut q, mut v, mut f) = (0.0, 0.0, 0.0, 1.0_f64);
    let mut worst = 0.0_f64;
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        let tau = report.t - from;
        let exact = (q + tau * (v + 0.25 * f * tau), v + 0.5 * f * tau);
        samples += report.events.iter().filter(|event| event.id() == Some(sensor)).count();
        let switched = report.events.iter().any(|event| event.id() == Some(actuator));
        worst = worst.max((state.q(body)[0] - exact.0).abs()).max((state.v(body)[0] - exact.1).abs());
        if switched {
            (q, v) = exact;
            (from, f) = (state.t, -1.7 * f.signum() * (1.0 + 0.1 * f64::from(switches)));
            force.store(f.to_bits(), Ordering::Relaxed);
            switches += 1;
        }
    }
    println!("{switches} switches, {samples} samples, off by {worst:.1e}");
    assert_eq!((switches, samples), (15, 28));
    assert!(worst < 1e-12, "{worst:e}");
}

/// An actuator lifts a resting body. The contact opens at the same event.
#[test]
fn an_actuator_that_lifts_a_resting_body() {
    for (lift, kind) in
        [(30.0_f64, EventKind::Actuator), (30.0, EventKind::Custom), (9.81, EventKind::Actuator)]
    {
        let force = Arc::new(AtomicU64::new(0.0_f64.to_bits()));
        let read = force.clone();
        let mut model = NonSmoothDynamicalSystem::new();
        let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
            .with_external_force(move |_t, f| f[0] = -G + f64::from_bits(read.load(Ordering::Relaxed)));
        let body = model.add_system(body).unwrap();
        let floor = model
            .add_interaction(
                [body],
                LagrangianLinearRelation::new(array![[1.0]]),
                NewtonImpact::new(0.5).unwrap(),
            )
            .unwrap();
        let mut sim = simulation(&model, 1.0, 0.2);
        sim.events_mut().schedule(kind, 0.5).unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        while let Some(report) = sim.step(&model, &mut state).unwrap() {
            if report.events.iter().any(|event| event.kind() == kind) {
                force.store(lift.to_bits(), Ordering::Relaxed);
            }
        }
        let exact = 0.5 * (lift - G) * 0.25;
        assert!((state.q(body)[0] - exact).abs() < 1e-12, "{lift}: {} {exact}", state.q(body)[0]);
        assert_eq!(state.closed(floor), [lift == G]);
        assert!(state.lambda(floor, Level::Acceleration)[0].abs() < 1e-12);
    }
}

/// A resting body that the user moves to another position falls from there.
#[test]
fn a_resting_body_that_is_lifted_by_hand_falls() {
    let built = ball(G, 0.0, 0.0, 0.0).unwrap();
    let body = built.bodies[0];
    let mut sim = simulation(&built.model, 1.0, 0.25);
    let mut state = sim.initial_state(&built.model).unwrap();
    sim.step(&built.model, &mut state).unwrap();
    assert_eq!(state.closed(built.contacts[0]), [true]);
    state.set_position(body, &[0.5]).unwrap();
    sim.step(&built.model, &mut state).unwrap();
    assert_eq!(state.t, 0.5);
    assert!((state.q(body)[0] - (0.5 - 0.5 * G * 0.0625)).abs() < 1e-12, "{}", state.q(body)[0]);
}
