//! Events that accumulate.

use siconos_hybrid::{
    Action, Direction, Flow, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger,
    VariableType, View,
};
use siconos_kernel::EventSide;

use super::{assert_near, firings, solve};

#[test]
fn a_ball_that_loses_half_of_its_speed_ends_where_its_impacts_accumulate() {
    let mut system =
        HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.5 * p.x()[1]))).expect("it fits");
    let mut solution = solve(&system, &[1.0, 0.0]);
    let root_2 = 2.0_f64.sqrt();
    let answer = solution.at(10.0).expect("it goes");
    let IntegrationOutcome::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert_eq!(events, &[1]);
    assert_near(*t, 3.0 * root_2, 1e-6);
    let fired = firings(&solution);
    assert!(fired.len() > 15, "{}", fired.len());
    for (n, (_, t)) in (1..).zip(&fired) {
        assert_near(*t, root_2 * (3.0 - 2.0_f64.powi(2 - n)), 1e-8);
    }
    let end = solution.t();
    let trajectory = solution.trajectory();
    let mut y = [0.0];
    for k in 0..=20_000 {
        trajectory.write(end * f64::from(k) / 20_000.0, EventSide::After, &mut y).expect("it is there");
        assert!(y[0] >= -1e-12, "{y:?} after {k}");
    }
    for t in trajectory.times() {
        trajectory.write(t, EventSide::Before, &mut y).expect("it is there");
        assert!(y[0] >= -1e-12, "{y:?} at {t}");
    }
    assert_eq!(solution.at(11.0).expect("it is known"), answer);
    assert_eq!(solution.at(1.0).expect("it is there"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 0.5, 1e-12);
}

#[test]
fn what_is_far_away_neither_hides_nor_makes_an_accumulation() {
    // A ball, with a sample every 10 ms and an oscillator with its own events.
    let mut system = HybridSystem::second_order(["y", "z"], |p: View, a: &mut [f64]| {
        (a[0], a[1]) = (-1.0, -400.0 * p.x[1]);
    })
    .expect("names");
    system.event(Trigger::periodic(0.0, 0.01), Action::None).expect("it fits");
    system.event(Trigger::root("z"), Action::None).expect("it fits");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(2, -0.5 * p.x()[2]))).expect("it fits");
    let mut solution = solve(&system, &[1.0, 0.0, 0.0, 1.0]);
    let answer = solution.at(10.0).expect("it goes");
    let IntegrationOutcome::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert_eq!(events, &[3]);
    assert_near(*t, 3.0 * 2.0_f64.sqrt(), 1e-6);
    // If its event is disabled, the ball continues to fall.
    solution.disable(3).expect("there is one");
    assert_eq!(solution.at(10.0).expect("it goes"), IntegrationOutcome::Reached);
    assert!(solution.x()[0] < -10.0);
}

#[test]
fn a_ball_of_any_restitution_accumulates_and_is_never_below_the_ground() {
    for k in 1..=9 {
        let e = 0.1 * f64::from(k);
        for ground in [0.0, 1.0, -1e3] {
            let mut system =
                HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
            let gap = move |p: View| p.x[0] - ground;
            system
                .event(Trigger::decreasing(gap), Action::set(move |p| p.set(1, -e * p.x()[1])))
                .expect("it fits");
            let mut solution = solve(&system, &[ground + 0.5, 0.0]);
            let answer = solution.at(100.0).expect("it goes");
            let IntegrationOutcome::Accumulation { t, .. } = &answer else {
                panic!("{e} {ground}: {answer}")
            };
            assert_near(*t, (1.0 + e) / (1.0 - e), 2e-6 * (1.0 + ground.abs()));
            let mut y = [0.0];
            for t in solution.trajectory().times() {
                solution.trajectory().write(t, EventSide::Before, &mut y).expect("it is there");
                assert!(y[0] - ground >= -1e-12 * (1.0 + ground.abs()), "{e} {ground}: {y:?} at {t}");
            }
        }
    }
}

#[test]
fn a_switch_that_chatters_ends_where_it_does() {
    // x' = -1 or 1. The direction flips each time x leaves a band around zero, and the band is halved at each
    // flip, so the flips follow each other at shrinking intervals.
    let mut system = HybridSystem::first_order(["x", "band"], |p: View, rate: &mut [f64]| {
        (rate[0], rate[1]) = (p.discrete[0], 0.0);
    })
    .expect("names");
    let s = system.discrete("s", VariableType::Float, -1.0).expect("it fits");
    let flip = Action::set(move |p| {
        p.set(s, -p[s]);
        p.set(1, 0.5 * p.x()[1]);
    });
    system.event(Trigger::decreasing(|p: View| p.x[0] + p.x[1]), flip.clone()).expect("it fits");
    system.event(Trigger::increasing(|p: View| p.x[0] - p.x[1]), flip).expect("it fits");
    let mut solution = solve(&system, &[0.0, 0.25]);
    let answer = solution.at(5.0).expect("it goes");
    // The intervals are 1/4, 1/4 + 1/8, 1/8 + 1/16, ..
    let IntegrationOutcome::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
    assert!(!events.is_empty());
    assert_near(*t, 1.0, 1e-5);
}

#[test]
fn a_ball_that_is_stopped_by_the_ground_does_not_fall_through_it() {
    // The velocity is set to zero at each event, and gravity continues to act. The events stay at the ground,
    // and the ball is never below it.
    for ground in [0.0, 1.0, -1e3] {
        let mut system =
            HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
        let gap = move |p: View| p.x[0] - ground;
        system.event(Trigger::decreasing(gap), Action::set(|p| p.set(1, 0.0))).expect("it fits");
        let mut solution = solve(&system, &[ground + 0.5, 0.0]);
        let answer = solution.at(3.0).expect("it goes");
        let IntegrationOutcome::Accumulation { t, .. } = &answer else { panic!("{ground}: {answer}") };
        assert_near(*t, 1.0, 1e-5);
        assert!(solution.x()[0] >= ground - 1e-11 * (1.0 + ground.abs()), "{}", solution.x()[0] - ground);
    }
}

#[test]
fn roots_at_which_a_trigger_does_not_move_are_no_accumulation() {
    // Powers of a sine, which are so flat at their roots that their values underflow near the roots.
    for power in [3, 31, 101] {
        let mut system =
            HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("x");
        system.event(Trigger::root(move |p: View| p.x[0].sin().powi(power)), Action::None).expect("it fits");
        let mut solution = solve(&system, &[0.5]);
        assert_eq!(solution.at(12.0).expect("it goes"), IntegrationOutcome::Reached, "{power}");
        assert_eq!(firings(&solution).len(), 3, "{power}");
    }
}

#[test]
fn an_accumulation_ends_long_before_the_events_are_counted_out() {
    // A ball that loses half of its speed at each bounce, and a ball that is stopped by the ground. Their
    // events would continue forever. If the accumulation were not detected, the thousandth event would halt.
    for restitution in [0.5, 0.0] {
        let mut system =
            HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
        let n = system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
        let bounce = Action::function(move |p| {
            p.set(1, -restitution * p.x()[1]);
            p.set(n, p[n] + 1.0);
            if p[n] < 1000.0 { Flow::Next } else { Flow::Halt }
        });
        system.event(Trigger::decreasing("y"), bounce).expect("it fits");
        let mut solution = solve(&system, &[1.0, 0.0]);
        let answer = solution.at(10.0).expect("it goes");
        let IntegrationOutcome::Accumulation { t, events, .. } = &answer else { panic!("{answer}") };
        assert_eq!(events, &[1]);
        assert_near(*t, 2.0_f64.sqrt() * (1.0 + 2.0 * restitution / (1.0 - restitution)), 1e-5);
        assert!(solution.value(n) < 100.0, "{}", solution.value(n));
    }
}

#[test]
fn the_time_of_an_accumulation_is_estimated_from_far() {
    // The flights are halved exactly, so the remaining flights together last as long as the last flight. With
    // a wide window, the accumulation is predicted nearly a tenth of a second before its time.
    let mut system =
        HybridSystem::second_order(["y"], |_p: View, a: &mut [f64]| a[0] = -1.0).expect("a name");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(1, -0.5 * p.x()[1]))).expect("it fits");
    let mut settings = HybridSettings::default();
    (settings.accumulation.window, settings.accumulation.impacts) = (0.1, 3);
    let mut solution = HybridSolution::new(&system, 0.0, &[1.0, 0.0], settings).expect("it fits");
    let answer = solution.at(10.0).expect("it goes");
    let IntegrationOutcome::Accumulation { t, .. } = &answer else { panic!("{answer}") };
    let exact = 3.0 * 2.0_f64.sqrt();
    assert_near(*t, exact, 1e-8);
    assert!(exact - solution.t() > 0.04, "{}", exact - solution.t());
}

#[test]
fn a_tank_that_stands_still_where_it_is_empty_does_not_accumulate() {
    // y' = -1 until y = 0, and y' = 0 afterwards. The located root is slightly below zero, and the trigger
    // does not move there. y starts from 1/2, and is set to 1 at each event.
    let rate = |p: View, rate: &mut [f64]| rate[0] = if p.x[0] > 0.0 { -1.0 } else { 0.0 };
    let mut system = HybridSystem::first_order(["y"], rate).expect("a name");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(0, 1.0))).expect("it fits");
    let mut solution = solve(&system, &[0.5]);
    assert_eq!(solution.at(6.0).expect("it goes"), IntegrationOutcome::Reached);
    let fired = firings(&solution);
    assert_eq!(fired.len(), 6);
    for (n, (_, t)) in (0..).zip(fired) {
        assert_near(t, 0.5 + f64::from(n), 1e-9);
    }
}

#[test]
fn a_pulse_that_is_shorter_than_what_is_looked_at_does_not_accumulate() {
    // The pulse is -1 within 1e-6 of each integer and 1 elsewhere, so it has the same value on both sides at
    // some distance from its edges. The integration stops within the pulse at each integer, so the pulse is
    // detected.
    let pulse = |p: View| if (p.x[0] - p.x[0].round()).abs() < 1e-6 { -1.0 } else { 1.0 };
    let mut system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("x");
    system.event(Trigger::root(pulse), Action::None).expect("it fits");
    system.event(Trigger::periodic(1.0, 1.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    solution.set_direction(Direction::Right);
    // The integration starts within the first pulse, which is disregarded.
    solution.set_last_fired(&[(1, 0.5)]).expect("it is known");
    assert_eq!(solution.at(4.5).expect("it goes"), IntegrationOutcome::Reached);
    let fired = firings(&solution);
    assert_eq!(fired.len(), 12, "{fired:?}");
    for (n, edges) in (1..).zip(fired.chunks(3)) {
        for ((event, t), (expected, shift)) in edges.iter().zip([(1, -1e-6), (2, 0.0), (1, 1e-6)]) {
            assert_eq!(*event, expected);
            assert_near(*t, f64::from(n) + shift, 1e-9);
        }
    }
}
