//! The same steps from copies, records, rebuilt simulations, other orders of detection, and other models.

use std::sync::Arc;

use siconos_kernel::detection::{
    ContactKey, ContactSet, ContactSource, DetectedContact, DetectionError, DetectionInput,
};
use siconos_kernel::model::{ContactPoints, NonSmoothLaw};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Sleeping;
use siconos_models::count_in_second_run;
use siconos_testkit::allocation::count_allocations;

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

/// Contacts at fixed places, of which the second exists in every other step only.
#[derive(Debug)]
struct Alternating(Vec<DetectedContact>);

impl ContactSource for Alternating {
    fn laws(&self) -> Vec<Arc<NonSmoothLaw>> {
        self.0.iter().map(|contact| Arc::clone(&contact.law)).collect()
    }

    fn detect(&mut self, input: DetectionInput<'_>, contacts: &mut ContactSet) -> Result<(), DetectionError> {
        let count = if input.state.step().is_multiple_of(2) { self.0.len() } else { 1 };
        self.0[..count].iter().for_each(|contact| contacts.push(contact.clone()));
        Ok(())
    }
}

/// Steps allocate no memory, also if contacts appear and vanish.
#[test]
fn steps_with_detected_contacts_allocate_no_memory() {
    let mut model = NonSmoothDynamicalSystem::new();
    let law: Arc<NonSmoothLaw> = Arc::new(NewtonImpactFriction::in_space(0.0, 0.5).unwrap().into());
    let balls: Vec<_> = (0..4)
        .map(|k| model.add_system(falling_ball(0.1, [f64::from(k), 0.0, 0.1], [0.0; 3])).unwrap())
        .collect();
    let contact = |k: usize| DetectedContact {
        key: ContactKey { bodies: [k as u32 + 1, 0], contactors: [0; 2], features: [0; 2] },
        first: balls[k],
        second: None,
        points: ContactPoints {
            first: [k as f64, 0.0, 0.0],
            second: [k as f64, 0.0, 0.0],
            normal: [0.0, 0.0, 1.0],
        },
        gap: 0.0,
        radii: [0.1, 0.0],
        accuracy: 1e-15,
        size: 0.1,
        surface_velocity: [0.0; 3],
        law: Arc::clone(&law),
    };
    let between = DetectedContact {
        key: ContactKey { bodies: [2, 1], contactors: [0; 2], features: [0; 2] },
        first: balls[1],
        second: Some(balls[0]),
        points: ContactPoints { first: [0.5, 0.0, 0.1], second: [0.5, 0.0, 0.1], normal: [1.0, 0.0, 0.0] },
        ..contact(1)
    };
    for contacts in
        [vec![contact(0), contact(1), between.clone()], vec![contact(0), between, contact(2), contact(3)]]
    {
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-2).unwrap())
            .contacts(Alternating(contacts))
            .sleeping(Sleeping { steps: 5, ..Sleeping::default() })
            .build()
            .unwrap();
        let found = count_in_second_run(&model, &mut sim, |run| count_allocations(run));
        // The eight vectors of the new state grow once.
        assert!(found <= 8, "{found}");
    }
}

/// A record with contacts is read in formats with and without names of fields. A damaged record is an error.
#[test]
fn records_contain_the_contacts() {
    let (model, _, source) = heap();
    let mut sim = simulation(&model, (STEPS, H), source);
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    let record = state.record(&model).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    assert!(text.starts_with("{\"format\":2,"), "{}", &text[..40]);
    let named: StateRecord = serde_json::from_str(&text).unwrap();
    let bytes = postcard::to_allocvec(&record).unwrap();
    let unnamed: StateRecord = postcard::from_bytes(&bytes).unwrap();
    assert!(named == record && unnamed == record);
    let restored = State::restore(&model, &unnamed).unwrap();
    assert_eq!(restored.contacts(), state.contacts());
    for cut in [bytes.len() - 1, bytes.len() / 2] {
        assert!(postcard::from_bytes::<StateRecord>(&bytes[..cut]).is_err());
    }
    for (format, expected) in
        [("1", "has format 1, but "), ("4", "has format 4, but this program reads formats up to 3")]
    {
        let other = text.replacen("\"format\":2", &format!("\"format\":{format}"), 1);
        let error = serde_json::from_str::<StateRecord>(&other).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let other = text.replacen("\"first\":6", "\"first\":60", 1);
    assert_ne!(other, text);
    let refused = State::restore(&model, &serde_json::from_str(&other).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("bodies of detected contacts"), "{refused}");
}
