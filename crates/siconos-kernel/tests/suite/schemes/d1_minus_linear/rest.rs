//! Balls with e < 1 come to rest, and stay at rest.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

const G: f64 = 9.81;

/// Creates balls of 1 kg and radius 0 above each other, released from rest with gaps of `gap` \[m\], each
/// pulled down by a spring of `stiffness` \[N/m\].
fn column(
    count: usize,
    gap: f64,
    stiffness: f64,
    e: f64,
) -> Result<(NonSmoothDynamicalSystem, Vec<DynamicalSystemId>), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let law = NewtonImpact::new(e)?;
    let mut balls: Vec<DynamicalSystemId> = Vec::new();
    for k in 0..count {
        let mut ball = LagrangianLinear::new(vec![gap * (k + 1) as f64], vec![0.0], array![[1.0]])
            .with_constant_external_force(vec![-G]);
        if stiffness > 0.0 {
            ball = ball.with_stiffness(array![[stiffness]]);
        }
        let ball = model.add_system(ball)?;
        match balls.last() {
            None => model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law)?,
            Some(&below) => {
                let apart = LagrangianLinearRelation::new(array![[-1.0, 1.0]]);
                model.add_interaction([below, ball], apart, law)?
            }
        };
        balls.push(ball);
    }
    Ok((model, balls))
}

/// Returns the largest speed in the last second, in units of g h, and the largest displacement in it \[m\].
fn last_second(
    count: usize,
    gap: f64,
    stiffness: f64,
    (e, h): (f64, f64),
    end: f64,
) -> Result<(f64, f64), Error> {
    let (model, balls) = column(count, gap, stiffness, e)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, end, h)?)
        .integrator(D1MinusLinear::default())
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let (mut speed, mut begin) = (0.0_f64, None);
    simulation.run(&model, &mut state, |_, state| {
        if state.t >= end - 1.0 {
            let first: &State = begin.get_or_insert_with(|| state.clone());
            for &ball in &balls {
                speed = speed.max(state.v(ball)[0].abs() / (G * h));
                assert!(first.q(ball)[0].is_finite());
            }
        }
    })?;
    let begin = begin.expect("a state of the last second");
    let moved = balls.iter().map(|&ball| (state.q(ball)[0] - begin.q(ball)[0]).abs()).fold(0.0, worse);
    Ok((speed, moved))
}

/// A contact that opens by less than the motion in a step has to keep its force. Otherwise the balls would
/// sink by g h / (2 (1 + e)) per second.
#[test]
fn balls_come_to_rest_whatever_their_restitution() -> Result<(), Error> {
    // After a fall from 0.1 m, the bounces last (1 + e) / (1 - e) times as long as the fall.
    for e in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95] {
        for h in [1e-2, 5e-3, 1e-3] {
            let (speed, moved) = last_second(1, 0.1, 0.0, (e, h), 8.0)?;
            assert!(speed < 1e-9 && moved < 1e-12, "e = {e}, h = {h}: {speed:e} g h, {moved:e} m");
        }
    }
    for count in [2, 3, 5] {
        for e in [0.1, 0.5, 0.8] {
            let (speed, moved) = last_second(count, 0.05, 0.0, (e, 1e-2), 20.0)?;
            assert!(speed < 1e-9 && moved < 1e-12, "{count} balls, e = {e}: {speed:e} g h, {moved:e} m");
        }
    }
    // The ball is pulled to the ground by a spring.
    let (speed, moved) = last_second(1, 0.1, 1000.0, (0.8, 1e-3), 4.0)?;
    assert!(speed < 1e-9 && moved < 1e-12, "{speed:e} g h, {moved:e} m");
    Ok(())
}
