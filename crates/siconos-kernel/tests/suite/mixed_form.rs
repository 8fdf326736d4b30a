//! Islands with the velocities among the unknowns of their problem, because every contact affects all others.
//! The steps agree with steps that form the Delassus matrix, as a user-defined solver requires.

use std::num::NonZeroUsize;

use ndarray::Array1;
use siconos_kernel::prelude::*;
use siconos_linalg::{Csc, MatrixRef};
use siconos_numerics::lcp::Lemke;
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::worse;

use crate::first_order::ladder::tridiagonal;

/// Scene of one large system and unrelated small systems.
struct Scene {
    model: NonSmoothDynamicalSystem,
    systems: Vec<DynamicalSystemId>,
    interactions: Vec<InteractionId>,
}

impl Scene {
    fn simulation(&self, by_user: bool, threads: usize) -> TimeStepping {
        let builder = TimeStepping::builder(&self.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 10.0, 0.01).unwrap())
            .threads(NonZeroUsize::new(threads).unwrap());
        let builder = if by_user { builder.solver(Lemke::default()) } else { builder };
        builder.build().unwrap()
    }

    fn numbers(&self, state: &State) -> Vec<f64> {
        let of_system = |&id: &DynamicalSystemId| [state.x(id), state.q(id), state.v(id)].concat();
        let of_contact = |&id: &InteractionId| {
            [
                state.y(id, Level::Position),
                state.lambda(id, Level::Position),
                state.lambda(id, Level::Velocity),
            ]
            .concat()
        };
        let systems = self.systems.iter().flat_map(of_system);
        systems.chain(self.interactions.iter().flat_map(of_contact)).collect()
    }

    fn run(&self, (by_user, threads): (bool, usize), steps: usize) -> Vec<Vec<f64>> {
        let mut simulation = self.simulation(by_user, threads);
        let mut state = simulation.initial_state(&self.model).unwrap();
        let mut all = Vec::new();
        for _ in 0..steps {
            simulation.step(&self.model, &mut state).unwrap();
            all.push(self.numbers(&state));
        }
        all
    }
}

/// Creates an elastic rope of n nodes that falls on a stop below each node, in units of `mass` kg and
/// `length` m.
fn rope(n: usize, (mass, length): (f64, f64), with_pendulum: bool) -> Scene {
    let mut model = NonSmoothDynamicalSystem::new();
    let ends = |k: usize| if k == 0 || k + 1 == n { 400.0 } else { 800.0 };
    let stiffness = tridiagonal(n, |k| mass * ends(k), -400.0 * mass);
    let start: Vec<f64> = (0..n).map(|k| length * (0.1 + 0.05 * (0.7 * k as f64).sin())).collect();
    let rope = LagrangianLinear::new(start, vec![0.0; n], Array1::from_elem(n, mass))
        .with_stiffness(stiffness)
        .with_constant_external_force(vec![-10.0 * mass * length; n]);
    let mut systems = vec![model.add_system(rope).unwrap()];
    let stop = |k: usize| {
        let row = Csc::from_triplets(1, n, [(0, k, 1.0)]).unwrap();
        let height = 0.02 * (0.3 * k as f64).sin() * length;
        let relation = LagrangianLinearRelation::new(row).with_offset(vec![-height]);
        model.add_interaction([systems[0]], relation, NewtonImpact::new(0.5).unwrap()).unwrap()
    };
    let mut interactions: Vec<_> = (0..n).map(stop).collect();
    if with_pendulum {
        let pendulum = Lagrangian::new(vec![1.0], vec![0.0], ndarray::array![1.0]).with_internal_force(
            |_, q, _, f| f[0] = 9.81 * q[0].sin(),
            Jacobian::FiniteDifference,
            Jacobian::Zero,
        );
        let pendulum = model.add_system(pendulum).unwrap();
        let wall = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin() + 0.2);
        systems.push(pendulum);
        interactions.push(model.add_interaction([pendulum], wall, NewtonImpact::new(0.9).unwrap()).unwrap());
    }
    Scene { model, systems, interactions }
}

/// Creates a ladder of n capacitors with a diode from ground to each. The sources stop at a given time. The
/// unit of the voltage of node k is `volt(k)` V.
fn ladder(n: usize, volt: impl Fn(usize) -> f64 + Copy + Send + Sync + 'static, stop: f64) -> Scene {
    let mut model = NonSmoothDynamicalSystem::new();
    let entries = |(i, j, x): (usize, usize, f64)| (i, j, x * volt(j) / volt(i));
    let mut rates = Vec::new();
    MatrixRef::from(&tridiagonal(n, |_| -2.0, 1.0)).for_each_entry(|i, j, x| rates.push(entries((i, j, x))));
    let rates = Csc::from_triplets(n, n, rates).unwrap();
    let ladder = FirstOrderLinear::new(vec![0.0; n], rates).with_source_function(move |at, b| {
        let t = at.t.min(stop);
        b.iter_mut().enumerate().for_each(|(k, b)| *b = (3.0 * t + 1.1 * k as f64).sin() / volt(k));
    });
    let system = model.add_system(ladder).unwrap();
    let diode = |k: usize| {
        let reads = Csc::from_triplets(1, n, [(0, k, volt(k))]).unwrap();
        let acts = Csc::from_triplets(n, 1, [(k, 0, 1.0 / volt(k))]).unwrap();
        let law = ComplementarityCondition::new(1).unwrap();
        model.add_interaction([system], FirstOrderLinearRelation::new(reads, acts), law).unwrap()
    };
    let interactions = (0..n).map(diode).collect();
    Scene { model, systems: vec![system], interactions }
}

/// Creates the ladder with all voltages in volts.
fn plain_ladder(n: usize) -> Scene {
    ladder(n, |_| 1.0, f64::INFINITY)
}

/// Returns the largest difference, relative to the largest number.
pub(crate) fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let (mut off, mut size) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            off = worse(off, (a - b).abs());
            size = worse(size, b.abs());
        }
    }
    off / size
}

#[test]
fn steps_are_those_with_the_delassus_matrix() {
    for scene in [rope(400, (1.0, 1.0), false), rope(400, (1.0, 1.0), true), plain_ladder(250)] {
        let (own, expected) = (scene.run((false, 1), 40), scene.run((true, 1), 40));
        let off = difference(&own, &expected);
        assert!(off < 1e-10, "{off:e}");
        // Some contacts are closed, and others are open.
        let loaded = own.last().unwrap().iter().filter(|x| **x > 0.0).count();
        assert!(loaded > 20, "{loaded}");
        assert_eq!(own, scene.run((false, 2), 40), "two threads");
    }
}

#[test]
fn the_matrix_that_is_shown_is_that_of_the_contacts() {
    for scene in [rope(500, (1.0, 1.0), false), plain_ladder(200)] {
        let matrix = |by_user| {
            let mut simulation = scene.simulation(by_user, 1);
            let mut state = simulation.initial_state(&scene.model).unwrap();
            let mut largest = None;
            for _ in 0..40 {
                simulation.step(&scene.model, &mut state).unwrap();
                let Some(matrix) = simulation.one_step_matrix() else { continue };
                if largest.as_ref().is_none_or(|other: &ndarray::Array2<f64>| other.nrows() < matrix.nrows())
                {
                    largest = Some(matrix);
                }
            }
            largest.unwrap()
        };
        let (own, expected) = (matrix(false), matrix(true));
        assert!(own.nrows() >= 192 && own.dim() == expected.dim(), "{:?} {:?}", own.dim(), expected.dim());
        let off = (&own - &expected).iter().fold(0.0, |off, x| worse(off, x.abs()));
        assert!(off < 1e-12 * expected.iter().fold(0.0, |size, x| worse(size, x.abs())), "{off:e}");
    }
}

/// In other units by powers of two, all numbers are the same up to these factors.
#[test]
fn units_change_no_bit() {
    let bits = |run: Vec<Vec<f64>>| run.into_iter().flatten().map(f64::to_bits).collect::<Vec<_>>();
    let positions = |run: Vec<Vec<f64>>, unit: f64| {
        bits(
            run.into_iter()
                .map(|mut numbers| {
                    numbers.truncate(1000);
                    numbers.iter().map(|x| x / unit).collect()
                })
                .collect(),
        )
    };
    let (mass, length) = (2.0_f64.powi(12), 2.0_f64.powi(-9));
    let plain = rope(500, (1.0, 1.0), false).run((false, 1), 60);
    let other = rope(500, (mass, length), false).run((false, 1), 60);
    assert!(positions(plain, 1.0) == positions(other, length), "masses and lengths");
    // The states are followed by y and lambda of the diodes.
    let plain = plain_ladder(250).run((false, 1), 60);
    let unit = |k: usize| 2.0_f64.powi((7 * k % 11) as i32 - 5);
    let other = ladder(250, unit, f64::INFINITY).run((false, 1), 60);
    let in_volts = |mut numbers: Vec<f64>| {
        numbers[..250].iter_mut().enumerate().for_each(|(k, x)| *x *= unit(k));
        numbers
    };
    assert!(bits(plain) == bits(other.into_iter().map(in_volts).collect()), "volts");
}

/// A step depends on the state only, and on no other data of previous steps.
#[test]
fn a_simulation_made_anew_in_every_step_goes_on_with_the_same_bits() {
    for scene in [rope(500, (1.0, 1.0), false), plain_ladder(250)] {
        let mut state = scene.simulation(false, 1).initial_state(&scene.model).unwrap();
        for expected in scene.run((false, 1), 20) {
            scene.simulation(false, 1).step(&scene.model, &mut state).unwrap();
            assert_eq!(scene.numbers(&state), expected);
        }
    }
}

/// The Newton iterations of an unrelated pendulum do not change the motion of a rope, which needs one
/// iteration, to the last bit.
#[test]
fn a_body_beside_it_changes_nothing() {
    let alone = rope(500, (1.0, 1.0), false).run((false, 1), 80);
    let beside = rope(500, (1.0, 1.0), true).run((false, 1), 80);
    for (alone, beside) in alone.iter().zip(&beside) {
        // Positions and velocities of the rope. After the pendulum's come the contacts of the rope.
        assert_eq!(alone[..1000], beside[..1000]);
        assert_eq!(alone[1000..], beside[1002..1002 + alone.len() - 1000]);
    }
}

#[test]
fn steps_in_which_nothing_opens_or_closes_allocate_nothing() {
    let scene = ladder(200, |_| 1.0, 1.0);
    let mut simulation = scene.simulation(false, 1);
    let mut state = simulation.initial_state(&scene.model).unwrap();
    // The sources stop before this time.
    for _ in 0..800 {
        simulation.step(&scene.model, &mut state).unwrap();
    }
    let count = count_allocations(|| {
        for _ in 0..100 {
            simulation.step(&scene.model, &mut state).unwrap();
        }
    });
    assert_eq!(count, 0);
}

/// Two stops under each node: the impulses are not unique, the motion is unique.
#[test]
fn stops_that_are_there_twice_do_not_keep_it_from_a_solution() {
    let plain = rope(400, (1.0, 1.0), false);
    let mut twice = rope(400, (1.0, 1.0), false);
    for k in 0..400 {
        let row = Csc::from_triplets(1, 400, [(0, k, 1.0)]).unwrap();
        let height = 0.02 * (0.3 * k as f64).sin();
        let relation = LagrangianLinearRelation::new(row).with_offset(vec![-height]);
        twice.model.add_interaction([twice.systems[0]], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
    }
    let (mut simulations, mut states) = (Vec::new(), Vec::new());
    for scene in [&plain, &twice] {
        let mut simulation = scene.simulation(false, 1);
        states.push(simulation.initial_state(&scene.model).unwrap());
        simulations.push(simulation);
    }
    for step in 0..40 {
        let report = simulations[1].step(&twice.model, &mut states[1]).unwrap().unwrap();
        assert!(report.solve.status.is_success(), "step {step}: {:?}", report.solve);
        simulations[0].step(&plain.model, &mut states[0]).unwrap();
        let (a, b) = (states[0].v(plain.systems[0]), states[1].v(twice.systems[0]));
        let off = a.iter().zip(b).fold(0.0, |off, (a, b)| worse(off, (a - b).abs()));
        assert!(off < 1e-9, "step {step}: {off:e}");
    }
}

/// Stops are exchanged during the run, and the index tables are compacted.
#[test]
fn a_rope_whose_stops_are_exchanged_gives_the_bits_of_a_simulation_made_anew() {
    let mut scene = rope(400, (1.0, 1.0), false);
    let mut simulation = scene.simulation(false, 1);
    let mut state = simulation.initial_state(&scene.model).unwrap();
    for step in 0..20 {
        for k in 0..8 {
            let node = (37 * step + 11 * k) % 400;
            scene.model.remove_interaction(scene.interactions[node]).unwrap();
            let row = Csc::from_triplets(1, 400, [(0, node, 1.0)]).unwrap();
            let relation =
                LagrangianLinearRelation::new(row).with_offset(vec![-0.02 * (0.3 * node as f64).sin()]);
            let law = NewtonImpact::new(0.1 * k as f64).unwrap();
            scene.interactions[node] =
                scene.model.add_interaction([scene.systems[0]], relation, law).unwrap();
        }
        let mut other = state.clone();
        simulation.step(&scene.model, &mut state).unwrap();
        scene.simulation(false, 1).step(&scene.model, &mut other).unwrap();
        assert!(scene.numbers(&state) == scene.numbers(&other), "step {step}");
    }
}

/// Outputs within the step, a feedthrough, and alternating step lengths.
#[test]
fn schemes_of_first_order_systems_are_those_with_the_delassus_matrix() {
    let scene = plain_ladder(250);
    for integrator in [Integrator::from(BackwardEuler), ThetaGamma { theta: 0.5, gamma: 0.7 }.into()] {
        let run = |by_user: bool| {
            let points = (0..30).scan(0.0, |t, k| {
                *t += if k % 2 == 0 { 0.01 } else { 0.02 };
                Some(*t)
            });
            let grid = TimeDiscretisation::from_times(std::iter::once(0.0).chain(points).collect::<Vec<_>>());
            let builder =
                TimeStepping::builder(&scene.model).discretisation(grid.unwrap()).integrator(integrator);
            let builder = if by_user { builder.solver(Lemke::default()) } else { builder };
            let mut simulation = builder.build().unwrap();
            let mut state = simulation.initial_state(&scene.model).unwrap();
            let mut all = Vec::new();
            simulation.run(&scene.model, &mut state, |_, state| all.push(scene.numbers(state))).unwrap();
            all
        };
        let off = difference(&run(false), &run(true));
        assert!(off < 1e-10, "{integrator:?}: {off:e}");
    }
}

/// A slab falls on many supports simultaneously. The forces and impacts of half-explicit schemes need the
/// responses of rows, which this form does not compute.
#[test]
fn a_half_explicit_slab_lands_on_many_supports() {
    const SUPPORTS: usize = 240;
    let mut model = NonSmoothDynamicalSystem::new();
    let slab = LagrangianLinear::new(vec![0.01, 0.0], vec![0.0; 2], Array1::from(vec![3.0, 1.0]))
        .with_constant_external_force(vec![-30.0, 0.0]);
    let slab = model.add_system(slab).unwrap();
    for k in 0..SUPPORTS {
        let lever = k as f64 / (SUPPORTS - 1) as f64 - 0.5;
        let relation = LagrangianLinearRelation::new(ndarray::array![[1.0, lever]]);
        model.add_interaction([slab], relation, NewtonImpact::new(0.0).unwrap()).unwrap();
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.1, 0.005).unwrap())
        .integrator(D1MinusLinear::default())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |report, _| assert!(report.is_converged)).unwrap();
    // The slab is horizontal and at rest.
    assert!(state.q(slab).iter().all(|q| q.abs() < 3e-3), "{:?}", state.q(slab));
    assert!(state.v(slab).iter().all(|v| v.abs() < 1e-9), "{:?}", state.v(slab));
}
