//! Comparison of the closed forms of the oscillator with Runge-Kutta integration, and with each other at the
//! limits of their ranges.

use proptest::prelude::*;
use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::Oscillator;
use siconos_testkit::random::config;

/// Integrates by `steps` steps of the classical Runge-Kutta method.
fn integrate(coefficients: [f64; 4], tau: f64, start: (f64, f64), steps: u32) -> (f64, f64) {
    let [m, d, k, f] = coefficients;
    let slope = |(u, v): (f64, f64)| (v, (f - d * v - k * u) / m);
    let h = tau / f64::from(steps);
    let ahead = |(u, v): (f64, f64), (du, dv): (f64, f64), h: f64| (u + h * du, v + h * dv);
    (0..steps).fold(start, |x, _| {
        let k1 = slope(x);
        let k2 = slope(ahead(x, k1, 0.5 * h));
        let k3 = slope(ahead(x, k2, 0.5 * h));
        let k4 = slope(ahead(x, k3, h));
        let sum = (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0, k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
        ahead(x, sum, h / 6.0)
    })
}

#[test]
fn every_regime_agrees_with_runge_kutta() {
    let critical = 2.0 * (2.0_f64 * 5.0).sqrt();
    for (name, damping, stiffness) in [
        ("undamped", 0.0, 5.0),
        ("under", 0.7, 5.0),
        ("nearly critical from below", critical * (1.0 - 1e-9), 5.0),
        ("critical", critical, 5.0),
        ("nearly critical from above", critical * (1.0 + 1e-9), 5.0),
        ("over", 20.0, 5.0),
        ("no stiffness", 1.5, 0.0),
        ("free fall", 0.0, 0.0),
        ("little stiffness", 0.0, 1e-6),
    ] {
        let coefficients = [2.0, damping, stiffness, -3.0];
        let oscillator = Oscillator::new(coefficients[0], damping, stiffness, coefficients[3]);
        for tau in [1e-3, 0.3, 2.0, 7.0] {
            let expected = integrate(coefficients, tau, (0.4, -1.1), 20_000);
            let (u, v) = oscillator.flow(tau, 0.4, -1.1);
            // With a stiffness of 1e-6 the rest point is at -3e6, where one unit in the last place is 5e-10.
            let atol = if stiffness == 1e-6 { 2e-9 } else { 2e-12 };
            assert_close(&format!("{name} at {tau}"), &[u, v], &[expected.0, expected.1], atol, 2e-12);
        }
    }
}

#[test]
fn a_quarter_period_turns_position_into_velocity() {
    // For m = 1 and k = 4 the frequency is 2 and a quarter period is pi / 4, in which u0 = 1 becomes v = -2
    // and v0 = 2 becomes u = 1.
    let oscillator = Oscillator::new(1.0, 0.0, 4.0, 0.0);
    let quarter = std::f64::consts::FRAC_PI_4;
    let (u, v) = oscillator.flow(quarter, 1.0, 0.0);
    assert_close("from rest", &[u, v], &[0.0, -2.0], 1e-15, 0.0);
    let (u, v) = oscillator.flow(quarter, 0.0, 2.0);
    assert_close("from zero", &[u, v], &[1.0, 0.0], 1e-15, 0.0);
}

#[test]
fn strong_damping_neither_overflows_nor_cancels() {
    // After the fast component has decayed, u follows exp(-k/d t) to first order in k m / d^2 = 1e-12.
    let oscillator = Oscillator::new(1.0, 1e6, 1.0, 0.0);
    let (u, v) = oscillator.flow(1e5, 1.0, 0.0);
    assert_close("slow part", &[u, v * 1e6], &[(-0.1_f64).exp(), -(-0.1_f64).exp()], 0.0, 1e-11);
    assert!(oscillator.flow(1e12, 1.0, 1.0).0.is_finite());
}

#[test]
fn the_rest_point_and_the_drift_stay() {
    assert_eq!(Oscillator::new(2.0, 1.0, 4.0, 8.0).flow(3.0, 2.0, 0.0), (2.0, 0.0));
    let (u, v) = Oscillator::new(2.0, 4.0, 0.0, 8.0).flow(3.0, 1.0, 2.0);
    assert_close("drift", &[u, v], &[7.0, 2.0], 1e-15, 0.0);
}

proptest! {
    #![proptest_config(config(256))]

    /// The flow over s + t equals the flow over s followed by the flow over t. The flow over 0 is the
    /// identity.
    #[test]
    fn flows_compose(
        m in 0.1..3.0, d in 0.0..20.0, k in 0.0..30.0, f in -2.0..2.0,
        u in -1.0..1.0, v in -1.0..1.0, s in 0.0..1.0, t in 0.0..1.0,
    ) {
        let oscillator = Oscillator::new(m, d, k, f);
        let there = oscillator.flow(s, u, v);
        let twice = oscillator.flow(t, there.0, there.1);
        let once = oscillator.flow(s + t, u, v);
        // With a small stiffness the rest point f / k is large, and therefore its rounding error as well.
        let bound = 1e-13 * (10.0 + (f / k).abs().min(1e6));
        prop_assert!((twice.0 - once.0).abs() < bound && (twice.1 - once.1).abs() < bound * (1.0 + k / m).sqrt());
        let (u0, v0) = oscillator.flow(0.0, u, v);
        prop_assert!((u0 - u).abs() < bound && v0 == v);
    }

    /// The energy decreases with damping and is constant without damping.
    #[test]
    fn energy_does_not_grow(
        d in 0.0..5.0, k in 0.1..30.0, f in -2.0..2.0, u in -1.0..1.0, v in -1.0..1.0, t in 0.0..3.0,
    ) {
        let damped = Oscillator::new(1.0, d, k, f);
        let (u1, v1) = damped.flow(t, u, v);
        prop_assert!(damped.energy(u1, v1) <= damped.energy(u, v) + 1e-11);
        let undamped = Oscillator::new(1.0, 0.0, k, f);
        let (u1, v1) = undamped.flow(t, u, v);
        prop_assert!((undamped.energy(u1, v1) - undamped.energy(u, v)).abs() < 1e-11);
    }
}

#[test]
fn the_acceleration_and_the_time_scale_are_those_of_the_equation() {
    let oscillator = Oscillator::new(2.0, 4.0, 8.0, 6.0);
    assert_eq!(oscillator.acceleration(0.5, 0.25), 0.5);
    assert_eq!(oscillator.time_scale(), 0.5);
    assert_eq!(Oscillator::new(2.0, 0.0, 0.0, 6.0).time_scale(), f64::INFINITY);
    let (_, v) = oscillator.flow(1e-7, 0.5, 0.25);
    assert_close_scalar("slope", (v - 0.25) / 1e-7, 0.5, 1e-6, 0.0);
}
