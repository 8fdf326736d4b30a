//! Sparse columns, factorisations by faer, and Newton matrices, compared with dense matrices.

use ndarray::{Array1, Array2, array};
use proptest::collection::vec;
use proptest::prelude::*;
use siconos_linalg::{
    BlockCsr, Csc, DenseCholesky, DenseLu, Matrix, MatrixError, MatrixRef, NewtonMatrix, SparseCholesky,
    SparseLu, add_scaled, dot,
};
use siconos_testkit::random::config;

/// Sparse matrix of small integers, with empty rows and columns.
fn sparse(
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> impl Strategy<Value = Array2<f64>> {
    (rows, columns).prop_flat_map(|(m, n)| {
        vec((0..5_u8, -3..4_i32), m * n).prop_map(move |entries| {
            let entry = |&(keep, x): &(u8, i32)| if keep == 0 { f64::from(x) } else { 0.0 };
            Array2::from_shape_vec((m, n), entries.iter().map(entry).collect()).expect("as many as asked for")
        })
    })
}

/// Returns the nonzero entries.
fn triplets(a: &Array2<f64>) -> Vec<(usize, usize, f64)> {
    a.indexed_iter().filter(|(_, x)| **x != 0.0).map(|((i, j), x)| (i, j, *x)).collect()
}

/// Nonsingular, diagonally dominant matrix.
fn regular(n: usize) -> impl Strategy<Value = Array2<f64>> {
    sparse(n..n + 1, n..n + 1).prop_map(move |mut a| {
        for i in 0..n {
            let sum: f64 = a.row(i).iter().map(|x| x.abs()).sum();
            a[[i, i]] = if i % 2 == 0 { sum + 1.0 } else { -sum - 1.0 };
        }
        a
    })
}

fn in_blocks(m: &Array2<f64>) -> Matrix {
    let n = m.nrows();
    let sizes: Vec<usize> = (0..n).map(|_| 1).collect();
    let blocks = triplets(m).into_iter().map(|(i, j, x)| (i, j, array![[x]])).collect();
    Matrix::from(BlockCsr::from_blocks(&sizes, &sizes, blocks).expect("blocks fit"))
}

fn dense_solution(a: &Array2<f64>, b: &[f64]) -> Vec<f64> {
    let mut lu = DenseLu::default();
    lu.factor(a.view()).expect("regular");
    let mut x = b.to_vec();
    lu.solve(&mut x);
    x
}

fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let largest = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= tolerance * largest, "entry {i}: {x} {y}");
    }
}

#[test]
fn patterns_that_contradict_themselves_are_refused() {
    let wrong = |what| Err(MatrixError::SparsePattern { what });
    assert_eq!(Csc::new(2, vec![0, 1], vec![0], vec![1.0, 2.0]), wrong("values"));
    assert_eq!(Csc::new(2, vec![0, 2], vec![0], vec![1.0]), wrong("starts"));
    assert_eq!(Csc::new(2, vec![1, 1], vec![0], vec![1.0]), wrong("starts"));
    let disordered = |before, after| Err(MatrixError::SparseOrder { before, after });
    assert_eq!(Csc::new(2, vec![0, 2], vec![1, 0], vec![1.0, 2.0]), disordered(1, 0));
    assert_eq!(Csc::new(2, vec![0, 2], vec![1, 1], vec![1.0, 2.0]), disordered(1, 1));
    assert_eq!(Csc::new(2, vec![0, 1], vec![2], vec![1.0]), wrong("row_indices"));
    let outside = Csc::from_triplets(2, 3, [(0, 3, 1.0)]);
    assert_eq!(outside, Err(MatrixError::EntryPosition { row: 0, column: 3, rows: 2, columns: 3 }));
    assert!(
        serde_json::from_str::<Csc>(r#"{"rows":2,"starts":[0,1],"row_indices":[7],"values":[1]}"#).is_err()
    );
    let with_columns = |columns: usize| {
        let text =
            format!(r#"{{"rows":2,"columns":{columns},"starts":[0,1],"row_indices":[1],"values":[1]}}"#);
        serde_json::from_str::<Csc>(&text).is_ok()
    };
    assert_eq!([1, 2].map(with_columns), [true, false]);
}

#[test]
fn what_is_singular_is_found_out() {
    let mut lu = SparseLu::default();
    // The matrices have an empty column, an empty row, or two equal rows. The pattern reveals the first two
    // cases, the values the third.
    for a in [array![[1.0, 0.0], [2.0, 0.0]], array![[1.0, 2.0], [0.0, 0.0]], array![[1.0, 2.0], [1.0, 2.0]]]
    {
        let found = match lu.factor(&Csc::from_matrix(MatrixRef::from(&a))) {
            Err(_) => true,
            Ok(()) => {
                let mut x = [1.0, -1.0];
                lu.solve(&mut x);
                x.iter().any(|x| !x.is_finite() || x.abs() > 1e12)
            }
        };
        assert!(found, "{a}");
        let mut newton = NewtonMatrix::default();
        for m in [Matrix::from(a.clone()), in_blocks(&a), Matrix::from(Csc::from_matrix(MatrixRef::from(&a)))]
        {
            newton.prepare(m.view(), false);
            let mut x = [1.0, -1.0];
            let solved =
                newton.factor(m.view(), &[0.0; 2], &[1.0; 2]).and_then(|()| newton.solve(m.view(), &mut x));
            assert!(solved.is_err() || x.iter().any(|x| x.abs() > 1e12), "{}: {x:?}", m.view().storage());
        }
    }
    assert!(lu.factor(&Csc::from_triplets(1, 1, [(0, 0, f64::NAN)]).expect("inside")).is_err());
    // A failure does not affect the next factorisation.
    let regular = array![[0.0, 2.0], [4.0, 0.0]];
    lu.factor(&Csc::from_matrix(MatrixRef::from(&regular))).expect("regular");
    let mut x = [2.0, 4.0];
    lu.solve(&mut x);
    assert_eq!(x, [1.0, 1.0]);

    let mut cholesky = DenseCholesky::default();
    for n in [3, 40] {
        // Indefinite, semidefinite, and with a NaN.
        for change in [-3.0, -1.0, f64::NAN] {
            let entries = cholesky.entries_mut(n);
            entries.fill(0.0);
            (0..n).for_each(|i| entries[i * n + i] = 1.0);
            entries[n + 1] += change;
            assert!(cholesky.factor().is_err(), "{n} {change}");
        }
    }
    let mut newton = NewtonMatrix::default();
    let d = Matrix::from(array![1.0, 0.0]);
    newton.prepare(d.view(), true);
    assert!(newton.factor(d.view(), &[0.0, 0.0], &[1.0, 1.0]).is_err());
    assert!(newton.factor(d.view(), &[0.0, 2.0], &[1.0, 1.0]).is_ok());
}

#[test]
fn symmetry_up_to_rounding() {
    let n = 37;
    let a = Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * j * 3 + 1) as f64).sin());
    let mut product = a.dot(&a.t());
    assert!(MatrixRef::from(&product).is_symmetric(), "a product rounds its two halves as it likes");
    let csc = Csc::from_matrix(MatrixRef::from(&product));
    assert!(MatrixRef::from(&csc).is_symmetric() && in_blocks(&product).view().is_symmetric());
    for (i, j) in [(0, 1), (36, 0), (17, 16), (5, 33)] {
        let before = product[[i, j]];
        product[[i, j]] += 1e-9;
        assert!(!MatrixRef::from(&product).is_symmetric(), "({i}, {j})");
        assert!(!in_blocks(&product).view().is_symmetric(), "({i}, {j})");
        product[[i, j]] = f64::NAN;
        assert!(!MatrixRef::from(&product).is_symmetric(), "({i}, {j})");
        product[[i, j]] = before;
    }
    assert!(!MatrixRef::from(&array![[1.0, 2.0]]).is_symmetric());
    // The mirror image of one entry is not stored.
    let lone = Csc::from_triplets(2, 2, [(0, 0, 1.0), (1, 0, 1.0), (1, 1, 1.0)]).expect("inside");
    assert!(!MatrixRef::from(&lone).is_symmetric());
}

#[test]
fn a_long_tridiagonal_system_has_its_closed_form() {
    // The solution of tridiag(-1, 2, -1) z = 1 is z_i = (i + 1)(n - i) / 2.
    let n = 5000_usize;
    let entries = (0..n).flat_map(|i| {
        (i.saturating_sub(1)..(i + 2).min(n)).map(move |j| (i, j, if i == j { 2.0 } else { -1.0 }))
    });
    let a = Csc::from_triplets(n, n, entries).expect("inside");
    let (mut lu, mut cholesky) = (SparseLu::default(), SparseCholesky::default());
    for _ in ["with a new pattern", "with the same"] {
        lu.factor(&a).expect("regular");
        cholesky.factor(&a).expect("positive definite");
        let (mut x, mut y) = (vec![1.0; n], vec![1.0; n]);
        lu.solve(&mut x);
        cholesky.solve(&mut y);
        for (i, (x, y)) in x.iter().zip(&y).enumerate() {
            let exact = ((i + 1) * (n - i)) as f64 / 2.0;
            assert!((x - exact).abs() <= 1e-9 * exact, "{i}: {x} {exact}");
            assert!((y - exact).abs() <= 1e-9 * exact, "{i}: {y} {exact}");
        }
    }
}

#[test]
fn sparse_cholesky_reads_the_upper_triangle_and_refuses_what_is_not_positive() {
    let mut cholesky = SparseCholesky::default();
    for n in [1, 4, 60, 150] {
        // Product of a banded matrix with its transpose. For large n it is so dense that columns are
        // eliminated in groups.
        let factor = Array2::from_shape_fn((n, n), |(i, j)| {
            if i.abs_diff(j) <= n / 3 { (1 + (3 * i + 5 * j) % 7) as f64 } else { 0.0 }
        });
        let a = factor.dot(&factor.t()) + Array2::<f64>::eye(n);
        let full = Csc::from_matrix(MatrixRef::from(&a));
        let upper =
            Csc::from_triplets(n, n, triplets(&a).into_iter().filter(|(i, j, _)| i <= j)).expect("inside");
        let exact: Vec<f64> = (0..n).map(|i| 1.0 - (i % 3) as f64).collect();
        let b = a.dot(&Array1::from(exact.clone())).to_vec();
        for matrix in [&full, &upper] {
            cholesky.factor(matrix).expect("positive definite");
            let mut x = b.clone();
            cholesky.solve(&mut x);
            assert_near(&x, &exact, 1e-8);
        }
        let mut changed = full.clone();
        let trace: f64 = a.diag().sum();
        for (change, place) in [(-2.0 * trace, n / 2), (f64::NAN, 0), (f64::INFINITY, n - 1)] {
            let k =
                (changed.starts()[place]..).find(|&k| changed.row_indices()[k] == place).expect("a diagonal");
            let before = changed.values()[k];
            changed.values_mut()[k] += change;
            assert!(cholesky.factor(&changed).is_err(), "{n} {change}");
            changed.values_mut()[k] = before;
        }
        cholesky.factor(&changed).expect("after a failure as good as new");
    }
    cholesky.factor(&Csc::default()).expect("nothing to do");
    cholesky.solve(&mut []);
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn columns_hold_what_the_matrix_holds(a in sparse(1..9, 1..9)) {
        let (rows, columns) = a.dim();
        let mut shuffled = triplets(&a);
        shuffled.reverse();
        // One entry is given as two terms, which are added.
        if let Some((i, j, x)) = shuffled.pop() {
            shuffled.extend([(i, j, x - 1.0), (i, j, 1.0)]);
        }
        let csc = Csc::from_triplets(rows, columns, shuffled).expect("inside");
        prop_assert_eq!(csc.to_dense(), a.clone());
        prop_assert_eq!((csc.rows(), csc.columns()), (rows, columns));
        let again = Csc::new(rows, csc.starts().to_vec(), csc.row_indices().to_vec(), csc.values().to_vec());
        prop_assert_eq!(again.as_ref(), Ok(&csc));
        prop_assert_eq!(Csc::from_matrix(MatrixRef::from(&a)).to_dense(), a.clone());
        let text = serde_json::to_string(&csc).expect("plain numbers");
        prop_assert_eq!(serde_json::from_str::<Csc>(&text).expect("as written"), csc.clone());
        let mut turned = Csc::default();
        turned.copy_transposed(&csc);
        prop_assert_eq!(turned.to_dense(), a.t().to_owned());
        let mut back = Csc::default();
        back.copy_transposed(&turned);
        prop_assert_eq!(back.to_dense(), a.clone());
        for ((i, j), x) in a.indexed_iter() {
            prop_assert_eq!(csc.get(i, j), *x);
        }
        // Products of small integers are exact in any order.
        let x: Vec<f64> = (0..columns).map(|j| j as f64 - 2.0).collect();
        let mut y = vec![1.0; rows];
        MatrixRef::from(&csc).add_product(2.0, &x, &mut y);
        prop_assert_eq!(&y, &(2.0 * a.dot(&Array1::from(x.clone())) + 1.0).to_vec());
        let u: Vec<f64> = (0..rows).map(|i| 3.0 - i as f64).collect();
        let mut v = vec![1.0; columns];
        MatrixRef::from(&csc).add_transposed_product(-1.0, &u, &mut v);
        prop_assert_eq!(&v, &(1.0 - a.t().dot(&Array1::from(u))).to_vec());
    }

    #[test]
    fn sparse_factors_solve_as_dense_ones(a in (1..30_usize).prop_flat_map(regular), phase in 0..50_usize) {
        let n = a.nrows();
        let b: Vec<f64> = (0..n).map(|i| ((i * 5 + phase) % 9) as f64 - 4.0).collect();
        let mut lu = SparseLu::default();
        lu.factor(&Csc::from_matrix(MatrixRef::from(&a))).expect("dominant");
        let mut x = b.clone();
        lu.solve(&mut x);
        assert_near(&x, &dense_solution(&a, &b), 1e-11);
    }

    #[test]
    fn cholesky_solves_as_lu(n in 1..60_usize, shift in 0.5..2.0_f64) {
        let a = Array2::from_shape_fn((n, n), |(i, j)| ((i * 3 + j * j + 1) as f64).cos());
        let spd: Array2<f64> = a.dot(&a.t()) + Array2::<f64>::eye(n) * shift;
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let mut cholesky = DenseCholesky::default();
        // Entries above the diagonal are not read.
        for (k, entry) in cholesky.entries_mut(n).iter_mut().enumerate() {
            let (j, i) = (k / n, k % n);
            *entry = if i >= j { spd[[i, j]] } else { f64::NAN };
        }
        cholesky.factor().expect("definite");
        let mut x = b.clone();
        cholesky.solve(&mut x);
        assert_near(&x, &dense_solution(&spd, &b), 1e-9);
    }

    #[test]
    fn newton_matrices_in_every_storage(
        (m, rows) in (1..30_usize).prop_flat_map(|n| (regular(n), vec((0..4_u8, 0.1..2.0_f64, 0.1..2.0_f64), n)))
    ) {
        let n = m.nrows();
        // Rows with a = 0, rows with b = 0, and rows with both, with either sign of b.
        let a: Vec<f64> = rows.iter().map(|(kind, a, _)| if *kind == 0 { 0.0 } else { *a }).collect();
        let b: Vec<f64> = rows.iter().map(|(kind, _, b)| match kind { 1 => 0.0, 2 => -b, _ => *b }).collect();
        let whole = Array2::from_shape_fn((n, n), |(i, j)| b[i] * m[[i, j]] + if i == j { a[i] } else { 0.0 });
        let mut lu = DenseLu::default();
        prop_assume!(lu.factor(whole.view()).is_ok());
        let mut exact: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).sin()).collect();
        let right_hand_side = exact.clone();
        lu.solve(&mut exact);
        let largest = exact.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        prop_assume!(largest < 1e4);
        let mut newton = NewtonMatrix::default();
        for matrix in [
            Matrix::from(m.clone()),
            in_blocks(&m),
            Matrix::from(Csc::from_matrix(MatrixRef::from(&m))),
        ] {
            newton.prepare(matrix.view(), false);
            newton.factor(matrix.view(), &a, &b).expect("as the dense one");
            let mut x = right_hand_side.clone();
            newton.solve(matrix.view(), &mut x).expect("as the dense one");
            assert_near(&x, &exact, 1e-7);
        }
    }

    #[test]
    fn newton_matrices_of_symmetric_and_diagonal_ones(
        (m, rows) in (1..40_usize).prop_flat_map(|n| (regular(n), vec((0..3_u8, 0.1..2.0_f64, 0.1..2.0_f64), n)))
    ) {
        let n = m.nrows();
        let a: Vec<f64> = rows.iter().map(|(kind, a, _)| if *kind == 0 { 0.0 } else { *a }).collect();
        let b: Vec<f64> = rows.iter().map(|(kind, _, b)| if *kind == 1 { 0.0 } else { *b }).collect();
        let spd = m.dot(&m.t());
        let diagonal = spd.diag().to_owned();
        for (matrix, dense) in [
            (Matrix::from(spd.clone()), spd.clone()),
            (Matrix::from(diagonal.clone()), Array2::from_diag(&diagonal)),
        ] {
            let whole =
                Array2::from_shape_fn((n, n), |(i, j)| b[i] * dense[[i, j]] + if i == j { a[i] } else { 0.0 });
            let right_hand_side: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).cos()).collect();
            let mut newton = NewtonMatrix::default();
            newton.prepare(matrix.view(), true);
            newton.factor(matrix.view(), &a, &b).expect("definite where it matters");
            let mut x = right_hand_side.clone();
            newton.solve(matrix.view(), &mut x).expect("definite where it matters");
            // The solution is checked by substitution into the system.
            let back = whole.dot(&Array1::from(x.clone()));
            let size = whole.iter().fold(1.0_f64, |m, x| m.max(x.abs()))
                * x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (got, asked) in back.iter().zip(&right_hand_side) {
                prop_assert!((got - asked).abs() <= 1e-11 * size, "{} {}", got, asked);
            }
        }
    }

    #[test]
    fn long_vectors_as_short_ones(n in 0..300_usize) {
        // Sums of small integers are exact in any order.
        let a: Vec<f64> = (0..n).map(|i| (i % 7) as f64 - 3.0).collect();
        let b: Vec<f64> = (0..n + 5).map(|i| (i % 5) as f64 - 2.0).collect();
        let plain: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        prop_assert_eq!(dot(&a, &b), plain);
        prop_assert_eq!(dot(&b, &a), plain);
        let mut y = b.clone();
        add_scaled(2.0, &a, &mut y);
        for i in 0..b.len() {
            prop_assert_eq!(y[i], b[i] + a.get(i).map_or(0.0, |a| 2.0 * a));
        }
    }
}
