//! Triggers that jump. A jump across zero counts as one crossing, whatever value rounding gives at the jump.

use siconos_hybrid::{
    Action, DiscreteId, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, RootFunction,
    Trigger, VariableType, View,
};
use siconos_testkit::compare::assert_firings;
use std::sync::Arc;

use super::{assert_near, clock, firings, solve};

/// Returns the sign of a number, and 0 for 0.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Returns functions that change from positive to negative at x = 1, with or without a jump.
fn falls_at_one() -> Vec<RootFunction> {
    vec![
        Arc::new(|p: View| 1.0 - p.x[0]),
        Arc::new(|p: View| sign(1.0 - p.x[0])),
        Arc::new(|p: View| if p.x[0] > 1.0 { -1.0 } else { 1.0 }),
        Arc::new(|p: View| if p.x[0] >= 1.0 { -1e-9 } else { 1e9 }),
        Arc::new(|p: View| (1e14 * (1.0 - p.x[0])).clamp(-1.0, 1.0)),
        Arc::new(|p: View| (1e13 * (1.0 - p.x[0])).clamp(-1.0, 1.0)),
        Arc::new(|p: View| 0.5 - p.x[0].floor()),
        Arc::new(|p: View| sign(1.0 - p.x[0]) + 0.25 * (7.0 * p.x[0]).sin()),
    ]
}

/// A state with x' = 1 is set to 0, or to a value near its jump, each time it reaches 1.
#[test]
fn a_jump_fires_as_often_as_it_is_met() {
    for f in falls_at_one() {
        for (way, put) in [(1.0, 0.0), (1.0, 0.1), (1.0, 1.0 - 1e-9), (-1.0, 0.0)] {
            for both in [true, false] {
                let mut system =
                    HybridSystem::first_order(["x"], move |_p: View, rate: &mut [f64]| rate[0] = way)
                        .expect("x");
                let n = system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
                let f = f.clone();
                let g = move |p: View| f(p);
                let root = match (both, way > 0.0) {
                    (true, _) => Trigger::root(g),
                    (false, true) => Trigger::decreasing(g),
                    (false, false) => Trigger::increasing(g),
                };
                let back = Action::set(move |p| {
                    p.set(n, p[n] + 1.0);
                    p.set(0, if p[n] == 2.0 { put } else { 0.0 });
                });
                system.event(root, back).expect("it fits");
                let mut solution = solve(&system, &[0.0]);
                let end = 6.0;
                assert_eq!(solution.at(way * end).expect("it goes"), IntegrationOutcome::Reached);
                let expected: Vec<_> = [1.0, 2.0, 3.0 - put, 4.0 - put, 5.0 - put, 6.0 - put]
                    .into_iter()
                    .filter(|t| *t < end)
                    .map(|t| (1, way * t))
                    .collect();
                assert_firings(&firings(&solution), &expected, 1e-11);
            }
        }
    }
}

/// At the jump, the motion of a state is reversed, to a lower or higher speed. The state leaves the jump on
/// the side from which it came, and the jump back does not fire.
#[test]
fn a_state_that_is_turned_round_at_its_jump_does_not_fire_as_it_leaves() {
    const V: DiscreteId = DiscreteId::new(0);
    for f in falls_at_one() {
        for restitution in [1.0, 0.5, 1e-3, 1e-6, 30.0] {
            let mut system =
                HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[V]).expect("x");
            system.discrete("v", VariableType::Float, 1.0).expect("it fits");
            let f = f.clone();
            let turn = Action::set(move |p| p.set(V, -restitution * p[V]));
            system.event(Trigger::root(move |p: View| f(p)), turn).expect("it fits");
            let mut solution = solve(&system, &[0.25]);
            assert_eq!(solution.at(0.75 + 0.5 / restitution).expect("it goes"), IntegrationOutcome::Reached);
            assert_firings(&firings(&solution), &[(1, 0.75)], 1e-11);
            assert_near(solution.x()[0], 0.5, 1e-9);
        }
    }
}

/// A state that continues beyond its jump, at a lower or higher speed, fires once. It fires again when it
/// comes back much later.
#[test]
fn a_state_that_goes_on_beyond_its_jump_fires_when_it_comes_back() {
    const V: DiscreteId = DiscreteId::new(0);
    for f in falls_at_one() {
        for speed in [1.0, 1e-3, 30.0] {
            let mut system =
                HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[V]).expect("x");
            system.discrete("v", VariableType::Float, 1.0).expect("it fits");
            let f = f.clone();
            let go_on = Action::set(move |p| p.set(V, if p[V] > 0.0 { speed } else { p[V] }));
            system.event(Trigger::root(move |p: View| f(p)), go_on).expect("it fits");
            let turn = Action::set(move |p| p.set(V, -speed));
            system.event(Trigger::at(0.75 + 0.25 / speed), turn).expect("it fits");
            let mut solution = solve(&system, &[0.25]);
            assert_eq!(solution.at(0.75 + 0.75 / speed).expect("it goes"), IntegrationOutcome::Reached);
            let expected = [(1, 0.75), (2, 0.75 + 0.25 / speed), (1, 0.75 + 0.5 / speed)];
            assert_firings(&firings(&solution), &expected, 1e-9);
        }
    }
}

/// Comparator of a sawtooth, in steps short enough to detect all crossings: it falls at k + 0.3 and jumps up
/// at k.
#[test]
fn a_sawtooth_fires_at_its_slopes_and_at_its_jumps() {
    type Saw = fn(View<'_>) -> f64;
    let teeth: [Saw; 4] = [
        |p: View| 0.3 - p.t().rem_euclid(1.0),
        |p: View| 0.3 - p.x[0].rem_euclid(1.0),
        |p: View| if p.t().rem_euclid(1.0) < 0.3 { 1.0 } else { -1.0 },
        |p: View| if p.x[0].rem_euclid(1.0) < 0.3 { 1.0 } else { -1.0 },
    ];
    for saw in teeth {
        for end in [10.5, -10.5] {
            let (mut system, _) = clock();
            system.event(Trigger::root(saw), Action::None).expect("it fits");
            let mut settings = HybridSettings::default();
            settings.ode.h_max = 0.5;
            let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
            assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
            let all = (-11..11).flat_map(|k| [f64::from(k), f64::from(k) + 0.3]);
            let mut expected: Vec<_> =
                all.filter(|t| t * end > 0.0 && t.abs() < 10.5).map(|t| (1, t)).collect();
            expected.sort_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            assert_firings(&firings(&solution), &expected, 1e-11);
        }
    }
}

/// If the integration starts at a jump of a trigger, the value of the trigger determines its side. Rounding
/// errors just after the start do not cause a crossing.
#[test]
fn a_start_at_the_place_of_a_jump_has_the_side_of_its_value() {
    let (mut system, _) = clock();
    system.event(Trigger::root(|p: View| p.x[0].floor() + 0.5), Action::None).expect("it fits");
    let mut solution = solve(&system, &[-1.0]);
    assert_eq!(solution.at(4.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &[(1, 1.0)], 1e-12);
    // The trigger is zero at its jump because `sign` is zero there, so it starts without a side.
    let (mut system, _) = clock();
    system.event(Trigger::root(|p: View| sign(p.x[0]) * (2.0 - p.x[0])), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(4.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &[(1, 2.0)], 1e-12);
}

/// A step function leaves a range each time it steps from 0 to 1, where x reaches 1 and is set to 1/4.
#[test]
fn a_range_of_a_step_function_is_left_each_time() {
    let (mut system, _) = clock();
    let back = Action::set(|p| p.set(0, 0.25));
    system.event(Trigger::range(|p: View| p.x[0].floor(), -0.5, 0.5), back).expect("it fits");
    let mut solution = solve(&system, &[0.25]);
    assert_eq!(solution.at(10.0).expect("it goes"), IntegrationOutcome::Reached);
    let expected: Vec<_> = (1..=13).map(|k| (1, 0.75 * f64::from(k))).collect();
    assert_firings(&firings(&solution), &expected, 1e-11);
}

/// The difference of 2 sin t and a step function of x fires at each of its sign changes.
#[test]
fn a_jump_of_the_state_and_a_smooth_function_of_the_time_add_up() {
    let (mut system, _) = clock();
    let difference = |p: View| 2.0 * p.t().sin() - if p.x[0].rem_euclid(8.0) > 4.0 { -1.0 } else { 1.0 };
    system.event(Trigger::root(difference), Action::None).expect("it fits");
    let mut settings = HybridSettings::default();
    settings.ode.h_max = 0.5;
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    assert_eq!(solution.at(20.0).expect("it goes"), IntegrationOutcome::Reached);
    // Expected times, by bisection on dense samples of the difference, which depends on the time only.
    let f = |t: f64| 2.0 * t.sin() - if t.rem_euclid(8.0) > 4.0 { -1.0 } else { 1.0 };
    let mut expected = Vec::new();
    for k in 0..20_000 {
        let (mut a, mut b) = (1e-3 * f64::from(k), 1e-3 * f64::from(k + 1));
        if f(a) * f(b) >= 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (a + b);
            *(if f(middle) * f(a) > 0.0 { &mut a } else { &mut b }) = middle;
        }
        expected.push((1, b));
    }
    assert!(expected.len() > 5, "{}", expected.len());
    assert_firings(&firings(&solution), &expected, 1e-9);
}
