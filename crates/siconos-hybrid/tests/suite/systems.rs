//! Systems with closed-form solutions: resets, switches, exchange of values, algebraic equations.

use siconos_hybrid::{
    Action, Condition, DiscreteId, EventOptions, HybridError, HybridSettings, HybridSolution, HybridSystem,
    IntegrationOutcome, Statement, Trigger, VariableType, View,
};

use siconos_ode::Tolerance;
use siconos_testkit::compare::{assert_close, assert_firings};
use siconos_testkit::exact::hybrid as exact;

use super::{assert_near, firings, solve};

#[test]
fn a_lossless_ball_comes_back_to_its_height() {
    let ball = |p: View, rate: &mut [f64]| rate.copy_from_slice(&[1.0, p.x[2], -9.81]);
    let mut system = HybridSystem::first_order(["x", "y", "y'"], ball).expect("names");
    system.event(Trigger::decreasing("y"), Action::set(|p| p.set(2, -p.x()[2]))).expect("it fits");
    system.event(Trigger::decreasing("y'"), Action::None).expect("it fits");
    let mut solution = solve(&system, &[0.0, 1.0, 0.0]);
    let fall = (2.0_f64 / 9.81).sqrt();
    assert_eq!(solution.at(40.0 * fall).expect("it goes"), IntegrationOutcome::Reached);
    let impacts: Vec<f64> =
        firings(&solution).iter().filter(|(event, _)| *event == 1).map(|(_, t)| *t).collect();
    assert_close("impacts", &impacts, &exact::lossless_impacts(9.81, 20), 1e-8, 0.0);
    let trajectory = solution.trajectory();
    let apexes: Vec<_> = trajectory.events().filter(|mark| mark.events == [2]).collect();
    // The ball is at rest at the start, which is not an event. The last apex is at the end of the solution.
    assert!((19..=20).contains(&apexes.len()));
    for mark in apexes {
        assert_near(mark.after[1], 1.0, 1e-8);
        assert_near(mark.after[0], mark.t, 1e-12);
    }
}

#[test]
fn the_wrong_way_to_exchange_two_values_and_the_right_one() {
    let exchanged = |statements: Vec<Statement>| {
        let mut system = HybridSystem::first_order(["x1", "x2"], |_p: View, rate: &mut [f64]| rate.fill(0.0))
            .expect("names");
        system.event(Trigger::at(1.0), Action::Run(statements)).expect("it fits");
        let mut solution = solve(&system, &[2.0, 5.0]);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        solution.x().to_vec()
    };
    let (x1, x2) = (|p: &siconos_hybrid::EventPoint| p.x()[0], |p: &siconos_hybrid::EventPoint| p.x()[1]);
    assert_eq!(exchanged(vec![Statement::assign("x1", x2), Statement::assign("x2", x1)]), [5.0, 5.0]);
    let right = vec![
        Statement::assign("t1", x1),
        Statement::assign("x1", x2),
        Statement::assign("x2", |p| p.temporary("t1")),
    ];
    assert_eq!(exchanged(right), [5.0, 2.0]);
}

#[test]
fn roots_that_one_variable_arms_in_turn_fire_once_each_though_the_state_rests_at_zero() {
    const S: DiscreteId = DiscreteId::new(0);
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[S]).expect("a name");
    system.discrete("s", VariableType::Float, 1.0).expect("it fits");
    let b = system.discrete("b", VariableType::Boolean, true).expect("it fits");
    let requires = |value| EventOptions { requires: Some((b, value)), ..EventOptions::default() };
    system.event_with(Trigger::root("x"), Action::set(|p| p.set(S, 0.0)), requires(true)).expect("it fits");
    system
        .event_with(Trigger::root(|p: View| -p.x[0] - 0.5), Action::None, requires(false))
        .expect("it fits");
    system.event(Trigger::at(2.0), Action::set(|p| p.set(S, -1.0))).expect("it fits");
    system.event(Trigger::at(3.0), Action::set(|p| p.set(S, 1.0))).expect("it fits");
    let mut solution = solve(&system, &[-1.0]);
    assert_eq!(solution.at(6.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &exact::armed_in_turn(), 1e-9);
}

#[test]
fn a_thermostat_has_the_period_of_its_band() {
    const U: DiscreteId = DiscreteId::new(0);
    let mut system =
        HybridSystem::first_order(["T"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0] + 2.0 * p[U])
            .expect("a name");
    system.discrete("u", VariableType::Boolean, true).expect("it fits");
    system.event(Trigger::range("T", 0.5, 1.0), Action::set(|p| p.set(U, 1.0 - p[U]))).expect("it fits");
    let mut solution = solve(&system, &[0.5]);
    assert_eq!(solution.at(10.5 * 3.0_f64.ln()).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &exact::thermostat(21), 1e-9);
}

#[test]
fn a_neuron_fires_with_the_period_ln_2() {
    let mut system =
        HybridSystem::first_order(["v"], |p: View, rate: &mut [f64]| rate[0] = 2.0 - p.x[0]).expect("v");
    system
        .event(Trigger::increasing(|p: View| p.x[0] - 1.0), Action::set(|p| p.set(0, 0.0)))
        .expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(10.5 * 2.0_f64.ln()).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &exact::neuron(10), 1e-9);
}

#[test]
fn algebraic_variables_follow_what_an_action_changes() {
    let real_root = |x: f64| {
        let mut z = 0.0_f64;
        for _ in 0..200 {
            z -= (z.powi(3) + z - x) / (3.0 * z * z + 1.0);
        }
        z
    };
    let mut system = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[1])
        .and_then(|system| {
            system.with_algebraic(["z"], |p: View, g: &mut [f64]| g[0] = p.x[1].powi(3) + p.x[1] - p.x[0])
        })
        .expect("names");
    system.event(Trigger::at(1.0), Action::set(|p| p.set(0, 10.0))).expect("it fits");
    let mut solution = solve(&system, &[2.0, 0.0]);
    assert_near(solution.x()[1], 1.0, 1e-12);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.x()[0], 10.0);
    assert_near(solution.x()[1], 2.0, 1e-12);
    assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[1], real_root(solution.x()[0]), 1e-10);
}

#[test]
fn an_equation_that_nothing_solves_is_named() {
    let mut system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)
        .and_then(|system| {
            system.with_algebraic(["z"], |p: View, g: &mut [f64]| g[0] = p.x[1].powi(2) - p.x[0])
        })
        .expect("names");
    system.event(Trigger::at(1.0), Action::set(|p| p.set(0, -1.0))).expect("it fits");
    let mut solution = solve(&system, &[1.0, 1.0]);
    let error = solution.at(2.0).expect_err("z^2 = -1 has no solution");
    let HybridError::Inconsistent { variable, t, .. } = &error else { panic!("{error}") };
    assert_eq!((variable.as_str(), *t), ("z", 1.0));
    // The solution up to the error can be read, and the error persists.
    assert_eq!(solution.t(), 1.0);
    assert_near(solution.x()[1], 2.0_f64.sqrt(), 1e-9);
    assert_eq!(solution.at(2.0), Err(error));
    assert_eq!(solution.at(0.5).expect("it is there"), IntegrationOutcome::Reached);
    assert_near(solution.x()[1], 1.5_f64.sqrt(), 1e-9);
}

#[test]
fn a_boolean_can_be_a_condition() {
    let (mut system, n) = super::clock();
    let b = system.discrete("b", VariableType::Boolean, false).expect("it fits");
    let count = Action::set(move |p| p.set(n, p[n] + 1.0));
    system.event(Trigger::at(2.5), Action::set(move |p| p.set(b, true))).expect("it fits");
    system
        .event(Trigger::root(|p: View| (std::f64::consts::PI * p.x[0]).sin()).when(Condition::is(b)), count)
        .expect("it fits");
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], HybridSettings::default()).expect("it fits");
    assert_eq!(solution.at(5.5).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.value(n), 3.0);
}

#[test]
fn a_mass_matrix_and_a_derivative_change_nothing_but_the_way() {
    // 2 y'' = -8 y has the angular frequency 2, with the Jacobian given and without it.
    for with_jacobian in [false, true] {
        let mut system = HybridSystem::second_order(["y"], |p: View, a: &mut [f64]| a[0] = -8.0 * p.x[0])
            .and_then(|system| system.with_mass(ndarray::array![[2.0]]))
            .expect("it fits");
        if with_jacobian {
            system = system.with_jacobian(|_p, mut jacobian| jacobian[[0, 0]] = -8.0);
        }
        system.event(Trigger::decreasing("y"), Action::None).expect("it fits");
        for sign in [1.0, -1.0] {
            let mut solution = solve(&system, &[0.0, 1.0]);
            assert_eq!(solution.at(3.0 * sign).expect("it goes"), IntegrationOutcome::Reached);
            assert_near(solution.x()[0], 0.5 * (6.0 * sign).sin(), 1e-9);
            let fired = firings(&solution);
            assert_eq!(fired.len(), 1);
            assert_near(fired[0].1, 0.5 * std::f64::consts::PI * sign, 1e-9);
        }
    }
}

#[test]
fn triggers_on_algebraic_variables_work_both_ways() {
    // z = x^3 is an algebraic equation, and x' = 1. z reaches 8 at t = 2, and z follows at once if the action
    // sets x.
    for sign in [1.0, -1.0] {
        let mut system = HybridSystem::first_order(["x"], move |_p: View, rate: &mut [f64]| rate[0] = sign)
            .and_then(|system| {
                system.with_algebraic(["z"], |p: View, g: &mut [f64]| g[0] = p.x[1] - p.x[0].powi(3))
            })
            .expect("names");
        let seen = system.discrete("seen", VariableType::Float, 0.0).expect("it fits");
        system.event(Trigger::root(|p: View| p.x[1] - 8.0), Action::set(|p| p.set(0, 1.0))).expect("it fits");
        system
            .event(
                Trigger::discrete(Condition::new(|_| true)),
                Action::function(move |p| {
                    p.set(seen, p.x()[1]);
                    siconos_hybrid::Flow::NoMark
                }),
            )
            .expect("it fits");
        let mut solution = solve(&system, &[0.0, 0.0]);
        assert_eq!(solution.at(3.5 * sign).expect("it goes"), IntegrationOutcome::Reached);
        let fired = firings(&solution);
        assert_eq!(fired.len(), 2, "{fired:?}");
        assert_near(fired[0].1, 2.0 * sign, 1e-9);
        assert_near(fired[1].1, 3.0 * sign, 1e-9);
        assert_near(solution.value(seen), 1.0, 1e-12);
        assert_near(solution.x()[1], 1.5_f64.powi(3), 1e-9);
    }
}

#[test]
fn parameters_hold_from_where_they_are_set_and_come_back_with_the_start() {
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p.parameters()[0])
            .expect("a name");
    let speed = system.parameter("speed", vec![1.0]).expect("it fits");
    let factor = system.parameter("factor", vec![0.0]).expect("it fits");
    system
        .event(Trigger::at(10.0), Action::set(move |p| p.set(0, p.at()[factor][0] * p.x()[0])))
        .expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    solution.set_parameter(speed, &[3.0]).expect("it fits");
    solution.set_parameter(factor, &[2.0]).expect("it fits");
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 4.0, 1e-12);
    assert_eq!(solution.at(10.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 56.0, 1e-10);
    assert_eq!(solution.at(0.5).expect("it is there"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 0.5, 1e-12);
    solution.set_direction(siconos_hybrid::Direction::Right);
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 2.0, 1e-12);
    assert!(solution.set_parameter(speed, &[1.0, 2.0]).is_err());
}

#[test]
fn the_derivative_of_algebraic_equations_is_used_both_ways_of_time() {
    for sign in [1.0, -1.0] {
        let run = |with_jacobian: bool| {
            let rate = |p: View, rate: &mut [f64]| rate[0] = -p.x[1];
            let g = |p: View, g: &mut [f64]| g[0] = p.x[1].powi(3) + p.x[1] - p.x[0];
            let mut system = HybridSystem::first_order(["x"], rate)
                .and_then(|system| system.with_algebraic(["z"], g))
                .expect("names");
            if with_jacobian {
                system = system.with_jacobian(|p, mut jacobian| {
                    jacobian[[0, 1]] = -1.0;
                    (jacobian[[1, 0]], jacobian[[1, 1]]) = (-1.0, 3.0 * p.x[1] * p.x[1] + 1.0);
                });
            }
            system.event(Trigger::root(|p: View| p.x[1] - 0.5), Action::None).expect("it fits");
            system
                .event(Trigger::root(|p: View| p.x[1] - 2.0), Action::set(|p| p.set(0, 0.1)))
                .expect("it fits");
            let mut solution = solve(&system, &[2.0, 1.0]);
            let end = if sign > 0.0 { 2.0 } else { -6.0 };
            assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
            (solution.x().to_vec(), firings(&solution))
        };
        let ((x, fired), (other, others)) = (run(false), run(true));
        assert!(!fired.is_empty() && fired.len() == others.len());
        for (a, b) in x.iter().zip(&other) {
            assert_near(*a, *b, 1e-9);
        }
        // dz/dt = -z / (3 z^2 + 1), so t = 3/2 (1 - z^2) - ln z from z = 1.
        let time = |z: f64| 1.5 * (1.0 - z * z) - z.ln();
        let (event, z) = if sign > 0.0 { (1, 0.5) } else { (2, 2.0) };
        assert_eq!(fired[0].0, event);
        assert_near(fired[0].1, time(z), 1e-9);
    }
}

/// Solves x' = -z with z^3 + z = x, where x and z are in the given unit. Returns the variables at the start
/// and at the end, followed by the times of the events.
fn solved_in_unit(unit: f64, guess: f64, absolute: f64) -> Vec<f64> {
    let g = move |p: View, g: &mut [f64]| {
        let [x, z] = [p.x[0] / unit, p.x[1] / unit];
        g[0] = unit * (z.powi(3) + z - x);
    };
    let mut system = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[1])
        .and_then(|system| system.with_algebraic(["z"], g))
        .expect("names");
    system.event(Trigger::root(move |p: View| p.x[1] - 0.5 * unit), Action::None).expect("it fits");
    let mut settings = HybridSettings::default();
    settings.ode.absolute_tolerance = Tolerance::All(absolute * unit);
    let mut solution =
        HybridSolution::new(&system, 0.0, &[2.0 * unit, guess * unit], settings).expect("it fits");
    let mut all = solution.x().to_vec();
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    all.extend_from_slice(solution.x());
    all.iter_mut().for_each(|x| *x /= unit);
    all.extend(firings(&solution).into_iter().map(|(_, t)| t));
    all
}

#[test]
fn differences_of_algebraic_equations_are_relative_to_the_unit() {
    for guess in [0.0, 1e-5, 1.0, -300.0] {
        let expected = solved_in_unit(1.0, guess, 1e-12);
        // t = 3/2 (1 - z^2) - ln z from z = 1.
        assert_eq!(expected.len(), 5);
        assert_near(expected[4], 1.5 * 0.75 + 2.0_f64.ln(), 1e-9);
        for exponent in [-200, -60, -30, 30, 60, 200] {
            let found = solved_in_unit(2.0_f64.powi(exponent), guess, 1e-12);
            assert_eq!(found, expected, "from {guess} in 2^{exponent}");
        }
    }
}

#[test]
fn differences_that_are_lost_in_rounding_are_lengthened() {
    for absolute in [1e-20, 1e-100, 1e-307] {
        let found = solved_in_unit(1.0, 0.0, absolute);
        assert_near(found[1], 1.0, 1e-12);
        assert_near(found[4], 1.5 * 0.75 + 2.0_f64.ln(), 1e-9);
    }
    // The derivative of z^2 - x at 0 is 0, which determines z just as well.
    let system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)
        .and_then(|system| {
            system.with_algebraic(["z"], |p: View, g: &mut [f64]| g[0] = p.x[1].powi(2) - p.x[0])
        })
        .expect("names");
    assert_near(solve(&system, &[4.0, 0.0]).x()[1], 2.0, 1e-12);
}

#[test]
fn of_several_equations_the_one_that_nothing_solves_is_named() {
    // z1 = 2 x always has a solution; z2^2 = x has none for negative x. Both orders of the equations.
    for first in [true, false] {
        let g = move |p: View, g: &mut [f64]| {
            let (linear, square) = if first { (1, 2) } else { (2, 1) };
            g[linear - 1] = p.x[linear] - 2.0 * p.x[0];
            g[square - 1] = p.x[square].powi(2) - p.x[0];
        };
        let names = if first { ["linear", "square"] } else { ["square", "linear"] };
        let mut system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 1.0)
            .and_then(|system| system.with_algebraic(names, g))
            .expect("names");
        system.event(Trigger::at(1.0), Action::set(|p| p.set(0, -1.0))).expect("it fits");
        let error = solve(&system, &[1.0, 1.0, 1.0]).at(2.0).expect_err("z^2 = -1 has no solution");
        let HybridError::Inconsistent { variable, .. } = &error else { panic!("{error}") };
        assert_eq!(variable, "square");
        assert!(
            error.to_string().contains("no value of `square` that solves its equation was found at t = 1"),
            "{error}"
        );
    }
}

#[test]
fn what_an_action_assigns_to_an_algebraic_variable_is_a_guess() {
    // z^2 = x: the sign of the initial guess determines the branch, and x keeps its value.
    for (guess, z) in [(-1.0, -3.0), (1.0, 3.0)] {
        let mut system = HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = 0.0)
            .and_then(|system| {
                system.with_algebraic(["z"], |p: View, g: &mut [f64]| g[0] = p.x[1].powi(2) - p.x[0])
            })
            .expect("names");
        let change = vec![Statement::assign("x", |_| 9.0), Statement::assign("z", move |_| guess)];
        system.event(Trigger::at(1.0), Action::Run(change)).expect("it fits");
        let mut solution = solve(&system, &[4.0, 1.0]);
        assert_near(solution.x()[1], 2.0, 1e-12);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_eq!(solution.x()[0], 9.0);
        assert_near(solution.x()[1], z, 1e-12);
    }
}

#[test]
fn a_system_begins_with_the_parameters_that_it_is_given() {
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p.parameters()[0])
            .expect("a name");
    let speed = system.parameter("speed", vec![1.0]).expect("it fits");
    system.set_initial_parameter(speed, &[3.0]).expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 3.0, 1e-12);
    for wrong in [&[][..], &[1.0, 2.0], &[f64::NAN]] {
        assert!(system.set_initial_parameter(speed, wrong).is_err(), "{wrong:?}");
    }
    let mut other =
        HybridSystem::first_order(["x"], |_: View, rate: &mut [f64]| rate[0] = 0.0).expect("a name");
    assert!(other.set_initial_parameter(speed, &[1.0]).is_err());
}
