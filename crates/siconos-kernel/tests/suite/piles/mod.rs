//! Piles of many contacts with friction. The kernel passes the bodies to the solver together with the
//! Delassus matrix.

mod discs;
mod handed_over;
mod plate;
mod pyramid;
mod same_bits;
mod watched;

use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use self::pyramid::{PLAN, Plan};

/// Friction holds a pyramid: all balls stay at rest, and the ground carries the weight.
#[test]
fn a_pyramid_with_friction_1_stands_still() -> Result<(), Error> {
    stands_still(PLAN)?;
    stands_still(Plan { mu_rolling: 0.05, ..PLAN })?;
    // A pyramid with 1925 contacts.
    stands_still(Plan { side: 10, ..PLAN })
}

fn stands_still(plan: Plan) -> Result<(), Error> {
    let pyramids = plan.build()?;
    let mut simulation = pyramids.simulation(1)?;
    let mut state = simulation.initial_state(&pyramids.model)?;
    let report = simulation.step(&pyramids.model, &mut state)?.expect("a step");
    assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
    // The balls do not move, so that one iteration is sufficient: the normals and tangents between neighbours
    // change only by rounding.
    assert_eq!(report.newton_iterations, 1);
    let (balls, contacts) = (&pyramids.balls[0], &pyramids.contacts[0]);
    assert!(contacts.len() > 200, "{}", contacts.len());
    let fastest = balls.iter().flat_map(|&ball| state.v(ball)).fold(0.0, |size, v| worse(size, v.abs()));
    // The error is relative to the norm of the free velocities of all contacts with the ground.
    let free = plan.side as f64 * plan.fall();
    assert!(fastest < 1e-8 * free, "{:e}", fastest / free);
    let of_ground = contacts[..plan.side * plan.side].iter();
    let carried: f64 = of_ground.map(|&contact| state.lambda(contact, Level::Velocity)[0]).sum();
    let weight: f64 = (0..balls.len()).map(|number| plan.mass(number)).sum::<f64>() * plan.fall();
    assert!((carried - weight).abs() < 1e-8 * weight, "{carried} and {weight}");
    Ok(())
}

/// The friction law is checked for each contact with the velocities of the bodies after the step, and the
/// balance of momentum for all balls together.
#[test]
fn a_pyramid_with_friction_of_a_tenth_slides_by_the_law() -> Result<(), Error> {
    let plan = Plan { mu: 0.1, ..PLAN };
    let pyramids = plan.build()?;
    let mut simulation = pyramids.simulation(1)?;
    let mut state = simulation.initial_state(&pyramids.model)?;
    let report = simulation.step(&pyramids.model, &mut state)?.expect("a step");
    assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
    let speed = plan.fall();
    let weight: f64 = (0..pyramids.balls[0].len()).map(|number| plan.mass(number)).sum::<f64>() * speed;
    let (mut slides, mut carried) = (0, 0.0);
    for (number, &contact) in pyramids.contacts[0].iter().enumerate() {
        let (r, u) = (state.lambda(contact, Level::Velocity), state.y(contact, Level::Velocity));
        let (pressed, gap) = (r[0], u[0]);
        let (rubbed, slip) = (r[1].hypot(r[2]), u[1].hypot(u[2]));
        assert!(pressed >= 0.0 && gap > -1e-7 * speed, "{number}: {pressed:e} {gap:e}");
        // Complementarity of gap velocity and normal impulse.
        assert!(pressed * gap < 1e-7 * weight * speed, "{number}: {pressed:e} {gap:e}");
        assert!(rubbed <= plan.mu * pressed * (1.0 + 1e-12), "{number}: {rubbed:e} {pressed:e}");
        // The dissipation of friction is the largest that the friction cone permits.
        let work = r[1] * u[1] + r[2] * u[2];
        assert!(work + plan.mu * pressed * slip < 1e-7 * weight * speed, "{number}: {work:e} {slip:e}");
        slides +=
            usize::from(slip > 1e-3 * speed && pressed > 1e-3 * weight / pyramids.contacts[0].len() as f64);
        carried += if number < plan.side * plan.side { pressed } else { 0.0 };
    }
    assert!(slides > 20, "{slides} contacts slide");
    let momentum: f64 = pyramids.balls[0]
        .iter()
        .enumerate()
        .map(|(number, &ball)| plan.mass(number) * state.v(ball)[2])
        .sum();
    assert!((carried - weight - momentum).abs() < 1e-10 * weight, "{carried} {weight} {momentum}");
    Ok(())
}
