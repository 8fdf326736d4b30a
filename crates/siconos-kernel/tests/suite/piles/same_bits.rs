//! Changes that must not affect the motion of a pile to the last bit: units, unrelated bodies, threads,
//! rebuilt simulations.

use siconos_kernel::prelude::*;

use super::pyramid::{PLAN, Plan};
use crate::common::{SI, Units};

/// Returns a pyramid at rest and a sliding pyramid, with 120 contacts.
fn plans() -> [Plan; 2] {
    [1.0, 0.3].map(|mu| Plan { side: 4, mu, ..PLAN })
}

const STEPS: usize = 2;

fn first_difference(found: &[Vec<u64>], expected: &[Vec<u64>]) -> Option<(usize, usize)> {
    found.iter().zip(expected).enumerate().find_map(|(step, (found, expected))| {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).position(|(a, b)| a != b).map(|place| (step, place))
    })
}

#[test]
fn units_change_no_bit() -> Result<(), Error> {
    let power = |exponent: i32| f64::powi(2.0, exponent);
    for plan in plans() {
        let expected = plan.build()?.track(1, 0, STEPS)?;
        for of in [
            Units { mass: power(21), ..SI },
            Units { length: power(-13), ..SI },
            Units { time: power(9), ..SI },
            Units { mass: power(-40), length: power(10), time: power(-11) },
        ] {
            let found = Plan { of, ..plan }.build()?.track(1, 0, STEPS)?;
            assert_eq!(first_difference(&found, &expected), None, "mu {}, {of:?}", plan.mu);
        }
    }
    Ok(())
}

#[test]
fn a_stranger_changes_no_bit() -> Result<(), Error> {
    for plan in plans() {
        let expected = plan.build()?.track(1, 0, STEPS)?;
        let found = Plan { stranger: true, ..plan }.build()?.track(1, 0, STEPS)?;
        assert_eq!(first_difference(&found, &expected), None, "mu {}", plan.mu);
    }
    Ok(())
}

#[test]
fn two_pyramids_move_as_one_on_one_and_two_threads() -> Result<(), Error> {
    for plan in plans() {
        let expected = plan.build()?.track(1, 0, STEPS)?;
        let two = Plan { copies: 2, ..plan }.build()?;
        for (threads, copy) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
            let found = two.track(threads, copy, STEPS)?;
            let first = first_difference(&found, &expected);
            assert_eq!(first, None, "mu {}, {threads} threads, pyramid {copy}", plan.mu);
        }
    }
    Ok(())
}

#[test]
fn simulations_built_at_every_step_go_on() -> Result<(), Error> {
    for plan in plans() {
        let pyramids = plan.build()?;
        let expected = pyramids.track(1, 0, STEPS)?;
        let mut state = pyramids.simulation(1)?.initial_state(&pyramids.model)?;
        for (step, expected) in expected.iter().enumerate() {
            pyramids.simulation(1)?.step(&pyramids.model, &mut state)?;
            assert!(pyramids.bits(0, &state) == *expected, "mu {}, step {step}", plan.mu);
        }
    }
    Ok(())
}
