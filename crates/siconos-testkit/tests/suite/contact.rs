//! The contact problems have their documented properties: planted points are solutions, and the matrices of
//! piles agree with their geometry.

use siconos_numerics::contact::{error_of_point, siconos_error};
use siconos_testkit::contact::{
    KnownContact, Shape, cones, coulomb, discs, nearest, planted, rolling, siconos_contact_error, spheres,
    spheres_global, tower, wall,
};

/// Returns problems of every law, with matrices of several shapes.
fn small() -> Vec<KnownContact> {
    let laws = [
        coulomb(2, 4, 0.5),
        coulomb(3, 3, 0.0),
        coulomb(3, 4, 5.0),
        rolling(3, 3, 0.3, 0.1),
        rolling(5, 3, 0.7, 0.2),
        cones(&[1, 2, 7], 1.0),
    ];
    let skew = Shape { skew: 0.3, ..Shape::DEFINITE };
    let shapes = [Shape::DEFINITE, Shape::HYPERSTATIC, skew];
    laws.into_iter().flat_map(|law| shapes.map(|shape| planted(law.clone(), shape, 1))).collect()
}

#[test]
fn planted_points_are_solutions() {
    for problem in small() {
        let r = problem.r.clone().expect("planted");
        assert!(problem.error(&r) < 1e-14, "{}: {:e}", problem.name, problem.error(&r));
        // A wrong point must have a large error.
        let off: Vec<f64> = r.iter().map(|x| x + 0.1).collect();
        assert!(problem.error(&off) > 1e-3, "{}", problem.name);
    }
}

#[test]
fn the_measures_are_those_of_the_crate() {
    for problem in small() {
        for point in [0.0, 0.3, -0.7] {
            let r: Vec<f64> = (0..problem.q.len()).map(|i| point + (i as f64).sin()).collect();
            let theirs = error_of_point(&problem.view(), &r, &mut vec![0.0; r.len()]);
            let ours = problem.error(&r);
            assert!((ours - theirs).abs() <= 1e-13 * theirs.max(1.0), "{}: {ours} {theirs}", problem.name);
            let u = problem.velocity(&r);
            let theirs = siconos_error(&problem.view(), &r, &u);
            let ours = siconos_contact_error(&problem.law, &problem.q, &r, &u);
            assert!((ours - theirs).abs() <= 1e-13 * theirs.max(1.0), "{}: {ours} {theirs}", problem.name);
        }
    }
}

#[test]
fn nearest_points_by_hand() {
    assert_eq!(nearest(&[(1.0, 1..2)], &[1.0, 0.5]), [1.0, 0.5]);
    assert_eq!(nearest(&[(1.0, 1..2)], &[-2.0, 1.0]), [0.0, 0.0]);
    let foot = nearest(&[(1.0, 1..3)], &[0.0, 0.6, 0.8]);
    assert!(foot.iter().zip([0.5, 0.3, 0.4]).all(|(x, y)| (x - y).abs() < 1e-15), "{foot:?}");
}

#[test]
fn one_sphere_on_the_ground() {
    // With the mass m, the radius R and the inertia 0.4 m R^2, W has the normal entry 1 / m and the
    // tangential entry 1 / m + R^2 / (0.4 m R^2) = 3.5 / m.
    let problem = spheres(1, 0.5, 1);
    let w = problem.w.view().to_dense();
    assert_eq!(w.dim(), (3, 3));
    assert!((w[[1, 1]] / w[[0, 0]] - 3.5).abs() < 1e-13 && (w[[2, 2]] / w[[0, 0]] - 3.5).abs() < 1e-13);
    assert!(w[[0, 1]].abs() + w[[0, 2]].abs() + w[[1, 2]].abs() < 1e-15);
    assert!((problem.q[0] + 9.81 * 5e-3).abs() <= 0.01);
}

#[test]
fn piles_have_as_many_contacts_as_asked_for() {
    for contacts in [1, 30, 100, 1000] {
        for (problem, more) in [(spheres(contacts, 0.3, 1), 7), (discs(contacts, 0.3, 1), 4)] {
            let found = problem.law.view().blocks();
            assert!((contacts..contacts + more).contains(&found), "{}: {found}", problem.name);
        }
    }
    assert_eq!(tower(5, 0.3, 1).law.view().blocks(), 20);
    // The walls have one to four courses.
    for (contacts, found) in [(1, 4), (5, 24), (25, 60), (61, 112)] {
        assert_eq!(wall(contacts, 0.3, 1).law.view().blocks(), found);
    }
}

#[test]
fn the_matrix_of_a_pile_is_symmetric_and_that_of_the_global_form() {
    let (local, global) = (spheres(60, 0.3, 1), spheres_global(60, 0.3, 1));
    let (w, h) = (local.w.view().to_dense(), global.h.to_dense());
    let mut weighted = h.clone();
    for (mut row, mass) in weighted.rows_mut().into_iter().zip(&global.masses) {
        row /= *mass;
    }
    let difference = &w - h.t().dot(&weighted);
    assert!(difference.iter().all(|x| x.abs() < 1e-13));
    let free: Vec<f64> = global.f.iter().zip(&global.masses).map(|(f, m)| f / m).collect();
    let q = h.t().dot(&ndarray::ArrayView1::from(&free));
    assert!(q.iter().zip(&local.q).all(|(a, b)| (a - b).abs() < 1e-13));
    for problem in [local, tower(4, 0.5, 1), wall(40, 0.5, 1), discs(40, 0.5, 1)] {
        let w = problem.w.view().to_dense();
        assert!((&w - &w.t()).iter().all(|x| x.abs() < 1e-13), "{}", problem.name);
        assert!(w.diag().iter().all(|x| *x > 0.0), "{}", problem.name);
    }
}

#[test]
fn the_same_number_draws_the_same_problem() {
    assert_eq!(spheres(50, 0.3, 7), spheres(50, 0.3, 7));
    assert_ne!(spheres(50, 0.3, 7).q, spheres(50, 0.3, 8).q);
}
