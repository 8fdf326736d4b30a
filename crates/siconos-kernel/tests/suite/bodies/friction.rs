//! Sliding, rolling and sticking bodies.

use siconos_kernel::model::{ContactRows, Inertia, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;

const G: f64 = 9.81;

type Simulated = (NonSmoothDynamicalSystem, DynamicalSystemId, TimeStepping);

/// Simulates a ball of 2 kg and radius 0.3 m under its weight on a plane that is inclined by an angle about
/// y, with x downhill.
fn on_slope(angle: f64, velocity: f64, mu: f64, (h, end): (f64, f64)) -> Result<Simulated, Error> {
    let (mass, radius) = (2.0, 0.3);
    let weight = [mass * G * angle.sin(), 0.0, -mass * G * angle.cos()];
    let start = [0.0, 0.0, radius];
    let ball = NewtonEuler::new(mass, Inertia::of_ball(mass, radius), start, Quaternion::IDENTITY)
        .with_twist([velocity, 0.0, 0.0], [0.0; 3])
        .with_constant_external_force(weight);
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(ball)?;
    let floor = PointContact::of_ball_and_plane(ContactRows::Friction, radius, [0.0; 3], [0.0, 0.0, 1.0])?;
    model.add_interaction([ball], floor, NewtonImpactFriction::in_space(0.0, mu)?)?;
    let simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, end, h)?)
        .tolerance(1e-14)
        .build()?;
    Ok((model, ball, simulation))
}

#[test]
fn a_ball_that_slides_rolls_with_five_sevenths_of_its_speed() -> Result<(), Error> {
    let (v0, mu, h) = (1.5, 0.2, 1e-3);
    let until = 2.0 * v0 / (7.0 * mu * G);
    let (model, ball, mut simulation) = on_slope(0.0, v0, mu, (h, 0.6))?;
    let mut state = simulation.initial_state(&model)?;
    let mut rolled = 0;
    simulation.run(&model, &mut state, |_, state| {
        let v = state.v(ball);
        let sliding = v0 - mu * G * state.t;
        let expected = if state.t < until { sliding } else { 5.0 / 7.0 * v0 };
        if !(0.0..=h).contains(&(state.t - until)) {
            assert!((v[0] - expected).abs() < 1e-12, "{} and {expected} at {}", v[0], state.t);
        }
        if state.t > until + h {
            // The angular velocity is in the body frame. The ball rotates about y, so that this component is
            // equal in the inertial frame.
            assert!((v[4] - v[0] / 0.3).abs() < 1e-11, "it rolls: {v:?}");
            rolled += 1;
        }
        assert!((state.q(ball)[2] - 0.3).abs() < 1e-14, "it stays on the floor");
    })?;
    assert!(rolled > 350, "{rolled} steps");
    Ok(())
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_the_pull() -> Result<(), Error> {
    let angle = 0.2;
    let (model, ball, mut simulation) = on_slope(angle, 0.0, 0.5, (1e-2, 2.0))?;
    let mut state = simulation.initial_state(&model)?;
    simulation.run(&model, &mut state, |_, state| {
        let expected = 5.0 / 7.0 * G * angle.sin() * state.t;
        assert!((state.v(ball)[0] - expected).abs() < 1e-10, "{} and {expected}", state.v(ball)[0]);
    })?;
    Ok(())
}

#[test]
fn a_point_mass_on_a_slope_stays_below_the_angle_of_friction_and_slides_above() -> Result<(), Error> {
    let mu = 0.4_f64;
    for (beyond, h) in [(-1e-3, 1e-3), (1e-3, 1e-3)] {
        let angle = mu.atan() + beyond;
        // The weight acts at the contact point: a body without extent.
        let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY).with_constant_external_force([
            G * angle.sin(),
            0.0,
            -G * angle.cos(),
        ]);
        let mut model = NonSmoothDynamicalSystem::new();
        let body = model.add_system(body)?;
        let plane = PointContact::of_ball_and_plane(ContactRows::Friction, 0.0, [0.0; 3], [0.0, 0.0, 1.0])?;
        model.add_interaction([body], plane, NewtonImpactFriction::in_space(0.0, mu)?)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h)?)
            .tolerance(1e-14)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let pull = if beyond > 0.0 { G * (angle.sin() - mu * angle.cos()) } else { 0.0 };
        simulation.run(&model, &mut state, |_, state| {
            let (v, expected) = (state.v(body)[0], pull * state.t);
            assert!((v - expected).abs() < 1e-10, "{beyond}: {v} and {expected} at {}", state.t);
        })?;
    }
    Ok(())
}
