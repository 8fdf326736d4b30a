//! Circuits with diodes: relative degree 0 with positive D, with semidefinite D, and with a D that does not
//! determine lambda.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_ode::{OdeSettings, Tolerance};

use super::{Driver, assert_close, first_fall, flow, linear};

const L: f64 = 1e-2;
const C: f64 = 1e-6;
const R: f64 = 1e3;

/// A capacitor and an inductor in parallel with a resistor and a diode in series: half waves of two
/// oscillators alternate.
#[test]
fn half_waves_of_a_diode_with_resistor() {
    let free = array![[0.0, -1.0 / C], [1.0 / L, 0.0]];
    let conducting = array![[-1.0 / (R * C), -1.0 / C], [1.0 / L, 0.0]];
    let model =
        linear(&[10.0, 0.0], free.clone(), array![[-1.0 / C], [0.0]], array![[-1.0, 0.0]], array![[R]]);
    let mut driver = Driver::new(&model);
    let (mut t, mut x, mut times) = (0.0, vec![10.0, 0.0], Vec::new());
    let t_end = 5e-3;
    for half_wave in 0.. {
        let (a, sign) = if half_wave % 2 == 0 { (&conducting, 1.0) } else { (&free, -1.0) };
        let length = first_fall(0.0, 1e-5, |s| sign * flow(a, s, &x)[0]);
        if t + length > t_end {
            x = flow(a, t_end - t, &x);
            break;
        }
        (t, x) = (t + length, flow(a, length, &x));
        x[0] = 0.0;
        times.push(t);
    }
    driver.go(t_end).expect("all modes are found");
    assert!(times.len() > 10, "{times:?}");
    assert_close(&driver.times(), &times, 1e-13);
    assert_close(&driver.x(), &x, 1e-10);
    let lambda = x[0].max(0.0) / R;
    assert_close(&driver.lambda(), &[lambda], 1e-13);
    assert_close(&driver.y(), &[R * lambda - x[0]], 1e-10);
}

fn bridge(x0: &[f64]) -> NonSmoothDynamicalSystem {
    let (c, g) = (1.0 / C, 1.0 / R);
    linear(
        x0,
        array![[0.0, -c], [1.0 / L, 0.0]],
        array![[0.0, 0.0, -c, c], [0.0, 0.0, 0.0, 0.0]],
        array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    )
}

/// A bridge of four diodes with semidefinite D. The load of the oscillator does not depend on the conducting
/// pair, and four guards vanish simultaneously where the pairs change.
#[test]
fn rectifier_whose_pairs_change_at_once() {
    let model = bridge(&[10.0, 0.0]);
    let mut driver = Driver::new(&model);
    let damped = array![[-1.0 / (R * C), -1.0 / C], [1.0 / L, 0.0]];
    for t in [2e-4, 1.7e-3, 5e-3] {
        driver.go(t).expect("all modes are found");
        let x = flow(&damped, t, &[10.0, 0.0]);
        assert_close(&driver.x(), &x, 1e-10);
        let (plus, minus) = (x[0].max(0.0), (-x[0]).max(0.0));
        assert_close(&driver.lambda(), &[plus, minus, plus / R, minus / R], 1e-10);
        assert_close(&driver.y(), &[minus / R, plus / R, minus, plus], 1e-10);
    }
    let zeros = |t: &f64| flow(&damped, *t, &[10.0, 0.0])[0].abs();
    assert!(driver.times().len() >= 15);
    // Roots are located to 1e-13 s, and the voltage falls by up to 1e5 V/s.
    assert!(driver.times().iter().all(|t| zeros(t) < 2e-8));
    // Each zero crossing is one event, or two simultaneous events, without chattering.
    assert!(driver.times().len() <= 17, "{:?}", driver.times());
}

/// With volts that are 2^60 times as large or as small, and unchanged amperes, the currents and the event
/// times agree.
#[test]
fn rectifier_in_other_volts() {
    let t_end = 2e-3;
    let run = |volt: f64| {
        let (c, g) = (1.0 / (C * volt), volt / R);
        let model = linear(
            &[10.0 / volt, 0.0],
            array![[0.0, -c], [volt / L, 0.0]],
            array![[0.0, 0.0, -c, c], [0.0, 0.0, 0.0, 0.0]],
            array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
            array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
        );
        let integration = OdeSettings {
            absolute_tolerance: Tolerance::Each(vec![1e-13 / volt, 1e-13]),
            ..super::settings(1e-13)
        };
        let mut driver = Driver::with_integration(&model, integration).expect("the model can be laid out");
        driver.go(t_end).expect("all modes are found");
        let [plus, minus, ..] = driver.lambda()[..] else { panic!("four diodes") };
        let currents = [driver.x()[1], driver.lambda()[2], driver.lambda()[3], plus * volt, minus * volt];
        (driver.times(), currents)
    };
    let (times, currents) = run(1.0);
    for volt in [2.0_f64.powi(60), 2.0_f64.powi(-60)] {
        let other = run(volt);
        assert_close(&other.0, &times, 1e-12);
        assert_close(&other.1, &currents, 1e-9);
    }
}

/// The automatic choice of the integration method by stiffness, with default tolerances.
#[test]
fn rectifier_with_default_settings() {
    let model = bridge(&[10.0, 0.0]);
    let mut driver =
        Driver::with_integration(&model, OdeSettings::default()).expect("the model can be laid out");
    driver.go(5e-3).expect("all modes are found");
    let damped = array![[-1.0 / (R * C), -1.0 / C], [1.0 / L, 0.0]];
    assert_close(&driver.x(), &flow(&damped, 5e-3, &[10.0, 0.0]), 1e-7);
}

/// The initial state is a change of pairs, where everything but the rate is zero.
#[test]
fn rectifier_that_begins_where_the_pairs_change() {
    for current in [0.1, -0.1] {
        let model = bridge(&[0.0, current]);
        let mut driver = Driver::new(&model);
        driver.go(1e-3).expect("all modes are found");
        let damped = array![[-1.0 / (R * C), -1.0 / C], [1.0 / L, 0.0]];
        assert_close(&driver.x(), &flow(&damped, 1e-3, &[0.0, current]), 1e-9);
    }
}

const FILTER: f64 = 300e-9;

/// The bridge with an initially uncharged capacitor in parallel with the load. The charge is shared in a
/// jump; then the bridge conducts in one direction, in the other, or not at all. While it blocks, lambda is
/// not unique.
#[test]
fn filtered_rectifier_jumps_and_blocks() {
    let (c, f) = (1.0 / C, 1.0 / FILTER);
    let model = linear(
        &[10.0, 0.0, 0.0],
        array![[0.0, -c, 0.0], [1.0 / L, 0.0, 0.0], [0.0, 0.0, -f / R]],
        array![[0.0, 0.0, -c, c], [0.0, 0.0, 0.0, 0.0], [f, 0.0, f, 0.0]],
        array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        array![[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 1.0, -1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    );
    let mut driver = Driver::new(&model);
    assert!(driver.events[0].jumped);
    let shared = 10.0 * C / (C + FILTER);
    let mut x = vec![shared, 0.0, shared];
    // Modes of the reference: the sign of the conducting pair, 0 if the bridge blocks.
    let whole = C + FILTER;
    let conducting = |sign: f64| -> Array2<f64> {
        let v = [-1.0 / (R * whole), -1.0 / whole];
        array![[v[0], v[1], 0.0], [1.0 / L, 0.0, 0.0], [sign * v[0], sign * v[1], 0.0]]
    };
    let blocked = array![[0.0, -c, 0.0], [1.0 / L, 0.0, 0.0], [0.0, 0.0, -f / R]];
    let (mut t, t_end, mut sign, mut switches) = (0.0, 2e-3, 1.0, 0);
    loop {
        let a = if sign == 0.0 { blocked.clone() } else { conducting(sign) };
        let guard = |s: f64| {
            let x = flow(&a, s, &x);
            if sign == 0.0 { x[2] - x[0].abs() } else { sign * (C / whole * (x[1] + x[0] / R) - x[1]) }
        };
        let length = first_fall(0.0, 1e-6, guard);
        if t + length > t_end {
            x = flow(&a, t_end - t, &x);
            break;
        }
        (t, x) = (t + length, flow(&a, length, &x));
        sign = if sign == 0.0 { x[0].signum() } else { 0.0 };
        switches += 1;
    }
    assert!(switches > 5);
    driver.go(t_end).expect("all modes are found");
    assert_close(&driver.x(), &x, 1e-9);
    assert!(driver.events.len() < 4 * switches, "{} events, {switches} switches", driver.events.len());
}
