//! Refused models and steps, with their reasons. The state does not change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::EventDrivenSettings;
use siconos_kernel::{Error, SimulationError};
use siconos_models::ball;
use siconos_ode::{OdeSettings, Tolerance};

use crate::event_driven::common::simulation;

fn built(model: &NonSmoothDynamicalSystem, settings: EventDrivenSettings) -> Result<EventDriven, Error> {
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    EventDriven::builder(model).discretisation(grid).settings(settings).build()
}

#[test]
fn laws_and_systems_that_it_cannot_carry() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![1.0, 0.0], vec![0.0; 2], array![1.0, 1.0]);
    let body = model.add_system(body).unwrap();
    let relation = LagrangianLinearRelation::new(array![[1.0, 0.0], [0.0, 1.0]]);
    model.add_interaction([body], relation, NewtonImpactFriction::in_plane(0.5, 0.3).unwrap()).unwrap();
    let message = built(&model, EventDrivenSettings::default()).unwrap_err().to_string();
    assert!(message.contains("friction") && message.contains("TimeStepping"), "{message}");

    let mut model = ball(9.81, 0.5, 1.0, 0.0).unwrap().model;
    model.add_system(FirstOrderLinear::new(vec![1.0], array![[-1.0]])).unwrap();
    let message = built(&model, EventDrivenSettings::default()).unwrap_err().to_string();
    assert!(message.contains("first-order"), "{message}");

    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])).unwrap();
    let relation = LagrangianLinearRelation::new(array![[1.0]]).with_compliance(array![[1e-3]]);
    model.add_interaction([body], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
    let message = built(&model, EventDrivenSettings::default()).unwrap_err().to_string();
    assert!(message.contains("compliant"), "{message}");
}

#[test]
fn settings_outside_their_range() {
    let model = ball(9.81, 0.5, 1.0, 0.0).unwrap().model;
    type Change = fn(&mut EventDrivenSettings, f64);
    let changes: [(&str, Change); 6] = [
        ("gap_tolerance", |s, x| s.gap_tolerance = x),
        ("velocity_tolerance", |s, x| s.velocity_tolerance = x),
        ("acceleration_tolerance", |s, x| s.acceleration_tolerance = x),
        ("window", |s, x| s.accumulation.criterion.window = x),
        ("relative_tolerance", |s, x| {
            let relative_tolerance = Tolerance::All(x);
            s.integrator = OdeSettings { relative_tolerance, ..OdeSettings::default() }.into();
        }),
        ("root_tolerance", |s, x| {
            s.integrator = OdeSettings { root_tolerance: x, ..OdeSettings::default() }.into();
        }),
    ];
    for (name, change) in changes {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut settings = EventDrivenSettings::default();
            change(&mut settings, value);
            let message = match built(&model, settings) {
                Ok(_) => panic!("{name} = {value} was taken"),
                Err(error) => error.to_string(),
            };
            assert!(message.contains(name), "{message}");
        }
    }
    assert!(EventDriven::builder(&model).build().is_err());
}

#[test]
fn singular_masses() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![1.0, 1.0], vec![0.0; 2], array![[1.0, 1.0], [1.0, 1.0]]);
    match model.add_system(body) {
        Err(error) => assert!(error.to_string().contains("mass"), "{error}"),
        Ok(_) => {
            let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
            let result = EventDriven::builder(&model)
                .discretisation(grid)
                .build()
                .and_then(|mut sim| sim.initial_state(&model).map_err(Error::from));
            let message = result.unwrap_err().to_string();
            assert!(message.contains("mass"), "{message}");
        }
    }

    // The mass is singular for q <= 0, which the motion reaches at t = 1.
    let mut model = NonSmoothDynamicalSystem::new();
    let body = Lagrangian::of_mass_function(vec![1.0], vec![-1.0], |_, q, m| m[[0, 0]] = q[0].max(0.0));
    let body = model.add_system(body).unwrap();
    let mut sim = simulation(&model, 2.0, 0.3);
    let mut state = sim.initial_state(&model).unwrap();
    let error = loop {
        let before = state.clone();
        match sim.step(&model, &mut state) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the mass is singular"),
            Err(error) => {
                assert_eq!(format!("{before:?}"), format!("{state:?}"));
                break error;
            }
        }
    };
    assert!(matches!(error, SimulationError::SingularMass { system, .. } if system == body), "{error}");
    assert!((state.t - 0.9).abs() < 1e-12);
    // A repeated step fails in the same way.
    assert!(matches!(sim.step(&model, &mut state), Err(SimulationError::SingularMass { .. })));
}

/// Forces, gaps and Jacobians that are not finite for t >= 0.45.
#[test]
fn numbers_that_are_none() {
    for what in ["force", "gap", "jacobian", "time derivative", "mass"] {
        let mut model = NonSmoothDynamicalSystem::new();
        let body = Lagrangian::of_mass_function(vec![1.0], vec![-1.0], move |_, q, m| {
            m[[0, 0]] = if what == "mass" && q[0] < 0.55 { f64::NAN } else { 1.0 };
        })
        .with_external_force(move |at, f| f[0] = if what == "force" && at.t > 0.45 { f64::NAN } else { 0.0 });
        let body = model.add_system(body).unwrap();
        let bad = move |name: &str, t: f64| what == name && t > 0.45;
        let relation = LagrangianRheonomousRelation::new(1, move |at, q, y| {
            y[0] = if bad("gap", at.t) { f64::NAN } else { q[0] - 0.1 };
        })
        .with_jacobian(move |at, _q, j| j[[0, 0]] = if bad("jacobian", at.t) { f64::NAN } else { 1.0 })
        .with_time_derivative(move |at, _q, y| {
            y[0] = if bad("time derivative", at.t) { f64::NAN } else { 0.0 }
        });
        model.add_interaction([body], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
        let mut sim = simulation(&model, 2.0, 0.1);
        let mut state = sim.initial_state(&model).unwrap();
        let error = loop {
            let before = state.clone();
            match sim.step(&model, &mut state) {
                Ok(Some(_)) => {
                    assert!(state.q(body)[0].is_finite() && state.v(body)[0].is_finite(), "{what}");
                }
                Ok(None) => panic!("{what}: nobody has noticed"),
                Err(error) => {
                    assert_eq!(format!("{before:?}"), format!("{state:?}"), "{what}");
                    break error;
                }
            }
        };
        println!("{what}, at {}: {error}", state.t);
        let mut cause = String::new();
        let mut source: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = source {
            cause += &error.to_string();
            source = error.source();
        }
        println!("    {cause}");
        assert!(cause.contains("NaN"), "{what}: {cause}");
        assert!(state.t < 1.0, "{what}: only at {}", state.t);
    }
}

/// After an error, the simulation continues once the cause is removed.
#[test]
fn an_error_leaves_the_simulation_usable() {
    let broken = Arc::new(AtomicBool::new(true));
    let flag = broken.clone();
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_external_force(move |at, f| {
        f[0] = if at.t > 0.3 && flag.load(Ordering::Relaxed) { f64::NAN } else { -9.81 };
    });
    let body = model.add_system(body).unwrap();
    model
        .add_interaction(
            [body],
            LagrangianLinearRelation::new(array![[1.0]]),
            NewtonImpact::new(0.5).unwrap(),
        )
        .unwrap();
    let mut sim = simulation(&model, 1.0, 0.1);
    let mut state = sim.initial_state(&model).unwrap();
    assert!(sim.run(&model, &mut state, |_, _| {}).is_err());
    broken.store(false, Ordering::Relaxed);
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    let exact = siconos_testkit::exact::BouncingBall::new(9.81, 0.5, 1.0, 0.0);
    assert_eq!(state.t, 1.0);
    assert!((state.q(body)[0] - exact.position(1.0)).abs() < 1e-10);
}

#[test]
fn starts_and_events_that_cannot_be() {
    // Bodies that overlap at the start.
    let built = ball(9.81, 0.5, -1e-3, 0.0).unwrap();
    let mut sim = simulation(&built.model, 1.0, 0.1);
    let error = sim.initial_state(&built.model).unwrap_err();
    assert!(
        matches!(error, SimulationError::Penetration { relation, gap, t }
            if relation == built.contacts[0] && gap == -1e-3 && t == 0.0),
        "{error}"
    );
    // A position that overlaps with the floor, set during the run.
    let built = ball(9.81, 0.5, 1.0, 0.0).unwrap();
    let mut sim = simulation(&built.model, 1.0, 0.1);
    let mut state = sim.initial_state(&built.model).unwrap();
    sim.step(&built.model, &mut state).unwrap();
    state.set_position(built.bodies[0], &[-0.1]).unwrap();
    let before = format!("{state:?}");
    assert!(matches!(sim.step(&built.model, &mut state), Err(SimulationError::Penetration { .. })));
    assert_eq!(before, format!("{state:?}"));
    state.set_position(built.bodies[0], &[0.5]).unwrap();
    sim.step(&built.model, &mut state).unwrap();
    // Events in the past, at the current time, and at times that are not finite.
    for time in [0.0, state.t, f64::NAN, f64::INFINITY] {
        assert!(sim.events_mut().schedule(EventKind::Actuator, time).is_err(), "{time}");
    }
    assert!(sim.events_mut().schedule(EventKind::NonSmooth, 0.5).is_err());
    // A state of another model.
    let other = ball(9.81, 0.5, 1.0, 0.0).unwrap();
    assert!(matches!(sim.step(&other.model, &mut state), Err(SimulationError::StateOfOtherModel)));
    // A time outside the grid.
    state.t = 7.0;
    assert!(sim.step(&built.model, &mut state).is_err());
    state.t = f64::NAN;
    assert!(sim.step(&built.model, &mut state).is_err());
}

#[test]
fn no_endless_loop_with_the_tightest_settings() {
    let built = ball(9.81, 0.9, 1.0, 0.0).unwrap();
    let mut settings = EventDrivenSettings::default();
    settings.accumulation.criterion.window = 1e-300;
    settings.velocity_tolerance = 1e-300;
    let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.5).unwrap();
    let mut sim = EventDriven::builder(&built.model).discretisation(grid).settings(settings).build().unwrap();
    let mut state = sim.initial_state(&built.model).unwrap();
    let mut events = 0;
    let result = sim.run(&built.model, &mut state, |_, _| events += 1);
    println!("{events} events, {result:?}, t = {}", state.t);
    assert!(events < 5000);
    assert!(result.is_ok() || matches!(result, Err(SimulationError::EventCycle { .. })));
}
