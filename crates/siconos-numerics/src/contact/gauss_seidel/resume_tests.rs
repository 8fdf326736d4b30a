//! Tests of sweeps that resume after a solve that failed.

use ndarray::Array2;

use super::super::hyperstatic::{directions, hyperstatic};
use super::*;

/// Returns a solver that makes `max_iterations` sweeps. The tolerance is so small that the solver cannot
/// converge.
fn of_sweeps(max_iterations: usize) -> NonsmoothGaussSeidel {
    let settings = GaussSeidelSettings { tolerance: 1e-300, max_iterations, ..Default::default() };
    NonsmoothGaussSeidel::new(settings).expect("in range")
}

/// Solves problems with W and with bodies. With rolling friction, the sweeps work on the scaled problem.
#[test]
fn to_go_on_is_as_if_nothing_had_come_between() {
    let (mu, mu_rolling, starts) = ([0.3, 0.8, 0.1, 0.5], [0.01, 0.03, 0.2, 0.001], [0, 3, 4, 9, 12]);
    for law in [
        ContactLaw::Coulomb { dimension: 2, mu: &mu },
        ContactLaw::Coulomb { dimension: 3, mu: &mu },
        ContactLaw::Rolling { dimension: 5, mu: &mu, mu_rolling: &mu_rolling },
        ContactLaw::SecondOrder { starts: &starts, tau: &mu },
    ] {
        let (w, q) = hyperstatic(&law);
        let h = directions(&law);
        let m = Array2::eye(h.nrows());
        for problem in [ContactProblem::new(&w, &q, law), ContactProblem::of_bodies(&m, &h, &q, law)] {
            check(&problem.expect("the parts fit"));
        }
    }
}

fn check(problem: &ContactProblem<'_>) {
    let (n, what) = (problem.size(), (problem.operator(), problem.law()));
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    let mut at_once = of_sweeps(6);
    let info = at_once.solve(problem, &mut r, &mut u).expect("the data fit");
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 6), "{what:?}");
    let mut in_parts = of_sweeps(2);
    for part in 0..3 {
        // A solve that resumes does not read the initial guess.
        r.fill(part as f64);
        if part > 0 {
            in_parts.resume();
        }
        let info = in_parts.solve(problem, &mut r, &mut u).expect("the data fit");
        assert_eq!((info.status, info.iterations), (Status::MaxIterations, 2), "{what:?}");
    }
    let distance = |other: &NonsmoothGaussSeidel| {
        let pairs = at_once.best.last().iter().zip(other.best.last());
        pairs.fold(0.0_f64, |largest, (a, b)| largest.max((a - b).abs()))
    };
    // The initial guess is projected onto the cones, which changes it by rounding errors.
    let largest = at_once.best.last().iter().fold(0.0_f64, |largest, r| largest.max(r.abs()));
    assert!(distance(&in_parts) < 1e-13 * largest, "{what:?}: {:e}", distance(&in_parts));
    r.fill(0.0);
    let info = in_parts.solve(problem, &mut r, &mut u).expect("the data fit");
    assert_eq!(info.iterations, 2, "{what:?}");
    assert!(distance(&in_parts) > 1e-6 * largest, "{what:?}: {:e}", distance(&in_parts));
}
