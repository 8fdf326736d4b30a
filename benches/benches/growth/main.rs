//! Cost of changing a model, and of simulating models of increasing size.

mod change;
mod events;
mod large_systems;
mod many_systems;
mod rollers;

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, criterion_group, criterion_main};
use ndarray::array;
use siconos_kernel::prelude::*;

use self::change::{change, coupled, removal, swap};
use self::events::{accumulation, circuits};
use self::large_systems::{bar, ladder, lagrangian, rod};
use self::many_systems::{capacitors, chain, parts, plate};
use self::rollers::slab;

/// Step length of most benches \[s\].
const H: f64 = 1e-3;

/// Step length of driven models \[s\], long enough for the active set to change.
const DRIVEN: f64 = 0.02;

fn touch(model: &mut NonSmoothDynamicalSystem, ball: DynamicalSystemId) -> InteractionId {
    let law = NewtonImpact::new(0.5).expect("a coefficient");
    model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law).expect("a contact")
}

fn simulation(model: &NonSmoothDynamicalSystem) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, 1e6, H).expect("a grid");
    TimeStepping::builder(model).discretisation(grid).build().expect("a simulation")
}

/// Benches the steps of a model. `model` is called only if the filter selects the bench.
fn bench_steps(criterion: &mut Criterion, name: &str, h: f64, model: impl Fn() -> NonSmoothDynamicalSystem) {
    bench_shared(criterion, name, (h, 1), model);
}

/// Benches the steps of a model like [`bench_steps`], with the given number of threads.
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
    targets = removal, change, swap, coupled, bar, lagrangian, chain, parts, plate, circuits, accumulation, ladder, capacitors, rod, slab
}
criterion_main!(growth);
