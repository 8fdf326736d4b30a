//! Comparison of the cam with results of an independent program, and of its derivatives with finite
//! differences.

use siconos_testkit::compare::{assert_close, assert_close_scalar};
use siconos_testkit::exact::Cam;

const MASS: f64 = 1.221;
const STIFFNESS: f64 = 1430.8;

/// Check values from the description of the reference trajectory, computed by another program: the speed in
/// revolutions per minute, t, and (c, c', c'', f) with f = -(m c'' + k c).
const CHECKED: [(f64, f64, [f64; 4]); 6] = [
    (
        358.0,
        0.02,
        [1.634_274_783_659_927e-1, 6.720_896_440_968_86, 4.085_383_707_226_79e2, -7.326_573_866_984_535e2],
    ),
    (358.0, 0.05, [2.539_332_072_382_101e-1, 0.0, 0.0, -3.633_276_329_164_31e2]),
    (
        358.0,
        0.0833,
        [
            1.000_370_392_117_309e-1,
            -1.484_948_647_042_847e-1,
            2.977_045_012_667_833e2,
            -5.066_301_917_508_87e2,
        ],
    ),
    (660.0, 0.02, [2.539_332_072_382_101e-1, 0.0, 0.0, -3.633_276_329_164_31e2]),
    (
        660.0,
        0.1,
        [1.437_405_761_555_841e-1, 1.004_222_619_464e1, 1.284_991_076_920_663e3, -1.774_638_121_283_539e3],
    ),
    (
        700.0,
        0.1,
        [2.303_972_456_683_339e-1, 2.005_837_122_789_232e1, 1.833_412_439_939_088e3, -2.568_248_968_267_88e3],
    ),
];

#[test]
fn values_agree_with_an_independent_program() {
    for (rpm, t, expected) in CHECKED {
        let cam = Cam::new(rpm);
        let (c, velocity, acceleration) = (cam.position(t), cam.velocity(t), cam.acceleration(t));
        let force = -(MASS * acceleration + STIFFNESS * c);
        assert_close(
            &format!("{rpm} rpm, t = {t}"),
            &[c, velocity, acceleration, force],
            &expected,
            0.0,
            1e-12,
        );
    }
}

#[test]
fn velocity_and_acceleration_are_derivatives() {
    let cam = Cam::new(358.0);
    let (dt, turn) = (1e-6, 60.0 / 358.0);
    let breakpoints = cam.breakpoints(0.0, 2.0 * turn);
    let mut checked = 0;
    for k in 1..2000 {
        let t = 2.0 * turn * f64::from(k) / 2000.0;
        if breakpoints.iter().any(|b| (b - t).abs() < 2.0 * dt) {
            continue;
        }
        checked += 1;
        let slope = |f: &dyn Fn(f64) -> f64| (f(t + dt) - f(t - dt)) / (2.0 * dt);
        assert_close_scalar("c'", cam.velocity(t), slope(&|t| cam.position(t)), 1e-6, 1e-6);
        assert_close_scalar("c''", cam.acceleration(t), slope(&|t| cam.velocity(t)), 1e-3, 1e-6);
    }
    assert!(checked > 1900, "{checked}");
}

#[test]
fn breakpoints_are_where_the_acceleration_jumps() {
    let cam = Cam::new(600.0);
    // There are ten revolutions per second with six breakpoints each. The first breakpoint, t = 0, is not in
    // the open interval.
    let breakpoints = cam.breakpoints(0.0, 0.2);
    assert_eq!(breakpoints.len(), 11, "{breakpoints:?}");
    assert!(breakpoints.windows(2).all(|pair| pair[0] < pair[1]));
    let (ahead, w_squared) = (1e-7, (20.0 * std::f64::consts::PI).powi(2));
    let jumps: Vec<f64> = breakpoints[..5]
        .iter()
        .map(|t| (cam.acceleration(t + ahead) - cam.acceleration(t - ahead)) / w_squared)
        .collect();
    // The acceleration jumps at the start of the flank (t = 0, by 0.21176), from flank to nose, from nose to
    // dwell, and symmetrically on the way back.
    let expected = [-1.86921 - 0.34160, 1.49168, -1.49168, 0.34160 + 1.86921, -0.21176];
    assert_close("jumps", &jumps, &expected, 2e-4, 0.0);
    let first = (cam.acceleration(0.1 + ahead) - cam.acceleration(0.1 - ahead)) / w_squared;
    assert_close_scalar("at the start of a turn", first, 0.21176, 2e-4, 0.0);
}
