//! Block compressed rows compared with a dense matrix of the same entries.

use ndarray::{Array1, Array2, array};
use proptest::collection::vec;
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Matrix, MatrixError};
use siconos_testkit::random::config;

type Blocks = Vec<(usize, usize, Array2<f64>)>;

/// Random row and column sizes, and a random choice of blocks in shuffled order.
fn random_blocks() -> impl Strategy<Value = (Vec<usize>, Vec<usize>, Blocks)> {
    (vec(0..4_usize, 0..5), vec(0..4_usize, 0..5)).prop_flat_map(|(rows, columns)| {
        let places: Vec<_> = (0..rows.len()).flat_map(|i| (0..columns.len()).map(move |j| (i, j))).collect();
        let count = places.len();
        let shapes: Vec<_> = places.iter().map(|&(i, j)| (i, j, rows[i], columns[j])).collect();
        let block = |(i, j, m, n): (usize, usize, usize, usize)| {
            vec(-5.0..5.0, m * n)
                .prop_map(move |x| (i, j, Array2::from_shape_fn((m, n), |(r, c)| x[r * n + c])))
        };
        let chosen = proptest::sample::subsequence(shapes, 0..=count).prop_shuffle();
        let blocks = chosen.prop_flat_map(move |chosen| chosen.into_iter().map(block).collect::<Vec<_>>());
        (Just(rows), Just(columns), blocks)
    })
}

fn dense_of(rows: &[usize], columns: &[usize], blocks: &Blocks) -> Array2<f64> {
    let first = |sizes: &[usize], k: usize| sizes[..k].iter().sum::<usize>();
    let mut dense = Array2::zeros((first(rows, rows.len()), first(columns, columns.len())));
    for (i, j, block) in blocks {
        for ((r, c), x) in block.indexed_iter() {
            dense[[first(rows, *i) + r, first(columns, *j) + c]] = *x;
        }
    }
    dense
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn products_are_those_of_the_dense_matrix((rows, columns, blocks) in random_blocks(), alpha in -2.0..2.0) {
        let dense = dense_of(&rows, &columns, &blocks);
        let count = blocks.len();
        let sparse = BlockCsr::from_blocks(&rows, &columns, blocks)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!((sparse.rows(), sparse.columns()), dense.dim());
        prop_assert_eq!((sparse.block_rows(), sparse.blocks()), (rows.len(), count));
        prop_assert_eq!(sparse.to_dense(), dense.clone());
        let x: Vec<f64> = (0..dense.ncols()).map(|i| i as f64 - 1.5).collect();
        let y: Vec<f64> = (0..dense.nrows()).map(|i| 2.0 - i as f64).collect();
        let expected = Array1::from(y.clone()) + alpha * dense.dot(&Array1::from(x.clone()));
        let mut computed = y;
        sparse.add_product(alpha, &x, &mut computed);
        for (a, b) in computed.iter().zip(&expected) {
            prop_assert!((a - b).abs() <= 1e-12, "{} against {}", a, b);
        }
    }

    #[test]
    fn rows_of_blocks_show_the_entries((rows, columns, blocks) in random_blocks()) {
        let dense = dense_of(&rows, &columns, &blocks);
        let sparse = BlockCsr::from_blocks(&rows, &columns, blocks)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let mut shown = Array2::zeros(dense.dim());
        let mut covered = 0;
        for block_row in 0..sparse.block_rows() {
            let row = sparse.block_row(block_row);
            prop_assert_eq!(row.rows().start, covered);
            covered = row.rows().end;
            let mut last = None;
            for (range, block) in row.blocks() {
                prop_assert!(last.is_none_or(|last| last <= range.start), "columns increase");
                last = Some(range.end);
                shown.slice_mut(ndarray::s![row.rows(), range]).assign(&block);
            }
        }
        prop_assert_eq!(covered, dense.nrows());
        prop_assert_eq!(shown, dense);
    }
}

#[test]
fn blocks_that_do_not_fit_are_refused_with_their_place() {
    let ones = |m, n| Array2::<f64>::ones((m, n));
    let build = |blocks| BlockCsr::from_blocks(&[1, 2], &[2, 3], blocks);
    assert_eq!(
        build(vec![(1, 0, ones(2, 3))]),
        Err(MatrixError::BlockShape {
            block_row: 1,
            block_column: 0,
            expected_rows: 2,
            expected_columns: 2,
            rows: 2,
            columns: 3
        })
    );
    for (block_row, block_column) in [(0, 2), (2, 0), (7, 7)] {
        assert_eq!(
            build(vec![(0, 0, ones(1, 2)), (block_row, block_column, ones(1, 2))]),
            Err(MatrixError::BlockPosition { block_row, block_column, block_rows: 2, block_columns: 2 })
        );
    }
    // A block is given twice.
    let twice = build(vec![(0, 1, ones(1, 3)), (1, 1, ones(2, 3)), (0, 1, ones(1, 3))]);
    let expected =
        MatrixError::BlockPosition { block_row: 0, block_column: 1, block_rows: 2, block_columns: 2 };
    assert_eq!(twice, Err(expected.clone()));
    assert!(expected.to_string().contains("(0, 1)"), "{expected}");
}

#[test]
fn an_empty_matrix_has_no_rows() {
    for empty in [BlockCsr::default(), BlockCsr::from_blocks(&[], &[], vec![]).expect("nothing to refuse")] {
        assert_eq!((empty.rows(), empty.columns(), empty.block_rows(), empty.blocks()), (0, 0, 0, 0));
        empty.add_product(1.0, &[], &mut []);
        assert_eq!(empty.to_dense().dim(), (0, 0));
    }
}

/// Fills a matrix like an assembly in each time step.
fn fill(matrix: &mut BlockCsr, value: f64) {
    matrix.begin([2, 1]);
    matrix.push_block_row(2);
    matrix.push_block(0).copy_from_slice(&[value, 1.0, 2.0, 3.0]);
    matrix.push_block(1)[1] = 4.0;
    matrix.push_block_row(1);
    matrix.push_block(1)[0] = 5.0;
}

#[test]
fn a_matrix_is_rebuilt_in_place() {
    let mut matrix = BlockCsr::default();
    for value in [10.0, 20.0] {
        fill(&mut matrix, value);
        assert_eq!(matrix.to_dense(), array![[value, 1.0, 0.0], [2.0, 3.0, 4.0], [0.0, 0.0, 5.0]]);
    }
    // A smaller matrix contains no data of the larger one. A new block is filled with zeros.
    matrix.begin([1]);
    matrix.push_block_row(2);
    assert_eq!(matrix.push_block(0), [0.0, 0.0]);
    assert_eq!(matrix.to_dense(), array![[0.0], [0.0]]);
}

#[test]
fn the_entries_of_a_kept_pattern_are_overwritten() {
    let mut matrix = BlockCsr::default();
    fill(&mut matrix, 10.0);
    assert_eq!(matrix.block_mut(0), [10.0, 1.0, 2.0, 3.0]);
    matrix.block_mut(2)[0] = -5.0;
    matrix.block_mut(1).fill(7.0);
    assert_eq!(matrix.to_dense(), array![[10.0, 1.0, 7.0], [2.0, 3.0, 7.0], [0.0, 0.0, -5.0]]);
    assert_eq!(matrix.values(), [10.0, 1.0, 2.0, 3.0, 7.0, 7.0, -5.0]);
    assert_eq!(Matrix::from(matrix).view().first_non_finite(), None);
}

#[test]
#[should_panic(expected = "block row 1 of 1")]
fn a_row_of_blocks_that_is_not_there() {
    let matrix = BlockCsr::from_blocks(&[1], &[1], vec![(0, 0, array![[1.0]])]).expect("it fits");
    let _ = matrix.block_row(1);
}

#[test]
#[should_panic(expected = "lengths of y and x")]
fn a_product_with_a_vector_that_does_not_fit() {
    let matrix = BlockCsr::from_blocks(&[1], &[1], vec![(0, 0, array![[1.0]])]).expect("it fits");
    matrix.add_product(1.0, &[1.0, 2.0], &mut [0.0]);
}
