//! Dry friction, written as complementarity.

use std::f64::consts::PI;

use ndarray::array;
use siconos_kernel::prelude::*;

use super::{Driver, assert_close, with_relation};

/// Builds the oscillator x'' = -k x - mu s with s in sign(x'), released at x0. The multipliers are
/// 1 + s and the negative part of x'.
fn oscillator(k: f64, mu: f64, x0: f64) -> NonSmoothDynamicalSystem {
    let a = array![[0.0, 1.0], [-k, 0.0]];
    let system = FirstOrderLinear::new(vec![x0, 0.0], a).with_source(vec![0.0, mu]);
    let (c, b) = (array![[0.0, -1.0], [0.0, 0.0]], array![[0.0, 0.0], [-mu, 0.0]]);
    let relation = FirstOrderLinearRelation::new(c, b)
        .with_d(array![[0.0, 1.0], [-1.0, 0.0]])
        .with_offset(vec![0.0, 2.0]);
    with_relation(system, relation, 2)
}

/// The amplitude decreases by 2 mu / k in each half period, until friction holds the mass. Each reversal and
/// the capture are one event.
#[test]
fn a_mass_sticks_after_one_event_per_half_period() {
    for (k, mu, starts) in [(1.0_f64, 1.0, 0..40), (4.0, 0.3, 8..12), (100.0, 90.0, 0..40)] {
        for start in starts {
            let x0 = 1.7 + 0.37 * f64::from(start);
            let (half_period, held) = (PI / k.sqrt(), mu / k);
            let count = ((x0 - held) / (2.0 * held) - 1e-9).ceil();
            let model = oscillator(k, mu, x0);
            let mut driver = Driver::new(&model);
            driver.go((count + 2.5) * half_period).expect("a mode is found at each reversal");
            let expected: Vec<f64> = (1..=count as usize).map(|n| n as f64 * half_period).collect();
            assert_eq!(driver.times().len(), expected.len(), "k = {k}, mu = {mu}, x0 = {x0}");
            assert_close(&driver.times(), &expected, 1e-9);
            let side = if count % 2.0 == 0.0 { 1.0 } else { -1.0 };
            assert_close(&driver.x(), &[side * (x0 - 2.0 * count * held), 0.0], 1e-9);
        }
    }
}
