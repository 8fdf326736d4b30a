//! What it costs to change a model, and to simulate one that grows.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ndarray::array;
use siconos_kernel::prelude::*;

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

fn simulation(model: &NonSmoothDynamicalSystem) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 1e6, 1e-3).expect("a grid");
    TimeStepping::builder(model).discretisation(grid).build().expect("a simulation")
}

/// Removal of all interactions of a model, in the order in which they were added.
fn removal(criterion: &mut Criterion) {
    for count in [1000, 10_000, 40_000] {
        let (model, _, contacts) = balls(count);
        criterion.bench_function(&format!("growth/removal/{count}"), |bencher| {
            bencher.iter_batched_ref(
                || model.clone(),
                |model| contacts.iter().for_each(|&contact| drop(model.remove_interaction(contact))),
                BatchSize::LargeInput,
            );
        });
    }
}

/// A step of a model of which nothing, one contact or every contact is made anew before it.
fn change(criterion: &mut Criterion) {
    for (name, changed) in [("unchanged", 0), ("one_swap", 1), ("all_replaced", 10_000)] {
        let (mut model, balls, mut contacts) = balls(10_000);
        let mut simulation = simulation(&model);
        let mut state = simulation.initial_state(&model).expect("a state");
        criterion.bench_function(&format!("growth/change/10000/{name}"), |bencher| {
            bencher.iter(|| {
                for (contact, &ball) in contacts.iter_mut().zip(&balls).take(changed) {
                    model.remove_interaction(*contact).expect("it is there");
                    *contact = touch(&mut model, ball);
                }
                black_box(simulation.step(&model, &mut state).expect("a step").is_some());
            });
        });
    }
}

criterion_group! {
    name = growth;
    config = Criterion::default().sample_size(10);
    targets = removal, change
}
criterion_main!(growth);
