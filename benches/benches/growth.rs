//! What it costs to change a model, and to simulate one that grows.

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_numerics::linalg::Csc;
use siconos_testkit::exact::{DiodeBridge, LinearModel};

/// Balls on a floor, each with its contact.
fn balls(count: usize) -> (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Vec<InteractionId>) {
    let mut model = NonSmoothDynamicalSystem::new();
    let (mut balls, mut contacts) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let ball = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
        let ball = model.add_system(ball.with_external_force(|_t, f| f[0] = -9.81)).expect("a ball");
        balls.push(ball);
        contacts.push(touch(&mut model, ball));
    }
    (model, balls, contacts)
}

fn touch(model: &mut NonSmoothDynamicalSystem, ball: DynamicalSystemId) -> InteractionId {
    let law = NewtonImpact::new(0.5).expect("a coefficient");
    model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law).expect("a contact")
}

/// The step length of most \[s\].
const H: f64 = 1e-3;

fn simulation(model: &NonSmoothDynamicalSystem) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 1e6, H).expect("a grid");
    TimeStepping::builder(model).discretisation(grid).build().expect("a simulation")
}

/// Removal of all interactions of a model, in the order in which they were added.
fn removal(criterion: &mut Criterion) {
    for count in [1000, 10_000, 40_000] {
        criterion.bench_function(&format!("growth/removal/{count}"), |bencher| {
            let (model, _, contacts) = balls(count);
            bencher.iter_batched_ref(
                || model.clone(),
                |model| contacts.iter().for_each(|&contact| drop(model.remove_interaction(contact))),
                BatchSize::LargeInput,
            );
        });
    }
}

type Scene = (NonSmoothDynamicalSystem, Vec<DynamicalSystemId>, Vec<InteractionId>, TimeStepping, State);

fn touching_balls() -> Scene {
    let (model, balls, contacts) = balls(10_000);
    let mut simulation = simulation(&model);
    let state = simulation.initial_state(&model).expect("a state");
    (model, balls, contacts, simulation, state)
}

/// A step of a model of which nothing, one contact or every contact is made anew before it.
fn change(criterion: &mut Criterion) {
    for (name, changed) in [("unchanged", 0), ("one_swap", 1), ("all_replaced", 10_000)] {
        let mut scene = None;
        criterion.bench_function(&format!("growth/change/10000/{name}"), |bencher| {
            let (model, balls, contacts, simulation, state) = scene.get_or_insert_with(touching_balls);
            bencher.iter(|| {
                for (contact, &ball) in contacts.iter_mut().zip(&*balls).take(changed) {
                    model.remove_interaction(*contact).expect("it is there");
                    *contact = touch(model, ball);
                }
                black_box(simulation.step(model, state).expect("a step").is_some());
            });
        });
    }
}

/// What one swapped contact costs by itself: the change of the model, and what a step does about it before it
/// moves anything. The rest of the step is not timed, and leaves in the caches what it does in a simulation.
fn swap(criterion: &mut Criterion) {
    let mut places = (0..10_000).cycle().step_by(7919);
    let mut scene = None;
    criterion.bench_function("growth/swap/10000", |bencher| {
        let (model, balls, contacts, simulation, state) = scene.get_or_insert_with(touching_balls);
        bencher.iter_custom(|swaps| {
            let mut spent = Duration::ZERO;
            for _ in 0..swaps {
                let place = places.next().expect("it goes round");
                let begin = Instant::now();
                model.remove_interaction(contacts[place]).expect("it is there");
                contacts[place] = touch(model, balls[place]);
                black_box(simulation.begin_step(model, state).expect("a change to follow"));
                spent += begin.elapsed();
                simulation.step(model, state).expect("a step");
            }
            spent
        });
    });
}

/// Who moves with whom, in a model of scalar systems of which each relation r = g(x, lambda) couples two.
fn coupled(criterion: &mut Criterion) {
    for count in [100, 1000] {
        let mut model = NonSmoothDynamicalSystem::new();
        let (mut before, mut interactions) = (None, Vec::new());
        for _ in 0..count {
            let system = FirstOrderLinearTi::new(vec![0.0], array![[-1.0]]);
            let system = model.add_system(system).expect("a system");
            if let Some(before) = before.replace(system) {
                let relation = FirstOrderNonlinearRelation::new(
                    1,
                    |at, y| y[0] = at.x[0] - at.x[1] + at.lambda[0],
                    |at, r| (r[0], r[1]) = (at.lambda[0] * at.x[1], -at.lambda[0]),
                )
                .with_c(RelationJacobian::FiniteDifference)
                .with_d(RelationJacobian::FiniteDifference)
                .with_k(RelationJacobian::FiniteDifference)
                .with_b(RelationJacobian::FiniteDifference);
                let law = ComplementarityCondition::new(1).expect("a row");
                interactions
                    .push(model.add_interaction([before, system], relation, law).expect("a relation"));
            }
        }
        let first = interactions[0];
        criterion.bench_function(&format!("growth/coupled/{count}"), |bencher| {
            bencher.iter(|| black_box(model.linked_interactions(first)).map(|linked| linked.len()));
        });
    }
}

/// Steps of an elastic bar of many elements under its weight that bounces on the floor.
fn bar(criterion: &mut Criterion) {
    for elements in [1000, 2000, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/bar/{elements}"), H, || bar_of(elements));
    }
}

fn bar_of(elements: usize) -> NonSmoothDynamicalSystem {
    let n = elements + 1;
    let (mass, stiffness) = (1.0 / n as f64, 1e3 * elements as f64);
    let of_element = |k: usize| {
        [(k, k, stiffness), (k + 1, k + 1, stiffness), (k, k + 1, -stiffness), (k + 1, k, -stiffness)]
    };
    let stiffness = Csc::from_triplets(n, n, (0..elements).flat_map(of_element)).expect("entries");
    let mut model = NonSmoothDynamicalSystem::new();
    let bar = LagrangianLinear::new(vec![0.0; n], vec![0.0; n], Array1::from_elem(n, mass))
        .with_stiffness(stiffness)
        .with_constant_external_force(vec![-9.81 * mass; n]);
    let bar = model.add_system(bar).expect("a bar");
    let mut tip = Array2::zeros((1, n));
    tip[[0, 0]] = 1.0;
    let law = NewtonImpact::new(0.0).expect("a coefficient");
    model.add_interaction([bar], LagrangianLinearRelation::new(tip), law).expect("a contact");
    model
}

/// Steps of a general Lagrangian system with a constant diagonal mass and a force of the state.
fn lagrangian(criterion: &mut Criterion) {
    bench_steps(criterion, "growth/lagrangian/1000", H, || {
        let n = 1000;
        let mut model = NonSmoothDynamicalSystem::new();
        let system = Lagrangian::new(vec![1.0; n], vec![0.0; n], Array1::from_elem(n, 2.0))
            .with_internal_force(
                |_at, q, v, f| {
                    f.iter_mut().zip(q.iter().zip(v)).for_each(|(f, (q, v))| *f = q + q * q * q + 0.1 * v);
                },
                Jacobian::Zero,
                Jacobian::Zero,
            );
        model.add_system(system).expect("a system");
        model
    });
}

/// Adds a column of `count` balls on the floor, each of which touches the one below it.
fn add_pile(model: &mut NonSmoothDynamicalSystem, count: u32) {
    let radius = 0.1;
    let law = NewtonImpact::new(0.5).expect("a coefficient");
    let mut below = None;
    for k in 0..count {
        let ball = LagrangianLinear::new(vec![radius * f64::from(2 * k + 1)], vec![0.0], array![1.0]);
        let ball = model.add_system(ball.with_constant_external_force(vec![-9.81])).expect("a ball");
        let (systems, gap, offset) = match below {
            None => (vec![ball], array![[1.0]], -radius),
            Some(below) => (vec![below, ball], array![[-1.0, 1.0]], -2.0 * radius),
        };
        let relation = LagrangianLinearRelation::new(gap).with_offset(vec![offset]);
        model.add_interaction(systems, relation, law).expect("a contact");
        below = Some(ball);
    }
}

/// A thousand steps of a column of touching balls on a floor, per run.
fn chain(criterion: &mut Criterion) {
    for count in [10, 100, 1000, 10_000] {
        let steps = if count > 1000 { 100 } else { 1000 };
        criterion.bench_function(&format!("growth/chain/{count}/{steps}"), |bencher| {
            let mut model = NonSmoothDynamicalSystem::new();
            add_pile(&mut model, count);
            bencher.iter_batched_ref(
                || {
                    let mut simulation = simulation(&model);
                    let state = simulation.initial_state(&model).expect("a state");
                    (simulation, state)
                },
                |(simulation, state)| {
                    for _ in 0..steps {
                        black_box(simulation.step(&model, state).expect("a step").is_some());
                    }
                },
                BatchSize::LargeInput,
            );
        });
    }
}

/// An event of independent circuits, diode bridges behind oscillators with sources of different phases.
fn circuits(criterion: &mut Criterion) {
    for count in [20, 200, 2000] {
        let mut scene = None;
        criterion.bench_function(&format!("growth/circuits/{count}"), |bencher| {
            let (model, simulation, state) = scene.get_or_insert_with(|| circuits_of(count));
            bencher.iter(|| black_box(simulation.step(model, state).expect("an event").is_some()));
        });
    }
}

fn circuits_of(count: u32) -> (NonSmoothDynamicalSystem, EventDriven, State) {
    let bridge = DiodeBridge::default();
    let mut model = NonSmoothDynamicalSystem::new();
    for k in 0..count {
        let LinearModel { a, b, c, d, x0 } = bridge.model();
        let phase = 2.4 * f64::from(k);
        let circuit = FirstOrderLinear::new(x0, a)
            .with_source_function(move |at, b| b[1] = 100.0 * (3e4 * at.t + phase).sin());
        let circuit = model.add_system(circuit).expect("a circuit");
        let law = ComplementarityCondition::new(c.nrows()).expect("rows");
        let diodes = FirstOrderLinearRelation::new(c, b).with_d(d);
        model.add_interaction([circuit], diodes, law).expect("diodes");
    }
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 1.0).expect("a grid");
    let mut simulation = EventDriven::builder(&model).discretisation(grid).build().expect("a simulation");
    let state = simulation.initial_state(&model).expect("a state");
    (model, simulation, state)
}

/// All events of balls that fall from 1 m, bounce ever lower and come to rest, each by itself: the impacts
/// accumulate, and are cut short.
fn accumulation(criterion: &mut Criterion) {
    for count in [1000, 4000, 10_000] {
        criterion.bench_function(&format!("growth/accumulation/{count}"), |bencher| {
            let mut model = NonSmoothDynamicalSystem::new();
            for _ in 0..count {
                let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
                let ball = ball.with_constant_external_force(vec![-9.81]);
                let ball = model.add_system(ball).expect("a ball");
                touch(&mut model, ball);
            }
            let grid = TimeDiscretisation::uniform(0.0, 2.0, 2.0).expect("a grid");
            bencher.iter(|| {
                let builder = EventDriven::builder(&model).discretisation(grid.clone());
                let mut simulation = builder.build().expect("a simulation");
                let mut state = simulation.initial_state(&model).expect("a state");
                while black_box(simulation.step(&model, &mut state).expect("an event").is_some()) {}
            });
        });
    }
}

/// Steps of many parts that have nothing to do with each other, by one thread and by two: a hundred thousand
/// balls on a floor in piles of ten, double pendulums pressed on a wall, and circuits with diodes whose
/// currents are functions of their voltages.
fn parts(criterion: &mut Criterion) {
    for threads in [1, 2] {
        bench_shared(criterion, &format!("growth/piles/100000/{threads}"), (H, threads), || {
            model_of(10_000, |model| add_pile(model, 10))
        });
    }
    for threads in [1, 2] {
        bench_shared(criterion, &format!("growth/pendulums/10000/{threads}"), (H, threads), || {
            model_of(10_000, add_pendulum)
        });
    }
    for threads in [1, 2] {
        bench_shared(criterion, &format!("growth/clippers/10000/{threads}"), (H, threads), || {
            model_of(10_000, add_clipper)
        });
    }
}

/// A model of many parts.
fn model_of(count: usize, add: impl Fn(&mut NonSmoothDynamicalSystem)) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    (0..count).for_each(|_| add(&mut model));
    model
}

/// Adds a double pendulum of two unit masses on unit rods, whose tip hangs at a wall and is pressed on it.
fn add_pendulum(model: &mut NonSmoothDynamicalSystem) {
    let mass = |_: &Parameters, q: &[f64], m: &mut ndarray::ArrayViewMut2<'_, f64>| {
        let c = (q[0] - q[1]).cos();
        (m[[0, 0]], m[[0, 1]], m[[1, 0]], m[[1, 1]]) = (2.0, c, c, 1.0);
    };
    let pendulum = Lagrangian::of_mass_function(vec![0.0; 2], vec![0.0; 2], mass)
        .with_internal_force(
            |_at, q, v, f| {
                f[0] = 2.0 * 9.81 * q[0].sin() + 3.0 * q[0].cos() + 0.1 * v[0];
                f[1] = 9.81 * q[1].sin() + 0.1 * v[1];
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        )
        .with_gyroscopic_force(
            |_, q, v, f| {
                let s = (q[0] - q[1]).sin();
                (f[0], f[1]) = (s * v[1] * v[1], -s * v[0] * v[0]);
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        );
    let pendulum = model.add_system(pendulum).expect("a pendulum");
    let wall = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin() + q[1].sin());
    model.add_interaction([pendulum], wall, NewtonImpact::new(0.5).expect("a coefficient")).expect("a wall");
}

/// Adds an oscillator that loses to two diodes what its voltage and their currents say.
fn add_clipper(model: &mut NonSmoothDynamicalSystem) {
    let circuit = FirstOrderLinearTi::new(vec![1.0, 0.0], array![[0.0, -30.0], [30.0, -0.1]]);
    let circuit = model.add_system(circuit).expect("a circuit");
    let diodes = FirstOrderNonlinearRelation::new(
        2,
        |at, y| {
            y[0] = at.x[0] + 0.2 * at.x[0].powi(3) + at.lambda[0];
            y[1] = 0.1 - at.x[1].sin() + at.lambda[1];
        },
        |at, r| (r[0], r[1]) = (at.lambda[0], -at.lambda[1] * (1.0 + 0.1 * at.lambda[1])),
    )
    .with_c(RelationJacobian::FiniteDifference)
    .with_d(RelationJacobian::FiniteDifference)
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::FiniteDifference);
    let law = ComplementarityCondition::new(2).expect("two rows");
    model.add_interaction([circuit], diodes, law).expect("diodes");
}

/// Steps of balls high above a plate on a spring, each of which may come to touch it: nothing does, and costs
/// and memory are those of the bodies.
fn plate(criterion: &mut Criterion) {
    for count in [600, 6000, 60_000] {
        bench_steps(criterion, &format!("growth/plate/{count}"), H, || {
            let mut model = NonSmoothDynamicalSystem::new();
            let plate =
                LagrangianLinear::new(vec![0.0], vec![0.1], array![10.0]).with_stiffness(array![[1e3]]);
            let plate = model.add_system(plate).expect("a plate");
            let law = NewtonImpact::new(0.5).expect("a coefficient");
            for _ in 0..count {
                let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]));
                let above = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
                model.add_interaction([plate, ball.expect("a ball")], above, law).expect("a contact");
            }
            model
        });
    }
}

/// A tridiagonal matrix, with the same two numbers in every row.
fn tridiagonal(n: usize, diagonal: f64, beside: f64) -> Csc {
    let of_column = |j: usize| {
        let above = (j > 0).then(|| (j - 1, j, beside));
        let below = (j + 1 < n).then_some((j + 1, j, beside));
        [above, Some((j, j, diagonal)), below].into_iter().flatten()
    };
    Csc::from_triplets(n, n, (0..n).flat_map(of_column)).expect("entries of the matrix")
}

/// Steps of ladders of capacitors with diodes, driven so that these open and close: in one system, with a
/// diode from ground to each node; and of a system per capacitor, with diodes from each to the next.
fn ladder(criterion: &mut Criterion) {
    for n in [100, 1000, 10_000] {
        bench_steps(criterion, &format!("growth/ladder/one_system/{n}"), DRIVEN, || ladder_in_one_system(n));
    }
    for n in [100, 1000, 10_000] {
        bench_steps(criterion, &format!("growth/ladder/many_systems/{n}"), DRIVEN, || ladder_of_systems(n));
    }
}

fn ladder_in_one_system(n: usize) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let ladder =
        FirstOrderLinear::new(vec![0.0; n], tridiagonal(n, -2.0, 1.0)).with_source_function(|at, b| {
            for (k, b) in b.iter_mut().enumerate() {
                *b = (0.7 * at.t + 0.05 * k as f64).sin();
            }
        });
    let ladder = model.add_system(ladder).expect("a ladder");
    for k in 0..n {
        let node = |rows, columns| {
            Csc::from_triplets(rows, columns, [(k % rows, k % columns, 1.0)]).expect("a node of the ladder")
        };
        let relation = FirstOrderLinearRelation::new(node(1, n), node(n, 1));
        let law = ComplementarityCondition::new(1).expect("a row");
        model.add_interaction([ladder], relation, law).expect("a diode");
    }
    model
}

fn ladder_of_systems(n: u32) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut before = None;
    for k in 0..n {
        let capacitor = FirstOrderLinear::new(vec![0.0], array![[-1.0]])
            .with_source_function(move |at, b| b[0] = (0.7 * at.t + 0.3 * f64::from(k)).sin());
        let capacitor = model.add_system(capacitor).expect("a capacitor");
        if let Some(before) = before.replace(capacitor) {
            let relation = FirstOrderLinearRelation::new(array![[-1.0, 1.0]], array![[-1.0], [1.0]]);
            let law = ComplementarityCondition::new(1).expect("a row");
            model.add_interaction([before, capacitor], relation, law).expect("a diode");
        }
    }
    model
}

/// Steps of capacitors that know nothing of each other, each with a diode.
fn capacitors(criterion: &mut Criterion) {
    for n in [1000_u32, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/capacitors/{n}"), DRIVEN, || {
            let mut model = NonSmoothDynamicalSystem::new();
            for k in 0..n {
                let capacitor = FirstOrderLinear::new(vec![0.0], array![[-1.0]])
                    .with_source_function(move |at, b| b[0] = (0.7 * at.t + f64::from(k)).sin());
                let capacitor = model.add_system(capacitor).expect("a capacitor");
                let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
                let law = ComplementarityCondition::new(1).expect("a row");
                model.add_interaction([capacitor], relation, law).expect("a diode");
            }
            model
        });
    }
}

/// Steps of a rod that a thermostat heats at one end.
fn rod(criterion: &mut Criterion) {
    for n in [1000, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/rod/{n}"), DRIVEN, || {
            let conduction = (n * n) as f64;
            let mut model = NonSmoothDynamicalSystem::new();
            let rod = FirstOrderLinearTi::new(vec![0.0; n], tridiagonal(n, -2.0 * conduction, conduction));
            let rod = model.add_system(rod).expect("a rod");
            let (mut sensor, mut heater) = (Array2::zeros((1, n)), Array2::zeros((n, 1)));
            (sensor[[0, 0]], heater[[0, 0]]) = (1.0, conduction);
            let relation = FirstOrderLinearRelation::new(sensor, heater).with_offset(vec![-1.0]);
            let law = Relay::new(vec![0.0], vec![2.0]).expect("bounds");
            model.add_interaction([rod], relation, law).expect("a thermostat");
            model
        });
    }
}

/// Steps of 0.02 s, long enough for what drives a model to move its active set.
const DRIVEN: f64 = 0.02;

/// Benches the steps of a model, which is made when it is wanted: a filter passes over most.
fn bench_steps(criterion: &mut Criterion, name: &str, h: f64, model: impl Fn() -> NonSmoothDynamicalSystem) {
    bench_shared(criterion, name, (h, 1), model);
}

/// [`bench_steps`] with a number of threads.
fn bench_shared(
    criterion: &mut Criterion,
    name: &str,
    (h, threads): (f64, usize),
    model: impl Fn() -> NonSmoothDynamicalSystem,
) {
    let threads = NonZeroUsize::new(threads).expect("not 0");
    let mut scene = None;
    criterion.bench_function(name, |bencher| {
        let (model, simulation, state) = scene.get_or_insert_with(|| {
            let model = model();
            let grid = TimeDiscretisation::uniform(0.0, 1e6, h).expect("a grid");
            let builder = TimeStepping::builder(&model).discretisation(grid);
            let mut simulation = builder.threads(threads).build().expect("a simulation");
            let state = simulation.initial_state(&model).expect("a state");
            (model, simulation, state)
        });
        bencher.iter(|| black_box(simulation.step(model, state).expect("a step").is_some()));
    });
}

criterion_group! {
    name = growth;
    config = Criterion::default().sample_size(10);
    targets = removal, change, swap, coupled, bar, lagrangian, chain, parts, plate, circuits, accumulation, ladder, capacitors, rod
}
criterion_main!(growth);
