//! Contacts with friction on one large body, for which the full Delassus matrix is not formed. The motion
//! agrees with the motion with the Delassus matrix, which a user-defined solver requires.

use std::num::NonZeroUsize;

use ndarray::{Array1, Array2};
use siconos_kernel::model::{ContactPoints, ContactRows, NewtonEuler, Parameters, PointContact, Quaternion};
use siconos_kernel::prelude::*;
use siconos_linalg::Csc;
use siconos_numerics::contact::Auto;
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;

use crate::common::{SI, Units};
use crate::mixed_form::difference;

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1.0 / 128.0;
const MU: f64 = 0.25;
const OVERLAP: f64 = 1.0 / 16_384.0;

/// Body with many contacts.
pub(super) struct Scene {
    of: Units,
    model: NonSmoothDynamicalSystem,
    systems: Vec<DynamicalSystemId>,
    contacts: Vec<InteractionId>,
}

impl Scene {
    fn new(of: Units) -> Self {
        Self { of, model: NonSmoothDynamicalSystem::new(), systems: Vec::new(), contacts: Vec::new() }
    }

    /// Adds a contact of systems with a normal and a tangent.
    fn touch(&mut self, systems: &[DynamicalSystemId], rows: Array2<f64>, mu: f64) -> Result<(), Error> {
        // The bodies overlap slightly, so that rounding does not open contacts.
        let offset = Array1::from(vec![-OVERLAP * self.of.length, 0.0]);
        let relation = LagrangianLinearRelation::new(Csc::from_matrix((&rows).into())).with_offset(offset);
        let law = NewtonImpactFriction::in_plane(0.0, mu)?;
        self.contacts.push(self.model.add_interaction(systems.iter().copied(), relation, law)?);
        Ok(())
    }

    fn simulation(&self, forms_delassus: bool, threads: usize) -> Result<TimeStepping, Error> {
        let step = STEP * self.of.time;
        let builder = TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 64.0 * step, step)?)
            .threads(NonZeroUsize::new(threads).expect("at least one"));
        if forms_delassus { builder.solver(Auto::default()).build() } else { builder.build() }
    }

    /// Returns velocities and impulses in SI units.
    fn numbers(&self, state: &State) -> Vec<f64> {
        let Units { mass, length, time } = self.of;
        let of_system = |&id: &DynamicalSystemId| {
            let unit =
                move |k: usize| if k < 2 || state.v(id).len() > 3 { length / time } else { 1.0 / time };
            state.v(id).iter().enumerate().map(move |(k, v)| v / unit(k))
        };
        let impulse = mass * length / time;
        let of_contact =
            |&id: &InteractionId| state.lambda(id, Level::Velocity).iter().map(move |r| r / impulse);
        self.systems.iter().flat_map(of_system).chain(self.contacts.iter().flat_map(of_contact)).collect()
    }

    fn run(&self, forms_delassus: bool, threads: usize, steps: usize) -> Result<Vec<Vec<f64>>, Error> {
        let mut simulation = self.simulation(forms_delassus, threads)?;
        let mut state = simulation.initial_state(&self.model)?;
        let mut all = Vec::new();
        for _ in 0..steps {
            let report = simulation.step(&self.model, &mut state)?.expect("a step");
            assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
            all.push(self.numbers(&state));
        }
        Ok(all)
    }
}

/// Creates a beam that moves over discs on the ground, and optionally an unrelated disc.
fn beam_on_discs(discs: usize, of: Units, with_stranger: bool) -> Result<Scene, Error> {
    let mut scene = Scene::new(of);
    let Units { mass, length, time } = of;
    let (radius, speed) = (0.5 * length, length / time);
    let body = |kilograms: f64, gyration: f64, along: f64| {
        let (m, weight) = (mass * kilograms, mass * kilograms * GRAVITY * length / (time * time));
        let inertia = m * (gyration * length).powi(2);
        LagrangianLinear::new(vec![0.0; 3], vec![along * speed, 0.0, 0.0], Array1::from(vec![m, m, inertia]))
            .with_constant_external_force(vec![0.0, -weight, 0.0])
    };
    if with_stranger {
        let stranger = scene.model.add_system(body(1.0, 0.3, 1.0))?;
        scene.touch(&[stranger], ndarray::array![[0.0, 1.0, 0.0], [1.0, 0.0, radius]], MU)?;
    }
    let half = 0.6 * discs as f64;
    let beam = scene.model.add_system(body(2.0 * discs as f64, half / 1.5, 1.0))?;
    scene.systems.push(beam);
    for number in 0..discs {
        let disc = scene.model.add_system(body(1.0 + 0.1 * (7 * number % 9) as f64, 0.375, 0.0))?;
        scene.systems.push(disc);
        scene.touch(&[disc], ndarray::array![[0.0, 1.0, 0.0], [1.0, 0.0, radius]], MU)?;
        let lever = (1.2 * number as f64 + 0.6 - half) * length;
        let rows = ndarray::array![[0.0, 1.0, lever, 0.0, -1.0, 0.0], [1.0, 0.0, 0.0, -1.0, 0.0, radius]];
        scene.touch(&[beam, disc], rows, 0.5 * MU)?;
    }
    Ok(scene)
}

/// Creates a plate that moves over balls on the ground, in space. The motion is nonlinear, so that the
/// matrices change in each Newton iteration. The coefficient of rolling friction is relative to the radius;
/// if it is 0, contacts have three rows. If `is_round` is `true`, each body has equal moments of inertia
/// about all axes.
fn plate_on_balls(side: usize, mu_rolling: f64, is_round: bool) -> Result<Scene, Error> {
    const RADIUS: f64 = 0.5;
    const THICKNESS: f64 = 0.25;
    let mut scene = Scene::new(SI);
    let (rows, law) = match mu_rolling {
        0.0 => (ContactRows::Friction, NewtonImpactFriction::in_space(0.0, MU)?),
        _ => {
            let law = NewtonImpactFriction::in_space(0.0, MU)?.with_rolling(mu_rolling * RADIUS)?;
            (ContactRows::Rolling, law)
        }
    };
    let body = |mass: f64, moment: f64, at: [f64; 3]| {
        let moments = if is_round { [moment; 3] } else { [moment, 1.25 * moment, 0.75 * moment] };
        NewtonEuler::new(mass, moments, at, Quaternion::IDENTITY).with_constant_external_force([
            0.0,
            0.0,
            -GRAVITY * mass,
        ])
    };
    let balls = side * side;
    let half = 0.6 * side as f64;
    let plate_mass = balls as f64;
    let height = 2.0 * RADIUS + 0.5 * THICKNESS - 2.0 * OVERLAP;
    let plate = body(plate_mass, plate_mass * half * half, [0.0, 0.0, height])
        .with_twist([0.75, 0.5, 0.0], [0.0, 0.0, 0.0625]);
    let plate = scene.model.add_system(plate)?;
    scene.systems.push(plate);
    // The lower face of a plate, from its position and orientation, and a ball below it.
    let below = |_: &Parameters, q: &[f64]| {
        let (ball, plate) = ([q[0], q[1], q[2]], [q[7], q[8], q[9]]);
        let [w, x, y, z] = [q[10], q[11], q[12], q[13]];
        let up = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)];
        let depth: f64 = (0..3).map(|k| (plate[k] - ball[k]) * up[k]).sum::<f64>() - 0.5 * THICKNESS;
        ContactPoints {
            first: std::array::from_fn(|k| ball[k] + RADIUS * up[k]),
            second: std::array::from_fn(|k| ball[k] + depth * up[k]),
            normal: up.map(|x| -x),
        }
    };
    for number in 0..balls {
        let [x, y] = [number / side, number % side].map(|k| 1.2 * (k as f64 + 0.5) - half);
        let mass = 1.0 + 0.1 * (7 * number % 9) as f64;
        let ball = scene.model.add_system(body(mass, 0.1 * mass, [x, y, RADIUS - OVERLAP]))?;
        scene.systems.push(ball);
        let ground = PointContact::of_ball_and_plane(rows, RADIUS, [0.0; 3], [0.0, 0.0, 1.0])?;
        scene.contacts.push(scene.model.add_interaction([ball], ground, law)?);
        let of_plate = PointContact::new(rows, below);
        scene.contacts.push(scene.model.add_interaction([ball, plate], of_plate, law)?);
    }
    Ok(scene)
}

/// Number of discs under the beam, large enough for the Delassus matrix not to be formed.
const DISCS: usize = 400;

fn bits(run: &[Vec<f64>]) -> Vec<u64> {
    run.iter().flatten().map(|x| x.to_bits()).collect()
}

#[test]
fn steps_are_those_with_the_delassus_matrix() -> Result<(), Error> {
    let scene = beam_on_discs(DISCS, SI, false)?;
    let (own, expected) = (scene.run(false, 1, 6)?, scene.run(true, 1, 6)?);
    let off = difference(&own, &expected);
    assert!(off < 1e-6, "{off:e}");
    // The two problems are solved by different methods.
    assert!(own != expected);
    // The beam slides on some of the discs, which roll on the ground.
    let last = own.last().expect("steps");
    let impulses = last[last.len() - 2 * scene.contacts.len()..].as_chunks::<2>().0;
    let part = |(contact, [n, t]): (usize, &[f64; 2])| {
        let mu = if contact.is_multiple_of(2) { MU } else { 0.5 * MU };
        t.abs() / (mu * n)
    };
    let parts: Vec<f64> = impulses.iter().enumerate().map(part).collect();
    assert!(parts.iter().all(|part| *part < 1.0 + 1e-9));
    let sliding = parts.iter().filter(|part| **part > 0.999).count();
    assert!(sliding > 20 && sliding < scene.contacts.len(), "{sliding} of {}", scene.contacts.len());
    Ok(())
}

#[test]
fn balls_in_space_move_as_with_the_delassus_matrix() -> Result<(), Error> {
    for (mu_rolling, is_round) in [(0.0, true), (0.0, false), (0.0625, true)] {
        let scene = plate_on_balls(21, mu_rolling, is_round)?;
        let (own, expected) = (scene.run(false, 1, 2)?, scene.run(true, 1, 2)?);
        let off = difference(&own, &expected);
        assert!(off < 1e-6, "{mu_rolling}, {is_round}: {off:e}");
        assert!(own != expected, "{mu_rolling}, {is_round}: solved in the same way");
        if mu_rolling > 0.0 {
            assert!(scene.run(false, 2, 2)? == own, "two threads");
        }
    }
    Ok(())
}

#[test]
fn the_matrix_that_is_shown_is_that_of_the_contacts() -> Result<(), Error> {
    let scene = beam_on_discs(DISCS, SI, true)?;
    let matrix = |forms_delassus: bool| -> Result<Array2<f64>, Error> {
        let mut simulation = scene.simulation(forms_delassus, 1)?;
        let mut state = simulation.initial_state(&scene.model)?;
        simulation.step(&scene.model, &mut state)?;
        Ok(simulation.one_step_matrix().expect("contacts"))
    };
    let (own, expected) = (matrix(false)?, matrix(true)?);
    assert_eq!(own.dim(), (4 * DISCS + 2, 4 * DISCS + 2));
    assert_eq!(own.dim(), expected.dim());
    let largest = |a: &Array2<f64>| a.iter().fold(0.0, |size, x| worse(size, x.abs()));
    assert!(largest(&(&own - &expected)) < 1e-12 * largest(&expected));
    Ok(())
}

#[test]
fn units_a_stranger_and_threads_change_no_bit() -> Result<(), Error> {
    const STEPS: usize = 3;
    let expected = bits(&beam_on_discs(DISCS, SI, false)?.run(false, 1, STEPS)?);
    let power = |exponent: i32| f64::powi(2.0, exponent);
    for of in [
        Units { mass: power(21), ..SI },
        Units { length: power(-13), ..SI },
        Units { time: power(9), ..SI },
        Units { mass: power(-40), length: power(10), time: power(-11) },
    ] {
        assert!(bits(&beam_on_discs(DISCS, of, false)?.run(false, 1, STEPS)?) == expected, "{of:?}");
    }
    for threads in [1, 2] {
        let scene = beam_on_discs(DISCS, SI, true)?;
        let mut found = scene.run(false, threads, STEPS)?;
        // The impulse of the unrelated disc comes first among the contacts.
        let of_stranger = 3 * scene.systems.len();
        found.iter_mut().for_each(|numbers| drop(numbers.drain(of_stranger..of_stranger + 2)));
        assert!(bits(&found) == expected, "{threads} threads");
    }
    Ok(())
}

#[test]
fn simulations_built_at_every_step_go_on() -> Result<(), Error> {
    for scene in [beam_on_discs(DISCS, SI, false)?, plate_on_balls(21, 0.0, false)?] {
        let mut state = scene.simulation(false, 1)?.initial_state(&scene.model)?;
        for (step, expected) in scene.run(false, 1, 2)?.iter().enumerate() {
            let mut simulation = scene.simulation(false, 1)?;
            let report = simulation.step(&scene.model, &mut state)?.expect("a step");
            assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
            assert!(scene.numbers(&state) == *expected, "step {step}");
        }
    }
    Ok(())
}

#[test]
fn steps_in_which_nothing_opens_or_closes_allocate_nothing() -> Result<(), Error> {
    let scene = beam_on_discs(DISCS, SI, false)?;
    let mut simulation = scene.simulation(false, 1)?;
    let mut state = simulation.initial_state(&scene.model)?;
    for _ in 0..4 {
        simulation.step(&scene.model, &mut state)?;
    }
    let count = count_allocations(|| {
        for _ in 0..3 {
            simulation.step(&scene.model, &mut state).expect("a step");
        }
    });
    assert_eq!(count, 0);
    Ok(())
}
