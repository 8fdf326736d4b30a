//! Pairs of roots that are armed alternately by one boolean variable: the sum of their arguments, and the
//! effects of the variable.

use std::f64::consts::PI;

use siconos_hybrid::{
    Action, Condition, DiscreteId, EventOptions, HybridError, HybridSystem, IntegrationOutcome, Trigger,
    VariableType, View,
};

use super::{assert_near, clock, firings, solve};

#[test]
fn each_firing_of_a_pair_compares_the_arguments_with_what_they_were_at_the_start() {
    // x moves back and forth between walls at 0 and -1/2. The lower wall is moved by 1e-6 before the first
    // event, or between the first event and the second.
    const S: DiscreteId = DiscreteId::new(0);
    for falling in [false, true] {
        for (moved, fires) in [(0.125, 0.25), (0.5, 0.75 - 1e-6)] {
            let rate = |p: View, rate: &mut [f64]| rate[0] = p[S];
            let mut system = HybridSystem::first_order(["x"], rate).expect("a name");
            system.discrete("s", VariableType::Float, 1.0).expect("it fits");
            let b = system.discrete("b", VariableType::Boolean, true).expect("it fits");
            let shift = system.discrete("shift", VariableType::Float, 0.0).expect("it fits");
            let requires = |value| EventOptions { requires: Some((b, value)), ..EventOptions::default() };
            let turn = || Action::set(move |p| p.set(S, -p[S]));
            system.event_with(Trigger::increasing("x"), turn(), requires(true)).expect("it fits");
            let lower: Trigger = if falling {
                Trigger::decreasing(move |p: View| p.x[0] + 0.5 - p[shift]).into()
            } else {
                Trigger::increasing(move |p: View| p[shift] - p.x[0] - 0.5).into()
            };
            system.event_with(lower, turn(), requires(false)).expect("it fits");
            system.event(Trigger::at(moved), Action::set(move |p| p.set(shift, 1e-6))).expect("it fits");
            let error = solve(&system, &[-0.25]).at(2.0).expect_err("the lower wall has moved");
            let HybridError::NotConstant { before, now, t, .. } = error else { panic!("{error}") };
            assert_near(before, -0.5, 1e-14);
            assert_near(now, -0.5 + 1e-6, 1e-12);
            assert_near(t, fires, 1e-9);
            let what = if falling { "difference" } else { "sum" };
            let says = format!("events 1 and 2 require `b`; the {what} of their arguments must be constant");
            assert!(error.to_string().starts_with(&says), "{error}");
        }
    }
}

#[test]
fn what_is_constant_but_for_rounding_is_constant() {
    // sin^2 - 1/2 and cos^2 - 1/2 add up to 0, up to a rounding error that differs from root to root.
    let (mut system, _) = clock();
    let b = system.discrete("b", VariableType::Boolean, true).expect("it fits");
    let requires = |value| EventOptions { requires: Some((b, value)), ..EventOptions::default() };
    let sine = Trigger::increasing(|p: View| p.x[0].sin().powi(2) - 0.5);
    let cosine = Trigger::increasing(|p: View| p.x[0].cos().powi(2) - 0.5);
    system.event_with(sine, Action::None, requires(true)).expect("it fits");
    system.event_with(cosine, Action::None, requires(false)).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(6.0 * PI).expect("it goes"), IntegrationOutcome::Reached);
    let fired = firings(&solution);
    assert_eq!(fired.len(), 12, "{fired:?}");
    for (k, (event, t)) in (0..).zip(fired) {
        assert_eq!(event, if k % 2 == 0 { 1 } else { 2 });
        assert_near(t, PI * (0.25 + 0.5 * f64::from(k)), 1e-9);
    }
}

#[test]
fn algebraic_variables_follow_the_variable_that_arms_a_pair() {
    // z = x + 100 b: the trigger itself changes b, whatever the action does.
    for acts in [false, true] {
        let mut system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)
            .and_then(|system| {
                let g = |p: View, g: &mut [f64]| g[0] = p.x[1] - p.x[0] - 100.0 * p.discrete[0];
                system.with_algebraic(["z"], g)
            })
            .expect("names");
        let b = system.discrete("b", VariableType::Boolean, true).expect("it fits");
        let seen = system.discrete("seen", VariableType::Float, 0.0).expect("it fits");
        let requires = |value| EventOptions { requires: Some((b, value)), ..EventOptions::default() };
        let action = if acts { Action::set(|_| ()) } else { Action::None };
        let upper = Trigger::increasing(|p: View| p.x[0] - 1.0);
        system.event_with(upper, action.clone(), requires(true)).expect("it fits");
        let lower = Trigger::decreasing(|p: View| p.x[0] + 1.0);
        system.event_with(lower, action, requires(false)).expect("it fits");
        let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
        let look = Action::set(move |p| p.set(seen, p.x()[1]));
        system.event_with(Trigger::discrete(Condition::new(|_| true)), look, once).expect("it fits");
        let mut solution = solve(&system, &[0.0, 0.0]);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(firings(&solution).len(), 2);
        assert_near(solution.value(seen), 1.0, 1e-9);
        let mark = solution.trajectory().events().next().expect("there is one");
        assert_near(mark.before[1], 101.0, 1e-9);
        assert_near(mark.after[1], 1.0, 1e-9);
        assert_near(solution.x()[1], 2.0, 1e-9);
    }
}
