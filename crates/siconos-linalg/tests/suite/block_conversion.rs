//! Conversion from any storage to square blocks, compared with the dense matrix.

use ndarray::{Array1, Array2};
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixError};

/// Matrix of 3 x 2 blocks of size `block`; blocks (1, 0) and (2, 1) are empty.
fn dense(block: usize) -> Array2<f64> {
    Array2::from_shape_fn((3 * block, 2 * block), |(i, j)| match (i / block, j / block) {
        (1, 0) | (2, 1) => 0.0,
        _ => (1 + i * 10 + j) as f64 * if (i + j) % 3 == 0 { 0.0 } else { 1.0 },
    })
}

#[test]
fn every_storage_gives_the_same_entries() {
    for block in [1, 2, 3, 5] {
        let dense = dense(block);
        let entries = dense.indexed_iter().filter(|(_, x)| **x != 0.0).map(|((i, j), x)| (i, j, *x));
        let csc = Csc::from_triplets(dense.nrows(), dense.ncols(), entries).expect("inside");
        let other_blocks = BlockCsr::from_blocks(
            &[dense.nrows()],
            &[1, dense.ncols() - 1],
            vec![
                (0, 0, dense.slice(ndarray::s![.., ..1]).to_owned()),
                (0, 1, dense.slice(ndarray::s![.., 1..]).to_owned()),
            ],
        )
        .expect("they fit");
        for matrix in [Matrix::from(dense.clone()), csc.into(), other_blocks.into()] {
            let blocks = BlockCsr::from_matrix(matrix.view(), block).expect("multiples");
            assert_eq!(blocks.to_dense(), dense, "{}", matrix.view().storage());
            assert_eq!(blocks.row_starts(), [0, block, 2 * block, 3 * block]);
            assert_eq!(blocks.column_starts(), [0, block, 2 * block]);
        }
        let blocks = BlockCsr::from_matrix((&dense).into(), block).expect("multiples");
        // With blocks of one entry, single zeros are left out as well.
        if block > 1 {
            assert_eq!(
                (blocks.first_blocks(), blocks.block_columns()),
                (&[0, 2, 3, 4][..], &[0, 1, 1, 0][..])
            );
        }
    }
}

#[test]
fn a_diagonal_has_its_diagonal_blocks_even_where_they_vanish() {
    let diagonal = Matrix::from(Array1::from(vec![1.0, 2.0, 0.0, 0.0]));
    let blocks = BlockCsr::from_matrix(diagonal.view(), 2).expect("multiples");
    assert_eq!((blocks.blocks(), blocks.block_columns()), (2, &[0, 1][..]));
    assert_eq!(blocks.values(), [1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn what_is_no_multiple_is_refused() {
    let refused = BlockCsr::from_matrix((&Array2::zeros((7, 6))).into(), 3).expect_err("7 rows");
    let expected = MatrixError::BlockShape {
        block_row: 2,
        block_column: 2,
        expected_rows: 3,
        expected_columns: 3,
        rows: 1,
        columns: 0,
    };
    assert_eq!(refused, expected);
    assert!(BlockCsr::from_matrix((&Array2::zeros((1, 1))).into(), 0).is_err());
}

#[test]
fn without_rows_there_are_no_blocks() {
    for block in [0, 3] {
        let empty =
            BlockCsr::from_matrix((&Array2::zeros((0, 0))).into(), block).expect("nothing is left over");
        assert_eq!((empty.rows(), empty.columns(), empty.blocks()), (0, 0, 0));
    }
}
