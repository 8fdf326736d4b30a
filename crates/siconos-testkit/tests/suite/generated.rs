//! The random problems have their documented class, solutions and certificates, and are reproducible.

use crate::common::{is_positive_definite, is_positive_semidefinite};
use ndarray::ArrayView1;
use siconos_linalg::MatrixRef;
use siconos_numerics::method::MatrixClass;
use siconos_testkit::lcp::generated::{
    Chain, block_triangular, every_family, gram, gram_over_n, quotient_of_dominant,
};
use siconos_testkit::lcp::{
    Answer, LARGEST_ENUMERATED, Measures, all, bead_column, clamped_chain, class_of, condition_number,
    enumerate_solutions,
};
use siconos_testkit::mlcp::mixed_error;

#[test]
fn classes_hold() {
    for problem in [1, 2, 5, 8].into_iter().flat_map(|n| every_family(n, 11)) {
        assert!(crate::common::is_in_its_class(&problem), "{} is not in {:?}", problem.name, problem.class);
    }
}

#[test]
fn the_p_matrices_are_not_definite() {
    for seed in 0..5 {
        assert!(!is_positive_semidefinite(&block_triangular(6, seed).m));
    }
    let definite = (0..20).filter(|&seed| is_positive_definite(&quotient_of_dominant(8, seed).m)).count();
    assert!(definite < 20, "some are to be indefinite");
}

#[test]
fn planted_answers_answer() {
    for problem in [1, 2, 5, 30, 80].into_iter().flat_map(|n| every_family(n, 5)) {
        let name = &problem.name;
        for z in problem.solutions() {
            let point = Measures::of(problem.m.view(), &problem.q, z);
            assert!(point.natural < 1e-14 && point.least_z >= 0.0, "{name}: {point:?}");
        }
        match &problem.answer {
            Answer::Infeasible { certificate } => {
                let y = ArrayView1::from(certificate);
                assert!(y.iter().all(|y| *y >= 0.0), "{name}");
                assert!(y.dot(&problem.m).iter().all(|x| *x <= 0.0), "{name}");
                assert!(y.dot(&ArrayView1::from(&problem.q)) < 0.0, "{name}");
            }
            Answer::FeasibleWithoutSolution { feasible } => {
                let point = Measures::of(problem.m.view(), &problem.q, feasible);
                assert!(point.least_z >= 0.0 && point.least_w >= 0.0, "{name}: {point:?}");
            }
            Answer::Unique(_) | Answer::Several(_) => {}
        }
    }
}

#[test]
fn the_oracle_agrees() {
    for problem in (1..=5).flat_map(|n| every_family(n, n as u32)) {
        assert!(problem.size() <= LARGEST_ENUMERATED);
        let found = enumerate_solutions(problem.m.view(), &problem.q);
        assert_eq!(problem.has_solution(), !found.is_empty(), "{}", problem.name);
        if let Some(z) = problem.unique_solution() {
            let near = found[0].iter().zip(z).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(found.len() == 1 && near, "{}: {found:?} against {z:?}", problem.name);
        }
    }
}

#[test]
fn the_same_number_draws_the_same_problem() {
    assert_eq!(every_family(7, 3), every_family(7, 3));
    assert!(every_family(7, 3).iter().zip(every_family(7, 4)).all(|(a, b)| a.q != b.q));
    let degenerate = &every_family(40, 3)[1];
    let w = Measures::of(degenerate.m.view(), &degenerate.q, &degenerate.solutions()[0]).w;
    let both = degenerate.solutions()[0].iter().zip(w).filter(|(z, w)| **z == 0.0 && w.abs() < 1e-13).count();
    assert!(both > 5, "{both} places where z and w vanish");
}

#[test]
fn gram_matrices_are_as_badly_conditioned_as_they_say() {
    let (plain, over_n) = (gram(50), gram_over_n(50));
    assert!(condition_number(plain.m.view()) > 50.0 && condition_number(over_n.m.view()) < 50.0);
    assert!(is_positive_definite(&plain.m) && is_positive_definite(&over_n.m));
    assert_eq!(plain.q, over_n.q);
    assert_eq!(plain.m, plain.m.t());
}

#[test]
fn a_chain_is_the_same_in_every_storage() {
    for chain in [Chain::clamped(9), Chain::of_beads(9), Chain::drawn(7, 1, 2), Chain::drawn(5, 3, 2)] {
        let dense = chain.dense();
        assert_eq!(chain.block_rows().to_dense(), dense, "{}", chain.name);
        assert!(is_positive_definite(&dense) && dense == dense.t(), "{}", chain.name);
        let point = Measures::of(dense.view(), &chain.q, &chain.z);
        assert!(point.natural < 1e-14 && point.least_z >= 0.0, "{}: {point:?}", chain.name);
    }
    assert_eq!(Chain::clamped(9).dense(), clamped_chain(9).m);
    assert_eq!(Chain::of_beads(9).dense(), bead_column(9).m);
    // Each contact needs at most 12 numbers: three blocks of 2 x 2.
    let long = Chain::drawn(10_000, 2, 1);
    assert!(
        long.block_rows().values().len() <= 12 * long.contacts && long.csc().entries() <= 12 * long.contacts
    );
    assert!(MatrixRef::from(&long.csc()).is_symmetric());
}

#[test]
fn mixed_problems_are_solved_by_their_point() {
    for problem in [1, 2, 9, 40].into_iter().flat_map(|n| siconos_testkit::mlcp::every_family(n, 3)) {
        let error = mixed_error(&problem.m, &problem.q, &problem.rows, &problem.z);
        assert!(error < 1e-14, "{}: {error:e}", problem.name);
        let equations: Vec<usize> = (0..problem.size())
            .filter(|&i| problem.rows[i] == siconos_numerics::mlcp::MlcpRow::Equality)
            .collect();
        let a = problem.m.select(ndarray::Axis(0), &equations).select(ndarray::Axis(1), &equations);
        let is_regular = condition_number(a.view()).is_finite();
        // In the smallest problems of a singular family, the equations can be regular, or there are no
        // equations.
        if problem.size() > 8 {
            assert_eq!(is_regular, problem.has_regular_equations, "{}", problem.name);
        }
    }
}

#[test]
fn the_classes_of_the_families_are_many() {
    let classes: Vec<MatrixClass> = every_family(4, 1).into_iter().map(|problem| problem.class).collect();
    for class in [
        MatrixClass::SymmetricPositiveDefinite,
        MatrixClass::PositiveDefinite,
        MatrixClass::PMatrix,
        MatrixClass::HMatrix,
        MatrixClass::SymmetricPositiveSemidefinite,
        MatrixClass::PositiveSemidefinite,
        MatrixClass::StrictlyCopositive,
        MatrixClass::CopositivePlus,
        MatrixClass::General,
    ] {
        assert!(classes.contains(&class), "{class:?}");
    }
}

#[test]
fn the_class_of_a_matrix_is_found_where_a_few_checks_can_tell() {
    for problem in every_family(8, 1).into_iter().chain(all()) {
        let found = class_of(&problem.m);
        let (named, name) = (problem.class, &problem.name);
        match named {
            // The checks cannot establish these classes.
            MatrixClass::StrictlyCopositive | MatrixClass::CopositivePlus => {}
            MatrixClass::General => assert!(!found.is_within(MatrixClass::PMatrix), "{name}: {found:?}"),
            _ if problem.size() > 10 && found == MatrixClass::General => {}
            // The classification can find a smaller class than the documented one, or another class.
            _ => assert!(found != MatrixClass::General, "{name}: {named:?}, found {found:?}"),
        }
        if named == MatrixClass::SymmetricPositiveDefinite {
            assert_eq!(found, named, "{name}");
        }
        if found.is_within(MatrixClass::PMatrix) {
            assert!(problem.has_solution(), "{name}: {found:?}");
        }
    }
}
