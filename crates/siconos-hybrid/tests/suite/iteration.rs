//! Event iteration at one instant: passes, previous values, and the end of the iteration.

use siconos_hybrid::{
    Action, Condition, DiscreteId, EventIterate, EventOptions, EventPre, Flow, HybridError, HybridSettings,
    HybridSolution, HybridSystem, IntegrationOutcome, Trigger, VariableType,
};

use super::{assert_halted, clock, firings};

const N: DiscreteId = DiscreteId::new(0);

fn solve_with(system: &HybridSystem, settings: HybridSettings) -> HybridSolution {
    HybridSolution::new(system, 0.0, &[0.0], settings).expect("it fits")
}

/// Returns `pre(n)` as read by five events. n is 0 at first; it is assigned 1 and again 1 in the first pass,
/// and 5 in the second pass. Three events read `pre(n)` before, between and after the assignments of the
/// first pass, one at the beginning of the second pass, and one after the assignment of 5.
fn previous_values(mode: EventPre) -> [f64; 5] {
    let (mut system, n) = clock();
    let looks: Vec<DiscreteId> = (0..5)
        .map(|k| system.discrete(format!("look{k}"), VariableType::Float, -1.0).expect("it fits"))
        .collect();
    let look = |k: usize| {
        let id = looks[k];
        Action::set(move |p| p.set(id, p.pre(n)))
    };
    let assign = |value: f64| Action::set(move |p| p.set(n, value));
    system.event(Trigger::at(1.0), look(0)).expect("it fits");
    system.event(Trigger::at(1.0), assign(1.0)).expect("it fits");
    system.event(Trigger::at(1.0), look(1)).expect("it fits");
    system.event(Trigger::at(1.0), assign(1.0)).expect("it fits");
    system.event(Trigger::at(1.0), look(2)).expect("it fits");
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let at_one = || Trigger::discrete(Condition::new(move |p| p[n] == 1.0));
    system.event_with(at_one(), Action::function(|_| Flow::ToBegin), once).expect("it fits");
    system.event_with(at_one(), look(3), once).expect("it fits");
    system.event_with(at_one(), assign(5.0), once).expect("it fits");
    let at_five = Trigger::discrete(Condition::new(move |p| p[n] == 5.0));
    system.event_with(at_five, look(4), once).expect("it fits");
    let mut solution = solve_with(&system, HybridSettings { event_pre: mode, ..HybridSettings::default() });
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    [0, 1, 2, 3, 4].map(|k| solution.value(looks[k]))
}

#[test]
fn the_four_ways_to_look_back_on_one_script() {
    // n is 0. It is assigned 1 twice in the first pass, and 5 in the second pass.
    assert_eq!(previous_values(EventPre::Iteration), [0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(previous_values(EventPre::Initial), [0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(previous_values(EventPre::Assignment), [0.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(previous_values(EventPre::Change), [0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn what_was_before_begins_anew_at_each_time() {
    for mode in [EventPre::Iteration, EventPre::Initial, EventPre::Assignment, EventPre::Change] {
        let (mut system, n) = clock();
        let before = system.discrete("before", VariableType::Float, 0.0).expect("it fits");
        system.event(Trigger::at(1.0), Action::set(move |p| p.set(n, 7.0))).expect("it fits");
        system
            .event(
                Trigger::at(2.0),
                Action::set(move |p| {
                    p.set(before, p.pre(n));
                    p.set(0, 10.0 + p.pre(0));
                }),
            )
            .expect("it fits");
        let mut solution =
            solve_with(&system, HybridSettings { event_pre: mode, ..HybridSettings::default() });
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!((solution.value(before), solution.x()[0]), (7.0, 12.0), "{mode:?}");
    }
}

#[test]
fn edges_of_booleans_and_numbers() {
    // For a value that changes from `before` to `after` at time 1: whether a change, a rising edge and a
    // falling edge are detected afterwards.
    let seen = |kind, before: f64, after: f64| {
        let (mut system, _) = clock();
        let value = system.discrete("value", kind, before).expect("it fits");
        let seen: Vec<DiscreteId> = (0..3)
            .map(|k| system.discrete(format!("s{k}"), VariableType::Boolean, false).expect("it fits"))
            .collect();
        system.event(Trigger::at(1.0), Action::set(move |p| p.set(value, after))).expect("it fits");
        let [change, rise, fall] = [0, 1, 2].map(|k| seen[k]);
        let look = Action::set(move |p| {
            p.set(change, p.change(value));
            p.set(rise, p.rising_edge(value));
            p.set(fall, p.falling_edge(value));
        });
        system.event(Trigger::at(1.0), look).expect("it fits");
        let mut solution = solve_with(&system, HybridSettings::default());
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        [0, 1, 2].map(|k| solution.value(seen[k]) == 1.0)
    };
    for kind in [VariableType::Boolean, VariableType::Integer, VariableType::Float] {
        assert_eq!(seen(kind, 0.0, 1.0), [true, true, false], "{kind:?}");
        assert_eq!(seen(kind, 1.0, 0.0), [true, false, true], "{kind:?}");
        assert_eq!(seen(kind, 1.0, 1.0), [false; 3], "{kind:?}");
    }
    assert_eq!(seen(VariableType::Float, -0.5, 2.5), [true, true, false]);
    // A boolean that is still false has no falling edge.
    assert_eq!(seen(VariableType::Boolean, 0.0, 0.0), [false; 3]);
}

/// Discrete events that increment n up to a limit, starting at time 1.
fn counter(limit: f64) -> HybridSystem {
    let (mut system, n) = clock();
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let below = Trigger::discrete(Condition::new(move |p| p[n] < limit));
    system.event(below, Action::set(move |p| p.set(n, p[n] + 1.0))).expect("it fits");
    system
}

#[test]
fn discrete_events_are_an_algorithm_and_the_passes_are_counted() {
    // One pass for each count, and a last one in which no event fires.
    let run = |event_maxiter| {
        let mut solution =
            solve_with(&counter(7.0), HybridSettings { event_maxiter, ..HybridSettings::default() });
        solution.at(2.0).map(|_| solution.value(N))
    };
    assert_eq!(run(8), Ok(7.0));
    let error = run(7).expect_err("the last pass is missing");
    let HybridError::EndlessIteration { t, limit, events, .. } = &error else { panic!("{error}") };
    assert_eq!((*t, *limit, &events[..]), (1.0, 7, &[2][..]));
    let off = HybridSettings { event_maxiter: 0, ..HybridSettings::default() };
    assert!(HybridSolution::new(&counter(7.0), 0.0, &[0.0], off).is_err(), "it cannot be turned off");
}

#[test]
fn an_endless_loop_is_told_with_its_events() {
    let (mut system, n) = clock();
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let is = move |value: f64| Trigger::discrete(Condition::new(move |p| p[n] == value));
    system.event(is(0.0), Action::set(move |p| p.set(n, 1.0))).expect("it fits");
    system.event(is(1.0), Action::set(move |p| p.set(n, 0.0))).expect("it fits");
    let mut solution = solve_with(&system, HybridSettings::default());
    let error = solution.at(2.0).expect_err("it never ends");
    assert_eq!(
        error.to_string(),
        "the event iteration at t = 1 has not ended after 100 passes; in the last pass, events 2 and 3 fired"
    );
    assert_eq!((solution.t(), solution.value(N)), (1.0, 0.0), "what was half done is undone");
}

#[test]
fn a_root_that_may_fire_again_is_never_left_but_by_its_action() {
    let run = |flow: Flow| {
        let (mut system, n) = clock();
        let again = EventOptions { retrigger: Some(true), ..EventOptions::default() };
        let action = Action::function(move |p| {
            p.set(n, p[n] + 1.0);
            flow
        });
        system
            .event_with(Trigger::root(|p: siconos_hybrid::View| p.x[0] - 1.0), action, again)
            .expect("it fits");
        let mut solution = solve_with(&system, HybridSettings::default());
        solution.at(2.0).map(|answer| (answer, solution.value(N)))
    };
    let error = run(Flow::Next).expect_err("it is never left").to_string();
    assert!(
        error.ends_with("event 1 fired; a continuous trigger with `retrigger` fires in every pass"),
        "{error}"
    );
    assert_eq!(run(Flow::BreakIteration), Ok((IntegrationOutcome::Reached, 1.0)));
    assert_halted(&run(Flow::Halt).expect("it halts").0, 1, 1.0);
}

#[test]
fn passes_go_on_while_values_differ_where_that_is_asked_for() {
    // x is halved while it is above 1: continuous variables count as well. The event itself would fire
    // forever.
    let run = |event_iterate, event_pre| {
        let (mut system, n) = clock();
        system.event(Trigger::at(1.0), Action::set(|p| p.set(0, 12.0))).expect("it fits");
        let halve = Action::set(move |p| {
            let x = p.x()[0];
            p.set(0, if x > 1.0 { 0.5 * x } else { x });
            p.set(n, 1.0);
        });
        system.event(Trigger::discrete(Condition::new(|_| true)), halve).expect("it fits");
        let settings = HybridSettings { event_iterate, event_pre, ..HybridSettings::default() };
        let mut solution = solve_with(&system, settings);
        solution.at(1.0).map(|_| solution.x()[0])
    };
    use EventIterate::{PreChange, Trigger as ByTrigger};
    assert_eq!(run(PreChange, EventPre::Iteration), Ok(0.75));
    assert!(run(ByTrigger, EventPre::Iteration).is_err());
    // With `Assignment`, an assignment of the current value ends the iteration. With `Initial`, x differs
    // from its value at the start in all later passes.
    assert_eq!(run(PreChange, EventPre::Assignment), Ok(0.75));
    let endless = run(PreChange, EventPre::Initial).expect_err("x is not 1 again");
    assert!(matches!(endless, HybridError::EndlessIteration { .. }));
    assert!(run(PreChange, EventPre::Change).is_err());
}

#[test]
fn the_start_and_each_resumption_have_an_iteration_where_that_is_asked_for() {
    let run = |event_initial| {
        let (mut system, n) = clock();
        let count = system.discrete("count", VariableType::Integer, 0.0).expect("it fits");
        let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
        system.event(Trigger::at(1.0), Action::function(|_| Flow::DelayHalt)).expect("it fits");
        let always = || Trigger::discrete(Condition::new(|_| true));
        system
            .event_with(always(), Action::set(move |p| p.set(count, p[count] + 1.0)), once)
            .expect("it fits");
        system.event_with(always(), Action::set(move |p| p.set(n, p.t())), once).expect("it fits");
        let mut solution = solve_with(&system, HybridSettings { event_initial, ..HybridSettings::default() });
        let mut counts = Vec::new();
        assert_eq!(solution.at(0.5).expect("it goes"), IntegrationOutcome::Reached);
        counts.push(solution.value(count));
        assert_halted(&solution.at(2.0).expect("it goes"), 1, 1.0);
        counts.push(solution.value(count));
        solution.clear();
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        counts.push(solution.value(count));
        counts
    };
    assert_eq!(run(false), [0.0, 1.0, 1.0]);
    assert_eq!(run(true), [1.0, 2.0, 3.0]);
}

#[test]
fn a_resumption_goes_on_behind_the_event_that_has_halted() {
    // A discrete event halts each time it is processed. If the resumption has an iteration, the event is not
    // processed again at once.
    let (mut system, n) = clock();
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let at_zero = Trigger::discrete(Condition::new(move |p| p[n] == 0.0));
    system.event(at_zero, Action::halt()).expect("it fits");
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let after = Trigger::discrete(Condition::new(|_| true));
    system.event_with(after, Action::set(move |p| p.set(n, 1.0)), once).expect("it fits");
    for event_initial in [false, true] {
        let mut solution = solve_with(&system, HybridSettings { event_initial, ..HybridSettings::default() });
        let mut answers = Vec::new();
        for _ in 0..3 {
            let answer = solution.at(2.0).expect("it goes");
            solution.clear();
            answers.push(match answer {
                IntegrationOutcome::Halted { t, event, .. } => Some((t, event)),
                _ => None,
            });
        }
        let expected =
            if event_initial { [Some((0.0, 2)), None, None] } else { [Some((1.0, 2)), None, None] };
        assert_eq!(answers, expected);
        let fired = firings(&solution);
        assert!(fired.contains(&(3, if event_initial { 0.0 } else { 1.0 })), "{fired:?}");
    }
}

#[test]
fn what_a_state_was_before_is_known_as_well() {
    let (mut system, _) = clock();
    let was = system.discrete("was", VariableType::Float, -1.0).expect("it fits");
    let seen = system.discrete("seen", VariableType::Integer, 0.0).expect("it fits");
    system.event(Trigger::at(1.0), Action::set(|p| p.set(0, 5.0))).expect("it fits");
    let look = Action::set(move |p| {
        p.set(was, p.pre(0));
        let seen_now = [p.change(0), p.rising_edge(0), p.falling_edge(0)].map(f64::from);
        p.set(seen, seen_now[0] + 10.0 * seen_now[1] + 100.0 * seen_now[2]);
    });
    system.event(Trigger::at(1.0), look).expect("it fits");
    let mut solution = solve_with(&system, HybridSettings::default());
    assert_eq!(solution.at(1.5).expect("it goes"), IntegrationOutcome::Reached);
    // x was 1, the time of the clock. It has changed and risen.
    assert!((solution.value(was) - 1.0).abs() < 1e-12, "{}", solution.value(was));
    assert_eq!(solution.value(seen), 11.0);
}

#[test]
fn a_discrete_variable_alone_asks_for_another_pass() {
    // The first event waits for the assignment of the last one. No state has changed.
    let (mut system, n) = clock();
    let m = system.discrete("m", VariableType::Float, 0.0).expect("it fits");
    let is_one = Trigger::discrete(Condition::new(move |p| p[n] == 1.0));
    system.event(is_one, Action::set(move |p| p.set(m, 1.0))).expect("it fits");
    system.event(Trigger::at(1.0), Action::set(move |p| p.set(n, 1.0))).expect("it fits");
    let settings = HybridSettings { event_iterate: EventIterate::PreChange, ..HybridSettings::default() };
    let mut solution = solve_with(&system, settings);
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(m), 1.0);
}

#[test]
fn passes_that_an_action_begins_are_counted_too() {
    // Ten passes in which the event begins the next pass, and a last one in which no event fires.
    let run = |event_maxiter| {
        let (mut system, n) = clock();
        system.event(Trigger::at(1.0), Action::None).expect("it fits");
        let count = Action::function(move |p| {
            p.set(n, p[n] + 1.0);
            Flow::ToBegin
        });
        system.event(Trigger::discrete(Condition::new(move |p| p[n] < 10.0)), count).expect("it fits");
        let settings = HybridSettings { event_maxiter, ..HybridSettings::default() };
        let mut solution = solve_with(&system, settings);
        solution.at(2.0).map(|_| solution.value(n))
    };
    assert_eq!(run(11), Ok(10.0));
    let error = run(10).expect_err("the last pass is missing");
    let HybridError::EndlessIteration { t, limit, events, .. } = &error else { panic!("{error}") };
    assert_eq!((*t, *limit, &events[..]), (1.0, 10, &[2][..]));
}

#[test]
fn behind_a_delayed_halt_the_iteration_of_the_resumption_begins_with_the_event_behind() {
    // All three events would fire in the iteration, but only the last one comes after the event that halts.
    let (mut system, n) = clock();
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    let always = || Trigger::discrete(Condition::new(|_| true));
    let add = |value: f64, flow: Flow| {
        Action::function(move |p| {
            p.set(n, p[n] + value);
            flow
        })
    };
    system.event_with(always(), add(1.0, Flow::NoMark), once).expect("it fits");
    system.event_with(always(), add(10.0, Flow::DelayHalt), once).expect("it fits");
    system.event_with(always(), add(100.0, Flow::NoMark), once).expect("it fits");
    let mut solution =
        solve_with(&system, HybridSettings { event_initial: true, ..HybridSettings::default() });
    assert_halted(&solution.at(2.0).expect("it goes"), 2, 0.0);
    // Two passes, since the second event has fired in the first.
    assert_eq!(solution.value(n), 212.0);
    solution.clear();
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), 312.0);
}
