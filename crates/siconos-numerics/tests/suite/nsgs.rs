//! Gauss-Seidel sweep, compared with a direct implementation, in every storage and for blocks.

use ndarray::{Array1, Array2, ArrayView2, array, s};
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, DenseLu, Matrix, SmallMatrix};
use siconos_numerics::engine::nsgs::{
    BlockAccess, BlockLaw, LocalLaw, LocalProblem, RowAccess, scalar_sweep, sweep, sweep_blocks,
};
use siconos_testkit::lcp::strategy::{RandomLcp, nonsymmetric_positive_definite};
use siconos_testkit::random::config;

/// Law of an equation: M_ii z_i + b = 0. A sweep with this law is one step of block Gauss-Seidel.
struct Equation {
    visited: Vec<usize>,
}

impl<const D: usize> LocalLaw<D> for Equation {
    fn solve(&mut self, block: usize, diagonal: &SmallMatrix<D>, b: &[f64; D], old: &[f64; D]) -> [f64; D] {
        self.visited.push(block);
        diagonal.solve(b.map(|b| -b)).unwrap_or(*old)
    }
}

impl BlockLaw for Equation {
    fn solve(&mut self, block: usize, local: &LocalProblem<'_>, z: &mut [f64]) {
        self.visited.push(block);
        let d = z.len();
        let mut lu = DenseLu::default();
        let diagonal = ArrayView2::from_shape((d, d), local.diagonal).expect("a square block");
        lu.factor(diagonal).expect("the diagonal blocks are regular");
        for ((row, b), w) in diagonal.rows().into_iter().zip(local.b).zip(local.w) {
            let own: f64 = row.iter().zip(&*z).map(|(a, z)| a * z).sum();
            assert!((own + b - w).abs() <= 1e-12 * (1.0 + own.abs() + b.abs()));
        }
        z.iter_mut().zip(local.b).for_each(|(z, b)| *z = -b);
        lu.solve(z);
    }
}

/// Solves (L + D) z_new = -q - U z_old by blocks of `d`, as one linear system.
fn reference_sweep(m: ArrayView2<'_, f64>, q: &[f64], z: &[f64], d: usize) -> Vec<f64> {
    let lower = Array2::from_shape_fn(m.dim(), |(i, j)| if j / d <= i / d { m[[i, j]] } else { 0.0 });
    let upper = &m - &lower;
    let mut new: Vec<f64> = upper.dot(&ndarray::aview1(z)).iter().zip(q).map(|(uz, q)| -q - uz).collect();
    let mut lu = DenseLu::default();
    lu.factor(lower.view()).expect("the diagonal blocks are regular");
    lu.solve(&mut new);
    new
}

fn check_sweep<const D: usize>(m: &Array2<f64>, q: &[f64], start: &[f64]) -> Result<(), TestCaseError> {
    let mut z = start.to_vec();
    let mut law = Equation { visited: Vec::new() };
    let change = sweep::<D>(&m.view(), q, &mut law, &mut z);
    prop_assert_eq!(&law.visited, &(0..q.len() / D).collect::<Vec<_>>());
    let expected = reference_sweep(m.view(), q, start, D);
    for (a, b) in z.iter().zip(&expected) {
        prop_assert!((a - b).abs() <= 1e-10 * (1.0 + b.abs()), "{} against {}", a, b);
    }
    let moved = z.iter().zip(start).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    prop_assert!((change - moved).abs() <= 1e-12 * (1.0 + moved), "{} against {}", change, moved);
    Ok(())
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn a_sweep_of_equations_is_block_gauss_seidel(RandomLcp { m, q } in nonsymmetric_positive_definite(6..7)) {
        let start: Vec<f64> = q.iter().map(|q| 1.0 - q).collect();
        check_sweep::<1>(&m, &q, &start)?;
        check_sweep::<2>(&m, &q, &start)?;
        check_sweep::<3>(&m, &q, &start)?;
        check_sweep::<6>(&m, &q, &start)?;
    }

    #[test]
    fn block_rows_sweep_as_dense_rows(RandomLcp { m, q } in nonsymmetric_positive_definite(6..7)) {
        // Blocks of 1, 3 and 2 rows.
        let (sizes, first) = ([1, 3, 2], [0, 1, 4, 6]);
        let block = |i: usize, j: usize| m.slice(s![first[i]..first[i + 1], first[j]..first[j + 1]]).to_owned();
        let blocks = (0..9).map(|k| (k / 3, k % 3, block(k / 3, k % 3))).collect();
        let sparse = BlockCsr::from_blocks(&sizes, &sizes, blocks)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let (mut a, mut b, mut c, mut rows) = (vec![0.5; 6], vec![0.5; 6], vec![0.5; 6], RowAccess::default());
        let dense = Matrix::from(m.clone());
        let columns = Matrix::from(Csc::from_matrix(dense.view()));
        for (matrix, z) in [(&dense, &mut a), (&Matrix::from(sparse), &mut b), (&columns, &mut c)] {
            let mut law = Equation { visited: Vec::new() };
            rows.prepare(matrix.view());
            scalar_sweep(matrix.view(), &rows, &q, &mut law, z);
        }
        for (a, b) in a.iter().chain(&c).zip(b.iter().chain(&b)) {
            prop_assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{} against {}", a, b);
        }
    }

    #[test]
    fn blocks_of_any_size_sweep_as_the_linear_system_does(RandomLcp { m, q } in nonsymmetric_positive_definite(6..7)) {
        let (sizes, first) = ([1, 3, 2], [0, 1, 4, 6]);
        let part_of = |i: usize| first.iter().rposition(|&start| start <= i).unwrap_or(0);
        let lower = Array2::from_shape_fn(m.dim(), |(i, j)| if part_of(j) <= part_of(i) { m[[i, j]] } else { 0.0 });
        let upper = &m - &lower;
        let start = Array1::from_elem(6, 0.5);
        let mut expected: Vec<f64> = upper.dot(&start).iter().zip(&q).map(|(uz, q)| -q - uz).collect();
        let mut lu = DenseLu::default();
        lu.factor(lower.view()).expect("the diagonal blocks are regular");
        lu.solve(&mut expected);

        let block = |i: usize, j: usize| m.slice(s![first[i]..first[i + 1], first[j]..first[j + 1]]).to_owned();
        let blocks = (0..9).map(|k| (k / 3, k % 3, block(k / 3, k % 3))).collect();
        let fitting = BlockCsr::from_blocks(&sizes, &sizes, blocks)
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let elsewhere = BlockCsr::from_blocks(&[6], &[6], vec![(0, 0, m.clone())])
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let dense = Matrix::from(m.clone());
        let columns = Matrix::from(Csc::from_matrix(dense.view()));
        let mut access = BlockAccess::default();
        for matrix in [dense, fitting.into(), elsewhere.into(), columns] {
            let mut z = vec![0.5; 6];
            let mut law = Equation { visited: Vec::new() };
            access.prepare(matrix.view(), &first);
            let change = sweep_blocks(matrix.view(), &mut access, 0..3, &q, &mut law, &mut z);
            prop_assert_eq!(&law.visited, &[0, 1, 2]);
            for (a, b) in z.iter().zip(&expected) {
                prop_assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{} against {}", a, b);
            }
            let moved = z.iter().map(|a| (a - 0.5).powi(2)).sum::<f64>().sqrt();
            prop_assert!((change - moved).abs() <= 1e-12 * (1.0 + moved), "{} against {}", change, moved);
        }
    }
}

#[test]
fn a_diagonal_matrix_is_solved_by_one_sweep() {
    let matrix = Matrix::from(array![2.0, 4.0]);
    let (mut z, mut law) = ([9.0, 9.0], Equation { visited: Vec::new() });
    let change = scalar_sweep(matrix.view(), &RowAccess::default(), &[-2.0, 8.0], &mut law, &mut z);
    assert_eq!((z, change), ([1.0, -2.0], (64.0_f64 + 121.0).sqrt()));
}

#[test]
fn a_transposed_view_is_read_by_its_indices() {
    let m = array![[2.0, 1.0], [0.0, 4.0]];
    let (mut z, mut law) = ([0.0, 0.0], Equation { visited: Vec::new() });
    // The transposed system: 2 z_1 = 2, then z_1 + 4 z_2 = 9.
    sweep::<1>(&m.t(), &[-2.0, -9.0], &mut law, &mut z);
    assert_eq!(z, [1.0, 2.0]);
}
