//! The matrix of each random problem is in the class that its strategy names.

use crate::common::{is_dominant, is_p_matrix, is_positive_definite, is_positive_semidefinite};
use ndarray::Array2;
use proptest::prelude::*;
use siconos_testkit::lcp::enumerate_solutions;
use siconos_testkit::lcp::strategy::{
    RandomLcp, copositive_plus_integers, degenerate_integers, diagonally_dominant, feasible_semidefinite,
    hyperstatic_integers, nonsymmetric_positive_definite, p_matrix, permutation, positive_definite,
};
use siconos_testkit::random::config;

fn is_integer(m: &Array2<f64>, q: &[f64]) -> bool {
    m.iter().chain(q).all(|x| x.fract() == 0.0)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn definite_symmetric(RandomLcp { m, q } in positive_definite(0..12)) {
        prop_assert_eq!(m.dim(), (q.len(), q.len()));
        let asymmetry = (&m - &m.t()).iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        prop_assert!(asymmetry < 1e-14 && is_positive_definite(&m));
    }

    #[test]
    fn definite_not_symmetric(RandomLcp { m, .. } in nonsymmetric_positive_definite(2..12)) {
        let asymmetry = (&m - &m.t()).iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        prop_assert!(asymmetry > 1e-6 && is_positive_definite(&m));
    }

    #[test]
    fn minors(RandomLcp { m, .. } in p_matrix(0..6)) {
        prop_assert!(is_p_matrix(&m));
    }

    #[test]
    fn dominance(RandomLcp { m, .. } in diagonally_dominant(0..12)) {
        prop_assert!(is_dominant(&m));
    }

    #[test]
    fn semidefinite_and_solvable(RandomLcp { m, q } in feasible_semidefinite(0..6)) {
        prop_assert!(is_positive_semidefinite(&m));
        prop_assert!(q.is_empty() || !is_positive_definite(&m));
        prop_assert!(!enumerate_solutions(m.view(), &q).is_empty());
    }

    #[test]
    fn hyperstatic(RandomLcp { m, q } in hyperstatic_integers(0..3)) {
        prop_assert!(is_integer(&m, &q) && is_positive_semidefinite(&m));
        prop_assert!(q.is_empty() || !is_positive_definite(&m));
        prop_assert!(!enumerate_solutions(m.view(), &q).is_empty());
    }

    #[test]
    fn integers(RandomLcp { m, q } in degenerate_integers(0..6)) {
        prop_assert!(is_integer(&m, &q));
    }

    #[test]
    fn copositive(RandomLcp { m, q } in copositive_plus_integers(0..6)) {
        prop_assert!(is_integer(&m, &q));
        let strictly_copositive = m.iter().all(|x| *x >= 0.0) && m.diag().iter().all(|x| *x > 0.0);
        prop_assert!(strictly_copositive || is_positive_semidefinite(&m));
    }

    #[test]
    fn permutations(order in permutation(7)) {
        let mut sorted = order;
        sorted.sort_unstable();
        prop_assert_eq!(sorted, (0..7).collect::<Vec<_>>());
    }
}
