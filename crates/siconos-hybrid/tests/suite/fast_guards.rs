//! Triggers that depend on time and vary faster than the state, and solutions that end where the equations
//! are not defined.

use std::f64::consts::PI;

use siconos_hybrid::{
    Action, HybridError, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger,
    VariableType, View,
};
use siconos_kernel::{EventSide, ModelError};
use siconos_testkit::compare::{assert_firings, assert_near};
use siconos_testkit::random::RandomState;

use super::{firings, solve};

/// x' = f(x) with events at the roots of sin(frequency t + phase), and steps short enough to detect all of
/// them.
fn waves(f: fn(f64) -> f64, x0: f64, frequency: f64, phase: f64, h_max: f64) -> HybridSolution {
    let mut system = HybridSystem::first_order(["x"], move |p: View, rate: &mut [f64]| rate[0] = f(p.x[0]))
        .expect("a name");
    let n = system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
    let wave = Trigger::root(move |p: View| (frequency * p.t() + phase).sin());
    system.event(wave, Action::set(move |p| p.set(n, p[n] + 1.0))).expect("it fits");
    let mut settings = HybridSettings::default();
    settings.ode.h_max = h_max;
    HybridSolution::new(&system, 0.0, &[x0], settings).expect("it fits")
}

/// Returns all roots after 0 up to `end`.
fn roots(frequency: f64, phase: f64, end: f64) -> Vec<(usize, f64)> {
    let first = (phase / PI).floor() + 1.0;
    let times = (0..).map(|k| ((first + f64::from(k)) * PI - phase) / frequency);
    times.take_while(|t| *t <= end).map(|t| (1, t)).collect()
}

#[test]
fn a_state_that_comes_to_rest_says_nothing_about_a_trigger_of_the_time() {
    let mut solution = waves(|x| 1.0 - x, 2.0, 1.0, 0.0, f64::INFINITY);
    assert_eq!(solution.at(60.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &roots(1.0, 0.0, 60.0), 1e-9);
}

#[test]
fn a_state_far_from_zero_says_nothing_about_a_trigger_of_the_time() {
    let mut solution = waves(|_| 1.0, 1000.0, 100.0, 0.0, 0.02);
    assert_eq!(solution.at(60.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_firings(&firings(&solution), &roots(100.0, 0.0, 60.0), 1e-9);
}

#[test]
fn two_hundred_waves_lose_no_root_and_double_none() {
    let mut random = RandomState::new(17);
    for _ in 0..200 {
        let (frequency, phase) = (random.between(0.3, 30.0), random.between(0.1, 3.0));
        let x0 = random.between(-5.0, 5.0);
        let mut solution = waves(|x| -x, x0, frequency, phase, 2.0 / frequency);
        let end = 20.0;
        assert_eq!(
            solution.at(end).expect("it goes"),
            IntegrationOutcome::Reached,
            "{frequency} {phase} {x0}"
        );
        assert_firings(&firings(&solution), &roots(frequency, phase, end), 1e-8);
    }
}

/// x' = 1/10 + sqrt(3/2 - x) reaches 3/2 after 2 (w - ln(1 + 10 w) / 10) with w = sqrt(1/2). Its rate is not
/// defined beyond 3/2.
#[test]
fn a_solution_that_ends_in_no_number_is_there_up_to_its_end() {
    let rate = |x: f64| 0.1 + (1.5 - x).sqrt();
    let mut system = HybridSystem::first_order(["x"], move |p: View, out: &mut [f64]| out[0] = rate(p.x[0]))
        .expect("a name");
    system.event(Trigger::root(|p: View| p.x[0] - 1.25), Action::None).expect("it fits");
    let mut solution = solve(&system, &[1.0]);
    let error = solution.at(30.0).expect_err("there is no solution beyond 3/2");
    assert!(matches!(&error, HybridError::Rate { variable, .. } if variable == "x"), "{error}");
    let time_from = |x: f64| {
        let w = (1.5 - x).sqrt();
        2.0 * (w - 0.1 * (1.0 + 10.0 * w).ln())
    };
    let (all, end) = (time_from(1.0), solution.t());
    assert!(end < all + 1e-10 && end > all - 1e-2, "{end} of {all}");
    assert_near(end, all - time_from(solution.x()[0]), 1e-8);
    assert_firings(&firings(&solution), &[(1, all - time_from(1.25))], 1e-9);
    let mut x = [0.0];
    for part in 1..50 {
        let t = end * f64::from(part) / 50.0;
        solution.trajectory().write(t, EventSide::After, &mut x).expect("it is there");
        assert_near(t, all - time_from(x[0]), 1e-8);
    }
    // NaN is not equal to NaN, so the messages are compared.
    assert_eq!(solution.at(30.0).map_err(|again| again.to_string()), Err(error.to_string()));
    assert_eq!(solution.at(0.5 * end), Ok(IntegrationOutcome::Reached));
    assert_eq!(
        solution
            .at(f64::NAN)
            .map_err(|error| matches!(error, HybridError::Model(ModelError::NotFinite { .. }))),
        Err(true)
    );
}

/// If a trigger is NaN after some time, the solution ends at the last step before this time.
#[test]
fn a_trigger_that_becomes_no_number_leaves_what_came_before() {
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0]).expect("a name");
    system.event(Trigger::root(|p: View| (2.0 - p.t()).sqrt() + 1.0), Action::None).expect("it fits");
    let mut solution = solve(&system, &[1.0]);
    let error = solution.at(30.0).expect_err("the trigger is no number");
    assert!(matches!(error, HybridError::TriggerValue { event: 1, .. }), "{error}");
    assert!(solution.t() > 0.5 && solution.t() <= 2.0, "{}", solution.t());
    assert_near(solution.x()[0], (-solution.t()).exp(), 1e-9);
}

/// Equations that do not determine z are refused, even if the initial guess happens to solve them.
#[test]
fn a_guess_that_solves_its_equation_does_not_hide_that_nothing_determines_it() {
    for g in [|p: View, g: &mut [f64]| g[0] = p.x[0] - 1.0, |_p: View, g: &mut [f64]| g[0] = 0.0] {
        let system = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p.x[1])
            .and_then(|system| system.with_algebraic(["z"], g))
            .expect("names");
        let error = HybridSolution::new(&system, 0.0, &[1.0, 5.0], HybridSettings::default())
            .expect_err("z is in no equation");
        let is_named = matches!(&error, HybridError::SingularIndex { variable, .. } if variable == "z");
        assert!(is_named, "{error}");
    }
}
