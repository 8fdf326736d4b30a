//! Systems with closed-form solutions, as texts.

use std::f64::consts::PI;

use siconos_hybrid::{HybridError, IntegrationOutcome};
use siconos_testkit::compare::{assert_close, assert_firings};
use siconos_testkit::exact::hybrid as exact;

use super::{assert_near, firings, model, solution};

#[test]
fn the_oscillator_halts_where_it_crosses_zero() {
    let mut solution = solution(
        r#"
[variables]
y = { initial = [0.0, 1.0], equation = "y'' = -y" }

[[events]]
trigger = "increasing(y)"
action = "halt"

[[events]]
trigger = "decreasing(y)"
action = "halt"
"#,
    );
    let answer = solution.at(10.0).expect("it goes");
    let IntegrationOutcome::Halted { t, event: 2, .. } = answer else { panic!("{answer}") };
    assert_near(t, PI, 1e-9);
    let message = answer.to_string();
    assert!(message.starts_with("cannot evaluate the solution to the right of 3.14159"), "{message}");
    solution.disable(2).expect("there is one");
    let answer = solution.at(10.0).expect("it goes");
    let IntegrationOutcome::Halted { t, event: 1, .. } = answer else { panic!("{answer}") };
    assert_near(t, 2.0 * PI, 1e-9);
}

#[test]
fn a_lossless_ball_comes_back_to_its_height() {
    let mut solution = solution(
        r#"
[variables]
x = { initial = 0, equation = "x' = 1" }
y = { initial = [1, 0], equation = "y'' = -g" }

[parameters]
g = 9.81

[[events]]
trigger = "decreasing(y)"
action = "y' = -y'"

[[events]]
trigger = "decreasing(y')"
"#,
    );
    let fall = (2.0_f64 / 9.81).sqrt();
    assert_eq!(solution.at(40.0 * fall).expect("it goes"), IntegrationOutcome::Reached);
    let impacts: Vec<f64> =
        firings(&solution).iter().filter(|(event, _)| *event == 1).map(|(_, t)| *t).collect();
    assert_close("impacts", &impacts, &exact::lossless_impacts(9.81, 20), 1e-8, 0.0);
    let trajectory = solution.trajectory();
    for mark in trajectory.events().filter(|mark| mark.events == [2]) {
        assert_near(mark.after[1], 1.0, 1e-8);
        assert_near(mark.after[0], mark.t, 1e-12);
    }
}

#[test]
fn the_wrong_way_to_exchange_two_values_and_the_right_one() {
    let exchanged = |action: &str| {
        let mut solution = solution(&format!(
            r#"
[variables]
x1 = {{ initial = 2, equation = "x1' = 0" }}
x2 = {{ initial = 5, equation = "x2' = 0" }}

[[events]]
trigger = "t = 1"
action = """
{action}
"""
"#
        ));
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        solution.x().to_vec()
    };
    assert_eq!(exchanged("x1 = x2\nx2 = x1"), [5.0, 5.0]);
    assert_eq!(exchanged("t1 = x1\nx1 = x2\nx2 = t1"), [5.0, 2.0]);
    assert_eq!(exchanged("x1 = x2\nx2 = pre(x1)"), [5.0, 2.0]);
}

#[test]
fn roots_that_one_variable_arms_in_turn_fire_once_each_though_the_state_rests_at_zero() {
    let mut solution = solution(
        r#"
[variables]
x = { initial = -1, equation = "x' = s" }

[discrete]
s = 1.0
b = true

[[events]]
trigger = "x"
action = "s = 0"
requires = "b"

[[events]]
trigger = "-x - 0.5"
requires = "not b"

[[events]]
trigger = "t = 2"
action = "s = -1"

[[events]]
trigger = "t = 3"
action = "s = 1"
"#,
    );
    assert_eq!(solution.at(6.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &exact::armed_in_turn(), 1e-9);
}

#[test]
fn a_hold_halves_the_state_at_each_sample() {
    let mut solution = solution(
        r#"
[variables]
x = { initial = 1, equation = "x' = -u" }

[discrete]
u = 0.0

[[events]]
trigger = "t = [0, 0.5]"
action = "u = x"
"#,
    );
    for n in 0..=20 {
        assert_eq!(solution.at(0.5 * f64::from(n)).expect("it goes"), IntegrationOutcome::Reached);
        assert_near(solution.x()[0], 0.5_f64.powi(n), 1e-12);
    }
    let times: Vec<f64> = firings(&solution).into_iter().map(|(_, t)| t).collect();
    let exact: Vec<f64> = (0..=20).map(|k| 0.5 * f64::from(k)).collect();
    assert_eq!(times, exact);
}

#[test]
fn a_thermostat_has_the_period_of_its_band() {
    let model = model(
        r#"
[time]
end = "10.5 * ln(3)"

[variables]
T = { initial = 0.5, equation = "T' = if on then 2 - T else -T" }

[discrete]
on = true

[[events]]
trigger = "T = 0.5 .. 1"
action = "on = not on"
"#,
    );
    let mut solution = model.solution().expect("it fits");
    let end = 10.5 * 3.0_f64.ln();
    assert_eq!(model.end, Some(end));
    assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &exact::thermostat(21), 1e-9);
}

#[test]
fn a_neuron_fires_with_the_period_ln_2_and_counts() {
    let mut solution = solution(
        r#"
[variables]
v = { initial = 0, equation = "v' = 2 - v" }

[discrete]
n = { type = "integer", initial = 0 }

[[events]]
trigger = "increasing(v - 1)"
action = "v = 0; n = n + 1; if n == 10 { halt }"
"#,
    );
    let answer = solution.at(10.5 * 2.0_f64.ln()).expect("it goes");
    assert!(matches!(answer, IntegrationOutcome::Halted { event: 1, .. }), "{answer}");
    assert_eq!(solution.discrete(), [10.0]);
    assert_firings(&firings(&solution), &exact::neuron(10), 1e-9);
}

#[test]
fn algebraic_variables_follow_what_an_action_changes() {
    let model = model(
        r#"
[variables]
z = { initial = 0, equation = "0 = z^3 + z - x" }
x = { initial = 2, equation = "x' = -z" }

[[events]]
trigger = "t = 1"
action = "x = 10"
"#,
    );
    assert_eq!(model.system.names(), ["x", "z"], "algebraic variables are behind the states");
    let mut solution = model.solution().expect("z = 1 solves its equation");
    assert_near(solution.x()[1], 1.0, 1e-12);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(solution.x()[0], 10.0);
    assert_near(solution.x()[1], 2.0, 1e-12);
}

#[test]
fn an_equation_that_nothing_solves_is_named() {
    let model = model(
        r#"
[variables]
x = { initial = 1, equation = "x' = 1" }
z = { initial = 1, equation = "0 = z^2 + 1" }
"#,
    );
    let error = model.solution().map(|_| ()).expect_err("z^2 = -1 has no solution");
    assert!(matches!(&error, HybridError::Inconsistent { variable, .. } if variable == "z"), "{error}");
}

#[test]
fn orders_are_mixed_and_parameters_change() {
    let model = model(
        r#"
[variables]
y = { initial = [0, 0, 0], equation = "y''' = a" }
x = { initial = 1, equation = "x' = y''" }

[parameters]
b = "2 * pi"
a = 6

[[events]]
trigger = "t = 0.5"
enabled = false
action = "halt"
"#,
    );
    assert_eq!(model.system.names(), ["y", "y'", "y''", "x"]);
    assert_eq!(model.disabled, [1]);
    let mut solution = model.solution().expect("it fits");
    assert_eq!(solution.parameters().values(), [2.0 * PI, 6.0]);
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    for (value, exact) in solution.x().iter().zip([1.0, 3.0, 6.0, 4.0]) {
        assert_near(*value, exact, 1e-9);
    }
    let mut solution = model.solution().expect("it fits");
    solution.set_parameter(model.parameter("a").expect("there is one"), &[12.0]).expect("a number");
    assert_eq!(solution.at(1.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_near(solution.x()[0], 2.0, 1e-9);
}

#[test]
fn the_model_of_the_readme_is_one() {
    let page = include_str!("../../../README.md");
    let text = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it is there");
    let model =
        siconos_io::hybrid::HybridModel::parse(text, "README.md").unwrap_or_else(|error| panic!("{error}"));
    let mut solution = model.solution().expect("it starts");
    let answer = solution.at(model.end.expect("it is said")).expect("it goes");
    assert!(matches!(answer, IntegrationOutcome::Halted { event: 1, .. }), "{answer}");
}

/// A sampled decay: the period is written once and used in the trigger, the range and the equation.
#[test]
fn a_constant_stands_for_its_value_everywhere() {
    let model = model(
        r#"
[constants]
period = 0.25
rate = "-ln(2) / period"
halving = "-rate"

[time]
end = "8 * period"

[variables]
x = { initial = "2^4", equation = "x' = -halving * x" }

[discrete]
seen = { type = "float", initial = "rate" }

[parameters]
unused = "period^2"

[[events]]
trigger = "t = [period, period]"
action = "seen = x"

[[events]]
trigger = "x = period / sqrt(2) .. 32"
action = "halt"
"#,
    );
    assert_eq!(model.end, Some(2.0));
    assert_eq!(model.initial, [16.0]);
    let mut solution = model.solution().expect("it begins");
    assert_eq!(solution.discrete(), [-(2.0_f64.ln()) / 0.25]);
    for k in 1..=6 {
        assert_eq!(solution.at(0.25 * f64::from(k)).expect("it goes"), IntegrationOutcome::Reached);
        assert_near(solution.discrete()[0], 2.0_f64.powi(4 - k), 1e-10);
    }
    let IntegrationOutcome::Halted { t, event: 2, .. } = solution.at(2.0).expect("it goes") else {
        panic!("no halt")
    };
    assert_near(t, 6.5 * 0.25, 1e-9);
}
