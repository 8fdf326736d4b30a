//! Events in steady state allocate no memory: output points, impacts, take-off and landing, closed contacts.

use siconos_kernel::prelude::*;
use siconos_models::{
    BuiltModel, ball, cradle, oscillating_table, pendulum_with_stop, rope_pendulum, wall_oscillator,
};
use siconos_testkit::allocation::count_allocations;

/// Runs once so that the workspace grows, and a second time with the counter of allocations.
fn assert_none(name: &str, built: &BuiltModel, t_end: f64, sensors: bool) {
    let model = &built.model;
    let grid = TimeDiscretisation::uniform(0.0, t_end, t_end / 100.0).unwrap();
    let mut sim = EventDriven::builder(model).discretisation(grid).build().unwrap();
    if sensors {
        sim.events_mut().schedule_periodic(EventKind::Sensor, 0.013, 0.017).unwrap();
        sim.events_mut().schedule_periodic(EventKind::Actuator, 0.011, 0.117).unwrap();
    }
    let mut warm_up = sim.initial_state(model).unwrap();
    sim.run(model, &mut warm_up, |_, _| ()).unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let mut events = 0;
    let (mut count, mut at) = (0, f64::NAN);
    loop {
        let mut more = false;
        let here = count_allocations(|| more = sim.step(model, &mut state).unwrap().is_some());
        if !more {
            break;
        }
        events += 1;
        if here > 0 {
            (count, at) = (count + here, state.t);
        }
    }
    println!("{name}: {count} allocations in {events} events");
    assert_eq!(state.t, warm_up.t);
    assert!(events >= 100);
    assert_eq!(count, 0, "{name}: {events} events, the last at t = {at}");
}

#[test]
fn events_allocate_nothing() {
    assert_none("ball", &ball(9.81, 0.8, 1.0, 0.0).unwrap(), 5.0, false);
    assert_none("ball with sensors", &ball(9.81, 0.8, 1.0, 0.0).unwrap(), 5.0, true);
    assert_none("wall oscillator", &wall_oscillator(4.0, 0.8, 0.6, -1.0).unwrap(), 5.0, false);
    assert_none("pendulum with a stop", &pendulum_with_stop(9.81, 1.3, 1.2, 0.8).unwrap(), 4.0, false);
    assert_none("rope", &rope_pendulum(9.81, 1.0, 1.0, 0.9).unwrap(), 2.0, false);
    assert_none("table", &oscillating_table(9.81, 0.3, 0.02, 30.0).unwrap(), 0.6, false);
    assert_none("cradle", &cradle(0.5, &[0.0, 0.5, 0.5, 0.5], &[1.0, 0.0, 0.0, 0.0]).unwrap(), 3.0, false);
    // A beam on three supports, of which two are sufficient.
    let mut model = NonSmoothDynamicalSystem::new();
    let beam = LagrangianLinear::new(vec![0.2, 0.0], vec![0.0; 2], ndarray::array![2.0, 0.5])
        .with_external_force(|_t, f| f[0] = -20.0);
    let beam = model.add_system(beam).unwrap();
    let contacts = [-1.0, 0.0, 1.0].map(|x| {
        let gap = LagrangianLinearRelation::new(ndarray::array![[1.0, x]]);
        model.add_interaction([beam], gap, NewtonImpact::new(0.5).unwrap()).unwrap()
    });
    assert_none("beam", &BuiltModel { model, bodies: vec![beam], contacts: contacts.to_vec() }, 2.0, false);
}

/// Methods with internal steps between events: a contact phase with many output points.
#[test]
fn a_step_in_contact_allocates_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mass = LagrangianLinear::new(vec![0.6, 0.8], vec![0.0; 2], ndarray::array![1.0, 1.0]);
    let mass = model.add_system(mass.with_external_force(|_t, f| f[1] = 9.81)).unwrap();
    let rope = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
        .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * q[0], -2.0 * q[1]))
        .with_convective_acceleration(|_, _q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
    let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.5).unwrap()).unwrap();
    for integrator in [EventIntegrator::from(NewmarkAlpha::new(0.005)), HalfExplicit::default().into()] {
        let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
        let mut sim =
            EventDriven::builder(&model).discretisation(grid).integrator(integrator.clone()).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        for _ in 0..20 {
            sim.step(&model, &mut state).unwrap();
        }
        let steps = sim.statistics().steps;
        let count = count_allocations(|| {
            for _ in 0..100 {
                sim.step(&model, &mut state).unwrap();
            }
        });
        assert!(sim.statistics().steps > steps + 20);
        assert_eq!(state.closed(rope), [true]);
        assert_eq!(count, 0, "{integrator:?}");
    }
}

/// A parameter is set at every actuator event, which restarts the integration.
#[test]
fn setting_a_parameter_allocates_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    let lift = model.add_parameter("lift", vec![0.0]).unwrap();
    let ball = LagrangianLinear::new(vec![0.5], vec![0.0], ndarray::array![1.0])
        .with_external_force(move |at, f| f[0] = at[lift][0] - 9.81);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0])
        .with_jacobian(|_, _, j| j[[0, 0]] = 1.0)
        .with_convective_acceleration(|_, _, _, _| ());
    model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 6.0, 0.05).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    sim.events_mut().schedule_periodic(EventKind::Actuator, 0.0, 0.11).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut drive = |until: f64| {
        let mut sets = 0;
        while state.t < until {
            let report = sim.step(&model, &mut state).unwrap().unwrap();
            if report.events.iter().any(|event| event.kind() == EventKind::Actuator) {
                state.set_parameter(lift, &[12.0 * (3.0 * state.t).sin()]).unwrap();
                sets += 1;
            }
        }
        sets
    };
    drive(3.0);
    let mut sets = 0;
    assert_eq!(count_allocations(|| sets = drive(5.9)), 0);
    assert!(sets > 20);
}
