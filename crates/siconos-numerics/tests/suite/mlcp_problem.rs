//! Data of a mixed problem: conversion between both forms, and refused inconsistent data.

use ndarray::{Array2, array};
use siconos_linalg::{Csc, MatrixError, MatrixRef};
use siconos_numerics::ProblemError;
use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpBlocks, MlcpRow};

use MlcpRow::{Complementarity, Equality};

fn blocks() -> MlcpBlocks {
    MlcpBlocks {
        a: array![[1.0, 2.0], [3.0, 4.0]],
        b: array![[5.0]],
        c: array![[6.0], [7.0]],
        d: array![[8.0, 9.0]],
        q_equality: array![-1.0, -2.0],
        q_complementarity: array![-3.0],
    }
}

#[test]
fn blocks_become_one_matrix_and_come_back() -> Result<(), ProblemError> {
    let problem = MixedLinearComplementarityProblem::from_blocks(blocks())?;
    let expected = array![[1.0, 2.0, 6.0], [3.0, 4.0, 7.0], [8.0, 9.0, 5.0]];
    assert_eq!(problem.view().m().to_dense(), expected);
    assert_eq!(problem.view().q(), [-1.0, -2.0, -3.0]);
    assert_eq!(problem.view().rows(), [Equality, Equality, Complementarity]);
    assert_eq!(problem.blocks(), blocks());
    Ok(())
}

#[test]
fn rows_in_any_order_and_any_storage_give_the_same_blocks() -> Result<(), ProblemError> {
    // The problem of `blocks` with its rows in the order 2, 0, 1 (equality, complementarity, equality: 1, 2,
    // 0).
    let m = array![[4.0, 7.0, 3.0], [9.0, 5.0, 8.0], [2.0, 6.0, 1.0]];
    let rows = vec![Equality, Complementarity, Equality];
    let q = array![-2.0, -3.0, -1.0];
    let sparse = Csc::from_matrix(MatrixRef::from(&m));
    let problem = MixedLinearComplementarityProblem::new(sparse, q, rows)?;
    let found = problem.blocks();
    assert_eq!(found.a, array![[4.0, 3.0], [2.0, 1.0]]);
    assert_eq!((found.b, found.c, found.d), (array![[5.0]], array![[7.0], [6.0]], array![[9.0, 8.0]]));
    assert_eq!((found.q_equality, found.q_complementarity), (array![-2.0, -1.0], array![-3.0]));
    Ok(())
}

#[test]
fn blocks_that_do_not_fit_are_refused_with_their_place() {
    let refused = |change: fn(&mut MlcpBlocks)| {
        let mut wrong = blocks();
        change(&mut wrong);
        MixedLinearComplementarityProblem::from_blocks(wrong).expect_err("it does not fit")
    };
    let shape = |(block_row, block_column), (expected_rows, expected_columns), (rows, columns)| {
        ProblemError::from(MatrixError::BlockShape {
            block_row,
            block_column,
            expected_rows,
            expected_columns,
            rows,
            columns,
        })
    };
    assert_eq!(refused(|b| b.a = Array2::zeros((2, 3))), shape((0, 0), (2, 2), (2, 3)));
    assert_eq!(refused(|b| b.b = Array2::zeros((1, 2))), shape((1, 1), (1, 1), (1, 2)));
    assert_eq!(refused(|b| b.c = Array2::zeros((1, 2))), shape((0, 1), (2, 1), (1, 2)));
    assert_eq!(refused(|b| b.d = Array2::zeros((2, 1))), shape((1, 0), (1, 2), (2, 1)));
    let length = |what, expected, found| ProblemError::WrongLength { what, expected, found };
    assert_eq!(refused(|b| b.q_equality = array![1.0]), length("q_equality", 2, 1));
    assert_eq!(refused(|b| b.q_complementarity = array![]), length("q_complementarity", 1, 0));
    let error = refused(|b| b.d[[0, 1]] = f64::NAN);
    assert!(matches!(error, ProblemError::NotFinite { what: "M", index: 7, .. }), "{error}");
    let error = refused(|b| b.q_complementarity[0] = f64::INFINITY);
    assert!(matches!(error, ProblemError::NotFinite { what: "q", index: 2, .. }), "{error}");
}
