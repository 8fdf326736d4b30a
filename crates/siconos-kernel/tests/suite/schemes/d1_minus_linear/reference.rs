//! Bouncing ball of Siconos.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::reference::trajectory;

use crate::common::grid;

#[test]
fn the_ball_of_siconos_bounces_as_it_does() {
    let Some(reference) = trajectory("BouncingBallTS-D1MinusLinearOSI.ref.gz") else { return };
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0; 3], array![1.0, 1.0, 0.4 * 0.01])
        .with_constant_external_force(vec![-9.81, 0.0, 0.0]);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.9).unwrap()).unwrap();
    let scheme = D1MinusLinear {
        gap_threshold: Some(1e-8),
        velocity_threshold: Some(1e-8),
        ..D1MinusLinear::default()
    };
    let mut simulation =
        TimeStepping::builder(&model).discretisation(grid(10.0, 5e-4)).integrator(scheme).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let row = |state: &State| {
        let impulse = state.lambda(floor, Level::Velocity)[0];
        let force = state.lambda(floor, Level::Acceleration)[0];
        [state.t, state.q(ball)[0], state.v(ball)[0], state.impulse(ball)[0], impulse, force, force]
    };
    let mut rows = vec![row(&state)];
    simulation.run(&model, &mut state, |_, state| rows.push(row(state))).unwrap();
    assert_eq!((rows.len(), reference.len()), (20_001, 20_001));
    for column in 0..7 {
        let pairs = rows.iter().zip(&reference);
        let largest = pairs.map(|(row, expected)| (row[column] - expected[column]).abs()).fold(0.0, worse);
        println!("column {column}: {largest:e}");
        assert!(largest < 1e-9, "column {column}: {largest}");
    }
}
