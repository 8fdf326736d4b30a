//! Actions: statements, flow of control, and their effects.

use siconos_hybrid::{
    Action, Condition, EventIterate, EventOptions, Flow, HybridSettings, HybridSolution, HybridSystem,
    IntegrationOutcome, Statement, Trigger, VariableType, View,
};
use siconos_testkit::compare::largest_difference;

use super::{assert_halted, clock, firings, solve};

#[test]
fn doing_nothing_is_a_point_and_begins_an_iteration() {
    let (mut system, n) = clock();
    system.event(Trigger::at(0.3), Action::None).expect("it fits");
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let always = Trigger::discrete(Condition::new(|_| true));
    system.event_with(always, Action::set(move |p| p.set(n, p[n] + 1.0)), once).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), 1.0);
    assert!(solution.trajectory().times().contains(&0.3));
}

#[test]
fn statements_are_executed_in_sequence_with_branches_temporaries_and_derivatives() {
    let mut system =
        HybridSystem::second_order(["x", "y"], |_p: View, a: &mut [f64]| a.fill(0.0)).expect("names");
    // Example from the documentation of `dsolve`: x and y are multiplied by the norm of (y, y').
    let action = vec![
        Statement::assign("t1", |p| p.x()[1].hypot(p.x()[3])),
        Statement::assign("x", |p| p.x()[0] * p.temporary("t1")),
        Statement::assign("y", |p| p.x()[1] * p.temporary("t1")),
        Statement::when(
            Condition::new(|p| p.x()[0] > 9.0),
            vec![Statement::assign("y'", |p| -p.x()[3])],
            vec![Statement::assign("y'", |_| 100.0)],
        ),
    ];
    system.event(Trigger::at(0.0), Action::Run(action)).expect("it fits");
    let mut solution = solve(&system, &[2.0, 3.0, 0.0, 4.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert!(largest_difference(solution.x(), &[10.0, 15.0 - 4.0, 0.0, -4.0]) <= 1e-14);
}

/// Three events at time 1 add 1, 10 and 100 to `n`. The event with index `place` ends with `flow`, the others
/// with `Next`. Returns the solution, n, and the answer to a request for time 2. n shows which events were
/// processed.
fn with_flow(
    flow: Flow,
    place: usize,
    settings: HybridSettings,
) -> (HybridSolution, f64, IntegrationOutcome) {
    let (mut system, n) = clock();
    for k in 0..3 {
        let weight = 10.0_f64.powi(k);
        let ends = if k as usize == place { flow } else { Flow::Next };
        let action = Action::function(move |p| {
            p.set(n, p[n] + weight);
            ends
        });
        system.event(Trigger::at(1.0), action).expect("it fits");
    }
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    let answer = solution.at(2.0).expect("it goes");
    let count = solution.value(n);
    (solution, count, answer)
}

#[test]
fn a_halt_ends_all_at_once_and_what_is_left_of_the_instant_comes_when_it_is_cleared() {
    let (mut solution, count, answer) = with_flow(Flow::Halt, 1, HybridSettings::default());
    assert_halted(&answer, 2, 1.0);
    assert_eq!((count, solution.halted_by()), (11.0, Some(2)));
    solution.clear();
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.discrete(), [111.0]);
    assert_eq!(firings(&solution), [(1, 1.0), (2, 1.0), (3, 1.0)]);
}

#[test]
fn a_delayed_halt_waits_for_the_end_of_the_iteration() {
    let (mut solution, count, answer) = with_flow(Flow::DelayHalt, 0, HybridSettings::default());
    assert_halted(&answer, 1, 1.0);
    assert_eq!(count, 111.0);
    solution.clear();
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.discrete(), [111.0]);
}

#[test]
fn breaking_ends_the_iteration_unless_a_delayed_halt_waits() {
    let (solution, count, answer) = with_flow(Flow::BreakIteration, 1, HybridSettings::default());
    assert_eq!((count, answer), (11.0, IntegrationOutcome::Reached));
    assert_eq!(solution.t(), 2.0);
    let (mut system, _) = clock();
    system.event(Trigger::at(1.0), Action::function(|_| Flow::DelayHalt)).expect("it fits");
    system.event(Trigger::at(1.0), Action::function(|_| Flow::BreakIteration)).expect("it fits");
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_halted(&solution.at(2.0).expect("it goes"), 1, 1.0);
    assert_eq!(firings(&solution), [(1, 1.0), (2, 1.0)]);
}

#[test]
fn what_has_not_had_its_turn_has_it_in_the_next_pass() {
    for flow in [Flow::ToBegin, Flow::ToEnd] {
        let (_, count, answer) = with_flow(flow, 0, HybridSettings::default());
        assert_eq!((count, answer), (111.0, IntegrationOutcome::Reached), "{flow:?}");
    }
}

#[test]
fn only_to_end_looks_whether_there_has_to_be_a_next_pass() {
    // With `PreChange`, no pass follows `ToEnd`, because the first event changes nothing.
    for (flow, fires) in [(Flow::ToEnd, false), (Flow::ToBegin, true)] {
        let (mut system, n) = clock();
        system.event(Trigger::at(1.0), Action::function(move |_| flow)).expect("it fits");
        system.event(Trigger::at(1.0), Action::set(move |p| p.set(n, 1.0))).expect("it fits");
        let settings = HybridSettings { event_iterate: EventIterate::PreChange, ..HybridSettings::default() };
        let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(solution.value(n) == 1.0, fires, "{flow:?}");
    }
}

#[test]
fn an_event_that_is_not_marked_asks_for_no_other_pass() {
    // A discrete event after a timed event. With `no_mark` it runs once in the pass of the timed event and
    // once in the second pass. The iteration then ends, because no event counts as fired in the second pass.
    for (flow, runs) in [(Flow::NoMark, Some(2.0)), (Flow::Next, None)] {
        let (mut system, n) = clock();
        system.event(Trigger::at(1.0), Action::None).expect("it fits");
        let action = Action::function(move |p| {
            p.set(n, p[n] + 1.0);
            flow
        });
        system.event(Trigger::discrete(Condition::new(|_| true)), action).expect("it fits");
        let mut solution = solve(&system, &[0.0]);
        match runs {
            Some(runs) => {
                assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
                assert_eq!(solution.value(n), runs);
                assert_eq!(firings(&solution), [(1, 1.0)]);
                // Its changes are recorded in the trajectory nevertheless.
                let mark = solution.trajectory().events().next().expect("there is one");
                assert_eq!((mark.before[1], mark.after[1]), (0.0, 2.0));
            }
            None => assert!(solution.at(2.0).is_err()),
        }
    }
}

#[test]
fn what_an_action_leaves_by_is_where_it_ends() {
    let (mut system, n) = clock();
    let set = |value: f64| Statement::assign("n", move |_| value);
    let branch = Statement::when(
        Condition::new(|p| p.t() > 0.5),
        vec![set(1.0), Statement::Control(Flow::ToEnd), set(2.0)],
        vec![set(3.0)],
    );
    system.event(Trigger::at(1.0), Action::Run(vec![branch, set(4.0)])).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), 1.0);
}

#[test]
fn types_are_kept() {
    let (mut system, _) = clock();
    let count = system.discrete("count", VariableType::Integer, 3).expect("it fits");
    let on = system.discrete("on", VariableType::Boolean, false).expect("it fits");
    let flip = Action::set(move |p| {
        p.set(count, p[count] + 1.0);
        p.set(on, !p.is(on));
    });
    system.event(Trigger::periodic(1.0, 1.0), flip).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(3.5).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!((solution.value(count), solution.value(on)), (6.0, 1.0));
}

#[test]
fn one_branch_is_taken_and_the_other_is_not() {
    let (mut system, n) = clock();
    let add = |value: f64| Statement::assign("n", move |p| p[n] + value);
    let early = Statement::when(Condition::new(|p| p.t() < 1.5), vec![add(1.0)], vec![add(10.0)]);
    let late = Statement::when(Condition::new(|p| p.t() > 1.5), vec![add(100.0)], vec![]);
    system.event(Trigger::periodic(1.0, 1.0), Action::Run(vec![early, late])).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    for (t, value) in [(1.5, 1.0), (2.5, 111.0), (3.5, 221.0)] {
        assert_eq!(solution.at(t).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(solution.discrete(), [value], "at {t}");
    }
}

#[test]
fn each_way_to_leave_an_action_leaves_it_at_once() {
    use Flow::{BreakIteration, DelayHalt, Halt, NoMark, ToBegin, ToEnd};
    for flow in [Halt, DelayHalt, ToBegin, ToEnd, BreakIteration, NoMark] {
        for in_a_branch in [false, true] {
            let (mut system, n) = clock();
            let set = |value: f64| Statement::assign("n", move |_| value);
            let mut leaves = vec![set(1.0), Statement::Control(flow), set(2.0)];
            if in_a_branch {
                leaves = vec![Statement::when(Condition::new(|_| true), leaves, vec![]), set(3.0)];
            }
            system.event(Trigger::at(1.0), Action::Run(leaves)).expect("it fits");
            let mut solution = solve(&system, &[0.0]);
            let answer = solution.at(2.0).expect("it goes");
            assert_eq!(solution.value(n), 1.0, "{flow:?} {in_a_branch}");
            if flow == Halt || flow == DelayHalt {
                assert_halted(&answer, 1, 1.0);
            } else {
                assert_eq!(answer, IntegrationOutcome::Reached, "{flow:?}");
            }
        }
    }
}

#[test]
fn a_delayed_halt_lets_all_passes_of_the_iteration_go_by() {
    // The first event can only fire in the second pass, since it waits for the last one.
    let (mut system, n) = clock();
    let is_one = Trigger::discrete(Condition::new(move |p| p[n] == 1.0));
    system.event(is_one, Action::set(move |p| p.set(n, 2.0))).expect("it fits");
    system.event(Trigger::at(1.0), Action::function(|_| Flow::DelayHalt)).expect("it fits");
    system.event(Trigger::at(1.0), Action::set(move |p| p.set(n, 1.0))).expect("it fits");
    // With `PreChange`, the changes of variables determine whether another pass follows. The event that halts
    // changes no variable, but the last event is processed nevertheless.
    for event_iterate in [EventIterate::Trigger, EventIterate::PreChange] {
        let settings = HybridSettings { event_iterate, ..HybridSettings::default() };
        let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
        assert_halted(&solution.at(2.0).expect("it goes"), 2, 1.0);
        assert_eq!(firings(&solution), [(2, 1.0), (3, 1.0), (1, 1.0)], "{event_iterate:?}");
        assert_eq!(solution.value(n), 2.0);
    }
}

#[test]
fn what_is_not_marked_has_not_fired() {
    // The event has no time of its last firing. If it may fire once at a time, it may still fire.
    let (mut system, n) = clock();
    system.event(Trigger::root(|p: View| p.x[0] - 0.5), Action::function(|_| Flow::NoMark)).expect("it fits");
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let count = Action::function(move |p| {
        p.set(n, p[n] + 1.0);
        Flow::NoMark
    });
    let late = Condition::new(|p| p.t() > 0.75);
    system.event_with(Trigger::discrete(late), count, once).expect("it fits");
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert!(solution.last_fired(&[1]).expect("it is known")[0] < 0.0);
    assert_eq!(solution.value(n), 2.0, "two passes, in each of which it has its turn");
    assert_eq!(firings(&solution), [(3, 1.0)]);
}
