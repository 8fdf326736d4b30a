//! The battery has its documented properties, and its error detects violations of the law.

use ndarray::{Array2, array};
use siconos_linalg::DenseLu;
use siconos_numerics::contact::ContactLawData;
use siconos_testkit::compare::worse;
use siconos_testkit::contact::battery::{self, BatteryFamily, Drawn, Known};
use siconos_testkit::contact::{Shape, cones, coulomb, planted, rolling, velocity_error};

fn error_of_planted(drawn: &Drawn) -> f64 {
    let Known::Solution(r) = &drawn.known else { panic!("{} has none", drawn.number) };
    velocity_error(&drawn.law, &drawn.w.view().to_dense(), &drawn.q, r)
}

#[test]
fn planted_points_are_solutions_and_certificates_hold() {
    let (mut solvable, mut infeasible) = (0, 0);
    for drawn in (0..battery::count()).map(battery::problem) {
        match &drawn.known {
            Known::Solution(_) => {
                solvable += 1;
                let error = error_of_planted(&drawn);
                // The error is the rounding of q, relative to the large reactions of light bodies.
                assert!(error < 1e-12, "problem {}, {:?}: {error:e}", drawn.number, drawn.family);
            }
            Known::Infeasible(y) => {
                infeasible += 1;
                let y = ndarray::ArrayView1::from(y);
                let is_normal =
                    |k: usize| (0..drawn.law.view().blocks()).any(|i| drawn.law.view().range(i).start == k);
                assert!(y.iter().enumerate().all(|(k, y)| *y == 0.0 || (*y > 0.0 && is_normal(k))));
                let pressed = drawn.w.view().to_dense().t().dot(&y);
                assert!(pressed.iter().all(|x| *x == 0.0), "problem {}: {pressed}", drawn.number);
                assert!(y.dot(&ndarray::ArrayView1::from(&drawn.q)) < 0.0, "problem {}", drawn.number);
            }
        }
    }
    assert!(solvable >= 2700 && infeasible >= 250, "{solvable} {infeasible}");
}

#[test]
fn the_number_says_it_all_and_every_family_is_there() {
    let (a, b) = (battery::problem(321), battery::problem(321));
    assert_eq!((a.q, a.law, a.known), (b.q, b.law, b.known));
    let families = battery::families();
    for (number, family) in families.iter().enumerate() {
        assert_eq!(battery::problem(number).family.kind, family.kind);
    }
    let sizes: Vec<usize> = (0..300).map(|k| battery::problem(k).law.view().blocks()).collect();
    assert!((1..=20).all(|size| sizes.contains(&size)), "{sizes:?}");
}

#[test]
fn full_rank_is_full_rank() {
    // Elimination without pivoting is applied to the symmetric part, which must be positive definite.
    let is_definite = |mut w: Array2<f64>| {
        let n = w.nrows();
        (0..n).all(|k| {
            let pivot = w[[k, k]];
            for i in k + 1..n {
                let factor = w[[i, k]] / pivot;
                for j in k..n {
                    w[[i, j]] -= factor * w[[k, j]];
                }
            }
            pivot > 0.0
        })
    };
    let full = (0..battery::count()).map(battery::problem).filter(|drawn| drawn.has_full_rank);
    let mut count = 0;
    for drawn in full {
        let w = drawn.w.view().to_dense();
        assert!(is_definite((&w + &w.t()) * 0.5), "problem {}, {:?}", drawn.number, drawn.family);
        count += 1;
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn immovable_contacts_have_no_row() {
    let drawn = (0..battery::count())
        .map(battery::problem)
        .find(|drawn| drawn.family.kind == BatteryFamily::Immovable);
    let drawn = drawn.expect("a family");
    assert!(drawn.w.view().to_dense().row(0).iter().all(|x| *x == 0.0));
    assert!(drawn.q[0] >= 0.0);
}

/// For two contradictory contacts, no reaction makes both normal velocities nonnegative.
#[test]
fn a_reaction_that_swallows_the_velocity_is_seen() {
    let mut w = Array2::zeros((6, 6));
    for k in 0..3 {
        w[[k, k]] = 1.0;
        w[[k + 3, k + 3]] = 1.0;
        w[[k, k + 3]] = -1.0;
        w[[k + 3, k]] = -1.0;
    }
    let (law, q) = (coulomb(3, 2, 0.5), [-1.0, 0.0, 0.0, -1.0, 0.0, 0.0]);
    for size in [1.0, 4e8, 4e17, 4e25] {
        let error = velocity_error(&law, &w, &q, &[size, 0.0, 0.0, size, 0.0, 0.0]);
        assert!((error - 1.0).abs() < 1e-15, "{size:e}: {error}");
    }
}

/// One contact with W = I, computed by hand, that sticks, slides, opens, or violates the law.
#[test]
fn one_contact_by_hand() {
    let w = Array2::eye(3);
    let error = |mu: f64, q: [f64; 3], r: [f64; 3]| velocity_error(&coulomb(3, 1, mu), &w, &q, &r);
    assert!(error(0.5, [-1.0, 3.0, 4.0], [1.0, -0.3, -0.4]) < 1e-16);
    assert!(error(1.0, [-1.0, 3.0, 4.0], [1.0, -0.6, -0.8]) < 1e-16);
    for mu in [10.0, 1e8, 1e300, f64::INFINITY] {
        assert_eq!(error(mu, [-1.0, 3.0, 4.0], [1.0, -3.0, -4.0]), 0.0, "{mu}");
        // Without a reaction, only the normal velocity violates the law.
        let wrong = error(mu, [-1.0, 3.0, 4.0], [0.0; 3]);
        assert!((wrong - 1.0 / 26.0_f64.sqrt()).abs() < 1e-15, "{mu}: {wrong}");
    }
    assert_eq!(error(f64::INFINITY, [1.0, 3.0, 4.0], [0.0; 3]), 0.0);
    // A tangential reaction without a normal reaction violates the law.
    assert!(error(f64::INFINITY, [0.0, 3.0, 4.0], [0.0, -3.0, -4.0]) > 0.9);
    assert_eq!(error(0.5, [0.0; 3], [0.0; 3]), 0.0);
    assert_eq!(error(0.5, [0.0; 3], [1.0, 0.0, 0.0]), f64::INFINITY);
    assert!(error(0.5, [-1.0, 0.0, 0.0], [f64::NAN, 0.0, 0.0]).is_nan());
    assert_eq!(error(0.5, [-1.0, 0.0, 0.0], [f64::INFINITY, 0.0, 0.0]), f64::INFINITY);
}

#[test]
fn an_immovable_contact_is_measured() {
    let w = Array2::zeros((3, 3));
    let error = |q: [f64; 3], r: [f64; 3]| velocity_error(&coulomb(3, 1, 0.5), &w, &q, &r);
    assert_eq!(error([1.0, 3.0, 4.0], [0.0; 3]), 0.0);
    assert!((error([-1.0, 0.0, 0.0], [0.0; 3]) - 1.0).abs() < 1e-15);
    assert!(error([1.0, 3.0, 4.0], [1.0, 0.0, 0.0]) > 0.1);
}

/// The error does not depend on the units of mass, velocity and (for rolling rows) length. If the units
/// differ by powers of two, the errors are equal bit for bit.
#[test]
fn the_measure_is_free_of_units() {
    let laws = [coulomb(3, 4, 0.7), coulomb(2, 4, 30.0), rolling(5, 3, 0.5, 0.25)];
    for law in laws {
        let known = planted(law.clone(), Shape::DEFINITE, 3);
        let w = known.w.view().to_dense();
        let r: Vec<f64> = (0..known.q.len()).map(|i| 0.3 + (i as f64).sin()).collect();
        let error = velocity_error(&law, &w, &known.q, &r);
        assert!(error > 1e-3);
        for exponent in [-40, -1, 1, 40] {
            let k = 2.0_f64.powi(exponent);
            let scaled: Vec<f64> = r.iter().map(|r| r / k).collect();
            assert_eq!(velocity_error(&law, &(&w * k), &known.q, &scaled), error);
            let q: Vec<f64> = known.q.iter().map(|q| q * k).collect();
            let scaled: Vec<f64> = r.iter().map(|r| r * k).collect();
            assert_eq!(velocity_error(&law, &w, &q, &scaled), error);
            let ContactLawData::Rolling { dimension, mu, mu_rolling } = &law else { continue };
            // With lengths multiplied by k, moments are multiplied and angular velocities divided by k.
            let factor = |i: usize| if i % dimension > dimension / 2 { k } else { 1.0 };
            let other = ContactLawData::Rolling {
                dimension: *dimension,
                mu: mu.clone(),
                mu_rolling: mu_rolling.iter().map(|mu| mu * k).collect(),
            };
            let w = Array2::from_shape_fn(w.dim(), |(i, j)| w[[i, j]] / (factor(i) * factor(j)));
            let q: Vec<f64> = known.q.iter().enumerate().map(|(i, q)| q / factor(i)).collect();
            let r: Vec<f64> = r.iter().enumerate().map(|(i, r)| r * factor(i)).collect();
            assert_eq!(velocity_error(&other, &w, &q, &r), error);
        }
    }
}

/// If nothing cancels, the error equals the norm of the natural map computed by bisection.
#[test]
fn the_measure_is_the_natural_map() {
    for law in [coulomb(3, 5, 0.7), coulomb(2, 5, 0.0), rolling(5, 4, 0.5, 1.0), cones(&[1, 2, 4, 6], 0.8)] {
        let q: Vec<f64> = (0..law.view().size()).map(|i| (1.7 * i as f64).cos()).collect();
        for seed in 0..20 {
            let r: Vec<f64> =
                (0..law.view().size()).map(|i| (f64::from(seed) + 0.9 * i as f64).sin()).collect();
            // With W = I, d = 1 and u = r + q.
            let u: Vec<f64> = r.iter().zip(&q).map(|(r, q)| r + q).collect();
            let norm = q.iter().map(|q| q * q).sum::<f64>().sqrt();
            let by_bisection = siconos_testkit::contact::violation(&law, &r, &u) / norm;
            let error = velocity_error(&law, &Array2::eye(law.view().size()), &q, &r);
            assert!((error - by_bisection).abs() < 1e-13, "{law:?}: {error} {by_bisection}");
        }
    }
    let w = array![[2.0]];
    // A mass of 1/2 kg at a speed of 1 m/s needs an impulse of 0.5 N s. With 0.25 N s, half of the velocity
    // remains.
    let error = velocity_error(&cones(&[1], 1.0), &w, &[-1.0], &[0.25]);
    assert_eq!(error, 0.5);
}

/// The bodies reproduce W, and the impulses of a certificate change no velocity of a body.
#[test]
fn the_bodies_are_those_of_the_matrix() {
    for number in (0..battery::count()).step_by(7) {
        let drawn = battery::problem(number);
        let (m, h) = drawn.bodies();
        let (w, h) = (drawn.w.view().to_dense(), h.view().to_dense());
        if let Known::Infeasible(y) = &drawn.known {
            let squeezed = h.dot(&ndarray::ArrayView1::from(y));
            assert!(squeezed.iter().all(|x| *x == 0.0), "problem {number}: {squeezed}");
        }
        let mut lu = DenseLu::default();
        lu.factor(m.view().to_dense().view()).expect("a mass matrix");
        let size = w.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        for (j, column) in h.columns().into_iter().enumerate() {
            let mut response = column.to_vec();
            lu.solve(&mut response);
            let of_bodies = h.t().dot(&ndarray::Array1::from(response));
            let off = (&of_bodies - &w.column(j)).iter().fold(0.0, |off, x| worse(off, x.abs()));
            assert!(off <= 1e-10 * size, "problem {number}, {:?}: {off:e}", drawn.family);
        }
    }
}

/// Without rolling friction, the violation is proportional to the moment.
#[test]
fn a_moment_without_rolling_friction_counts() {
    let w = Array2::from_diag(&array![1.0, 1.0, 1.0, 4.0, 4.0]);
    let law = rolling(5, 1, 0.5, 0.0);
    let q = [-1.0, 0.0, 0.0, 7.0, 0.0];
    for moment in [0.0, 1e-20, 1e-3] {
        let error = velocity_error(&law, &w, &q, &[1.0, 0.0, 0.0, moment, 0.0]);
        // The rolling velocity does not count, so norm(q) = 1. The factor sqrt(1 * 4) converts the moment to
        // a velocity.
        assert!((error - 2.0 * moment).abs() <= 1e-15 * moment, "{moment:e}: {error:e}");
    }
}
