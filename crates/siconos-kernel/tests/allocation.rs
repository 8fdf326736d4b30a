//! A time step in steady state allocates nothing.

use siconos_examples::block_on_slope::BlockOnSlope;
use siconos_examples::bouncing_ball::BouncingBall;
use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::column_of_beads::ColumnOfBeads;
use siconos_examples::double_pendulum::DoublePendulum;
use siconos_examples::spinning_disk::SpinningDisk;
use siconos_kernel::prelude::*;
use siconos_testkit::allocation::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Runs once to let the work arrays grow, and a second time under the counter.
fn allocations_of_a_run(model: &NonSmoothDynamicalSystem, mut simulation: TimeStepping) -> usize {
    let mut warm_up = simulation.initial_state(model).unwrap();
    simulation.run(model, &mut warm_up, |_, _| ()).unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    let mut active = 0;
    let count = count_allocations(|| {
        simulation.run(model, &mut state, |report, _| active += report.active.len()).unwrap();
    });
    assert!(active > 3, "the run must have contacts to be worth counting");
    assert_eq!(state.t, warm_up.t);
    count
}

#[test]
fn a_step_allocates_nothing() {
    // That the counter counts.
    assert!(count_allocations(|| drop(std::hint::black_box(vec![0_u8; 100]))) > 0);

    let ball = BouncingBall::default();
    let (model, ..) = ball.model().unwrap();
    assert_eq!(allocations_of_a_run(&model, ball.simulation(&model).unwrap()), 0, "bouncing ball");

    let cam = CamFollower { t_end: 0.5, ..CamFollower::default() };
    for form in [Form::Rheonomic, Form::Translated] {
        let (model, ..) = cam.model(form).unwrap();
        assert_eq!(
            allocations_of_a_run(&model, cam.simulation(&model).unwrap()),
            0,
            "cam-follower, {form:?}"
        );
    }

    let column = ColumnOfBeads::default();
    let (mut model, beads) = column.model().unwrap();
    for i in 0..beads.len() {
        column.add_contact(&mut model, &beads, i).unwrap();
    }
    assert_eq!(allocations_of_a_run(&model, column.simulation(&model).unwrap()), 0, "column of beads");

    // A grid whose steps differ: W is factorised at every step, in the memory of the last one.
    let mut times = vec![0.0];
    for k in 0..2000 {
        times.push(times[k] + if k % 2 == 0 { 1e-3 } else { 2e-3 });
    }
    let (model, ..) = CamFollower::default().model(Form::Translated).unwrap();
    let grid = TimeDiscretisation::from_times(times).unwrap();
    let simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    assert_eq!(allocations_of_a_run(&model, simulation), 0, "changing steps");

    let slope = BlockOnSlope::default();
    let (model, _) = slope.model().unwrap();
    assert_eq!(allocations_of_a_run(&model, slope.simulation(&model).unwrap()), 0, "blocks on a slope");

    let disk = SpinningDisk::default();
    let (model, ..) = disk.model().unwrap();
    assert_eq!(allocations_of_a_run(&model, disk.simulation(&model).unwrap()), 0, "spinning disk");

    // A wall without friction in the way of the disk: blocks of different laws.
    let disk = SpinningDisk { spin: 10.0, ..SpinningDisk::default() };
    let (mut model, body, _) = disk.model().unwrap();
    let wall =
        LagrangianLinearRelation::new(ndarray::array![[0.0, -1.0, 0.0]]).with_offset(ndarray::array![1.0]);
    model.add_interaction([body], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
    let simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 8.0, 1e-3).unwrap())
        .build()
        .unwrap();
    assert_eq!(allocations_of_a_run(&model, simulation), 0, "spinning disk and wall");

    let pendulum = DoublePendulum::default();
    let (model, ..) = pendulum.model().unwrap();
    assert_eq!(allocations_of_a_run(&model, pendulum.simulation(&model).unwrap()), 0, "double pendulum");
}
