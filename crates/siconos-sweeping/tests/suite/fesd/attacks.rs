//! Stress tests: other units, many initial states, many switches in a step, grazing, steps that end on
//! switches, four modes, and constraints that are active together.

use std::f64::consts::{PI, TAU};

use ndarray::array;
use siconos_sweeping::fesd::{Fesd, FesdSettings, FilippovSystem, SweepingSystem};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::exact::PushedPoint;

use super::orders::{CIRCLE_START, circle, pushed};
use super::{assert_converged, method, run};

/// The circle in other units of length and time.
pub(super) fn scaled_circle(length: f64, time: f64) -> FilippovSystem {
    let rate = move |t: f64| t / time;
    FilippovSystem::two_modes(
        2,
        move |_t, x| (x[0] / length).powi(2) + (x[1] / length).powi(2) - 1.0,
        move |_t, x, f| (f[0], f[1]) = (rate(x[0] + TAU * x[1]), rate(x[1] - TAU * x[0])),
        move |_t, x, f| (f[0], f[1]) = (rate(x[0] - TAU * x[1]), rate(x[1] + TAU * x[0])),
    )
    .expect("a system")
}

#[test]
fn nothing_depends_on_units() {
    let n = 12;
    let (reference, switches) = run(&mut method(circle(), 3), (0.0, PI / 2.0), n, &CIRCLE_START);
    for (length, time) in
        [(2.0_f64.powi(40), 1.0), (2.0_f64.powi(-60), 2.0_f64.powi(30)), (1.0, 2.0_f64.powi(-50))]
    {
        let start = CIRCLE_START.map(|x| x * length);
        let mut fesd = method(scaled_circle(length, time), 3);
        let (states, found) = run(&mut fesd, (0.0, PI / 2.0 * time), n, &start);
        assert!((found[0].t / time - switches[0].t).abs() < 1e-13);
        for (a, b) in states.iter().flatten().zip(reference.iter().flatten()) {
            assert!((a / length - b).abs() < 1e-12, "{length:e}, {time:e}: {a:e} {b}");
        }
    }
}

/// From radius r inside the circle, the state reaches the circle at t = -ln r, where the rotation reverses.
#[test]
fn from_200_starts_the_end_is_exact_to_the_order() {
    let mut worst = 0.0_f64;
    for k in 0..200 {
        let (radius, angle) = (0.2 + 0.79 * (k as f64 / 200.0), 2.399_963 * k as f64);
        let x0 = [radius * angle.cos(), radius * angle.sin()];
        let switch = -radius.ln();
        let (states, switches) = run(&mut method(circle(), 4), (0.0, 2.0), 20, &x0);
        assert_eq!(switches.len(), 1, "start {k}");
        let end = angle - TAU * switch + TAU * (2.0 - switch);
        let size = (2.0 - switch).exp();
        worst = worst.max((states[20][0] - size * end.cos()).hypot(states[20][1] - size * end.sin()) / size);
        worst = worst.max((switches[0].t - switch).abs());
    }
    assert!(worst < 1e-6, "{worst:e}");
}

/// The first state has the rate 1 and crosses -0.5, 0, 0.5 and 1: the rate of the second state is a
/// staircase.
fn staircase() -> FilippovSystem {
    let signs = array![
        [-1.0, -1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0, -1.0],
        [1.0, 1.0, -1.0, -1.0],
        [1.0, 1.0, 1.0, -1.0],
        [1.0, 1.0, 1.0, 1.0]
    ];
    FilippovSystem::new(
        2,
        signs,
        |_t, x, c| (0..4).for_each(|k| c[k] = x[0] + 0.5 - 0.5 * k as f64),
        |i, _t, _x, f| (f[0], f[1]) = (1.0, i as f64),
    )
    .expect("a system")
}

#[test]
fn a_step_with_more_switches_than_boundaries_takes_more_elements() {
    for stages in 1..=4 {
        let mut fesd = method(staircase(), stages);
        let mut x = [-0.9, 0.0];
        let report = fesd.step(0.0, 2.4, &mut x).unwrap().clone();
        assert_converged(&report, 0);
        let times: Vec<f64> = report.switches.iter().map(|switch| switch.t).collect();
        for (t, exact) in times.iter().zip([0.4, 0.9, 1.4, 1.9]) {
            assert!((t - exact).abs() < 1e-12, "{times:?}");
        }
        assert_eq!((times.len(), report.h_elements.len()), (4, 5));
        // Rate 0 for 0.4, then rates 1, 2, 3 and 4 for 1/2 each.
        assert!((x[0] - 1.5).abs() < 1e-12 && (x[1] - 5.0).abs() < 1e-12, "{x:?}");
    }
}

/// A parabola above a line, x1 = (t - 1)^2 + gap, nearly touches the line, misses it, or dips below it.
#[test]
fn a_grazing_trajectory_switches_where_it_crosses_and_not_where_it_misses() {
    for (gap, crossings) in [(1e-3, 0), (1e-9, 0), (-1e-3, 2), (-1e-2, 2), (-1e-6, 2)] {
        for n in [1, 2, 5, 16] {
            let system = FilippovSystem::two_modes(
                2,
                |_t, x| x[1],
                |_t, x, f| (f[0], f[1]) = (1.0, 2.0 * (x[0] - 1.0)),
                |_t, x, f| (f[0], f[1]) = (1.0, 2.0 * (x[0] - 1.0)),
            );
            let mut fesd = method(system.expect("a system"), 2);
            let (states, switches) = run(&mut fesd, (0.0, 2.0), n, &[0.0, 1.0 + gap]);
            assert!((states[n][1] - 1.0 - gap).abs() < 1e-12, "{gap}, {n} steps");
            assert_eq!(switches.len(), crossings, "{gap:e}, {n} steps: {switches:?}");
        }
    }
}

#[test]
fn a_step_that_ends_on_a_switch_reports_it_once() {
    for n in [2, 3, 4, 8, 64] {
        let system =
            FilippovSystem::two_modes(1, |_t, x| x[0] - 1.0, |_t, _x, f| f[0] = 1.0, |_t, _x, f| f[0] = 3.0);
        let mut fesd = method(system.expect("a system"), 2);
        // The switch at t = 1 is a grid point for even n.
        let (states, switches) = run(&mut fesd, (0.0, 2.0), n, &[0.0]);
        assert_eq!(switches.len(), 1, "{n} steps: {switches:?}");
        assert!((switches[0].t - 1.0).abs() < 1e-12 && (states[n][0] - 4.0).abs() < 1e-12, "{n} steps");
    }
}

/// Two switching functions, c = (x0, x1), and four modes: each quadrant leads to the next one.
#[test]
fn two_switching_functions_make_four_modes() {
    let signs = array![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let make = || {
        FilippovSystem::new(
            2,
            signs.clone(),
            |_t, x, c| c.copy_from_slice(x),
            |i, _t, _x, f| {
                f.copy_from_slice(&[[-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]][i]);
            },
        )
        .expect("a system")
    };
    for stages in 1..=4 {
        for n in [1, 2, 9] {
            let (states, switches) = run(&mut method(make(), stages), (0.0, 6.0), n, &[1.0, 0.5]);
            assert_eq!(switches.len(), 4, "{switches:?}");
            // One revolution on the diamond through (1.5, 0).
            for (switch, exact) in switches.iter().zip([1.0, 2.5, 4.0, 5.5]) {
                assert!((switch.t - exact).abs() < 1e-12, "{switches:?}");
            }
            assert!((states[n][0] - 1.0).abs() < 1e-12 && (states[n][1] - 0.5).abs() < 1e-12);
        }
    }
}

/// Both switching surfaces attract: x slides along one axis, then rests in the corner of four regions.
#[test]
fn a_state_slides_into_the_corner_of_four_regions_and_rests() {
    let signs = array![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    for stages in 1..=4 {
        for n in [1, 3, 10] {
            let system = FilippovSystem::new(
                2,
                signs.clone(),
                |_t, x, c| c.copy_from_slice(x),
                |i, _t, _x, f| {
                    let [a, b] = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]][i];
                    (f[0], f[1]) = (0.2 - a, -0.3 - b);
                },
            );
            let mut fesd = method(system.expect("a system"), stages);
            let (states, switches) = run(&mut fesd, (0.0, 3.0), n, &[1.0, 0.65]);
            assert!(
                (switches[0].t - 0.5).abs() < 1e-12 && (switches[1].t - 1.25).abs() < 1e-12,
                "{switches:?}"
            );
            assert!(states[n].iter().all(|x| x.abs() < 1e-12), "{states:?}");
        }
    }
}

/// A point is driven into the corner x0 >= 0, x1 >= 0: to one wall, along it, into the corner.
#[test]
fn a_point_is_swept_into_a_corner() {
    for stages in 1..=4 {
        for n in [1, 2, 7] {
            let system = SweepingSystem::new(
                2,
                2,
                |_t, _x, f| (f[0], f[1]) = (-1.0, -2.0),
                |_t, x, h| h.copy_from_slice(x),
                |_t, _x, mut g| (g[[0, 0]], g[[1, 1]]) = (1.0, 1.0),
            );
            let mut fesd = method(system.expect("a system"), stages);
            let (states, switches) = run(&mut fesd, (0.0, 2.0), n, &[1.5, 1.0]);
            assert_eq!(switches.len(), 2);
            assert!((switches[0].t - 0.5).abs() < 1e-12 && (switches[1].t - 1.5).abs() < 1e-12);
            assert!(states[n].iter().all(|x| x.abs() < 1e-12));
            assert!((fesd.weights()[0] - 1.0).abs() < 1e-10 && (fesd.weights()[1] - 2.0).abs() < 1e-10);
        }
    }
}

/// A point is driven along the x0 axis against the unit disc and slides around it. With the angle phi from
/// the stagnation point, phi' = sin phi, so that tan(phi / 2) grows as e^t. The point leaves the disc where
/// the field is tangential, phi = pi / 2.
#[test]
fn a_point_slides_round_a_disc_and_leaves_it() {
    let make = || {
        SweepingSystem::new(
            2,
            1,
            |_t, _x, f| f[0] = 1.0,
            |_t, x, h| h[0] = 0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0),
            |_t, x, mut g| (g[[0, 0]], g[[0, 1]]) = (x[0], x[1]),
        )
        .expect("a system")
    };
    let phi = 0.4_f64;
    let arrives = 1.0 - phi.cos();
    let leaves = arrives - (phi / 2.0).tan().ln();
    let (t_end, n) = (3.0, 30);
    for (stages, bounds) in [(2, [1e-4, 1e-3]), (3, [1e-6, 1e-4]), (4, [1e-9, 1e-6])] {
        let (states, switches) = run(&mut method(make(), stages), (0.0, t_end), n, &[-1.0, phi.sin()]);
        let times: Vec<f64> = switches.iter().map(|switch| switch.t).collect();
        assert_eq!(times.len(), 2, "{switches:?}");
        assert!((times[0] - arrives).abs() < 1e-12, "{times:?}");
        let errors = [(states[n][0] - (t_end - leaves)).hypot(states[n][1] - 1.0), (times[1] - leaves).abs()];
        println!("{stages} stages: {errors:?}");
        assert!(errors.iter().zip(bounds).all(|(error, bound)| *error < bound), "{stages}: {errors:?}");
    }
}

#[test]
fn the_same_steps_give_the_same_bits() {
    let point = PushedPoint::default();
    let runs = [0, 1].map(|_| run(&mut method(pushed(point), 3), (0.0, 2.4), 17, &[point.start]));
    assert_eq!(runs[0], runs[1]);
    // A method that has computed another motion gives the same result to rounding.
    let mut fesd = method(circle(), 2);
    let [first, again] = [0, 1].map(|_| run(&mut fesd, (0.0, 1.5), 20, &CIRCLE_START));
    for (a, b) in first.0.iter().flatten().zip(again.0.iter().flatten()) {
        assert!((a - b).abs() < 1e-13);
    }
}

#[test]
fn a_step_without_a_switch_allocates_nothing() {
    let mut fesd = method(circle(), 2);
    let mut x = CIRCLE_START;
    for k in 0..3 {
        assert_converged(fesd.step(0.01 * f64::from(k), 0.01, &mut x).unwrap(), 0);
    }
    assert_eq!(count_allocations(|| drop(fesd.step(0.03, 0.01, &mut x).map(|report| report.status))), 0);
}

#[test]
fn more_elements_are_as_good_as_more_steps() {
    let settings = FesdSettings { elements: 6, ..FesdSettings::default() };
    let mut fesd = Fesd::new(circle(), 4, settings).unwrap();
    let mut x = CIRCLE_START;
    let report = fesd.step(0.0, PI / 2.0, &mut x).unwrap().clone();
    assert_converged(&report, 0);
    assert_eq!(report.h_elements.len(), 6);
    let first = report.h_elements[0];
    assert!(report.h_elements.iter().take_while(|h| (*h - first).abs() < 1e-12).count() >= 3, "{report:?}");
    assert!((report.switches[0].t - 1.0).abs() < 1e-4, "{report:?}");
}
