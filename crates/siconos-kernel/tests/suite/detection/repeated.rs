//! The same steps from copies, records, rebuilt simulations, other orders of detection, and other models.

use siconos_kernel::prelude::*;

use super::balls::{Ball, Balls, falling_ball};
use super::simulation;

const H: f64 = 2e-3;
const STEPS: usize = 400;

/// Creates seven balls that fall on each other, and their contacts.
fn heap() -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Balls) {
    let mut model = NonSmoothDynamicalSystem::new();
    let places =
        [[0.0, 0.0, 0.12], [0.21, 0.01, 0.11], [0.1, 0.18, 0.13], [0.1, 0.06, 0.35], [0.3, 0.2, 0.3]];
    let bodies: Vec<_> = places
        .into_iter()
        .chain([[0.12, 0.1, 0.6], [0.05, 0.0, 0.9]])
        .map(|at| model.add_system(falling_ball(0.1, at, [0.1, 0.0, 0.0])).unwrap())
        .collect();
    let law = NewtonImpactFriction::in_space(0.2, 0.4).unwrap();
    let balls = Balls::new(law, bodies.iter().map(|&body| Ball::centred(body, 0.1)));
    (model, bodies, balls)
}

/// Returns a record of the whole state, in which numbers are written exactly.
fn bits(model: &NonSmoothDynamicalSystem, state: &State) -> String {
    serde_json::to_string(&state.record(model).unwrap()).unwrap()
}

/// Runs all steps, and calls `between` before each of them.
fn end(
    model: &NonSmoothDynamicalSystem,
    source: Balls,
    mut between: impl FnMut(&mut TimeStepping, &mut State),
) -> String {
    let mut sim = simulation(model, (STEPS, H), source);
    let mut state = sim.initial_state(model).unwrap();
    while state.step() < STEPS {
        between(&mut sim, &mut state);
        sim.step(model, &mut state).unwrap();
    }
    assert!(state.contacts().len() > 6, "{}", state.contacts().len());
    bits(model, &state)
}

#[test]
fn steps_agree_to_the_last_bit() {
    let (model, _, source) = heap();
    let expected = end(&model, source.clone(), |_, _| {});
    let rebuilt = |sim: &mut TimeStepping, _: &mut State| {
        *sim = simulation(&model, (STEPS, H), source.clone());
    };
    assert!(end(&model, source.clone(), rebuilt) == expected, "rebuilt in each step");
    let restored = |_: &mut TimeStepping, state: &mut State| {
        *state = State::restore(&model, &serde_json::from_str(&bits(&model, state)).unwrap()).unwrap();
    };
    assert!(end(&model, source.clone(), restored) == expected, "restored in each step");
    let twice = |sim: &mut TimeStepping, state: &mut State| {
        let kept = state.clone();
        sim.step(&model, state).unwrap();
        *state = kept;
    };
    assert!(end(&model, source.clone(), twice) == expected, "each step taken twice");
    let reversed = Balls { is_reversed: true, ..source.clone() };
    assert!(end(&model, reversed, |_, _| {}) == expected, "contacts in reverse order");
    let by_stages = |sim: &mut TimeStepping, state: &mut State| {
        let mut copy = state.clone();
        assert!(sim.begin_step(&model, &mut copy).unwrap());
        sim.compute_free_step(&model, &copy).unwrap();
        sim.update_index_sets(&model, &copy).unwrap();
        sim.compute_one_step_ns_problem(&model, &copy).unwrap();
        while !sim.update(&model, &copy).unwrap().converged {
            sim.compute_free_step(&model, &copy).unwrap();
            sim.compute_one_step_ns_problem(&model, &copy).unwrap();
        }
        sim.next_step(&model, &mut copy).unwrap();
        let mut other = state.clone();
        sim.step(&model, &mut other).unwrap();
        assert!(bits(&model, &copy) == bits(&model, &other));
    };
    assert!(end(&model, source.clone(), by_stages) == expected, "stages one by one");
}

#[test]
fn threads_do_not_change_a_bit() {
    let ends = [1, 2, 4].map(|threads| {
        let (model, _, source) = heap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, STEPS as f64 * H, H).unwrap())
            .contacts(source)
            .threads(threads.try_into().unwrap())
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| {}).unwrap();
        bits(&model, &state)
    });
    assert!(ends[0] == ends[1] && ends[1] == ends[2]);
}

/// A failed detection does not change the state, and the run continues with another source.
#[test]
fn a_failed_detection_leaves_the_state() {
    let (model, _, source) = heap();
    let expected = end(&model, source.clone(), |_, _| {});
    let mut failing =
        simulation(&model, (STEPS, H), Balls { fails_at: 0.5 * STEPS as f64 * H, ..source.clone() });
    let mut state = failing.initial_state(&model).unwrap();
    let error = loop {
        if let Err(error) = failing.step(&model, &mut state) {
            break error;
        }
    };
    assert_eq!(error.to_string(), "step 201, t = 0.4: out of order");
    let before = bits(&model, &state);
    failing.step(&model, &mut state).unwrap_err();
    assert_eq!(bits(&model, &state), before);
    let mut sim = simulation(&model, (STEPS, H), source);
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    assert_eq!(bits(&model, &state), expected);
}

/// Systems and interactions that are added and removed during a run do not change the motion of others.
#[test]
fn changes_of_the_model_do_not_change_other_bodies() {
    let (mut model, bodies, source) = heap();
    let motion = |state: &State| {
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        bodies.iter().map(|&body| (bits(state.q(body)), bits(state.v(body)))).collect::<Vec<_>>()
    };
    let mut alone = simulation(&model, (STEPS, H), source.clone());
    let mut expected = alone.initial_state(&model).unwrap();
    alone.run(&model, &mut expected, |_, _| {}).unwrap();

    let mut sim = simulation(&model, (STEPS, H), source);
    let mut state = sim.initial_state(&model).unwrap();
    let mut guests = Vec::new();
    while state.step() < STEPS {
        match state.step() % 40 {
            0 => {
                let guest = falling_ball(0.1, [5.0, 0.0, 0.1], [0.0; 3]);
                let guest = model.add_system(guest).unwrap();
                let floor =
                    PointContact::of_ball_and_plane(ContactRows::Friction, 0.1, [0.0; 3], [0.0, 0.0, 1.0]);
                let law = NewtonImpactFriction::in_space(0.0, 0.4).unwrap();
                let contact = model.add_interaction([guest], floor.unwrap(), law).unwrap();
                guests.push((guest, contact));
            }
            25 => {
                let (guest, contact) = guests.remove(0);
                model.remove_interaction(contact).unwrap();
                model.remove_system(guest).unwrap();
            }
            _ => {}
        }
        sim.step(&model, &mut state).unwrap();
    }
    assert!(motion(&state) == motion(&expected));
}
