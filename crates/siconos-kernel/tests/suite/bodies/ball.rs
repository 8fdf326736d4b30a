//! Balls that fall, and the published one.

use siconos_kernel::model::{NewtonEuler, Quaternion, RotationUpdate};
use siconos_kernel::prelude::*;
use siconos_testkit::reference::trajectory;

/// The published ball: a unit mass that falls along x on the plane x = 0.
fn falling_ball() -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = NewtonEuler::new(1.0, 1.0, [1.0, 0.0, 0.0], Quaternion::IDENTITY)
        .with_twist([2.0, 0.0, 0.0], [0.0; 3])
        .with_rotation_update(RotationUpdate::Tangent)
        .with_constant_external_force([-9.81, 0.0, 0.0]);
    let ball = model.add_system(ball)?;
    // The point of contact is 0.1 m below the centre: two tangents turn the ball.
    let relation =
        LagrangianScleronomousRelation::new(3, |_, q, y| y[0] = q[0] - 0.1).with_jacobian(|_, q, j| {
            let attitude = Quaternion([q[3], q[4], q[5], q[6]]);
            for (row, axis) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].into_iter().enumerate() {
                // (-R, 0, 0) x axis.
                let arm = attitude.rotate_back([0.0, 0.1 * axis[2], -0.1 * axis[1]]);
                for i in 0..3 {
                    (j[[row, i]], j[[row, 3 + i]]) = (axis[i], arm[i]);
                }
            }
        });
    let law = NewtonImpactFriction::in_space(0.9, 0.6)?.with_tangential_restitution(0.9)?;
    let floor = model.add_interaction([ball], relation, law)?;
    Ok((model, ball, floor))
}

#[test]
fn the_ball_of_siconos_falls_as_it_does() -> Result<(), Error> {
    let Some(reference) = trajectory("BouncingBallNETS.ref") else { return Ok(()) };
    let (model, ball, floor) = falling_ball()?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 10.0, 0.005)?)
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let row = |state: &State| {
        let (q, v) = (state.q(ball), state.v(ball));
        let lambda = state.lambda(floor, Level::Velocity);
        let mut row = vec![state.t, q[0], v[0], state.impulse(ball)[0], lambda[0]];
        row.extend(q);
        row
    };
    let mut rows = vec![row(&state)];
    simulation.run(&model, &mut state, |_, state| rows.push(row(state)))?;
    assert_eq!((rows.len(), reference.len()), (2001, 2001));
    let mut largest = 0.0;
    for (row, expected) in rows.iter().zip(&reference) {
        let columns = (0..4).chain(7..14);
        let found = row[..4].iter().chain(&row[5..]);
        let off = columns.zip(found).map(|(column, x)| (x - expected[column]).abs());
        largest = off.fold(largest, siconos_testkit::compare::worse);
    }
    assert!(largest < 1e-9, "{largest}");
    Ok(())
}
