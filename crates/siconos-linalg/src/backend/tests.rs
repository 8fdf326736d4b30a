//! Comparison of the two backends for large dense matrices.

use ndarray::{Array2, array};

use super::{lapack, portable};

/// A fixed, nonsingular, unsymmetric matrix.
fn regular(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j)| {
        let off_diagonal = ((3 * i + 7 * j) as f64).sin();
        if (i + 1) % n == j { off_diagonal + 2.0 } else { off_diagonal }
    })
}

fn are_near(a: &[f64], b: &[f64], bound: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= bound)
}

fn sorted(mut values: Vec<(f64, f64)>) -> Vec<f64> {
    // Two pairs can have equal real parts up to rounding, so the values are sorted by their imaginary parts
    // first.
    values.sort_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then(a.0.total_cmp(&b.0)));
    values.iter().flat_map(|z| [z.0, z.1.abs()]).collect()
}

#[test]
fn solutions_and_conditions_agree() {
    for n in [25, 40, 100] {
        let a = regular(n);
        let (first, second) = (lapack::LargeLu::factor(a.clone()), portable::LargeLu::factor(a.clone()));
        let (first, second) = (first.expect("regular"), second.expect("regular"));
        let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let (mut x, mut y) = (b.clone(), b);
        first.solve(&mut x);
        second.solve(&mut y);
        let size = x.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
        assert!(are_near(&x, &y, 1e-9 * size), "{n}");
        // Both backends compute a lower bound on the norm of the inverse. They use different norms of the
        // matrix.
        let ratio = first.reciprocal_condition() / second.reciprocal_condition();
        assert!((0.1..10.0).contains(&ratio), "{n}: {ratio}");
    }
}

/// The estimate is a lower bound on the norm of the inverse, within a factor of three.
#[test]
fn conditions_are_those_of_the_inverse() {
    for n in [2, 5, 25, 60] {
        let a = regular(n);
        let factors = portable::LargeLu::factor(a.clone()).expect("regular");
        let norm = |columns: Vec<Vec<f64>>| {
            let sums = columns.iter().map(|column| column.iter().map(|x| x.abs()).sum::<f64>());
            sums.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
        };
        let of_matrix = norm(a.columns().into_iter().map(|column| column.to_vec()).collect());
        let of_inverse = norm((0..n).map(|j| column_of_inverse(&factors, n, j)).collect());
        let ratio = factors.reciprocal_condition() * of_matrix * of_inverse;
        assert!((1.0 - 1e-12..3.0).contains(&ratio), "{n}: {ratio}");
    }
}

fn column_of_inverse(factors: &portable::LargeLu, n: usize, j: usize) -> Vec<f64> {
    let mut x = vec![0.0; n];
    x[j] = 1.0;
    factors.solve(&mut x);
    x
}

/// Entries are near both ends of the range of floating-point numbers.
#[test]
fn eigenvalues_of_huge_and_tiny_matrices() {
    for size in [1e-290, 1e-150, 1e150, 1e290] {
        let values =
            sorted(portable::eigenvalues((array![[0.0, 2.0], [2.0, 3.0]] * size).view()).expect("converged"));
        // The exact eigenvalues are 4 and -1 times `size`.
        let real: Vec<f64> = values.iter().step_by(2).map(|x| x / size).collect();
        assert!(are_near(&real, &[-1.0, 4.0], 1e-14), "{size:e}: {real:?}");
    }
}

#[test]
fn conditions_of_scaled_identities_and_of_singular_matrices() {
    // The condition number of diag(1, 1/2, .., 2^-29) is exactly 2^29.
    let diagonal =
        Array2::from_shape_fn((30, 30), |(i, j)| if i == j { 0.5_f64.powi(i as i32) } else { 0.0 });
    let factors = portable::LargeLu::factor(diagonal).expect("regular");
    assert_eq!(factors.reciprocal_condition(), 0.5_f64.powi(29));
    let ones = Array2::<f64>::ones((30, 30));
    assert!(portable::LargeLu::factor(ones).is_none_or(|factors| factors.reciprocal_condition() < 1e-15));
}

#[test]
fn spectra_agree() {
    for n in [1, 2, 3, 10, 30] {
        let a = regular(n);
        let bound = 1e-12 * n as f64;
        let first = sorted(lapack::eigenvalues(a.view()).expect("converged"));
        let second = sorted(portable::eigenvalues(a.view()).expect("converged"));
        assert!(are_near(&first, &second, bound), "{n}: {first:?} {second:?}");
        let symmetric = &a + &a.t();
        let (first, _) = lapack::symmetric_eigen(&symmetric).expect("converged");
        let (second, vectors) = portable::symmetric_eigen(&symmetric).expect("converged");
        assert!(are_near(&first, &second, bound), "{n}");
        let left = symmetric.dot(&vectors) - &vectors * &ndarray::Array1::from(second);
        assert!(left.iter().all(|x| x.abs() <= bound), "{n}");
        let rectangular = a.slice(ndarray::s![..n.div_ceil(2), ..]);
        let first = lapack::singular_values(rectangular).expect("converged");
        let second = portable::singular_values(rectangular).expect("converged");
        assert!(are_near(&first, &second, bound), "{n}");
        let first = lapack::complex_singular_values(a.view(), symmetric.view()).expect("converged");
        let second = portable::complex_singular_values(a.view(), symmetric.view()).expect("converged");
        assert!(are_near(&first, &second, bound), "{n}");
    }
}

/// Without balancing, eigenvalues of matrices with very different units lose all significant digits.
#[test]
fn eigenvalues_in_unequal_units() {
    let a = array![[1.0, 1e10, 0.0], [1e-10, 2.0, 1e12], [0.0, 1e-12, 4.0]];
    let units = array![[1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 4.0]];
    let scaled = sorted(portable::eigenvalues(a.view()).expect("converged"));
    let plain = sorted(portable::eigenvalues(units.view()).expect("converged"));
    assert!(are_near(&scaled, &plain, 1e-13), "{scaled:?} {plain:?}");
}
