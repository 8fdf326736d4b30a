//! Every known problem has its documented class, and its solutions or its certificate that no solution
//! exists.

use crate::common::{is_dominant, is_p_matrix, is_positive_semidefinite};
use ndarray::{Array2, ArrayView1};
use siconos_numerics::method::MatrixClass;
use siconos_testkit::compare::largest_difference;
use siconos_testkit::lcp::{Answer, LARGEST_ENUMERATED, Measures, all, enumerate_solutions};

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = all().into_iter().map(|problem| problem.name).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn solutions_solve() {
    let mut solved = 0;
    for problem in all() {
        for z in problem.solutions() {
            let point = Measures::of(problem.m.view(), &problem.q, z);
            assert!(point.natural < 1e-14, "{}: {point:?}", problem.name);
            assert!(point.least_z >= 0.0, "{}: {point:?}", problem.name);
            solved += 1;
        }
    }
    assert!(solved > 30, "only {solved}");
}

#[test]
fn the_oracle_agrees() {
    for problem in all().into_iter().filter(|problem| problem.size() <= LARGEST_ENUMERATED) {
        let found = enumerate_solutions(problem.m.view(), &problem.q);
        let name = &problem.name;
        match &problem.answer {
            Answer::Unique(z) => {
                assert_eq!(found.len(), 1, "{name}: {found:?}");
                assert!(largest_difference(&found[0], z) < 1e-12, "{name}: {found:?} against {z:?}");
            }
            // The listed solutions need not be basic, so the oracle may not find all of them. It finds at
            // least one of them, and there is more than one solution.
            Answer::Several(listed) => {
                let is_found = |z: &Vec<f64>| found.iter().any(|x| largest_difference(x, z) < 1e-12);
                assert!(listed.len() > 1 && listed.iter().any(is_found), "{name}: {found:?}");
            }
            Answer::Infeasible { .. } | Answer::FeasibleWithoutSolution { .. } => {
                assert!(found.is_empty(), "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn unsolvable_problems_have_their_proof() {
    for problem in all() {
        match &problem.answer {
            Answer::Infeasible { certificate } => {
                let y = ArrayView1::from(certificate);
                assert!(y.iter().all(|y| *y >= 0.0), "{}", problem.name);
                assert!(y.dot(&problem.m).iter().all(|x| *x <= 0.0), "{}", problem.name);
                assert!(y.dot(&ArrayView1::from(&problem.q)) < 0.0, "{}", problem.name);
            }
            Answer::FeasibleWithoutSolution { feasible } => {
                let point = Measures::of(problem.m.view(), &problem.q, feasible);
                assert!(point.least_z >= 0.0 && point.least_w >= 0.0, "{}", problem.name);
            }
            Answer::Unique(_) | Answer::Several(_) => {}
        }
    }
}

#[test]
fn classes_hold() {
    for problem in all() {
        let largest = match problem.class {
            MatrixClass::PMatrix | MatrixClass::PositiveSemidefinite => 10,
            _ => usize::MAX,
        };
        assert!(problem.size() <= largest, "{} is too large for its minors", problem.name);
        assert!(crate::common::is_in_its_class(&problem), "{} is not in {:?}", problem.name, problem.class);
    }
}

#[test]
fn the_general_ones_are_not_better_than_they_say() {
    for problem in all().iter().filter(|problem| problem.class == MatrixClass::General) {
        assert!(!is_p_matrix(&problem.m), "{} is a P-matrix", problem.name);
        assert!(!is_positive_semidefinite(&problem.m), "{} is semidefinite", problem.name);
    }
}

#[test]
fn inclusions_are_those_of_the_theory() {
    use MatrixClass as C;
    for class in [
        C::SymmetricPositiveDefinite,
        C::DiagonallyDominant,
        C::HMatrix,
        C::PositiveDefinite,
        C::PMatrix,
        C::SymmetricPositiveSemidefinite,
        C::PositiveSemidefinite,
        C::StrictlyCopositive,
        C::CopositivePlus,
        C::General,
    ] {
        assert!(class.is_within(class) && class.is_within(C::General));
        assert_eq!(C::General.is_within(class), class == C::General);
        let solvable_when_feasible = class.is_within(C::CopositivePlus);
        let expected = !matches!(class, C::General | C::PMatrix | C::HMatrix | C::DiagonallyDominant);
        assert_eq!(solvable_when_feasible, expected, "{class:?}");
    }
    assert!(C::SymmetricPositiveDefinite.is_within(C::PMatrix));
    assert!(C::DiagonallyDominant.is_within(C::HMatrix) && C::HMatrix.is_within(C::PMatrix));
    assert!(C::SymmetricPositiveDefinite.is_within(C::SymmetricPositiveSemidefinite));
    assert!(!C::SymmetricPositiveSemidefinite.is_within(C::PositiveDefinite));
    assert!(!C::PositiveSemidefinite.is_within(C::PMatrix));
    assert!(!C::DiagonallyDominant.is_within(C::PositiveSemidefinite));
}

#[test]
fn a_matrix_outside_a_class_is_seen_to_be_outside() {
    // The checks in this file are tested too: [0, 1; 1, 0] is in none of the classes, and [1, 2; 0, 1] is a
    // P-matrix that is semidefinite but not definite.
    let swap = Array2::from_shape_fn((2, 2), |(i, j)| if i == j { 0.0 } else { 1.0 });
    assert!(!is_p_matrix(&swap) && !is_positive_semidefinite(&swap) && !is_dominant(&swap));
    let murty = ndarray::array![[1.0, 2.0], [0.0, 1.0]];
    assert!(is_p_matrix(&murty) && is_positive_semidefinite(&murty));
    assert!(!crate::common::is_positive_definite(&murty) && !is_dominant(&murty));
}
