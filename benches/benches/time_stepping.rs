//! Mean time of a step of the standard models: `time_stepping/model`.
//!
//! The runs are the runs of the examples, but with all contacts in the model from the start and without
//! output. The printed time is the time of a complete run. `elem/s` counts steps.

mod common;

use criterion::{Criterion, criterion_group, criterion_main};
use siconos_examples::ExampleError;
use siconos_examples::block_on_slope::BlockOnSlope;
use siconos_examples::bouncing_ball::BouncingBall;
use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::column_of_beads::ColumnOfBeads;
use siconos_examples::diode_bridge::DiodeBridge;
use siconos_examples::double_pendulum::DoublePendulum;
use siconos_examples::friction_oscillator::FrictionOscillator;
use siconos_examples::impacting_bar::ImpactingBar;
use siconos_examples::relay_oscillator::RelayOscillator;
use siconos_examples::rlcd::Rlcd;
use siconos_examples::spinning_disk::SpinningDisk;

use self::common::Runs;

fn all(criterion: &mut Criterion) -> Result<(), ExampleError> {
    let mut runs = Runs { criterion, group: "time_stepping" };
    let ball = BouncingBall::default();
    let (model, ..) = ball.model()?;
    runs.bench("bouncing_ball", &model, ball.simulation(&model)?)?;

    let cam = CamFollower { t_end: 1.0, ..CamFollower::default() };
    for (name, form) in [("cam_follower", Form::Translated), ("cam_follower_rheonomic", Form::Rheonomic)] {
        let (model, ..) = cam.model(form)?;
        runs.bench(name, &model, cam.simulation(&model)?)?;
    }

    let column = ColumnOfBeads::default();
    let (mut model, beads) = column.model()?;
    for i in 0..beads.len() {
        column.add_contact(&mut model, &beads, i)?;
    }
    runs.bench(&format!("column_of_beads/{}", beads.len()), &model, column.simulation(&model)?)?;

    let pendulum = DoublePendulum { t_end: 1.0, ..DoublePendulum::default() };
    let (model, ..) = pendulum.model()?;
    runs.bench("double_pendulum", &model, pendulum.simulation(&model)?)?;

    let bridge = DiodeBridge::default();
    let (model, ..) = bridge.model()?;
    runs.bench("diode_bridge", &model, bridge.simulation(&model)?)?;

    let circuit = Rlcd::default();
    let (model, ..) = circuit.model()?;
    runs.bench("rlcd", &model, circuit.simulation(&model)?)?;

    let example = BlockOnSlope::default();
    let (model, ..) = example.model()?;
    runs.bench("block_on_slope", &model, example.simulation(&model)?)?;

    let example = FrictionOscillator::default();
    let (model, ..) = example.model()?;
    runs.bench("friction_oscillator", &model, example.simulation(&model)?)?;

    let example = SpinningDisk::default();
    let (model, ..) = example.model()?;
    runs.bench("spinning_disk", &model, example.simulation(&model)?)?;

    let example = ImpactingBar::default();
    let (model, ..) = example.model()?;
    runs.bench("impacting_bar", &model, example.simulation(&model)?)?;

    let relay = RelayOscillator::default();
    let (model, ..) = relay.model()?;
    runs.bench("relay_oscillator", &model, relay.simulation(&model)?)
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a model of the benches does not run: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
