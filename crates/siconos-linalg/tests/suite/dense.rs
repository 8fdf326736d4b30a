//! Small matrices and the dense factorisation: known inverses, residuals, and rejected matrices.

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use siconos_linalg::{DenseLu, LARGEST_OWN_LU, Matrix, SingularMatrix, SmallMatrix, dot, norm};
use siconos_testkit::compare::assert_close;
use siconos_testkit::lcp::strategy::{RandomLcp, p_matrix};
use siconos_testkit::random::config;

/// Fixed, nonsingular, unsymmetric matrix of any size, with the entries 1 / (i + 2 j + 1), plus i + 1 on the
/// diagonal.
fn regular(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| {
        1.0 / ((i + 2 * j + 1) as f64) + if i == j { i as f64 + 1.0 } else { 0.0 }
    })
}

#[test]
fn small_matrices_multiply_and_transpose_as_written() {
    let a = SmallMatrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]);
    assert_eq!(a.mul_vector(&[1.0, -1.0, 2.0]), [5.0, 11.0, 19.0]);
    assert_eq!(a.transpose().0, [[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 10.0]]);
    assert_eq!(SmallMatrix::<3>::identity().mul_vector(&[7.0, 8.0, 9.0]), [7.0, 8.0, 9.0]);
    assert_eq!(SmallMatrix::<2>::ZERO.mul_vector(&[7.0, 8.0]), [0.0, 0.0]);
}

#[test]
fn small_systems_by_hand() {
    // The solution of [1 2 3; 4 5 6; 7 8 10] x = (1, 2, 3) is x = (-1/3, 2/3, 0).
    let a = SmallMatrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]);
    let x = a.solve([1.0, 2.0, 3.0]).expect("regular");
    assert_close("x", &x, &[-1.0 / 3.0, 2.0 / 3.0, 0.0], 1e-14, 0.0);
    // A zero in the first position requires a row exchange.
    let x = SmallMatrix([[0.0, 2.0], [4.0, 0.0]]).solve([6.0, 8.0]).expect("regular");
    assert_eq!(x, [2.0, 3.0]);
    assert_eq!(SmallMatrix([[-8.0]]).solve([4.0]), Some([-0.5]));
}

#[test]
fn small_singular_matrices_are_refused() {
    let singular = SmallMatrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    assert_eq!(singular.solve([1.0; 3]), None);
    assert_eq!(SmallMatrix([[0.0]]).solve([1.0]), None);
    assert_eq!(SmallMatrix([[f64::NAN, 1.0], [1.0, 1.0]]).solve([1.0, 1.0]), None);
    assert_eq!(SmallMatrix([[1.0, 1.0], [f64::NAN, 1.0]]).solve([1.0, 1.0]), None);
    // Small entries alone do not make a matrix singular.
    assert_eq!(SmallMatrix([[1e-200, 0.0], [0.0, 2e-200]]).solve([1e-200, 1e-200]), Some([1.0, 0.5]));
}

/// Every size is tested, on both sides of the limit above which LAPACK is used. The error is relative.
#[test]
fn dense_systems_of_every_size_up_to_forty() {
    let mut lu = DenseLu::default();
    // Sizes increase and then decrease: data of a larger system must not affect a smaller one.
    for n in (1..=40).chain((1..=40).rev()) {
        let a = regular(n);
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin() + 0.1).collect();
        let mut b = a.dot(&Array1::from(x.clone())).to_vec();
        lu.factor(a.view()).expect("regular");
        assert_eq!(lu.size(), n);
        lu.solve(&mut b);
        assert_close(&format!("n = {n}"), &b, &x, 1e-13, 1e-13);
    }
}

#[test]
fn own_factorisation_and_lapack_agree_at_the_border() {
    // The same system with 24 unknowns, and with a 25th unknown that is not coupled.
    let n = LARGEST_OWN_LU;
    let small = regular(n);
    let large = Array2::from_shape_fn((n + 1, n + 1), |(i, j)| match (i < n, j < n) {
        (true, true) => small[[i, j]],
        (false, false) => 1.0,
        _ => 0.0,
    });
    let (mut own, mut lapack) = (DenseLu::default(), DenseLu::default());
    own.factor(small.view()).expect("regular");
    lapack.factor(large.view()).expect("regular");
    assert!(format!("{own:?}").contains("by_library: false"), "{own:?}");
    assert!(format!("{lapack:?}").contains("by_library: true"), "{lapack:?}");
    let (mut a, mut b) = (vec![1.0; n], vec![1.0; n + 1]);
    own.solve(&mut a);
    lapack.solve(&mut b);
    assert_close("x", &a, &b[..n], 1e-14, 1e-14);
}

#[test]
fn one_factorisation_serves_many_right_hand_sides() {
    for n in [3, 30] {
        let a = regular(n);
        let mut lu = DenseLu::default();
        lu.factor(a.view()).expect("regular");
        for k in 0..n {
            let mut b = a.column(k).to_vec();
            lu.solve(&mut b);
            let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == k))).collect();
            assert_close(&format!("n = {n}, column {k}"), &b, &unit, 1e-13, 0.0);
        }
    }
}

#[test]
fn matrices_in_any_layout_are_read_by_their_indices() {
    for n in [4, 30] {
        let a = regular(n);
        let mut lu = DenseLu::default();
        lu.factor(a.t()).expect("regular");
        let x: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
        let mut b = a.t().dot(&Array1::from(x.clone())).to_vec();
        lu.solve(&mut b);
        assert_close("transposed", &b, &x, 1e-12, 1e-12);
        // Every second row and column of a larger matrix: neither row-major nor column-major.
        let wide = Array2::from_shape_fn((2 * n, 2 * n), |(i, j)| a[[i / 2, j / 2]]);
        lu.factor(wide.slice(ndarray::s![..;2, ..;2])).expect("regular");
        let mut b = a.dot(&Array1::from(x.clone())).to_vec();
        lu.solve(&mut b);
        assert_close("strided", &b, &x, 1e-12, 1e-12);
    }
}

#[test]
fn singular_matrices_of_every_size_are_refused() {
    for n in 1..=40 {
        // The last row repeats the first, or is zero.
        let mut repeated = regular(n);
        let first = if n == 1 { Array1::zeros(1) } else { repeated.row(0).to_owned() };
        repeated.row_mut(n - 1).assign(&first);
        let refused = DenseLu::default().factor(repeated.view()).expect_err("it is singular");
        match refused {
            SingularMatrix::Pivot { column, pivot } => {
                assert!(n <= LARGEST_OWN_LU && column == n - 1, "n = {n}: {refused}");
                assert!(pivot.abs() < 1e-14, "n = {n}: {refused}");
            }
            SingularMatrix::Condition { reciprocal } => {
                assert!(n > LARGEST_OWN_LU && reciprocal < 1e-15, "n = {n}: {refused}");
            }
        }
    }
}

#[test]
fn a_matrix_that_is_nearly_singular_is_refused_on_both_sides() {
    // The matrix has rank one up to 1e-18, and its entries are near 1e6, because the threshold is relative.
    for n in [2, 24, 25, 40] {
        let a = Array2::from_shape_fn((n, n), |(i, j)| 1e6 * ((i + 1) * (j + 1)) as f64);
        assert!(DenseLu::default().factor(a.view()).is_err(), "n = {n}");
        // Small entries are accepted if all entries are small.
        assert!(DenseLu::default().factor((regular(n) * 1e-150).view()).is_ok(), "n = {n}");
    }
}

#[test]
fn entries_that_are_not_finite_are_refused() {
    for n in [1, 2, 5, 24, 25, 40] {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (i, j) in [(0, 0), (n - 1, 0), (0, n - 1), (n - 1, n - 1), (n / 2, n / 3)] {
                let mut a = regular(n);
                a[[i, j]] = bad;
                let result = DenseLu::default().factor(a.view());
                assert!(result.is_err(), "n = {n}, {bad} at ({i}, {j})");
            }
        }
    }
}

#[test]
fn after_a_refusal_the_object_is_as_good_as_new() {
    for n in [3, 30] {
        let mut lu = DenseLu::default();
        assert!(lu.factor(Array2::zeros((n, n)).view()).is_err());
        lu.factor(regular(n).view()).expect("regular");
        let mut b = regular(n).sum_axis(ndarray::Axis(1)).to_vec();
        lu.solve(&mut b);
        assert_close("ones", &b, &vec![1.0; n], 1e-13, 0.0);
    }
}

#[test]
fn no_unknowns_are_no_trouble() {
    let mut lu = DenseLu::default();
    assert_eq!(lu.factor(Array2::zeros((0, 0)).view()), Ok(()));
    lu.solve(&mut []);
    assert_eq!(lu.size(), 0);
}

#[test]
#[should_panic(expected = "square")]
fn a_matrix_that_is_not_square_is_the_callers_mistake() {
    let _ = DenseLu::default().factor(Array2::zeros((2, 3)).view());
}

#[test]
#[should_panic(expected = "the length of the right-hand side")]
fn a_short_right_hand_side_is_the_callers_mistake() {
    let mut lu = DenseLu::default();
    lu.factor(regular(3).view()).expect("regular");
    lu.solve(&mut [1.0, 2.0]);
}

#[test]
fn vectors_multiply_over_the_shorter_length() {
    assert_eq!(dot(&[1.0, 2.0, 3.0], &[4.0, 5.0]), 14.0);
    assert_eq!(norm(&[3.0, -4.0]), 5.0);
    assert_eq!(norm(&[]), 0.0);
}

#[test]
fn every_storage_multiplies_alike() {
    let diagonal = Matrix::from(array![2.0, -3.0]);
    let dense = Matrix::from(array![[2.0, 0.0], [0.0, -3.0]]);
    for matrix in [diagonal, dense] {
        let mut y = [1.0, 1.0];
        matrix.add_product(-0.5, &[4.0, 2.0], &mut y);
        assert_eq!(y, [-3.0, 4.0], "{}", matrix.view().storage());
        assert_eq!(matrix.view().to_dense(), array![[2.0, 0.0], [0.0, -3.0]]);
    }
    // A column-major matrix is copied to row-major storage. Its entries do not change.
    let transposed = Matrix::from(array![[1.0, 2.0], [3.0, 4.0]].reversed_axes());
    assert_eq!(transposed.view().to_dense(), array![[1.0, 3.0], [2.0, 4.0]]);
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn small_and_dense_solve_alike(RandomLcp { m, q } in p_matrix(5..6)) {
        let a = SmallMatrix(std::array::from_fn::<[f64; 5], 5, _>(|i| std::array::from_fn(|j| m[[i, j]])));
        let b: [f64; 5] = std::array::from_fn(|i| q[i]);
        let x = a.solve(b).ok_or_else(|| TestCaseError::fail("it is regular"))?;
        let mut lu = DenseLu::default();
        prop_assert!(lu.factor(m.view()).is_ok());
        let mut y = q.clone();
        lu.solve(&mut y);
        for (i, (x, y)) in x.iter().zip(&y).enumerate() {
            prop_assert!((x - y).abs() <= 1e-11 * x.abs().max(1.0), "{}: {} {}", i, x, y);
        }
        for (b, ax) in q.iter().zip(a.mul_vector(&x)) {
            prop_assert!((b - ax).abs() <= 1e-11, "residual {:e}", b - ax);
        }
    }
}

#[test]
fn factors_in_any_units_are_the_same_bit_for_bit() {
    // The sizes are below and above the limit of this crate's own elimination. The matrices are unsymmetric,
    // and rows and columns have different units.
    for n in [2, 3, 7, 24, 25, 40] {
        let entry = |i: usize, j: usize| {
            let x = (1.7 * i as f64 + 0.9 * (i * j) as f64 + 2.3 * j as f64).sin();
            if i == j { 0.3 + x.abs() } else { x }
        };
        let power = |k: usize| ((k * k * 7 + k) as i32 % 61 - 30) as f64;
        let solve = |scaled: bool| {
            let row = |i: usize| if scaled { power(i).exp2() } else { 1.0 };
            let column = |j: usize| if scaled { power(j + 5).exp2() } else { 1.0 };
            let a = Array2::from_shape_fn((n, n), |(i, j)| entry(i, j) * row(i) * column(j));
            let mut lu = DenseLu::default();
            lu.factor_in_any_units(a.view()).unwrap();
            let mut x: Vec<_> = (0..n).map(|i| (i as f64 - 1.5) * row(i)).collect();
            lu.solve(&mut x);
            x.iter().enumerate().map(|(j, x)| x * column(j)).collect::<Vec<_>>()
        };
        let (expected, other) = (solve(false), solve(true));
        assert!(other.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "n = {n}");
        for i in 0..n {
            let terms = (0..n).map(|j| entry(i, j) * expected[j]);
            let (sum, size) = terms.fold((0.0, 0.0), |(sum, size): (f64, f64), x| (sum + x, size + x.abs()));
            assert!((sum - (i as f64 - 1.5)).abs() < 1e-12 * size.max(1.0), "n = {n}, row {i}: {sum}");
        }
    }
}

/// The units of volts and amperes differ by a factor of 2^133; in equal units the matrix is [[1, 0.25],
/// [-0.5, 1]].
#[test]
fn a_regular_matrix_is_regular_in_all_units() {
    let (far, near) = (2.0_f64.powi(133), 2.0_f64.powi(-133));
    for unit in [1.0, far, near] {
        let mut lu = DenseLu::default();
        lu.factor_in_any_units(array![[1.0, 0.25 * unit], [-0.5 / unit, 1.0]].view()).unwrap();
        // x = (1, 2)
        let mut x = [1.5, 1.5 / unit];
        lu.solve(&mut x);
        assert_eq!([x[0], x[1] * unit], [1.0, 2.0]);
    }
    let singular = array![[1.0, 0.5 * far], [2.0 * near, 1.0]];
    assert!(DenseLu::default().factor_in_any_units(singular.view()).is_err());
}

/// Some diagonal entries are only rounding errors of zeros, and must not determine the scale factors. The
/// sizes are below and above the limit of this crate's own elimination.
#[test]
fn a_diagonal_of_rounding_makes_no_regular_matrix_singular() {
    for n in [3, 10, 24, 25, 30, 60] {
        let entry = |i: usize, j: usize| {
            let x = (0.4 + 1.7 * i as f64 + 0.9 * (i * j) as f64 + 2.3 * j as f64).sin();
            if i == j && i.is_multiple_of(2) { 1e-17 * x } else { x }
        };
        let a = Array2::from_shape_fn((n, n), |(i, j)| entry(i, j));
        let expected: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
        let right = a.dot(&Array1::from(expected.clone())).to_vec();
        let mut x = right.clone();
        let mut lu = DenseLu::default();
        lu.factor_in_any_units(a.view()).unwrap();
        lu.solve(&mut x);
        assert_close("x", &x, &expected, 1e-10, 0.0);
        let far = 2.0_f64.powi(70);
        let mut in_other_units = a.clone();
        in_other_units.row_mut(1).mapv_inplace(|x| x * far);
        let mut y = right;
        y[1] *= far;
        lu.factor_in_any_units(in_other_units.view()).unwrap();
        lu.solve(&mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| x.to_bits() == y.to_bits()), "{x:?} {y:?}");
    }
}
