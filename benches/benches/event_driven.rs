//! Complete event-driven runs of the standard models: `event_driven/model`.
//!
//! The runs are the runs of the examples, from the initial state to the end with all output times, but
//! without tables. `elem/s` counts events.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use siconos_examples::ExampleError;
use siconos_examples::bead_column_ed::BeadColumnEd;
use siconos_examples::bouncing_ball_ed::BouncingBallEd;
use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::simple_pendulum_ed::SimplePendulumEd;
use siconos_examples::two_contacts_ed::TwoContactsEd;
use siconos_kernel::prelude::*;

fn bench_run(
    criterion: &mut Criterion,
    id: BenchmarkId,
    model: &NonSmoothDynamicalSystem,
    mut simulation: EventDriven,
) -> Result<(), ExampleError> {
    let initial = simulation.initial_state(model)?;
    let mut events = 0;
    simulation.run(model, &mut initial.clone(), |_, _| events += 1)?;
    let mut group = criterion.benchmark_group("event_driven");
    group.throughput(Throughput::Elements(events));
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            let mut state = initial.clone();
            simulation.run(model, &mut state, |_, _| ()).map(|()| state.t)
        });
    });
    group.finish();
    Ok(())
}

fn all(criterion: &mut Criterion) -> Result<(), ExampleError> {
    let id = BenchmarkId::from_parameter;
    for (name, example) in [
        ("bouncing_ball", BouncingBallEd::default()),
        ("resting_contact", BouncingBallEd::without_restitution()),
    ] {
        let (model, ..) = example.ball.model()?;
        bench_run(criterion, id(name), &model, example.simulation(&model)?)?;
    }
    let ball = TwoContactsEd::default();
    let (model, ..) = ball.model()?;
    bench_run(criterion, id("two_contacts"), &model, ball.simulation(&model)?)?;

    let column = BeadColumnEd::default();
    let (model, _) = column.model()?;
    bench_run(criterion, id("bead_column"), &model, column.simulation(&model)?)?;

    let pendulum = SimplePendulumEd::default();
    let (model, ..) = pendulum.model()?;
    bench_run(criterion, id("pendulum"), &model, pendulum.simulation(&model)?)?;

    let cam = CamFollower::default().at(660.0);
    let (model, ..) = cam.model(Form::Rheonomic)?;
    let grid = TimeDiscretisation::uniform(0.0, cam.t_end, cam.cam.turn())?;
    bench_run(criterion, id("cam_follower"), &model, cam.event_driven(&model, grid)?)
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a model of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
