//! Triggers: roots with a direction, a condition or a side; ranges; times; options.

use std::f64::consts::{PI, TAU};

use siconos_hybrid::{
    Action, Condition, DiscreteId, EventOptions, HybridSettings, HybridSolution, HybridSystem,
    IntegrationOutcome, RootSide, Trigger, VariableType, View,
};

use super::{assert_near, clock, firings, solve};

/// Returns the events that fire up to a time, for x' = 1 from x = 0 with the given triggers and no actions.
fn fired_by(triggers: Vec<(Trigger, EventOptions)>, to: f64) -> Vec<(usize, f64)> {
    let (mut system, _) = clock();
    for (trigger, options) in triggers {
        system.event_with(trigger, Action::None, options).expect("it fits");
    }
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(to).expect("it goes"), IntegrationOutcome::Reached);
    firings(&solution)
}

fn plain(trigger: impl Into<Trigger>) -> (Trigger, EventOptions) {
    (trigger.into(), EventOptions::default())
}

#[track_caller]
fn assert_fired(fired: &[(usize, f64)], expected: &[(usize, f64)]) {
    let numbers = |list: &[(usize, f64)]| list.iter().map(|(event, _)| *event).collect::<Vec<_>>();
    assert_eq!(numbers(fired), numbers(expected), "{fired:?}");
    for ((_, t), (_, exact)) in fired.iter().zip(expected) {
        assert_near(*t, *exact, 1e-9);
    }
}

#[test]
fn roots_fire_in_their_direction_and_not_where_they_begin() {
    let sine = |p: View| (PI * p.x[0]).sin();
    let triggers = vec![
        plain(Trigger::root(sine)),
        plain(Trigger::increasing(sine)),
        plain(Trigger::decreasing(sine)),
        plain(Trigger::root("x")),
    ];
    assert_fired(&fired_by(triggers, 3.5), &[(1, 1.0), (3, 1.0), (1, 2.0), (2, 2.0), (1, 3.0), (3, 3.0)]);
}

#[test]
fn the_direction_is_that_of_time_when_one_goes_left() {
    let mut system =
        HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -p.x[0]).expect("a name");
    system.event(Trigger::increasing("y"), Action::None).expect("it fits");
    system.event(Trigger::decreasing("y"), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0, 1.0]);
    assert_eq!(solution.at(-10.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(2, -PI), (1, -TAU), (2, -3.0 * PI)]);
    assert_near(solution.x()[0], -10.0_f64.sin(), 1e-9);
    assert_near(solution.x()[1], 10.0_f64.cos(), 1e-9);
}

#[test]
fn a_condition_decides_at_the_turn_of_the_event() {
    let sine = |p: View| (PI * p.x[0]).sin();
    let late = || Condition::new(|p| p.t() > 1.5);
    let early = || Condition::new(|p| p.t() < 2.5);
    let conditions = [
        late().and(early()),
        late().or(early()),
        late().xor(early()),
        late().implies(early()),
        !late(),
        Condition::new(|_| true),
    ];
    let expected: [&[f64]; 6] =
        [&[2.0], &[1.0, 2.0, 3.0], &[1.0, 3.0], &[1.0, 2.0], &[1.0], &[1.0, 2.0, 3.0]];
    for (condition, expected) in conditions.into_iter().zip(expected) {
        let fired = fired_by(vec![plain(Trigger::root(sine).when(condition))], 3.5);
        assert_fired(&fired, &expected.iter().map(|t| (1, *t)).collect::<Vec<_>>());
    }
    // The assignments of an earlier event count; the assignments of a later event do not.
    let (mut system, n) = clock();
    let one = || Condition::new(move |p| p[n] == 1.0);
    let root = || Trigger::root(|p: View| p.x[0] - 1.0);
    system.event(root().when(one()), Action::None).expect("it fits");
    system.event(root(), Action::set(move |p| p.set(n, 1.0))).expect("it fits");
    system.event(root().when(one()), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(2, 1.0), (3, 1.0)]);
}

#[test]
fn a_discrete_event_fires_in_iterations_only() {
    let holds = || Trigger::discrete(Condition::new(|p| p.t() > 1.5));
    let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
    assert_fired(&fired_by(vec![(holds(), once)], 3.0), &[]);
    let fired = fired_by(vec![(holds(), once), plain(Trigger::at(1.0)), plain(Trigger::at(2.0))], 3.0);
    // The discrete event fires in the first pass, where it is processed before the timed event.
    assert_fired(&fired, &[(2, 1.0), (1, 2.0), (3, 2.0)]);
}

#[test]
fn a_range_fires_once_where_it_is_left_and_again_when_it_has_been_inside() {
    let f = |p: View| 2.0 * (PI * p.x[0]).sin();
    // The function is inside at 0, leaves above 1 at asin(1/2) / pi = 1/6, is inside again at 5/6, and leaves
    // below -1 at 7/6.
    let fired = fired_by(vec![plain(Trigger::range(f, -1.0, 1.0))], 2.5);
    assert_fired(&fired, &[(1, 1.0 / 6.0), (1, 7.0 / 6.0), (1, 13.0 / 6.0)]);
    // A range that is outside at the start does not fire until it has been inside.
    let fired = fired_by(vec![plain(Trigger::range(|p: View| p.x[0], 0.5, 1.0))], 3.0);
    assert_fired(&fired, &[(1, 1.0)]);
    // A jump to the outside does not fire.
    let (mut system, _) = clock();
    system.event(Trigger::range("x", -1.0, 1.0), Action::None).expect("it fits");
    system.event(Trigger::at(0.5), Action::set(|p| p.set(0, 2.0))).expect("it fits");
    system.event(Trigger::at(1.0), Action::set(|p| p.set(0, 0.5))).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(2, 0.5), (3, 1.0), (1, 1.5)]);
}

#[test]
fn times_are_multiples_and_the_initial_one_counts_where_a_root_does_not() {
    let triggers = vec![
        plain(Trigger::at(0.0)),
        plain(Trigger::root(|p: View| p.t())),
        plain(Trigger::periodic(0.0, 0.1)),
        plain(Trigger::at(0.1)),
        plain(Trigger::at(-1.0)),
    ];
    let fired = fired_by(triggers, 0.35);
    assert_eq!(fired, [(1, 0.0), (3, 0.0), (3, 0.1), (4, 0.1), (3, 0.2), (3, 3.0 * 0.1)]);
    let many = fired_by(vec![plain(Trigger::periodic(0.3, 0.1))], 100.0);
    assert!(many.iter().zip(0..).all(|((_, t), k)| *t == 0.3 + f64::from(k) * 0.1));
    assert_eq!(many.len(), 998);
}

#[test]
fn periodic_times_go_left_too() {
    let (mut system, _) = clock();
    system.event(Trigger::periodic(-0.75, 0.25), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(-3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(firings(&solution), [(1, 0.0), (1, -0.25), (1, -0.5), (1, -0.75)]);
}

#[test]
fn a_variable_is_strictly_on_the_side_that_is_asked_for() {
    let slopes = [1.0, 1e-3, 0.1, 7.0, 1e6];
    for slope in slopes.into_iter().flat_map(|slope| [slope, -slope]) {
        for (side, sign) in [(RootSide::Pre, -1.0), (RootSide::Post, 1.0)] {
            // The root is located inside a step, or at the end of a step.
            for timed in [false, true] {
                let mut system =
                    HybridSystem::first_order(["y"], move |_p: View, rate: &mut [f64]| rate[0] = slope)
                        .expect("y");
                let seen = system.discrete("seen", VariableType::Float, 0.0).expect("it fits");
                if timed {
                    system.event(Trigger::at(1.0), Action::None).expect("it fits");
                }
                let record = Action::set(move |p| p.set(seen, p.x()[0]));
                system.event(Trigger::root("y").side(side), record).expect("it fits");
                let mut solution = solve(&system, &[-slope]);
                assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
                let value = solution.value(seen);
                assert!(value * sign * slope > 0.0, "{slope} {side:?} {timed}: {value}");
                assert!(value.abs() <= 1e-11 * slope.abs(), "{slope} {side:?} {timed}: {value}");
            }
        }
    }
    // An assignment of an earlier event is kept.
    let (mut system, n) = clock();
    system.event(Trigger::root("x"), Action::set(|p| p.set(0, -0.25))).expect("it fits");
    system
        .event(Trigger::root("x").side(RootSide::Post), Action::set(move |p| p.set(n, p.x()[0])))
        .expect("it fits");
    let mut solution = solve(&system, &[-1.0]);
    assert_eq!(solution.at(1.1).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), -0.25);
}

#[test]
fn an_event_may_be_allowed_to_fire_at_the_initial_point_or_not() {
    let initial = |fire| EventOptions { fire_initial: Some(fire), ..EventOptions::default() };
    let triggers = vec![
        (Trigger::root("x").into(), initial(true)),
        (Trigger::increasing("x").into(), initial(true)),
        (Trigger::decreasing("x").into(), initial(true)),
        (Trigger::at(0.0), initial(false)),
        (Trigger::periodic(0.0, 1.0), initial(false)),
        (Trigger::root(|p: View| p.x[0] - 1e-14).into(), initial(true)),
        (Trigger::root(|p: View| p.x[0] - 1e-14).into(), initial(false)),
        (Trigger::root(|p: View| p.x[0] - 0.5).into(), initial(true)),
    ];
    assert_fired(&fired_by(triggers, 1.5), &[(1, 0.0), (2, 0.0), (6, 0.0), (8, 0.5), (5, 1.0)]);
}

#[test]
fn roots_that_cross_back_at_once_do_not_fire() {
    // (t - 1)^2 - 1e-6 has two roots 2e-3 apart, with the root of t - 1 between them. t - 2 has one root.
    let run = |double_cross: f64| {
        let (mut system, _) = clock();
        let dip = |p: View| (p.x[0] - 1.0).powi(2) - 1e-6;
        system.event(Trigger::root(dip), Action::None).expect("it fits");
        system.event(Trigger::decreasing(dip), Action::None).expect("it fits");
        system.event(Trigger::root(|p: View| p.x[0] - 1.0), Action::None).expect("it fits");
        system.event(Trigger::root(|p: View| p.x[0] - 2.0), Action::None).expect("it fits");
        let settings = HybridSettings {
            double_cross,
            ode: siconos_kernel::prelude::OdeSettings { h_max: 1e-4, ..HybridSettings::default().ode },
            ..HybridSettings::default()
        };
        let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
        assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_near(solution.x()[0], 3.0, 1e-12);
        firings(&solution)
    };
    assert_fired(&run(0.0), &[(1, 0.999), (2, 0.999), (3, 1.0), (1, 1.001), (4, 2.0)]);
    assert_fired(&run(1e-3), &[(1, 0.999), (2, 0.999), (3, 1.0), (1, 1.001), (4, 2.0)]);
    assert_fired(&run(2.1e-3), &[(3, 1.0), (4, 2.0)]);
}

/// x' = s between walls at 0 and -1/2, where two roots reverse the motion. The roots are armed alternately.
fn pair(falling: bool) -> HybridSystem {
    const S: DiscreteId = DiscreteId::new(0);
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[S]).expect("a name");
    system.discrete("s", VariableType::Float, 1.0).expect("it fits");
    let b = system.discrete("b", VariableType::Boolean, true).expect("it fits");
    let requires = |value| EventOptions { requires: Some((b, value)), ..EventOptions::default() };
    // The action reads the variable, which was changed before the action.
    let turn = || Action::set(move |p| p.set(S, if p.is(b) { 1.0 } else { -1.0 }));
    system.event_with(Trigger::increasing("x"), turn(), requires(true)).expect("it fits");
    let lower: Trigger = if falling {
        Trigger::decreasing(|p: View| p.x[0] + 0.5).into()
    } else {
        Trigger::increasing(|p: View| -p.x[0] - 0.5).into()
    };
    system.event_with(lower, turn(), requires(false)).expect("it fits");
    system
}

#[test]
fn a_pair_may_be_of_two_increasing_roots_or_of_one_each_way() {
    for falling in [false, true] {
        let mut solution = solve(&pair(falling), &[-0.25]);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_fired(&firings(&solution), &[(1, 0.25), (2, 0.75), (1, 1.25), (2, 1.75)]);
        assert_near(solution.x()[0], -0.25, 1e-9);
    }
}

#[test]
fn the_variable_arms_a_root_not_the_sign_that_it_had() {
    // The argument is beyond zero at the start, at zero at the start, or moved beyond zero by an action.
    for x0 in [0.2, 0.0] {
        let mut solution = solve(&pair(false), &[x0]);
        assert_eq!(solution.at(0.1).expect("it goes"), IntegrationOutcome::Reached);
        assert_fired(&firings(&solution), &[(1, 0.0)]);
    }
    let mut system = pair(false);
    system.event(Trigger::at(0.25), Action::set(|p| p.set(0, 0.125))).expect("it fits");
    let mut solution = solve(&system, &[-1.0]);
    assert_eq!(solution.at(0.5).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(firings(&solution), [(3, 0.25), (1, 0.25)]);
    assert_near(solution.x()[0], -0.125, 1e-12);
}

#[test]
fn two_roots_within_the_width_to_which_they_are_located_are_one_instant() {
    // The first event makes the state jump. The second event must not be lost after the jump.
    for distance in [0.0, 1e-15, 3e-14, 1e-13, 1.9e-13, 3e-13, 1e-12, 1e-10] {
        let mut system = HybridSystem::first_order(["x", "y"], |_p: View, rate: &mut [f64]| rate.fill(1.0))
            .expect("names");
        let n = system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
        system.event(Trigger::root("x"), Action::set(|p| p.set(0, -1.0))).expect("it fits");
        system.event(Trigger::root("y"), Action::set(move |p| p.set(n, p[n] + 1.0))).expect("it fits");
        let mut solution = solve(&system, &[-0.7, -0.7 - distance]);
        assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(solution.value(n), 1.0, "{distance:e}");
        assert_near(solution.x()[1], 0.3, 1e-9);
    }
}

#[test]
fn a_pair_is_armed_along_the_integration_whichever_way() {
    // In integration to the left, x falls: the lower root is not armed, and the upper root is not reached.
    let mut solution = solve(&pair(false), &[-0.25]);
    assert_eq!(solution.at(-2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(firings(&solution), []);
    assert_near(solution.x()[0], -2.25, 1e-12);
}

#[test]
fn a_root_that_is_no_further_from_a_scheduled_time_than_the_gap_is_of_its_instant() {
    for (distance, is_one) in [(5e-11, true), (5e-9, false)] {
        let (mut system, _) = clock();
        system.event(Trigger::root(move |p: View| p.x[0] - 1.0 + distance), Action::None).expect("it fits");
        system.event(Trigger::at(1.0), Action::None).expect("it fits");
        let mut settings = HybridSettings::default();
        settings.instant.gap = 1_000_000;
        let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        let fired = firings(&solution);
        assert_eq!((fired.len(), fired[1]), (2, (2, 1.0)), "{fired:?}");
        assert_eq!(solution.trajectory().events().len() == 1, is_one, "{distance:e}");
    }
}

#[test]
fn what_an_action_puts_at_a_level_but_for_rounding_is_at_the_level() {
    // 0.1 + 0.2 exceeds 0.3 by a rounding error, and x falls so slowly that it takes long to reach 0.3.
    for slope in [-1e-8, 1e-8] {
        let mut system =
            HybridSystem::first_order(["x"], move |_p: View, rate: &mut [f64]| rate[0] = slope).expect("x");
        system.event(Trigger::root(|p: View| p.x[0] - 0.3), Action::None).expect("it fits");
        system.event(Trigger::at(1.0), Action::set(|p| p.set(0, 0.1 + 0.2))).expect("it fits");
        let mut solution = solve(&system, &[1.0]);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(firings(&solution), [(2, 1.0)]);
    }
}

#[test]
fn roots_that_cross_back_are_known_again_whatever_the_steps() {
    // A sine, and levels near its maximum and its minimum: pairs of roots at distances from 0.28 down to
    // 0.0028.
    for (level, distance) in [(0.99, 0.3), (-0.99, 0.3), (0.9999, 0.03), (0.999_999, 0.003)] {
        for both in [true, false] {
            let mut system =
                HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -p.x[0]).expect("a name");
            let f = move |p: View| p.x[0] - level;
            let root = if both { Trigger::root(f) } else { Trigger::decreasing(f) };
            system.event(root, Action::None).expect("it fits");
            system.event(Trigger::root("y"), Action::None).expect("it fits");
            let settings = HybridSettings { double_cross: distance, ..HybridSettings::default() };
            for end in [100.0, -100.0] {
                let mut solution =
                    HybridSolution::new(&system, 0.0, &[0.0, 1.0], settings.clone()).expect("it fits");
                assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
                let fired = firings(&solution);
                assert_eq!(
                    (fired.len(), fired.iter().any(|(event, _)| *event == 1)),
                    (31, false),
                    "{level} {both}"
                );
                assert_near(solution.x()[0], end.sin(), 1e-8);
            }
        }
    }
}

#[test]
fn a_root_reads_the_time_and_the_discrete_variables() {
    // x' = 2 t, so x = t^2 in both directions.
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = 2.0 * p.t()).expect("a name");
    system.event(Trigger::increasing(|p: View| p.t() + 1.5), Action::None).expect("it fits");
    system.event(Trigger::root(|p: View| p.t() * p.x[0] - 0.125), Action::None).expect("it fits");
    system.event(Trigger::root(|p: View| p.x[0] - 4.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(2, 0.5), (3, 2.0)]);
    assert_eq!(solution.at(-3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(1, -1.5), (3, -2.0)]);
    // The level is a discrete variable, which is raised from 1 to 3 before x reaches it.
    let (mut system, n) = clock();
    system.event(Trigger::at(0.25), Action::set(move |p| p.set(n, 2.0))).expect("it fits");
    system.event(Trigger::root(move |p: View| p.x[0] - 1.0 - p[n]), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(4.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(1, 0.25), (2, 3.0)]);
}

#[test]
fn conditions_that_are_added_one_after_the_other_all_have_to_hold() {
    let late = Condition::new(|p| p.t() > 1.5);
    let early = Condition::new(|p| p.t() < 2.5);
    let root = Trigger::root(|p: View| (PI * p.x[0]).sin()).when(late).when(early);
    assert_fired(&fired_by(vec![plain(root)], 3.5), &[(1, 2.0)]);
}

#[test]
fn leftward_a_range_is_left_and_a_time_comes_that_lies_there() {
    let (mut system, _) = clock();
    system
        .event(Trigger::range(|p: View| 2.0 * (PI * p.x[0]).sin(), -1.0, 1.0), Action::None)
        .expect("it fits");
    system.event(Trigger::at(-1.0), Action::None).expect("it fits");
    system.event(Trigger::at(1.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(-2.5).expect("it goes"), IntegrationOutcome::Reached);
    // The function is below -1 from -1/6 on, inside again from -5/6 on, and above 1 from -7/6 on.
    let sixth = 1.0 / 6.0;
    assert_fired(&firings(&solution), &[(1, -sixth), (2, -1.0), (1, -7.0 * sixth), (1, -13.0 * sixth)]);
    assert_eq!(solution.at(1.1).expect("it goes"), IntegrationOutcome::Reached);
    assert_fired(&firings(&solution), &[(1, sixth), (3, 1.0)]);
}

#[test]
fn a_side_is_strict_at_an_exact_zero_and_leftward_it_is_that_of_the_way() {
    // In integration to the left, y = slope (1 + t) reaches its root at -1 with the sign of the slope. y =
    // slope t is exactly zero at the initial point, where its event fires.
    for slope in [1.0, -1.0, 1e-3, -7.0] {
        for (side, sign) in [(RootSide::Pre, -1.0), (RootSide::Post, 1.0)] {
            let seen = |start: f64, end: f64| {
                let rate = move |_p: View, rate: &mut [f64]| rate[0] = slope;
                let mut system = HybridSystem::first_order(["y"], rate).expect("y");
                let seen = system.discrete("seen", VariableType::Float, 0.0).expect("it fits");
                let record = Action::set(move |p| p.set(seen, p.x()[0]));
                let initial = EventOptions { fire_initial: Some(true), ..EventOptions::default() };
                system.event_with(Trigger::root("y").side(side), record, initial).expect("it fits");
                let mut solution = solve(&system, &[start]);
                assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
                assert_eq!(firings(&solution).len(), 1);
                solution.value(seen)
            };
            let left = seen(slope, -2.0);
            assert!(
                left * sign * slope < 0.0 && left.abs() <= 1e-11 * slope.abs(),
                "{slope} {side:?}: {left}"
            );
            for (end, way) in [(1.0, 1.0), (-1.0, -1.0)] {
                let exact = seen(0.0, end);
                assert!(
                    exact * sign * slope * way > 0.0 && exact.abs() <= 1e-11 * slope.abs(),
                    "{slope} {side:?} {end}: {exact}"
                );
            }
        }
    }
}

#[test]
fn a_halt_beside_roots_that_cross_back_is_behind_its_root_by_no_more_than_their_distance() {
    // (x - 1)^2 - 1e-6 crosses back after 2e-3 and does not halt. x - 2 does not cross back, and halts.
    let (mut system, _) = clock();
    system.event(Trigger::root(|p: View| (p.x[0] - 1.0).powi(2) - 1e-6), Action::halt()).expect("it fits");
    system.event(Trigger::root(|p: View| p.x[0] - 2.0), Action::halt()).expect("it fits");
    let double_cross = 2.1e-3;
    let settings = HybridSettings { double_cross, ..HybridSettings::default() };
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    let answer = solution.at(3.0).expect("it goes");
    let IntegrationOutcome::Halted { t, event: 2, .. } = answer else { panic!("{answer}") };
    assert!(t >= 2.0 - 1e-9 && t <= 2.0 + double_cross, "{t}");
    assert_near(solution.x()[0], t, 1e-9);
    solution.clear();
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 3.0, 1e-12);
}
