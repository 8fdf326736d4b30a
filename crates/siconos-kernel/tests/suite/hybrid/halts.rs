//! Events that halt: cleared, disabled, enabled, in both directions.

use std::f64::consts::PI;

use siconos_kernel::hybrid::{Answer, Direction, HybridError};

use super::{assert_halted, assert_near, oscillator};

#[test]
fn the_oscillator_halts_is_cleared_disabled_enabled_and_goes_left() {
    let mut solution = oscillator();
    assert_eq!((solution.is_enabled(1), solution.is_enabled(2)), (Ok(true), Ok(true)));
    // Nothing at the start, where y is zero and increases.
    let answer = solution.at(10.0).expect("it goes");
    assert_halted(&answer, 2, PI);
    let message = answer.to_string();
    assert!(message.starts_with("cannot evaluate the solution further right of 3.14159"), "{message}");
    assert!(message.ends_with("event 2 triggered a halt"), "{message}");
    assert_eq!(solution.halted_by(), Some(2));
    assert_near(solution.t(), PI, 1e-9);
    // It stays where it is until it is cleared.
    assert_halted(&solution.at(10.0).expect("it goes"), 2, PI);
    solution.clear();
    assert_halted(&solution.at(10.0).expect("it goes"), 1, 2.0 * PI);
    solution.clear();
    solution.disable(2).expect("there is one");
    assert_eq!(solution.is_enabled(2), Ok(false));
    assert_eq!(solution.at(12.0).expect("it goes"), Answer::Reached);
    assert_near(solution.x()[0], 12.0_f64.sin(), 1e-9);
    assert_near(solution.x()[1], 12.0_f64.cos(), 1e-9);
    assert_halted(&solution.at(14.0).expect("it goes"), 1, 4.0 * PI);
    solution.disable(1).expect("there is one");
    assert_eq!(solution.at(100.0).expect("it goes"), Answer::Reached);
    assert_near(solution.x()[0], 100.0_f64.sin(), 1e-8);
    // What was computed is still there.
    assert_eq!(solution.at(5.0).expect("it is there"), Answer::Reached);
    assert_near(solution.x()[0], 5.0_f64.sin(), 1e-9);
    solution.enable(1).expect("there is one");
    solution.enable(2).expect("there is one");
    assert_halted(&solution.at(10.0).expect("it goes"), 2, PI);
    let answer = solution.at(-10.0).expect("it goes");
    assert_halted(&answer, 2, -PI);
    assert!(answer.to_string().starts_with("cannot evaluate the solution further left of -3.14159"));
    assert_eq!(solution.direction(), Some(Direction::Left));
    solution.clear();
    assert_halted(&solution.at(-10.0).expect("it goes"), 1, -2.0 * PI);
    assert_eq!(solution.at(-1.0).expect("it is there"), Answer::Reached);
    assert_near(solution.x()[0], -1.0_f64.sin(), 1e-9);
}

#[test]
fn enabling_what_is_enabled_changes_nothing() {
    let mut solution = oscillator();
    let _ = solution.at(10.0).expect("it goes");
    solution.enable(2).expect("there is one");
    assert_eq!(solution.halted_by(), Some(2));
    solution.disable(1).expect("there is one");
    assert_eq!(solution.halted_by(), Some(2), "another event has halted");
    solution.disable(2).expect("there is one");
    assert_eq!(solution.halted_by(), None, "the halt is lifted with its event");
    for event in [0, 3] {
        let unknown = HybridError::UnknownEvent { event, count: 2 };
        assert_eq!(solution.is_enabled(event), Err(unknown.clone()));
        assert_eq!(solution.enable(event), Err(unknown.clone()));
        assert_eq!(solution.disable(event), Err(unknown));
    }
}
