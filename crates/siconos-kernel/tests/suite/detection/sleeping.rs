//! Bodies that sleep, with a contact source that does not know of sleep.

use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AdaptiveSettings, AdaptiveStepping, Sleeping};

use super::balls::{Ball, Balls};

const H: f64 = 1e-3;

/// Time at which the load changes \[s\].
const PUSH: f64 = 0.3;

/// Settings with which bodies fall asleep after 20 ms.
fn soon() -> Sleeping {
    Sleeping { steps: 20, ..Sleeping::default() }
}

fn simulation(model: &NonSmoothDynamicalSystem, source: Balls, sleeping: Option<Sleeping>) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 0.5, H).unwrap();
    let mut builder = TimeStepping::builder(model).discretisation(grid).contacts(source);
    if let Some(sleeping) = sleeping {
        builder = builder.sleeping(sleeping);
    }
    builder.build().unwrap()
}

/// Three bodies of three balls each, which rest on the floor; the last two touch each other. A load pushes
/// the second body from the time [`PUSH`].
fn resting_bodies() -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Balls) {
    let mut model = NonSmoothDynamicalSystem::new();
    let corners = [[0.1, 0.0, -0.1], [-0.05, 0.08, -0.1], [-0.05, -0.08, -0.1]];
    let mut balls = Vec::new();
    let bodies: Vec<_> = [-1.0, 0.0, 0.3]
        .into_iter()
        .map(|x| {
            let body = NewtonEuler::new(2.0, Inertia::of_ball(2.0, 0.1), [x, 0.0, 0.2], Quaternion::IDENTITY)
                .with_external_force(move |at: At<'_>, force: &mut [f64]| {
                    let push = if x == 0.0 && at.t > PUSH { 30.0 } else { 0.0 };
                    force.copy_from_slice(&[push, 0.0, -20.0]);
                });
            let id = model.add_system(body).unwrap();
            balls.extend(corners.map(|centre| Ball { body: id, centre, radius: 0.1 }));
            id
        })
        .collect();
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    (model, bodies, Balls::new(law, balls))
}

/// A load moves a sleeping body in the step in which it begins, together with the bodies that it touches.
#[test]
fn a_load_wakes_a_body_in_time() {
    let (model, bodies, source) = resting_bodies();
    let mut awake = simulation(&model, source.clone(), None);
    let mut asleep = simulation(&model, source, Some(soon()));
    let mut expected = awake.initial_state(&model).unwrap();
    let mut state = asleep.initial_state(&model).unwrap();
    while awake.step(&model, &mut expected).unwrap().is_some() {
        asleep.step(&model, &mut state).unwrap();
        let is_pushed = state.t > PUSH + 1e-9;
        if state.t > 0.1 {
            let found = bodies.iter().map(|id| state.is_asleep(*id)).collect::<Vec<_>>();
            assert_eq!(found, [true, !is_pushed, !is_pushed], "t = {}", state.t);
        }
        for id in &bodies {
            for (found, expected) in state.q(*id).iter().zip(expected.q(*id)) {
                assert!((found - expected).abs() < 1e-9, "t = {}: {found} {expected}", state.t);
            }
        }
    }
    assert!(state.q(bodies[1])[0] > 0.04);
    assert_eq!(state.contacts().len(), expected.contacts().len());
}

/// A step that fails after bodies have woken leaves the state unchanged.
#[test]
fn a_failed_step_wakes_nobody() {
    let (model, bodies, mut source) = resting_bodies();
    source.fails_at = 0.2;
    let mut sim = simulation(&model, source, Some(soon()));
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.1995 {
        sim.step(&model, &mut state).unwrap();
    }
    assert!(bodies.iter().all(|id| state.is_asleep(*id)));
    state.set_velocity(bodies[0], &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    let before = state.record(&model).unwrap();
    assert!(sim.step(&model, &mut state).is_err());
    assert!(state.record(&model).unwrap() == before);
    assert!(sim.begin_step(&model, &mut state).is_err());
    assert_eq!([0, 1, 2].map(|i| state.is_asleep(bodies[i])), [false, true, true]);
    // A step without a failure then moves the body.
    let (_, _, source) = resting_bodies();
    let balls = source.balls.iter().zip(bodies.iter().flat_map(|id| [*id; 3]));
    let balls = balls.map(|(ball, body)| Ball { body, ..*ball }).collect();
    let mut sim = simulation(&model, Balls { balls, ..source }, Some(soon()));
    sim.step(&model, &mut state).unwrap();
    assert!((state.v(bodies[0])[2] - (1.0 - 10.0 * H)).abs() < 1e-9, "{:?}", state.v(bodies[0]));
}

/// A discarded step has no effect on another state, whose step fails.
#[test]
fn a_discarded_step_changes_no_other_state() {
    let (model, bodies, source) = resting_bodies();
    let mut sim = simulation(&model, source, Some(soon()));
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.1 {
        sim.step(&model, &mut state).unwrap();
    }
    let mut other = state.clone();
    other.t += 0.1 * H;
    let expected = other.record(&model).unwrap();
    state.set_velocity(bodies[1], &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    assert!(sim.begin_step(&model, &mut state).unwrap());
    assert_eq!([0, 1, 2].map(|i| state.is_asleep(bodies[i])), [true, false, false]);
    assert!(sim.step(&model, &mut other).is_err(), "the time is not a grid point");
    assert!(other.record(&model).unwrap() == expected);
}

/// Bodies sleep in adaptive steps too.
#[test]
fn adaptive_steps_let_bodies_sleep() {
    let (model, bodies, source) = resting_bodies();
    let mut sim = simulation(&model, source, Some(soon()));
    let settings = AdaptiveSettings { largest_step: 2e-3, ..AdaptiveSettings::of_tolerance(1e-5) };
    let mut stepping = AdaptiveStepping::new(settings).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.25 {
        stepping.step(&mut sim, &model, &mut state, 0.25).unwrap();
    }
    assert!(bodies.iter().all(|id| state.is_asleep(*id)));
    while state.t < 0.4 {
        stepping.step(&mut sim, &model, &mut state, 0.4).unwrap();
    }
    // A friction coefficient of 0.5 slows the push of 30 N on two bodies of 2 kg to 2.5 m/s2.
    let expected = 0.5 * 2.5 * (state.t - PUSH).powi(2);
    assert!((state.q(bodies[1])[0] - expected).abs() < 1e-3, "{:?} {expected}", state.q(bodies[1]));
    assert!(state.is_asleep(bodies[0]) && !state.is_asleep(bodies[1]));
}

/// A record contains the bodies at rest, with and without names of fields.
#[test]
fn records_contain_sleeping_bodies() {
    let (model, bodies, source) = resting_bodies();
    let mut sim = simulation(&model, source, Some(soon()));
    let mut state = sim.initial_state(&model).unwrap();
    while state.t < 0.1 {
        sim.step(&model, &mut state).unwrap();
    }
    let record = state.record(&model).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    assert!(text.starts_with("{\"format\":3,"), "{}", &text[..40]);
    let bytes = postcard::to_allocvec(&record).unwrap();
    for read in [serde_json::from_str(&text).unwrap(), postcard::from_bytes::<StateRecord>(&bytes).unwrap()] {
        assert!(read == record);
        let restored = State::restore(&model, &read).unwrap();
        assert!(bodies.iter().all(|id| restored.is_asleep(*id)));
    }
    let error = |from: &str, to: &str| {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text);
        match serde_json::from_str(&other) {
            Ok(record) => State::restore(&model, &record).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        }
    };
    assert!(error("\"format\":3", "\"format\":2").contains("3 bodies at rest; such a record has format 3"));
    assert!(error("\"rest\":[{\"system\":0", "\"rest\":[{\"system\":9").contains("bodies at rest"));
}
