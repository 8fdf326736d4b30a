//! Sampling at a period: the sample times are exact multiples of the period, without accumulated rounding
//! errors.

use siconos_hybrid::{Action, DiscreteId, HybridSystem, IntegrationOutcome, Trigger, VariableType, View};

use super::{assert_near, firings, solve};

#[test]
fn a_hold_halves_the_state_at_each_sample() {
    const U: DiscreteId = DiscreteId::new(0);
    let mut system =
        HybridSystem::first_order(["x"], |p: View, rate: &mut [f64]| rate[0] = -p[U]).expect("a name");
    system.discrete("u", VariableType::Float, 0.0).expect("it fits");
    system.event(Trigger::periodic(0.0, 0.5), Action::set(|p| p.set(U, p.x()[0]))).expect("it fits");
    let mut solution = solve(&system, &[1.0]);
    for n in 0..=20 {
        let t = 0.5 * f64::from(n);
        assert_eq!(solution.at(t).expect("it goes"), IntegrationOutcome::Reached);
        assert_near(solution.x()[0], 0.5_f64.powi(n), 1e-12);
    }
    let times: Vec<f64> = firings(&solution).into_iter().map(|(_, t)| t).collect();
    let exact: Vec<f64> = (0..=20).map(|k| 0.5 * f64::from(k)).collect();
    assert_eq!(times, exact);
}
