//! Comparison of the ball with the published reference.

use siconos_examples::newton_euler_ball::NewtonEulerBall;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::reference::trajectory;

#[test]
fn the_ball_of_siconos_falls_as_it_does() -> Result<(), Error> {
    let Some(reference) = trajectory("BouncingBallNETS.ref") else { return Ok(()) };
    let published = NewtonEulerBall { inertia: 1.0, ..NewtonEulerBall::default() };
    let (model, ball, _) = published.model().expect("a model");
    let mut simulation = published.simulation(&model).expect("a simulation");
    let mut state = simulation.initial_state(&model)?;
    let row = |state: &State| {
        let (q, v) = (state.q(ball), state.v(ball));
        let mut row = vec![state.t, q[0], v[0], state.impulse(ball)[0]];
        row.extend(q);
        row
    };
    let mut rows = vec![row(&state)];
    simulation.run(&model, &mut state, |_, state| rows.push(row(state)))?;
    assert_eq!((rows.len(), reference.len()), (2001, 2001));
    let mut largest = 0.0;
    for (row, expected) in rows.iter().zip(&reference) {
        let columns = (0..4).chain(7..14);
        largest = columns.zip(row).map(|(column, x)| (x - expected[column]).abs()).fold(largest, worse);
    }
    assert!(largest < 1e-9, "{largest}");
    Ok(())
}
