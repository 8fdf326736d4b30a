//! Steps of models with many systems.

use std::hint::black_box;

use criterion::{BatchSize, Criterion};
use ndarray::{ArrayViewMut2, array};
use siconos_kernel::prelude::*;

use crate::{DRIVEN, H, bench_shared, bench_steps, simulation};

/// Adds a column of `count` balls on the floor, each touching the ball below.
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

/// Benches a thousand steps of a column of touching balls on a floor.
pub(crate) fn chain(criterion: &mut Criterion) {
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

/// Benches steps of many independent subsystems with one thread and with two threads. The subsystems are a
/// hundred thousand balls on a floor in piles of ten, double pendulums pressed against a wall, or circuits
/// with diodes whose currents are functions of their voltages.
pub(crate) fn parts(criterion: &mut Criterion) {
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

/// Returns a model with `count` copies of a subsystem.
fn model_of(count: usize, add: impl Fn(&mut NonSmoothDynamicalSystem)) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    (0..count).for_each(|_| add(&mut model));
    model
}

/// Adds a double pendulum with two unit masses on unit rods, with its tip pressed against a wall.
fn add_pendulum(model: &mut NonSmoothDynamicalSystem) {
    let mass = |_: &Parameters, q: &[f64], m: &mut ArrayViewMut2<'_, f64>| {
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

/// Adds an oscillator that is clipped by two diodes, with losses that depend on its voltage and the diode
/// currents.
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

/// Benches steps of balls high above a plate on a spring. Each ball could touch the plate but does not. The
/// time and the memory should equal the cost of the bodies alone.
pub(crate) fn plate(criterion: &mut Criterion) {
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

/// Benches steps of independent capacitors, each with a diode.
pub(crate) fn capacitors(criterion: &mut Criterion) {
    for n in [1000, 10_000, 100_000] {
        bench_steps(criterion, &format!("growth/capacitors/{n}"), DRIVEN, || capacitors_of(n));
    }
}

pub(crate) fn capacitors_of(n: u32) -> NonSmoothDynamicalSystem {
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
}
