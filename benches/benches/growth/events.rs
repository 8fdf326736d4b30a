//! Events of many independent systems.

use std::hint::black_box;

use criterion::Criterion;
use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::exact::{DiodeBridge, LinearModel};

use crate::touch;

/// Benches an event of independent circuits. The circuits are diode bridges fed by oscillators with sources
/// of different phases.
pub(crate) fn circuits(criterion: &mut Criterion) {
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

/// Benches all events of independent balls that fall from 1 m and bounce to rest. The simulation ends the
/// accumulation of impacts early.
pub(crate) fn accumulation(criterion: &mut Criterion) {
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
