//! Triggers that an action moves back across zero by a small distance, in both directions of integration.
//! Each crossing fires.

use siconos_hybrid::{
    Action, DiscreteId, HybridSettings, HybridSolution, HybridSystem, IntegrationOutcome, Trigger,
    VariableType, View,
};
use siconos_testkit::compare::assert_firings;

use super::{assert_near, clock, firings, solve};

/// Distances by which triggers are moved back.
const DISTANCES: [f64; 8] = [1e-12, 1e-11, 1e-9, 1e-7, 1e-6, 3e-6, 1e-3, 0.25];

/// A state with x' = 1 crosses 1 at t = 1, is moved back by a distance, and crosses again. Each later
/// crossing sets it to 0.
#[test]
fn a_state_that_is_sent_back_crosses_again() {
    for distance in DISTANCES {
        for way in [1.0, -1.0] {
            let (mut system, n) = clock();
            let back = Action::set(move |p| {
                p.set(n, p[n] + 1.0);
                let x = if p[n] == 1.0 { way * (1.0 - distance) } else { 0.0 };
                p.set(0, x);
            });
            system.event(Trigger::root(move |p: View| way * p.x[0] - 1.0), back).expect("it fits");
            let mut solution = solve(&system, &[0.0]);
            assert_eq!(solution.at(way * 3.5).expect("it goes"), IntegrationOutcome::Reached, "{distance:e}");
            let expected = [1.0, 1.0 + distance, 2.0 + distance, 3.0 + distance].map(|t| (1, way * t));
            assert_firings(&firings(&solution), &expected, 1e-12);
            assert_near(solution.x()[0], way * (0.5 - distance), 1e-11);
        }
    }
}

/// Another event moves the state back: a root at the same time, a timed event, or a root at another time.
#[test]
fn it_does_not_matter_which_event_sends_back() {
    for distance in DISTANCES {
        for (trigger, time) in [
            (Trigger::increasing(|p: View| p.x[0] - 1.0).into(), 1.0),
            (Trigger::at(1.5), 1.5),
            (Trigger::increasing(|p: View| p.x[0] - 1.25).into(), 1.25),
        ] {
            let (mut system, n) = clock();
            let count = Action::set(move |p| p.set(n, p[n] + 1.0));
            system.event(Trigger::increasing(|p: View| p.x[0] - 1.0), count).expect("it fits");
            let back = Action::set(move |p| {
                if p[n] == 1.0 {
                    p.set(0, 1.0 - distance);
                }
            });
            system.event(trigger, back).expect("it fits");
            let mut solution = solve(&system, &[0.0]);
            assert_eq!(solution.at(4.0).expect("it goes"), IntegrationOutcome::Reached);
            let times: Vec<_> = firings(&solution).into_iter().filter(|(event, _)| *event == 1).collect();
            assert_firings(&times, &[(1, 1.0), (1, time + distance)], 1e-12);
        }
    }
}

/// Relay with a narrow hysteresis whose threshold depends on a discrete variable: x moves up and down between
/// 1 and 1 + w.
#[test]
fn a_threshold_that_an_action_moves_is_met_again() {
    const SLOPE: DiscreteId = DiscreteId::new(0);
    for width in [1e-11, 1e-9, 1e-7, 1e-3] {
        let mut system =
            HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[SLOPE]).expect("x");
        system.discrete("slope", VariableType::Float, -1.0).expect("it fits");
        let level = move |p: View| p.x[0] - if p[SLOPE] > 0.0 { 1.0 + width } else { 1.0 };
        let turn = Action::set(|p| p.set(SLOPE, -p[SLOPE]));
        system.event(Trigger::root(level), turn).expect("it fits");
        let mut settings = HybridSettings::default();
        settings.accumulation.window = 0.1 * width;
        let mut solution = HybridSolution::new(&system, 0.0, &[1.5], settings).expect("it fits");
        assert_eq!(
            solution.at(0.5 + 20.5 * width).expect("it goes"),
            IntegrationOutcome::Reached,
            "{width:e}"
        );
        let expected: Vec<_> = (0..21).map(|k| (1, 0.5 + f64::from(k) * width)).collect();
        assert_firings(&firings(&solution), &expected, 1e-12);
    }
}

/// A concentration decays, and is raised by a dose when it falls to 1/2. The intervals between the doses are
/// all ln(1 + 2 dose) / rate. For small doses, the events count as an accumulation.
#[test]
fn a_dosing_pump_never_lets_the_concentration_fall_below_its_threshold() {
    for dose in [1e-14, 1e-13, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3] {
        let mut system =
            HybridSystem::first_order(["c"], |p: View, rate: &mut [f64]| rate[0] = -0.1 * p.x[0]).expect("c");
        let add = Action::set(move |p| p.set(0, p.x()[0] + dose));
        system.event(Trigger::decreasing(|p: View| p.x[0] - 0.5), add).expect("it fits");
        let mut solution = solve(&system, &[1.0]);
        let first = 10.0 * 2.0_f64.ln();
        let interval = 10.0 * (2.0 * dose).ln_1p();
        let end = first + 40.5 * interval;
        match solution.at(end.max(first + 1e-6)).expect("it goes") {
            IntegrationOutcome::Reached => {
                assert!(dose >= 1e-12, "{dose:e}");
                let expected: Vec<_> = (0..=40).map(|k| (1, first + f64::from(k) * interval)).collect();
                let fired = firings(&solution);
                assert_firings(&fired[..41], &expected, 1e-10);
            }
            IntegrationOutcome::Accumulation { t, .. } => {
                assert!(dose <= 1e-9, "{dose:e}");
                assert_near(t, first, 1e-6);
            }
            other => panic!("{dose:e}: {other}"),
        }
        assert!(solution.x()[0] >= 0.5 - 1e-12, "{dose:e}: {}", solution.x()[0]);
    }
}

/// Intervals that shrink by a constant factor, starting from 0.1. x falls from its level to 0 in the interval
/// and is then set to the next level of a geometric series, whose sum is known.
#[test]
fn intervals_that_shrink_to_nothing_end_as_an_accumulation() {
    for ratio in [0.03, 0.1, 0.5, 0.9] {
        let mut system =
            HybridSystem::first_order(["x"], |_p: View, rate: &mut [f64]| rate[0] = -1.0).expect("x");
        let level = system.discrete("level", VariableType::Float, 0.1).expect("it fits");
        let refill = Action::set(move |p| {
            p.set(level, ratio * p[level]);
            p.set(0, p[level]);
        });
        system.event(Trigger::decreasing("x"), refill).expect("it fits");
        let mut solution = solve(&system, &[0.1]);
        let answer = solution.at(2.0).expect("it goes");
        let IntegrationOutcome::Accumulation { t, .. } = answer else { panic!("{ratio}: {answer}") };
        assert_near(t, 0.1 / (1.0 - ratio), 1e-6);
    }
}

/// An action moves a trigger further in its direction. The trigger crosses zero when it returns.
#[test]
fn a_trigger_that_is_put_ahead_crosses_on_its_way_back() {
    const SLOPE: DiscreteId = DiscreteId::new(0);
    for distance in DISTANCES {
        let mut system =
            HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = p[SLOPE]).expect("x");
        system.discrete("slope", VariableType::Float, 1.0).expect("it fits");
        let ahead = Action::set(move |p| {
            let is_first = p[SLOPE] > 0.0;
            p.set(SLOPE, -1.0);
            p.set(0, p.x()[0] + if is_first { distance } else { 0.0 });
        });
        system.event(Trigger::root(|p: View| p.x[0] - 1.0), ahead).expect("it fits");
        let mut solution = solve(&system, &[0.0]);
        assert_eq!(solution.at(3.0).expect("it goes"), IntegrationOutcome::Reached);
        assert_firings(&firings(&solution), &[(1, 1.0), (1, 1.0 + distance)], 1e-12);
    }
}
