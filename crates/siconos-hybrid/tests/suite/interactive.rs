//! Queries of events that have fired, and the solution at any time.

use std::f64::consts::PI;

use siconos_hybrid::{
    Action, Condition, Direction, EventOptions, HybridError, HybridSettings, HybridSolution,
    IntegrationOutcome, Trigger, View,
};
use siconos_kernel::{EventSide, ModelError};

use super::{assert_halted, assert_near, clock, firings, oscillator, solve};

#[test]
fn when_an_event_fired_last_is_known_in_a_direction_and_can_be_set() {
    let mut solution = oscillator();
    assert_eq!(solution.last_fired(&[1]), Err(HybridError::NoDirection));
    assert_eq!(solution.set_last_fired(&[(1, 1.0)]), Err(HybridError::NoDirection));
    solution.set_direction(Direction::Right);
    assert!(solution.last_fired(&[1, 2]).expect("it is known").iter().all(|t| *t < 0.0));
    solution.set_direction(Direction::Left);
    assert!(solution.last_fired(&[1, 2]).expect("it is known").iter().all(|t| *t > 0.0));
    solution.set_direction(Direction::Right);
    // Event 2 does not fire before 4: its root at pi is skipped, and its root at 3 pi fires.
    let before = solution.set_last_fired(&[(2, 4.0), (1, 7.0)]).expect("it is known");
    assert!(before.iter().all(|t| *t < 0.0));
    assert_halted(&solution.at(10.0).expect("it goes"), 2, 3.0 * PI);
    assert_near(solution.last_fired(&[2]).expect("it is known")[0], 3.0 * PI, 1e-9);
    assert_eq!(solution.last_fired(&[1]), Ok(vec![7.0]));
    assert_eq!(solution.last_fired(&[2, 3]), Err(HybridError::UnknownEvent { event: 3, count: 2 }));
    // Setting a direction discards everything.
    solution.set_direction(Direction::Right);
    assert_halted(&solution.at(10.0).expect("it goes"), 2, PI);
}

#[test]
fn at_the_time_that_is_set_an_event_does_not_fire_behind_it_does() {
    for (set, fired) in [(1.0, 2.0), (0.999, 1.0), (1.5, 2.0)] {
        let (mut system, _) = clock();
        system.event(Trigger::periodic(0.0, 1.0), Action::None).expect("it fits");
        let mut solution = solve(&system, &[0.0]);
        solution.set_direction(Direction::Right);
        solution.set_last_fired(&[(1, set)]).expect("it is known");
        assert_eq!(solution.at(2.5).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(firings(&solution)[0], (1, fired));
    }
}

#[test]
fn discrete_and_range_triggers_have_no_time_and_retriggering_ones_do() {
    let (mut system, _) = clock();
    system.event(Trigger::discrete(Condition::new(|_| false)), Action::None).expect("it fits");
    system.event(Trigger::range("x", -1.0, 1.0), Action::None).expect("it fits");
    let again = EventOptions { retrigger: Some(true), ..EventOptions::default() };
    system.event_with(Trigger::root(|p: View| p.x[0] - 9.0), Action::None, again).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    solution.set_direction(Direction::Right);
    for event in [1, 2] {
        assert!(matches!(solution.last_fired(&[event]), Err(HybridError::NoFiringTime { .. })));
        assert!(matches!(solution.set_last_fired(&[(event, 1.0)]), Err(HybridError::NoFiringTime { .. })));
    }
    assert!(solution.last_fired(&[3]).is_ok());
    assert!(matches!(
        solution.set_last_fired(&[(3, f64::NAN)]),
        Err(HybridError::Model(ModelError::NotFinite { .. }))
    ));
}

#[test]
fn events_of_one_instant_behind_the_one_that_halted_come_when_it_is_cleared() {
    let (mut system, n) = clock();
    let add = |value: f64| Action::set(move |p| p.set(n, p[n] + value));
    system.event(Trigger::at(1.0), add(1.0)).expect("it fits");
    system.event(Trigger::root(|p: View| p.x[0] - 1.0), Action::halt()).expect("it fits");
    system.event(Trigger::root(|p: View| p.x[0] - 1.0), add(10.0)).expect("it fits");
    system.event(Trigger::at(1.0), Action::halt()).expect("it fits");
    system.event(Trigger::at(1.0), add(100.0)).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_halted(&solution.at(2.0).expect("it goes"), 2, 1.0);
    assert_eq!(solution.value(n), 1.0);
    solution.clear();
    assert_halted(&solution.at(2.0).expect("it goes"), 4, 1.0);
    assert_eq!(solution.value(n), 11.0);
    // Disabling the event that halted continues in the same way as clearing the halt.
    solution.disable(4).expect("there is one");
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), 111.0);
    assert_eq!(solution.trajectory().events().len(), 1, "it is one instant");
}

#[test]
fn the_solution_is_there_at_any_time_with_both_limits_at_events() {
    let (mut system, n) = clock();
    system
        .event(
            Trigger::periodic(0.5, 0.5),
            Action::set(move |p| {
                p.set(0, -p.x()[0]);
                p.set(n, p[n] + 1.0);
            }),
        )
        .expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    for t in [2.2, -0.3, 2.2] {
        assert_eq!(solution.at(t).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(solution.t(), t);
    }
    let mut values = [0.0; 2];
    let trajectory = solution.trajectory();
    assert_eq!(trajectory.span(), (0.0, 2.2));
    // x runs from 0 to 1/2, from -1/2 to 0, and from 0 to 1/2: its sign is changed at 1/2, 1, 3/2 and 2.
    for (t, side, x, count) in [
        (0.25, EventSide::After, 0.25, 0.0),
        (0.5, EventSide::Before, 0.5, 0.0),
        (0.5, EventSide::After, -0.5, 1.0),
        (0.75, EventSide::Before, -0.25, 1.0),
        (1.0, EventSide::Before, 0.0, 1.0),
        (1.0, EventSide::After, 0.0, 2.0),
        (1.5, EventSide::Before, 0.5, 2.0),
        (1.75, EventSide::After, -0.25, 3.0),
        (2.2, EventSide::After, 0.2, 4.0),
    ] {
        trajectory.write(t, side, &mut values).expect("it is there");
        assert_near(values[0], x, 1e-12);
        assert_eq!(values[1], count, "at {t}");
    }
    for t in [-0.1, 2.3, f64::NAN] {
        assert!(trajectory.write(t, EventSide::After, &mut values).is_err());
    }
    assert!(matches!(
        trajectory.write(1.0, EventSide::After, &mut [0.0; 3]),
        Err(HybridError::Model(ModelError::WrongShape { .. }))
    ));
    let times = trajectory.times();
    assert!(times.is_sorted() && times.first() == Some(&0.0) && times.last() == Some(&2.2), "{times:?}");
    for t in [0.5, 1.0, 1.5, 2.0] {
        assert!(times.contains(&t));
    }
}

#[test]
fn without_a_record_only_the_present_is_there() {
    let settings = HybridSettings { record: false, ..HybridSettings::default() };
    let (mut system, n) = clock();
    system.event(Trigger::periodic(0.5, 0.5), Action::set(move |p| p.set(n, p[n] + 1.0))).expect("it fits");
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    assert_eq!(solution.at(2.2).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!((solution.value(n), solution.trajectory().events().len()), (4.0, 0));
    assert_near(solution.x()[0], 2.2, 1e-12);
    assert_eq!(solution.at(1.0), Err(HybridError::NotRecorded { t: 1.0 }));
    assert_eq!(solution.at(2.2).expect("it is the present"), IntegrationOutcome::Reached);
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
}

#[test]
fn points_of_output_change_no_bit() {
    let (mut fine, mut coarse) = (oscillator(), oscillator());
    for solution in [&mut fine, &mut coarse] {
        solution.disable(1).expect("there is one");
        solution.disable(2).expect("there is one");
    }
    assert_eq!(coarse.at(30.0).expect("it goes"), IntegrationOutcome::Reached);
    for k in 1..=300 {
        let t = 0.1 * f64::from(k);
        assert_eq!(fine.at(t).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(coarse.at(t).expect("it is there"), IntegrationOutcome::Reached);
        assert_eq!(fine.x(), coarse.x(), "at {t}");
    }
}

#[test]
fn what_has_not_fired_has_a_time_on_the_other_side_wherever_one_begins() {
    let (mut system, _) = clock();
    system.event(Trigger::at(100.0), Action::None).expect("it fits");
    for t0 in [-5.0, 0.0, 5.0] {
        let mut solution =
            HybridSolution::new(&system, t0, &[0.0], HybridSettings::default()).expect("it fits");
        for direction in [Direction::Right, Direction::Left] {
            solution.set_direction(direction);
            let never = solution.last_fired(&[1]).expect("it is known")[0];
            assert!(direction.sign() * (never - t0) < 0.0, "{never} from {t0} to the {direction}");
        }
    }
}

#[test]
fn at_and_before_the_time_that_is_set_nothing_fires_whichever_way_one_goes() {
    let (mut system, _) = clock();
    for sign in [1.0, -1.0] {
        system.event(Trigger::at(0.5 * sign), Action::None).expect("it fits");
        system.event(Trigger::at(1.0 * sign), Action::None).expect("it fits");
    }
    system.event(Trigger::root(|p: View| (PI * p.x[0]).sin()), Action::None).expect("it fits");
    system.event(Trigger::at(0.0), Action::None).expect("it fits");
    for (direction, first) in [(Direction::Right, 1), (Direction::Left, 3)] {
        let sign = direction.sign();
        let mut solution = solve(&system, &[0.0]);
        solution.set_direction(direction);
        // One of the two timed events counts as past, and so do the roots up to 1.5. The event at the initial
        // point counts as fired there.
        let set = [(first, sign), (first + 1, 0.5 * sign), (5, 1.5 * sign), (6, 0.0)];
        solution.set_last_fired(&set).expect("it is known");
        assert_eq!(solution.at(2.5 * sign).expect("it goes"), IntegrationOutcome::Reached);
        let fired = firings(&solution);
        assert_eq!(fired[0], (first + 1, sign), "{direction}");
        assert_eq!((fired.len(), fired[1].0), (2, 5), "{direction}: {fired:?}");
        assert_near(fired[1].1, 2.0 * sign, 1e-9);
        // The integration does not stop at the times of the events that do not fire, either.
        assert!(!solution.trajectory().times().contains(&(0.5 * sign)), "{direction}");
    }
}

#[test]
fn of_times_that_cannot_all_be_set_none_is() {
    let (mut system, _) = clock();
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    system.event(Trigger::range("x", -1.0, 9.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    solution.set_direction(Direction::Right);
    for wrong in [(1, f64::NAN), (2, 5.0), (3, 5.0)] {
        assert!(solution.set_last_fired(&[(1, 5.0), wrong]).is_err());
        assert!(solution.last_fired(&[1]).expect("it is known")[0] < 0.0, "{wrong:?}");
    }
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(firings(&solution), [(1, 1.0)]);
}

#[test]
fn leftward_the_solution_is_there_with_both_limits_as_well() {
    // In integration to the left, `Before` refers to the side from which the integration arrives, `After` to
    // the side on which it continues.
    let (mut system, n) = clock();
    let jump = Action::set(move |p| {
        p.set(0, p.x()[0] + 10.0);
        p.set(n, p[n] + 1.0);
    });
    system.event(Trigger::periodic(-2.0, 1.0), jump).expect("it fits");
    let mut solution = HybridSolution::new(&system, 0.5, &[0.5], HybridSettings::default()).expect("it fits");
    assert_eq!(solution.at(-1.5).expect("it goes"), IntegrationOutcome::Reached);
    let mut values = [0.0; 2];
    for (t, side, x, count) in [
        (0.25, EventSide::After, 0.25, 0.0),
        (0.0, EventSide::Before, 0.0, 0.0),
        (0.0, EventSide::After, 10.0, 1.0),
        (-0.5, EventSide::After, 9.5, 1.0),
        (-1.0, EventSide::Before, 9.0, 1.0),
        (-1.0, EventSide::After, 19.0, 2.0),
        (-1.25, EventSide::Before, 18.75, 2.0),
        (-1.5, EventSide::After, 18.5, 2.0),
    ] {
        solution.trajectory().write(t, side, &mut values).expect("it is there");
        assert_near(values[0], x, 1e-12);
        assert_eq!(values[1], count, "at {t}");
    }
    for t in [0.75, -1.75] {
        assert!(solution.trajectory().write(t, EventSide::After, &mut values).is_err());
    }
}
