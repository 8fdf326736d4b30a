//! Piles of many contacts with friction, whose bodies the kernel hands over beside the Delassus matrix.

mod discs;
mod handed_over;
mod plate;
mod pyramid;
mod same_bits;
mod watched;

use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use self::pyramid::{PLAN, Plan};

/// Friction holds it: at rest it is the solution that nothing moves, and the ground carries the weight.
#[test]
fn a_pyramid_with_friction_1_stands_still() -> Result<(), Error> {
    stands_still(PLAN)?;
    stands_still(Plan { mu_rolling: 0.05, ..PLAN })?;
    // 1925 contacts.
    stands_still(Plan { side: 10, ..PLAN })
}

fn stands_still(plan: Plan) -> Result<(), Error> {
    let pyramids = plan.build()?;
    let mut simulation = pyramids.simulation(1)?;
    let mut state = simulation.initial_state(&pyramids.model)?;
    let report = simulation.step(&pyramids.model, &mut state)?.expect("a step");
    assert!(report.is_converged && report.solve.status.is_success(), "{:?}", report.solve);
    // Nothing moves, so nothing is left to correct: normals between neighbours turn by rounding, and tangents
    // with them.
    assert_eq!(report.newton_iterations, 1);
    let (balls, contacts) = (&pyramids.balls[0], &pyramids.contacts[0]);
    assert!(contacts.len() > 200, "{}", contacts.len());
    let fastest = balls.iter().flat_map(|&ball| state.v(ball)).fold(0.0, |size, v| worse(size, v.abs()));
    // The error is a part of the norm of the free velocities, those of all contacts with the ground.
    let free = plan.side as f64 * plan.fall();
    assert!(fastest < 1e-8 * free, "{:e}", fastest / free);
    let of_ground = contacts[..plan.side * plan.side].iter();
    let carried: f64 = of_ground.map(|&contact| state.lambda(contact, Level::Velocity)[0]).sum();
    let weight: f64 = (0..balls.len()).map(|number| plan.mass(number)).sum::<f64>() * plan.fall();
    assert!((carried - weight).abs() < 1e-8 * weight, "{carried} and {weight}");
    Ok(())
}

/// The law is checked contact by contact from the velocities of the bodies after the step, and the balance of
/// momentum of all balls together.
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
        // It opens or presses.
        assert!(pressed * gap < 1e-7 * weight * speed, "{number}: {pressed:e} {gap:e}");
        assert!(rubbed <= plan.mu * pressed * (1.0 + 1e-12), "{number}: {rubbed:e} {pressed:e}");
        // The work of friction is the most that its bound allows.
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
