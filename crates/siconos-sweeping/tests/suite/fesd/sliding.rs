//! Sliding: entering, staying, leaving.

use siconos_sweeping::fesd::FilippovSystem;

use super::{method, run};

pub(super) fn half_minus_sign() -> FilippovSystem {
    FilippovSystem::two_modes(1, |_t, x| x[0], |_t, _x, f| f[0] = 1.5, |_t, _x, f| f[0] = -0.5)
        .expect("a system")
}

#[test]
fn a_state_slides_with_a_quarter_of_the_mode_below() {
    for stages in 1..=4 {
        for n in [1, 7, 40] {
            let mut fesd = method(half_minus_sign(), stages);
            let (states, switches) = run(&mut fesd, (0.0, 3.0), n, &[1.0]);
            for (k, x) in states.iter().enumerate() {
                let t = 3.0 * k as f64 / n as f64;
                assert!((x[0] - (1.0 - t / 2.0).max(0.0)).abs() < 1e-12, "{stages} stages, t = {t}: {x:?}");
            }
            assert_eq!(switches.len(), 1, "{switches:?}");
            assert!((switches[0].t - 2.0).abs() < 1e-12);
            assert_eq!(
                (switches[0].before.as_slice(), switches[0].after.as_slice()),
                (&[1][..], &[0, 1][..])
            );
            let last = fesd.elements().last().expect("elements");
            for weights in last.weights.chunks_exact(2) {
                assert!((weights[0] - 0.25).abs() < 1e-10 && (weights[1] - 0.75).abs() < 1e-10);
            }
        }
    }
}

/// c = x0 and x1' = 1. The fields point towards x0 = 0 while x1 < 1; from x1 = 1 on, the field above points
/// away.
pub(super) fn leaving() -> FilippovSystem {
    FilippovSystem::two_modes(
        2,
        |_t, x| x[0],
        |_t, _x, f| (f[0], f[1]) = (1.0, 1.0),
        |_t, x, f| (f[0], f[1]) = (x[1] - 1.0, 1.0),
    )
    .expect("a system")
}

/// From (0.25, 0): x0 = 1/4 - t + t^2 / 2 until 0 at t = 1 - 1/sqrt 2; sliding until t = 1; then (t - 1)^2 /
/// 2.
#[test]
fn a_state_enters_sliding_and_leaves_it() {
    let enters = 1.0 - 0.5_f64.sqrt();
    for stages in 2..=4 {
        for n in [1, 2, 3, 10, 37] {
            let mut fesd = method(leaving(), stages);
            let (states, switches) = run(&mut fesd, (0.0, 2.0), n, &[0.25, 0.0]);
            let times: Vec<f64> = switches.iter().map(|switch| switch.t).collect();
            assert_eq!(times.len(), 2, "{stages} stages, {n} steps: {switches:?}");
            assert!((times[0] - enters).abs() < 1e-11 && (times[1] - 1.0).abs() < 1e-11, "{times:?}");
            for (k, x) in states.iter().enumerate() {
                let t = 2.0 * k as f64 / n as f64;
                let exact =
                    if t < enters { 0.25 - t + t * t / 2.0 } else { (t - 1.0).max(0.0).powi(2) / 2.0 };
                assert!((x[0] - exact).abs() < 1e-11, "{stages} stages, {n} steps, t = {t}: {x:?}, {exact}");
            }
        }
    }
}
