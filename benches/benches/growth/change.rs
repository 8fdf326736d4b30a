//! Cost of changes of a model.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion};
use ndarray::array;
use siconos_kernel::prelude::*;

use crate::many_systems::capacitors_of;
use crate::{simulation, touch};

/// Returns balls on a floor, each with its contact.
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

/// Benches the removal of all interactions of a model, in the order in which they were added.
pub(crate) fn removal(criterion: &mut Criterion) {
    for count in [1000_u32, 10_000, 40_000] {
        criterion.bench_function(&format!("growth/removal/{count}"), |bencher| {
            let (model, _, contacts) = balls(count as usize);
            bencher.iter_batched_ref(
                || model.clone(),
                |model| contacts.iter().for_each(|&contact| drop(model.remove_interaction(contact))),
                BatchSize::LargeInput,
            );
        });
        criterion.bench_function(&format!("growth/removal/diodes/{count}"), |bencher| {
            let model = capacitors_of(count);
            let diodes: Vec<_> = model.interactions().ids().collect();
            bencher.iter_batched_ref(
                || model.clone(),
                |model| diodes.iter().for_each(|&diode| drop(model.remove_interaction(diode))),
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

/// Benches a step of a model after no contact, one contact or all contacts have been replaced.
pub(crate) fn change(criterion: &mut Criterion) {
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

/// Benches the replacement of one contact in two ways. `swap` is the time of the change of the model and of
/// the part of the next step that handles the change. `in_all` is the time of the step after the change minus
/// the time of the step before it. In both cases the complete step is executed, so that the caches are in the
/// state of a simulation.
pub(crate) fn swap(criterion: &mut Criterion) {
    let mut places = (0..10_000).cycle().step_by(7919);
    let mut scene = None;
    for (name, in_all) in [("growth/swap/10000", false), ("growth/swap/10000/in_all", true)] {
        criterion.bench_function(name, |bencher| {
            let (model, balls, contacts, simulation, state) = scene.get_or_insert_with(touching_balls);
            bencher.iter_custom(|swaps| {
                let (mut with, mut without) = (Duration::ZERO, Duration::ZERO);
                for _ in 0..swaps {
                    if in_all {
                        let begin = Instant::now();
                        simulation.step(model, state).expect("a step");
                        without += begin.elapsed();
                    }
                    let place = places.next().expect("it goes round");
                    let begin = Instant::now();
                    model.remove_interaction(contacts[place]).expect("it is there");
                    contacts[place] = touch(model, balls[place]);
                    black_box(simulation.begin_step(model, state).expect("a change to follow"));
                    let alone = begin.elapsed();
                    simulation.step(model, state).expect("a step");
                    with += if in_all { begin.elapsed() } else { alone };
                }
                with.saturating_sub(without)
            });
        });
    }
}

/// Benches a model of scalar systems in which each relation r = g(x, lambda) couples two systems. The search
/// for linked interactions is timed, and the first step of a simulation, which allocates everything.
pub(crate) fn coupled(criterion: &mut Criterion) {
    for count in [100, 1000] {
        let mut scene = None;
        criterion.bench_function(&format!("growth/coupled/{count}"), |bencher| {
            let (model, first) = scene.get_or_insert_with(|| coupled_chain(count));
            bencher.iter(|| black_box(model.linked_interactions(*first)).map(|linked| linked.len()));
        });
        criterion.bench_function(&format!("growth/coupled/{count}/made_and_stepped"), |bencher| {
            bencher.iter(|| {
                let (model, _) = coupled_chain(count);
                let mut simulation = simulation(&model);
                let mut state = simulation.initial_state(&model).expect("a state");
                black_box(simulation.step(&model, &mut state).expect("a step").is_some());
            });
        });
    }
}

fn coupled_chain(count: usize) -> (NonSmoothDynamicalSystem, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let (mut before, mut first) = (None, None);
    for _ in 0..count {
        let system = FirstOrderLinearTi::new(vec![0.1], array![[-1.0]]);
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
            first.get_or_insert(model.add_interaction([before, system], relation, law).expect("a relation"));
        }
    }
    (model, first.expect("a relation"))
}
