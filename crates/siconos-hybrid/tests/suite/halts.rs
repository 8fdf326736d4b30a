//! Events that halt: clearing, disabling and enabling them, in both directions.

use std::f64::consts::PI;

use siconos_hybrid::{
    Action, Condition, Direction, EventOptions, HybridError, HybridSettings, HybridSolution, HybridSystem,
    IntegrationOutcome, Trigger, View,
};

use super::{assert_halted, assert_near, clock, firings, oscillator, solve};

#[test]
fn the_oscillator_halts_is_cleared_disabled_enabled_and_goes_left() {
    let mut solution = oscillator();
    assert_eq!((solution.is_enabled(1), solution.is_enabled(2)), (Ok(true), Ok(true)));
    // No event fires at the start, where y is zero and increases.
    let answer = solution.at(10.0).expect("it goes");
    assert_halted(&answer, 2, PI);
    let message = answer.to_string();
    assert!(message.starts_with("cannot evaluate the solution to the right of 3.14159"), "{message}");
    assert!(message.ends_with("event 2 triggered a halt"), "{message}");
    assert_eq!(solution.halted_by(), Some(2));
    assert_near(solution.t(), PI, 1e-9);
    // The solution stays at the halt until the halt is cleared.
    assert_halted(&solution.at(10.0).expect("it goes"), 2, PI);
    solution.clear();
    assert_halted(&solution.at(10.0).expect("it goes"), 1, 2.0 * PI);
    solution.clear();
    solution.disable(2).expect("there is one");
    assert_eq!(solution.is_enabled(2), Ok(false));
    assert_eq!(solution.at(12.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 12.0_f64.sin(), 1e-9);
    assert_near(solution.x()[1], 12.0_f64.cos(), 1e-9);
    assert_halted(&solution.at(14.0).expect("it goes"), 1, 4.0 * PI);
    solution.disable(1).expect("there is one");
    assert_eq!(solution.at(100.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 100.0_f64.sin(), 1e-8);
    // Earlier results can still be read.
    assert_eq!(solution.at(5.0).expect("it is there"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 5.0_f64.sin(), 1e-9);
    solution.enable(1).expect("there is one");
    solution.enable(2).expect("there is one");
    assert_halted(&solution.at(10.0).expect("it goes"), 2, PI);
    let answer = solution.at(-10.0).expect("it goes");
    assert_halted(&answer, 2, -PI);
    assert!(answer.to_string().starts_with("cannot evaluate the solution to the left of -3.14159"));
    assert_eq!(solution.direction(), Some(Direction::Left));
    solution.clear();
    assert_halted(&solution.at(-10.0).expect("it goes"), 1, -2.0 * PI);
    assert_eq!(solution.at(-1.0).expect("it is there"), IntegrationOutcome::Reached);
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

#[test]
fn what_is_disabled_neither_fires_nor_begins_an_iteration_whatever_its_trigger() {
    let always = || Trigger::discrete(Condition::new(|_| true));
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let (mut system, _) = clock();
    system.event(Trigger::root(|p: View| p.x[0] - 1.0), Action::None).expect("it fits");
    system.event(Trigger::range("x", -1.0, 1.25), Action::None).expect("it fits");
    system.event(Trigger::at(1.5), Action::None).expect("it fits");
    system.event(Trigger::periodic(0.0, 0.375), Action::None).expect("it fits");
    system.event_with(always(), Action::None, once).expect("it fits");
    // The two events below remain enabled. The last one fires in each iteration.
    system.event(Trigger::at(1.75), Action::None).expect("it fits");
    system.event_with(always(), Action::None, once).expect("it fits");
    let all = [(4, 0.0), (5, 0.0), (7, 0.0), (4, 0.375), (5, 0.375), (7, 0.375)];
    for (disabled_at, before) in [(0.0, &all[..0]), (0.5, &all[..])] {
        let mut solution = solve(&system, &[0.0]);
        assert_eq!(solution.at(disabled_at).expect("it goes"), IntegrationOutcome::Reached);
        for event in 1..=5 {
            solution.disable(event).expect("there is one");
        }
        assert_eq!(solution.at(2.5).expect("it goes"), IntegrationOutcome::Reached);
        let expected: Vec<(usize, f64)> = before.iter().copied().chain([(6, 1.75), (7, 1.75)]).collect();
        assert_eq!(firings(&solution), expected, "disabled at {disabled_at}");
        // The integration does not stop at the times of disabled events, either.
        assert!(!solution.trajectory().times().contains(&1.5));
    }
}

#[test]
fn enabling_and_choosing_a_direction_forget_all_that_events_have_done() {
    // Ten roots in a row. No two of them are within one window of the accumulation criterion.
    let (mut system, n) = clock();
    let count = Action::set(move |p| p.set(n, p[n] + 1.0));
    system.event(Trigger::root(|p: View| (PI * p.x[0]).sin()), count).expect("it fits");
    let mut settings = HybridSettings::default();
    (settings.accumulation.window, settings.accumulation.most_impacts) = (0.75, 4);
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    assert_eq!(solution.at(10.5).expect("it goes"), IntegrationOutcome::Reached);
    let fired = firings(&solution);
    assert_eq!(fired.len(), 10);
    for by_enabling in [true, false] {
        if by_enabling {
            solution.disable(1).expect("there is one");
            solution.enable(1).expect("there is one");
            assert_eq!(solution.direction(), None);
        } else {
            solution.set_direction(Direction::Right);
        }
        assert_eq!((solution.t(), solution.x(), solution.discrete()), (0.0, &[0.0][..], &[0.0][..]));
        assert_eq!(firings(&solution), []);
        assert_eq!(solution.at(10.5).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(firings(&solution), fired);
        assert_eq!(solution.discrete(), [10.0]);
    }
    // The initial point belongs to the computed solution.
    assert_eq!(solution.at(0.0).expect("it is there"), IntegrationOutcome::Reached);
    assert_eq!((solution.t(), solution.x(), solution.discrete()), (0.0, &[0.0][..], &[0.0][..]));
}

#[test]
fn a_halt_an_accumulation_and_an_error_are_forgotten_with_what_was_computed() {
    let halt = Action::halt();
    let fault = Action::set(|p| p.set(0, f64::INFINITY));
    for action in [halt, fault] {
        let (mut system, _) = clock();
        system.event(Trigger::at(1.0), action).expect("it fits");
        let mut solution = solve(&system, &[0.0]);
        let end = solution.at(2.0);
        assert_ne!(end, Ok(IntegrationOutcome::Reached));
        solution.set_direction(Direction::Right);
        assert_eq!((solution.t(), solution.halted_by()), (0.0, None));
        assert_eq!(solution.at(0.5), Ok(IntegrationOutcome::Reached));
        assert_near(solution.x()[0], 0.5, 1e-14);
        assert_eq!(solution.at(2.0), end);
    }
    let mut ball = HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("y");
    ball.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.5 * p.x()[1]))).expect("it fits");
    let mut solution = solve(&ball, &[1.0, 0.0]);
    let end = solution.at(10.0);
    assert!(matches!(end, Ok(IntegrationOutcome::Accumulation { .. })));
    solution.set_direction(Direction::Right);
    assert_eq!(solution.at(1.0), Ok(IntegrationOutcome::Reached));
    assert_near(solution.x()[0], 0.5, 1e-12);
    assert_eq!(solution.at(10.0), end);
}
