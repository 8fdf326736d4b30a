//! Adverse conditions: other units, unrelated variables, large numbers of events, copies and repeated runs,
//! allocations.

use siconos_hybrid::{
    Action, Condition, EventOptions, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome,
    Trigger, VariableType, View,
};
use siconos_ode::{Method, OdeSettings, Tolerance};
use siconos_testkit::allocation::count_allocations;

use super::{assert_near, clock, firings, solve};

const METHODS: [Method; 4] = [Method::Explicit, Method::HighOrder, Method::Stiff, Method::Auto];

/// A bouncing ball y'' = -g from height 1 with a count of its bounces, in units of length and time that are
/// powers of two.
fn ball(length: f64, time: f64, method: Method) -> HybridSolution {
    let g = 9.81 * length / (time * time);
    let mut system =
        HybridSystem::second_order(["y"], move |_p: View, a: &mut [f64]| a[0] = -g).expect("a name");
    let n = system.discrete("n", VariableType::Integer, 0.0).expect("it fits");
    let bounce = Action::set(move |p| {
        p.set(1, -0.75 * p.x()[1]);
        p.set(n, p[n] + 1.0);
    });
    system.event(Trigger::decreasing("y"), bounce).expect("it fits");
    system.event(Trigger::decreasing("y'"), Action::None).expect("it fits");
    system.event(Trigger::periodic(0.0, 0.125 * time), Action::None).expect("it fits");
    let mut settings = HybridSettings {
        ode: OdeSettings {
            method,
            absolute_tolerance: Tolerance::Each(vec![1e-12 * length, 1e-12 * length / time]),
            root_tolerance: 1e-13 * time,
            // The published rule for the first step is not invariant under a change of the unit of time.
            h_initial: Some(2.0_f64.powi(-9) * time),
            ..HybridSettings::default().ode
        },
        ..HybridSettings::default()
    };
    settings.instant.tick *= time;
    settings.accumulation.window *= time;
    HybridSolution::new(&system, 0.0, &[length, 0.0], settings).expect("it fits")
}

#[test]
fn other_units_are_the_same_motion_to_the_last_bit() {
    for method in METHODS {
        let mut reference = ball(1.0, 1.0, method);
        assert_eq!(reference.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        let fired = firings(&reference);
        for (length, time) in
            [(2.0_f64.powi(10), 1.0), (1.0, 2.0_f64.powi(-20)), (2.0_f64.powi(-13), 2.0_f64.powi(7))]
        {
            let mut other = ball(length, time, method);
            assert_eq!(other.at(2.0 * time).expect("it goes"), IntegrationOutcome::Reached);
            let scaled: Vec<(usize, f64)> =
                firings(&other).into_iter().map(|(event, t)| (event, t / time)).collect();
            assert_eq!(scaled, fired, "{method:?} {length} {time}");
            let x = [other.x()[0] / length, other.x()[1] / length * time];
            assert_eq!(x, reference.x(), "{method:?} {length} {time}");
        }
    }
}

#[test]
fn two_runs_and_a_run_in_pieces_are_the_same_bits() {
    for method in METHODS {
        let (mut one, mut other) = (ball(1.0, 1.0, method), ball(1.0, 1.0, method));
        assert_eq!(one.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        for k in 1..=57 {
            assert_eq!(other.at(2.0 * f64::from(k) / 57.0).expect("it goes"), IntegrationOutcome::Reached);
        }
        assert_eq!(firings(&one), firings(&other), "{method:?}");
        assert_eq!(one.x(), other.x(), "{method:?}");
        assert_eq!(one.trajectory().times().len(), other.trajectory().times().len());
    }
}

#[test]
fn every_method_finds_the_same_events() {
    let mut reference = ball(1.0, 1.0, Method::HighOrder);
    assert_eq!(reference.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    for method in METHODS {
        let mut solution = ball(1.0, 1.0, method);
        assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
        let (fired, expected) = (firings(&solution), firings(&reference));
        assert_eq!(fired.len(), expected.len());
        for ((event, t), (expected, exact)) in fired.iter().zip(expected) {
            assert_eq!(*event, expected, "{method:?}");
            assert_near(*t, exact, 1e-9);
        }
    }
}

#[test]
fn a_hundred_thermostats_beside_each_other_keep_their_periods() {
    let count = 100;
    let mut system =
        HybridSystem::first_order((0..count).map(|k| format!("T{k}")), move |p: View, rate: &mut [f64]| {
            for (k, rate) in rate.iter_mut().enumerate() {
                *rate = -p.x[k] + 2.0 * p.discrete[k];
            }
        })
        .expect("names");
    for k in 0..count {
        let on = system.discrete(format!("u{k}"), VariableType::Boolean, true).expect("it fits");
        let switch = Action::set(move |p| p.set(on, !p.is(on)));
        system.event(Trigger::range(format!("T{k}").as_str(), 0.5, 1.0), switch).expect("it fits");
    }
    // Each thermostat starts at another temperature in the band.
    let x0: Vec<f64> = (0..count).map(|k| 0.5 + 0.4 * f64::from(k) / f64::from(count)).collect();
    let mut solution = solve(&system, &x0);
    let period = 3.0_f64.ln();
    assert_eq!(solution.at(5.0 * period).expect("it goes"), IntegrationOutcome::Reached);
    for k in 0..count {
        let first = ((2.0 - x0[k as usize]) / 1.0).ln();
        let times: Vec<f64> = firings(&solution)
            .iter()
            .filter(|(event, _)| *event == k as usize + 1)
            .map(|(_, t)| *t)
            .collect();
        assert!(times.len() >= 9, "{k}: {}", times.len());
        for (n, t) in (0..).zip(&times) {
            let exact = first + f64::from(n / 2) * period + if n % 2 == 1 { 2.0_f64.ln() } else { 0.0 };
            assert_near(*t, exact, 1e-8);
        }
    }
}

#[test]
fn two_hundred_speeds_and_places_of_a_wall_lose_no_impact() {
    for k in 0..200 {
        // x' = v between walls at 0 and w, with reflection at both walls. The times of all impacts are known.
        let (v, w) = (0.3 + 0.017 * f64::from(k), 0.5 + 0.0031 * f64::from(k * k % 97));
        let mut system = HybridSystem::first_order(["x", "v"], |p: View, rate: &mut [f64]| {
            (rate[0], rate[1]) = (p.x[1], 0.0);
        })
        .expect("names");
        system.event(Trigger::decreasing("x"), Action::set(|p| p.set(1, -p.x()[1]))).expect("it fits");
        system
            .event(Trigger::increasing(move |p: View| p.x[0] - w), Action::set(|p| p.set(1, -p.x()[1])))
            .expect("it fits");
        let mut solution = solve(&system, &[0.0, v]);
        let end = 20.4 * w / v;
        assert_eq!(solution.at(end).expect("it goes"), IntegrationOutcome::Reached);
        let fired = firings(&solution);
        assert_eq!(fired.len(), 20, "{k}");
        for (n, (event, t)) in (1..).zip(fired) {
            assert_eq!(event, if n % 2 == 1 { 2 } else { 1 });
            assert_near(t, f64::from(n) * w / v, 1e-10 * end);
        }
    }
}

#[test]
fn steps_and_events_allocate_nothing_but_the_record() {
    for (method, record) in [(Method::Explicit, false), (Method::HighOrder, false), (Method::Explicit, true)]
    {
        let (mut system, n) = clock();
        let on = system.discrete("on", VariableType::Boolean, false).expect("it fits");
        system
            .event(Trigger::root(|p: View| (7.0 * p.x[0]).sin()), Action::set(move |p| p.set(n, p[n] + 1.0)))
            .expect("it fits");
        system
            .event(Trigger::periodic(0.0, 0.1), Action::set(move |p| p.set(on, !p.is(on))))
            .expect("it fits");
        let once = EventOptions { retrigger: Some(false), ..EventOptions::default() };
        let edge = Condition::new(move |p| p.rising_edge(on)).and(Condition::is(on));
        system
            .event_with(Trigger::discrete(edge), Action::set(|p| p.set(0, p.x()[0] + 1e-3)), once)
            .expect("it fits");
        let mut settings = HybridSettings { record, ..HybridSettings::default() };
        settings.ode.method = method;
        let mut solution = HybridSolution::new(&system, 0.0, &[0.1], settings).expect("it fits");
        assert_eq!(solution.at(5.0).expect("it goes"), IntegrationOutcome::Reached);
        let count = count_allocations(|| {
            assert_eq!(solution.at(30.0).expect("it goes"), IntegrationOutcome::Reached);
        });
        let steps = solution.statistics().steps;
        assert!(steps > 200, "{steps}");
        if record {
            // Only vectors that double their capacity.
            assert!(count < 40, "{count} allocations in {steps} steps");
        } else {
            assert_eq!(count, 0, "{method:?}");
        }
    }
}

#[test]
fn a_solution_that_runs_away_and_one_with_too_many_steps_say_so() {
    // x' = x^2 from 1: infinite at 1.
    let system = HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p.x[0] * p.x[0])
        .expect("a name");
    let answer = solve(&system, &[1.0]).at(2.0).expect("it is a number as far as it goes");
    let IntegrationOutcome::StepTooSmall { t, .. } = answer else { panic!("{answer}") };
    assert_near(t, 1.0, 1e-6);
    let mut settings = HybridSettings::default();
    settings.ode.max_steps = 10;
    let (system, _) = clock();
    settings.ode.h_max = 1e-3;
    let mut solution = HybridSolution::new(&system, 0.0, &[0.0], settings).expect("it fits");
    let answer = solution.at(1.0).expect("it goes");
    assert!(matches!(answer, IntegrationOutcome::MaxSteps { t } if t > 0.0 && t < 0.1), "{answer}");
    while solution.at(1.0).expect("it goes") != IntegrationOutcome::Reached {}
    assert_near(solution.x()[0], 1.0, 1e-12);
}

#[test]
fn systems_and_solutions_go_from_thread_to_thread_and_can_be_copied() {
    fn assert_send<T: Send + Clone>(_: &T) {}
    fn assert_sync<T: Sync>(_: &T) {}
    let mut solution = ball(1.0, 1.0, Method::Auto);
    assert_send(&solution);
    assert_sync(solution.system());
    assert_eq!(solution.at(0.7).expect("it goes"), IntegrationOutcome::Reached);
    // A copy continues with the same bits.
    let mut copy = solution.clone();
    assert_eq!(solution.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!(copy.at(2.0).expect("it goes"), IntegrationOutcome::Reached);
    assert_eq!((solution.x(), solution.discrete()), (copy.x(), copy.discrete()));
    assert_eq!(firings(&solution), firings(&copy));
}

#[test]
fn settings_are_written_and_read() {
    let mut settings =
        HybridSettings { event_initial: true, double_cross: 1e-3, ..HybridSettings::default() };
    // JSON has no infinity.
    settings.ode.h_max = 0.5;
    let text = serde_json::to_string(&settings).expect("it is data");
    assert!(
        text.contains("\"event_iterate\":\"trigger\"") && text.contains("\"event_pre\":\"iteration\""),
        "{text}"
    );
    assert_eq!(serde_json::from_str::<HybridSettings>(&text).expect("it was written"), settings);
    assert!(serde_json::from_str::<HybridSettings>("{\"event_maxit\": 3}").is_err());
}

#[test]
fn ten_thousand_events_in_a_row_keep_their_times() {
    let mut system = HybridSystem::first_order(["v"], |_p: View, rate: &mut [f64]| rate[0] = 1.0).expect("v");
    system
        .event(Trigger::increasing(|p: View| p.x[0] - 1.0), Action::set(|p| p.set(0, 0.0)))
        .expect("it fits");
    let mut solution = solve(&system, &[0.0]);
    assert_eq!(solution.at(10_000.5).expect("it goes"), IntegrationOutcome::Reached);
    let fired = firings(&solution);
    assert_eq!(fired.len(), 10_000);
    for (n, (_, t)) in (1..).zip(fired) {
        assert_near(t, f64::from(n), 1e-12 * f64::from(n) * 100.0);
    }
}

#[test]
fn with_the_stiff_method_an_event_allocates_what_a_restart_of_its_solver_does() {
    use siconos_ode::{Advance, Integrator, OdeFunctions};
    let settings = {
        let mut settings = HybridSettings { record: false, ..HybridSettings::default() };
        settings.ode.method = Method::Stiff;
        settings
    };
    let events = 40;
    let period = 0.25;
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p.x[0]).expect("a name");
    system.event(Trigger::periodic(period, period), Action::set(|p| p.set(0, 1.0))).expect("it fits");
    let mut solution = HybridSolution::new(&system, 0.0, &[1.0], settings.clone()).expect("it fits");
    let mut bare = Integrator::new(settings.ode).expect("valid settings");
    let mut decay = OdeFunctions::new(1, |_t, x: &[f64], f: &mut [f64]| f[0] = -x[0]);
    bare.restart(0.0, &[1.0]).expect("it is finite");
    let mut go_bare = |k: i32| {
        let t = period * f64::from(k);
        assert!(matches!(bare.advance_within(&mut decay, t, t), Ok(Advance::Reached { .. })));
        bare.restart(t, &[1.0]).expect("it is finite");
    };
    let mut go = |k: i32| {
        assert_eq!(solution.at(period * f64::from(k)).expect("it goes"), IntegrationOutcome::Reached);
    };
    // All workspaces of both are allocated in the first two periods.
    (1..=2).for_each(&mut go);
    (1..=2).for_each(&mut go_bare);
    let of_hybrid = count_allocations(|| (3..=events).for_each(&mut go));
    let of_bare = count_allocations(|| (3..=events).for_each(&mut go_bare));
    assert!(of_bare > 0);
    assert_eq!(of_hybrid, of_bare);
}
