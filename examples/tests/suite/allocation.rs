//! A time step in steady state does not allocate.

use ndarray::array;
use siconos_examples::block_on_slope::BlockOnSlope;
use siconos_examples::bouncing_ball::BouncingBall;
use siconos_examples::cam_follower::{CamFollower, Form};
use siconos_examples::spinning_disk::SpinningDisk;
use siconos_kernel::prelude::*;
use siconos_models::count_in_second_run;
use siconos_testkit::allocation::count_allocations;

#[track_caller]
fn assert_none(model: &NonSmoothDynamicalSystem, mut simulation: TimeStepping) {
    assert_eq!(count_in_second_run(model, &mut simulation, |run| count_allocations(run)), 0);
}

#[test]
fn a_step_of_an_example_allocates_nothing() {
    // The counter counts an allocation.
    assert!(count_allocations(|| drop(std::hint::black_box(vec![0_u8; 100]))) > 0);

    let ball = BouncingBall::default();
    let (model, ..) = ball.model().unwrap();
    assert_none(&model, ball.simulation(&model).unwrap());

    let cam = CamFollower { t_end: 0.5, ..CamFollower::default() };
    for form in [Form::Rheonomic, Form::Translated] {
        let (model, ..) = cam.model(form).unwrap();
        assert_none(&model, cam.simulation(&model).unwrap());
    }

    // On a grid with varying steps, W is factorised at every step, in the workspace of the previous step.
    let mut times = vec![0.0];
    for k in 0..2000 {
        times.push(times[k] + if k % 2 == 0 { 1e-3 } else { 2e-3 });
    }
    let (model, ..) = CamFollower::default().model(Form::Translated).unwrap();
    let grid = TimeDiscretisation::from_times(times).unwrap();
    assert_none(&model, TimeStepping::builder(&model).discretisation(grid).build().unwrap());

    let slope = BlockOnSlope::default();
    let (model, _) = slope.model().unwrap();
    assert_none(&model, slope.simulation(&model).unwrap());

    let disk = SpinningDisk::default();
    let (model, ..) = disk.model().unwrap();
    assert_none(&model, disk.simulation(&model).unwrap());

    // A wall without friction in the path of the disk results in blocks with different laws.
    let disk = SpinningDisk { spin: 10.0, ..SpinningDisk::default() };
    let (mut model, body, _) = disk.model().unwrap();
    let wall = LagrangianLinearRelation::new(array![[0.0, -1.0, 0.0]]).with_offset(array![1.0]);
    model.add_interaction([body], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 8.0, 1e-3).unwrap();
    assert_none(&model, TimeStepping::builder(&model).discretisation(grid).build().unwrap());
}
