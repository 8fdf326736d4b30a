//! Dips of a switching function below 0 between the stages.

use siconos_sweeping::fesd::FilippovSystem;

use super::{method, run};

/// c = (x0 - place)^2 - width^2 is the second state, with x0' = 1. The third state is the time below 0.
fn dip(place: f64) -> FilippovSystem {
    let slope = move |x: &[f64]| 2.0 * (x[0] - place);
    FilippovSystem::two_modes(
        3,
        |_t, x| x[1],
        move |_t, x, f| (f[0], f[1], f[2]) = (1.0, slope(x), 1.0),
        move |_t, x, f| (f[0], f[1], f[2]) = (1.0, slope(x), 0.0),
    )
    .expect("a system")
}

/// One step over a dip, for 200 positions of the dip. The widths are between 1e-5 and 0.1 of the step.
#[test]
fn no_dip_deeper_than_the_tolerance_is_passed_over() {
    for stages in 2..=4 {
        for k in 0..200 {
            let width = 0.05 * 10.0_f64.powf(-4.0 * f64::from(k) / 199.0);
            let place = 0.06 + 0.88 * (0.618_034 * f64::from(k)).fract();
            let start = [0.0, place * place - width * width, 0.0];
            let (states, switches) = run(&mut method(dip(place), stages), (0.0, 1.0), 1, &start);
            let what = format!("{stages} stages, dip {k} at {place}, {width:e} wide: {switches:?}");
            assert_eq!(switches.len(), 2, "{what}");
            // c crosses 0 at a rate of 2 width. Its rounding error, divided by this rate, moves the switch.
            let bound = 1e-14 / width + 1e-13;
            assert!((switches[0].t - place + width).abs() < bound, "{what}");
            assert!((states[1][2] - 2.0 * width).abs() < 2.0 * bound, "{what}: {:?}", states[1]);
        }
    }
}

/// A guard that is not a polynomial along the motion: c = 1 - depth - cos, with its minimum between the
/// stages.
#[test]
fn a_dip_of_a_curved_switching_function_is_found_and_a_near_miss_is_not() {
    for k in 0..50 {
        let place = 0.1 + 0.8 * (0.618_034 * f64::from(k)).fract();
        let size = 10.0_f64.powf(-2.2 - 6.0 * f64::from(k) / 49.0);
        for (depth, expected) in [(size, 2), (-size, 0)] {
            let system = FilippovSystem::two_modes(
                2,
                move |_t, x| 1.0 - depth - (2.0 * (x[0] - place)).cos(),
                |_t, _x, f| (f[0], f[1]) = (1.0, 1.0),
                |_t, _x, f| (f[0], f[1]) = (1.0, 0.0),
            );
            let (states, switches) =
                run(&mut method(system.expect("a system"), 3), (0.0, 1.0), 1, &[0.0, 0.0]);
            assert_eq!(switches.len(), expected, "{depth:e} at {place}: {switches:?}");
            let exact = if depth > 0.0 { (1.0 - depth).acos() } else { 0.0 };
            assert!((states[1][1] - exact).abs() < 1e-8, "{depth:e} at {place}: {states:?}, {exact:e}");
        }
    }
}
