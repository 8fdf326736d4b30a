//! Orders of convergence, with and without switches.

use std::f64::consts::{E, PI, TAU};

use siconos_sweeping::fesd::{FilippovSystem, PatternSearch, SweepingSystem};
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::PushedPoint;

use super::{by, method, run};

/// x' = A x inside the unit circle, A^T x outside.
pub(super) fn circle() -> FilippovSystem {
    FilippovSystem::two_modes(
        2,
        |_t, x| x[0] * x[0] + x[1] * x[1] - 1.0,
        |_t, x, f| (f[0], f[1]) = (x[0] + TAU * x[1], x[1] - TAU * x[0]),
        |_t, x, f| (f[0], f[1]) = (x[0] - TAU * x[1], x[1] + TAU * x[0]),
    )
    .expect("a system")
}

pub(super) const CIRCLE_START: [f64; 2] = [1.0 / E, 0.0];

/// The radius grows as e^t. The rotation reverses at the switch, at t = 1 and angle -2 pi.
fn circle_end(t: f64) -> [f64; 2] {
    let (radius, angle) = ((t - 1.0).exp(), TAU * (t - 2.0));
    [radius * angle.cos(), radius * angle.sin()]
}

#[test]
fn the_exact_end_is_that_of_the_paper() {
    let x = circle_end(PI / 2.0);
    assert!((x[0] + 1.597_460_38).abs() < 1e-8 && (x[1] + 0.761_493_62).abs() < 1e-8, "{x:?}");
}

/// Errors of the switching time and of the end state for several numbers of steps.
fn circle_errors(search: PatternSearch, stages: usize, counts: &[usize]) -> [Vec<f64>; 2] {
    let exact = circle_end(PI / 2.0);
    let mut errors = [Vec::new(), Vec::new()];
    for &n in counts {
        let (states, switches) = run(&mut by(search, circle(), stages), (0.0, PI / 2.0), n, &CIRCLE_START);
        assert_eq!(switches.len(), 1, "{switches:?}");
        errors[0].push((switches[0].t - 1.0).abs());
        errors[1].push((states[n][0] - exact[0]).hypot(states[n][1] - exact[1]));
    }
    errors
}

fn counts(fewest: f64, most: f64, n: usize) -> Vec<usize> {
    steps(n, 1.0 / fewest, 1.0 / most).iter().map(|h| (1.0 / h).round() as usize).collect()
}

fn assert_circle(stages: usize, counts: &[usize], least: f64) {
    let h: Vec<f64> = counts.iter().map(|&n| PI / 2.0 / n as f64).collect();
    for search in [PatternSearch::Continuation, PatternSearch::Homotopy] {
        let errors = circle_errors(search, stages, counts);
        for (what, errors) in ["switch", "end"].iter().zip(&errors) {
            let found = observed_order(&h, errors);
            assert!(found.order >= least, "{what}, {stages} stages, {search:?}: {found:?} of {errors:?}");
        }
    }
}

#[test]
fn across_a_switch_two_stages_have_order_3() {
    assert_circle(2, &counts(40.0, 190.0, 8), 2.7);
}

#[test]
fn across_a_switch_three_stages_have_order_5() {
    assert_circle(3, &counts(11.0, 47.0, 8), 4.7);
}

#[test]
fn without_a_switch_the_order_is_2s_minus_1() {
    for (stages, fewest, most) in [(1, 60.0, 400.0), (2, 20.0, 150.0), (3, 6.0, 40.0), (4, 4.0, 16.0)] {
        let counts = counts(fewest, most, 6);
        let h: Vec<f64> = counts.iter().map(|&n| 0.9 / n as f64).collect();
        let exact = [(-0.1_f64).exp() * (TAU * 0.9).cos(), -(-0.1_f64).exp() * (TAU * 0.9).sin()];
        let errors: Vec<f64> = counts
            .iter()
            .map(|&n| {
                let x = run(&mut method(circle(), stages), (0.0, 0.9), n, &CIRCLE_START).0.remove(n);
                (x[0] - exact[0]).hypot(x[1] - exact[1])
            })
            .collect();
        let found = observed_order(&h, &errors);
        println!("{stages} stages: {found:?}, {:e} to {:e}", errors[0], errors[errors.len() - 1]);
        let order = 2.0 * stages as f64 - 1.0;
        assert!(found.order >= order - 0.3, "{stages} stages: {found:?} of {errors:?}");
    }
}

pub(super) fn pushed(point: PushedPoint) -> SweepingSystem {
    SweepingSystem::new(
        1,
        1,
        move |t, _x, f| f[0] = point.input(t),
        |_t, x, h| h[0] = x[0],
        |_t, _x, mut gradients| gradients[[0, 0]] = 1.0,
    )
    .expect("a system")
}

#[test]
fn a_pushed_point_has_order_3_with_two_stages() {
    let point = PushedPoint::default();
    let exact = point.solve(2.5);
    let counts = counts(30.0, 200.0, 8);
    let h: Vec<f64> = counts.iter().map(|&n| 2.4 / n as f64).collect();
    for search in [PatternSearch::Continuation, PatternSearch::Homotopy] {
        let errors: Vec<f64> = counts
            .iter()
            .map(|&n| {
                let (states, _) = run(&mut by(search, pushed(point), 2), (0.0, 2.4), n, &[point.start]);
                let error =
                    |(k, x): (usize, &Vec<f64>)| (x[0] - exact.state(2.4 * k as f64 / n as f64)[0]).abs();
                states.iter().enumerate().map(error).fold(0.0, worse)
            })
            .collect();
        let found = observed_order(&h, &errors);
        assert!(found.order >= 2.7, "{search:?}: {found:?} of {errors:?}");
    }
}
