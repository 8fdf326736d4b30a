//! Comparison of the oracle with solutions computed by hand, and of the errors with their definition.

use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_testkit::lcp::strategy::{RandomLcp, degenerate_integers, p_matrix};
use siconos_testkit::lcp::{Measures, condition_number, enumerate_solutions};
use siconos_testkit::random::config;

#[test]
fn a_game_has_its_three_equilibria() {
    let m = array![
        [0.0, 0.0, 10.0, 20.0],
        [0.0, 0.0, 30.0, 15.0],
        [10.0, 20.0, 0.0, 0.0],
        [30.0, 15.0, 0.0, 0.0]
    ];
    assert_eq!(enumerate_solutions(m.view(), &[-1.0; 4]).len(), 3);
}

#[test]
fn solutions_without_a_regular_complementary_basis_are_found() {
    // The solution is z = 0 with w = q = (1, 0). Because M = 0, complementary bases that contain z_2 are
    // singular.
    assert_eq!(enumerate_solutions(Array2::zeros((2, 2)).view(), &[1.0, 0.0]), [vec![0.0, 0.0]]);
    // Because q is the first column of -M, z = (1, 0) and w = 0. Both bases that contain z_1 are singular.
    let m = array![[0.0, 0.0], [1.0, 0.0]];
    assert_eq!(enumerate_solutions(m.view(), &[0.0, -1.0]), [vec![1.0, 0.0]]);
}

#[test]
fn the_vertices_of_a_segment_of_solutions_are_found() {
    let mut found = enumerate_solutions(Array2::ones((3, 3)).view(), &[-2.0; 3]);
    found.sort_by(|a, b| b.partial_cmp(a).expect("no NaN"));
    assert_eq!(found, [vec![2.0, 0.0, 0.0], vec![0.0, 2.0, 0.0], vec![0.0, 0.0, 2.0]]);
}

#[test]
fn infeasible_problems_have_none() {
    assert!(enumerate_solutions(array![[-1.0]].view(), &[-1.0]).is_empty());
    assert!(enumerate_solutions(array![[0.0]].view(), &[-1.0]).is_empty());
    assert_eq!(enumerate_solutions(Array2::zeros((0, 0)).view(), &[]), [Vec::<f64>::new()]);
}

#[test]
fn measures_of_a_point_by_hand() {
    // w = (2 - 3, 4 + 4) = (-1, 8). d = (2, 2), because the second row has no diagonal entry. Therefore min(d
    // z, w) = (-1, 2). z = 0 violates only the first row, by 3. The residual of the second row is relative to
    // its own q, that is, divided by sqrt(1 + (4/3)^2) = 5/3.
    let point = Measures::of(array![[2.0, 0.0], [4.0, 0.0]].view(), &[-3.0, 4.0], &[1.0, 1.0]);
    assert_eq!(point.w, [-1.0, 8.0]);
    assert_eq!((point.least_z, point.least_w, point.complementarity), (1.0, -1.0, 8.0));
    assert!((point.natural - 2.44_f64.sqrt() / 3.0).abs() < 1e-15);
    // Row 1 is violated by |-1| with the terms 2 + 3, row 2 by 8 with the terms 4 + 4.
    assert_eq!(point.backward, 1.0);
    // A positive w at z = 0 is not a violation. A negative z is always a violation.
    assert_eq!(Measures::of(array![[2.0]].view(), &[3.0], &[0.0]).backward, 0.0);
    assert_eq!(Measures::of(array![[2.0]].view(), &[-3.0], &[0.0]).backward, 1.0);
    assert_eq!(Measures::of(array![[2.0]].view(), &[2.0], &[-1.0]).backward, f64::INFINITY);
    let undefined = Measures::of(array![[1.0]].view(), &[1.0], &[f64::NAN]);
    assert!(undefined.natural.is_nan() && undefined.backward.is_nan());
}

#[test]
fn condition_numbers_by_hand() {
    assert_eq!(condition_number(array![[2.0, 0.0], [0.0, 8.0]].view()), 4.0);
    // The inverse of [1, 2; 0, 1] is [1, -2; 0, 1], so the condition number is 3 * 3.
    assert_eq!(condition_number(array![[1.0, 2.0], [0.0, 1.0]].view()), 9.0);
    assert_eq!(condition_number(array![[1.0, 1.0], [1.0, 1.0]].view()), f64::INFINITY);
}

proptest! {
    #![proptest_config(config(200))]

    /// For every q, a P-matrix has exactly one solution (Samelson, Thrall, Wesler 1958).
    #[test]
    fn p_matrices_have_exactly_one(RandomLcp { m, q } in p_matrix(0..6)) {
        prop_assert_eq!(enumerate_solutions(m.view(), &q).len(), 1);
    }

    #[test]
    fn what_it_finds_are_solutions(RandomLcp { m, q } in degenerate_integers(0..6)) {
        for z in enumerate_solutions(m.view(), &q) {
            let point = Measures::of(m.view(), &q, &z);
            prop_assert!(point.natural < 1e-12, "{:?}", point);
        }
    }

    /// For q = w - M z with complementary w and z, a solution exists for every M, and the oracle must find
    /// one.
    #[test]
    fn planted_solutions_are_not_missed(
        RandomLcp { m, q: planted } in degenerate_integers(1..6),
    ) {
        let z: Vec<f64> = planted.iter().map(|x| x.max(0.0)).collect();
        let w = planted.iter().map(|x| (-x).max(0.0));
        let q: Vec<f64> = w.zip(m.dot(&ndarray::ArrayView1::from(&z))).map(|(w, x)| w - x).collect();
        prop_assert!(!enumerate_solutions(m.view(), &q).is_empty());
    }
}
