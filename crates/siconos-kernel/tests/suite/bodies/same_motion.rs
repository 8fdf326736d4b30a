//! Changes that must not affect the motion of bodies to the last bit: units, threads, a restored record, a
//! rebuilt model or simulation, unrelated bodies, many copies. Steps also allocate no memory.

use siconos_kernel::prelude::*;
use siconos_testkit::allocation::count_allocations;

use super::world::{PLAN, Plan, STEPS, World, plans};
use crate::common::{SI, Units};

/// Returns the motion of a single world, in which both contacts carry impulses.
fn expected(plan: Plan) -> Result<Vec<Vec<u64>>, Error> {
    let (track, pressed) = plan.build()?.track(1)?;
    assert_eq!(track.len(), STEPS);
    assert!(pressed.iter().all(|steps| *steps > 3), "contacts that act: {pressed:?}");
    Ok(track)
}

#[test]
fn units_and_threads_change_no_bit() -> Result<(), Error> {
    for plan in plans() {
        let expected = expected(plan)?;
        assert_eq!(plan.build()?.track(1)?.0, expected, "a second run");
        for threads in [2, 3] {
            assert_eq!(plan.build()?.track(threads)?.0, expected, "{threads} threads");
        }
        let power = |exponent: i32| f64::powi(2.0, exponent);
        for of in [
            Units { mass: power(20), ..SI },
            Units { length: power(-30), ..SI },
            Units { time: power(9), ..SI },
            Units { mass: power(-40), length: power(10), time: power(-10) },
        ] {
            let (found, _) = Plan { of, ..plan }.build()?.track(1)?;
            let first = found.iter().zip(&expected).position(|(a, b)| a != b);
            assert_eq!(first, None, "{of:?}, {:?}", plan.projection);
        }
    }
    Ok(())
}

#[test]
fn strangers_change_no_bit() -> Result<(), Error> {
    for plan in plans() {
        let (found, _) = Plan { strangers: true, ..plan }.build()?.track(1)?;
        assert_eq!(found, expected(plan)?, "{:?}", plan.projection);
    }
    Ok(())
}

#[test]
fn ten_and_a_thousand_worlds_move_as_one() -> Result<(), Error> {
    let expected = expected(PLAN)?;
    for (copies, steps) in [(10, STEPS), (1000, 30)] {
        let world = Plan { copies, ..PLAN }.build()?;
        let mut simulation = world.simulation(2)?;
        let mut state = simulation.initial_state(&world.model)?;
        for (k, expected) in expected[..steps].iter().enumerate() {
            simulation.step(&world.model, &mut state)?;
            for copy in [0, copies / 2, copies - 1] {
                assert_eq!(world.motion(copy, &state), *expected, "world {copy} of {copies}, step {k}");
            }
        }
    }
    Ok(())
}

#[test]
fn simulations_built_at_every_step_go_on() -> Result<(), Error> {
    for plan in plans() {
        let (world, expected) = (plan.build()?, expected(plan)?);
        let mut state = world.simulation(1)?.initial_state(&world.model)?;
        for expected in &expected {
            world.simulation(1)?.step(&world.model, &mut state)?;
            assert_eq!(world.motion(0, &state), *expected, "{:?} at {}", plan.projection, state.t);
        }
    }
    Ok(())
}

#[test]
fn a_record_goes_on_in_a_model_built_anew() -> Result<(), Error> {
    let (first, other, expected) = (PLAN.build()?, PLAN.build()?, expected(PLAN)?);
    let mut simulation = first.simulation(1)?;
    let mut state = simulation.initial_state(&first.model)?;
    let (before, after) = expected.split_at(STEPS / 2);
    for _ in before {
        simulation.step(&first.model, &mut state)?;
    }
    let text = serde_json::to_string(&state.record(&first.model)?).expect("a record as text");
    let record = serde_json::from_str(&text).expect("a record from text");
    let mut again = State::restore(&other.model, &record)?;
    let mut anew = other.simulation(1)?;
    for expected in after {
        anew.step(&other.model, &mut again)?;
        assert_eq!(other.motion(0, &again), *expected);
    }
    Ok(())
}

#[test]
fn a_step_of_bodies_allocates_nothing() -> Result<(), Error> {
    for plan in plans() {
        let world = plan.build()?;
        let mut simulation = world.simulation(1)?;
        let mut state = simulation.initial_state(&world.model)?;
        let mut pressed = [0; 2];
        for k in 0..STEPS {
            let allocations = count_allocations(|| {
                simulation.step(&world.model, &mut state).expect("a step");
            });
            // The first problem of each kind allocates memory.
            if k >= 200 {
                assert_eq!(allocations, 0, "step {k}");
                for (pressed, contact) in pressed.iter_mut().zip(world.contacts[0]) {
                    *pressed += usize::from(state.lambda(contact, Level::Velocity)[0] > 0.0);
                }
            }
        }
        assert!(pressed.iter().all(|steps| *steps > 5), "contacts that act: {pressed:?}");
    }
    Ok(())
}

#[test]
fn forty_tilts_keep_what_bodies_keep() -> Result<(), Error> {
    keep_what_bodies_keep(40)
}

#[test]
#[ignore = "the whole battery: cargo xtask battery"]
fn battery_of_tilts() -> Result<(), Error> {
    keep_what_bodies_keep(400)
}

/// Checks that quaternions have length 1, joints remain closed and bodies do not penetrate the floor, for
/// several initial tilts, with and without drives.
fn keep_what_bodies_keep(tilts: u32) -> Result<(), Error> {
    for k in 0..tilts {
        let tilt = 6.0 * f64::from(k) / f64::from(tilts) - 3.0;
        let plan = Plan { tilt, drives: k % 2 == 1, ..PLAN };
        let world = plan.build()?;
        let mut simulation = world.simulation(1)?;
        let mut state = simulation.initial_state(&world.model)?;
        simulation.run(&world.model, &mut state, |report, state| {
            assert!(report.solve.status.is_success(), "tilt {tilt}: {report:?}");
            check(&world, state);
        })?;
        let (found, _) = Plan { of: Units { length: 0.125, ..SI }, ..plan }.build()?.track(1)?;
        assert_eq!(found.last(), Some(&world.motion(0, &state)), "tilt {tilt} in other units");
    }
    Ok(())
}

fn check(world: &World, state: &State) {
    for &body in &world.bodies[0] {
        let norm = Quaternion::of_body(state.q(body)).norm();
        assert!((norm - 1.0).abs() < 4.0 * f64::EPSILON, "length {norm}");
    }
    let drift = state.y(world.hinges[0], Level::Position);
    assert!(drift.iter().all(|y| y.abs() < 2e-2), "{drift:?}");
    let rates = state.y(world.hinges[0], Level::Velocity);
    assert!(rates.iter().all(|y| y.abs() < 1e-8), "{rates:?}");
    for contact in world.contacts[0] {
        let gap = state.y(contact, Level::Position)[0];
        assert!(gap > -0.05, "gap {gap}");
    }
}
