//! Steps with D = 0 and C B = 0: they have solutions, but the limit is not a function.

use ndarray::{Array2, array};
use siconos_kernel::siconos_numerics::Status;
use siconos_sweeping::dvi::{
    Dvi, DviConclusion, DviData, DviReport, DviRun, DviSet, DviSettings, DviStepper, StateMap, ViMap,
};
use siconos_testkit::compare::worse;

/// Chain of r integrators. u acts on the last one and keeps the first one nonnegative.
fn chain(r: usize) -> Dvi {
    let a = Array2::from_shape_fn((r, r), |(i, j)| f64::from(u8::from(j == i + 1)));
    let b = Array2::from_shape_fn((r, 1), |(i, _)| f64::from(u8::from(i + 1 == r)));
    let c = Array2::from_shape_fn((1, r), |(_, j)| f64::from(u8::from(j == 0)));
    Dvi::new(StateMap::linear(a), b, StateMap::linear(c), ViMap::Linear(array![[0.0]]), DviSet::Orthant)
        .unwrap()
}

fn run(dvi: &Dvi, theta: f64, x0: &[f64], steps: usize) -> DviRun {
    DviStepper::new(dvi, theta, DviSettings::default()).unwrap().solve(x0, (0.0, 2.0), steps).unwrap()
}

fn largest(run: &DviRun, value: impl Fn(usize) -> f64) -> f64 {
    (1..=run.solution.steps()).map(|k| value(k).abs()).fold(0.0, worse)
}

#[test]
fn the_report_covers_no_chain_of_two_or_more() {
    for (r, expected) in
        [(1, DviConclusion::WeakSolutions), (2, DviConclusion::NotCovered), (3, DviConclusion::NotCovered)]
    {
        let (center, radius) = (vec![0.0; r], vec![1.0; r]);
        let report = DviReport::of(&chain(r), &DviData::new((0.0, 2.0), &center, &radius)).unwrap();
        assert_eq!(report.conclusion(), expected, "{r}: {report}");
    }
}

/// From 1 with rate -1: the rate jumps to 0 at t = 1.
#[test]
fn at_degree_two_u_grows_as_the_step_falls_and_its_impulse_stays() {
    let dvi = chain(2);
    // Numbers of steps for which t = 1 is not a node.
    for steps in [75, 301, 1203, 4811] {
        let h = 2.0 / steps as f64;
        let run = run(&dvi, 1.0, &[1.0, -1.0], steps);
        assert!(run.info.status.is_success());
        let impulse: f64 = (1..=steps).map(|k| h * run.solution.u(k)[0]).sum();
        assert!((impulse - 1.0).abs() < 1e-9, "{impulse}");
        assert!((1..=steps).filter(|k| run.solution.u(*k)[0] > 1e-9).count() <= 2);
        assert!(largest(&run, |k| run.solution.u(k)[0]) >= 0.5 / h);
        // x_1 follows max(0, 1 - t). Its rate differs from the exact rate only within two steps of t = 1.
        let off = largest(&run, |k| run.solution.x(k)[0] - (1.0 - run.solution.t()[k]).max(0.0));
        assert!(off <= h, "{off:e}");
        for k in (1..=steps).filter(|k| (run.solution.t()[*k] - 1.0).abs() > 2.0 * h) {
            let rate = if run.solution.t()[k] < 1.0 { -1.0 } else { 0.0 };
            assert!((run.solution.x(k)[1] - rate).abs() < 1e-9);
        }
    }
    // theta = 0: a step that needs u has no solution.
    assert_eq!(run(&dvi, 0.0, &[1.0, -1.0], 75).info.status, Status::NoSolution);
}

/// The rebound velocity depends only on the position of the boundary within a step.
#[test]
fn at_degree_two_and_theta_one_half_there_is_no_limit() {
    let dvi = chain(2);
    for steps in [80, 320, 1280] {
        let h = 2.0 / steps as f64;
        for part in [0.1, 0.3, 0.5, 0.8] {
            let run = run(&dvi, 0.5, &[1.0 + part * h, -1.0], steps);
            assert!(run.info.status.is_success());
            let rebound = run.solution.x(steps)[1];
            assert!((rebound - f64::abs(1.0 - 2.0 * part)).abs() < 1e-9, "{part} of {h}: {rebound}");
        }
    }
}

/// From (1, -2, 1), the chain of the paper on higher-order sweeping processes: z_3 would have to be the
/// derivative of a jump.
#[test]
fn at_degree_three_x_itself_grows_as_the_step_falls() {
    let dvi = chain(3);
    let most = [75, 301, 1203].map(|steps| {
        let run = run(&dvi, 1.0, &[1.0, -2.0, 1.0], steps);
        largest(&run, |k| run.solution.x(k)[2])
    });
    assert!(most[1] > 3.0 * most[0] && most[2] > 3.0 * most[1], "{most:?}");
}
