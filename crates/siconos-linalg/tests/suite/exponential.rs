//! Matrix exponential and zero-order hold: closed forms, functional equations, series, and rejected input.

use ndarray::{Array2, array, s};
use siconos_linalg::{DenseLu, ExponentialError, exponential, zero_order_hold};

fn exp(a: &Array2<f64>) -> Array2<f64> {
    exponential(a.view()).unwrap()
}

/// Largest difference of two matrices, relative to the largest entry of the second.
fn difference(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let largest =
        |a: &Array2<f64>| a.iter().fold(0.0_f64, |m, x| if x.is_nan() { *x } else { m.max(x.abs()) });
    largest(&(a - b)) / largest(b)
}

/// Largest relative difference of two entries.
fn relative(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    a.iter().zip(b).fold(0.0_f64, |m, (a, b)| {
        let d = if a == b { 0.0 } else { (a - b).abs() / b.abs() };
        if d.is_nan() { f64::INFINITY } else { m.max(d) }
    })
}

fn numbers(start: u64) -> impl FnMut() -> f64 {
    let mut state = start;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn random(n: usize, start: u64) -> Array2<f64> {
    Array2::from_shape_simple_fn((n, n), numbers(start))
}

fn inverse(a: &Array2<f64>) -> Array2<f64> {
    let mut lu = DenseLu::default();
    lu.factor(a.view()).unwrap();
    let mut columns = Array2::eye(a.nrows());
    for mut column in columns.rows_mut() {
        lu.solve(column.as_slice_mut().unwrap());
    }
    columns.reversed_axes().as_standard_layout().into_owned()
}

/// Product of reflections, which is orthogonal up to rounding.
fn orthogonal(n: usize, start: u64) -> Array2<f64> {
    let mut number = numbers(start);
    let mut q = Array2::eye(n);
    for _ in 0..3 {
        let v = Array2::from_shape_simple_fn((n, 1), &mut number);
        let square: f64 = v.iter().map(|x| x * x).sum();
        q = &q - &(q.dot(&v).dot(&v.t()) * (2.0 / square));
    }
    q
}

#[test]
fn rotations_of_every_angle() {
    // Together, these angles use every degree of the approximant, with and without squarings.
    for angle in [1e-10, 1e-3, 0.01, 0.2, 0.9, 2.0, 4.0, 10.0, 100.0] {
        let turn = exp(&array![[0.0, -angle], [angle, 0.0]]);
        let expected = array![[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]];
        assert!(difference(&turn, &expected) < 2e-16 * (8.0 + 4.0 * angle), "{angle}: {turn} {expected}");
    }
}

#[test]
fn diagonal_and_nothing() {
    let d = [-1e6, -700.0, -1.0, 0.0, 1e-9, 3.0, 700.0];
    let all = exp(&Array2::from_diag(&ndarray::Array1::from(d.to_vec())));
    for (i, d) in d.iter().enumerate() {
        assert_eq!(all[[i, i]], d.exp());
    }
    assert_eq!(exp(&Array2::zeros((3, 3))), Array2::<f64>::eye(3));
    assert_eq!(exp(&Array2::zeros((0, 0))).dim(), (0, 0));
    assert!(relative(&exp(&array![[1.5]]), &array![[1.5_f64.exp()]]) < 1e-15);
}

#[test]
fn nilpotent_matrices_give_a_polynomial_at_any_size() {
    for size in [1e-8, 1.0, 1e8, 1e40, 1e150] {
        let a: Array2<f64> = array![[0.0, size, 2.0 * size], [0.0, 0.0, 3.0 * size], [0.0, 0.0, 0.0]];
        let expected = Array2::<f64>::eye(3) + &a + a.dot(&a) * 0.5;
        assert!(relative(&exp(&a), &expected) < 2e-13, "{size}: {}", exp(&a));
    }
    // Entries near the largest floating-point number.
    for size in [1e160, 1e300] {
        let shear = array![[0.0, size], [0.0, 0.0]];
        assert!(relative(&exp(&shear), &array![[1.0, size], [0.0, 1.0]]) < 1e-12, "{size}");
    }
    // A chain of integrators has the entries t^k / k!.
    let (n, t) = (8, 0.7_f64);
    let chain = Array2::from_shape_fn((n, n), |(i, j)| if j == i + 1 { t } else { 0.0 });
    let term = |k: usize| (1..=k).fold(1.0, |p, l| p * t / l as f64);
    let expected = Array2::from_shape_fn((n, n), |(i, j)| if j >= i { term(j - i) } else { 0.0 });
    assert!(relative(&exp(&chain), &expected) < 1e-14);
}

#[test]
fn jordan_blocks() {
    for eigenvalue in [-20.0, -3.0, -0.1, 0.5, 4.0] {
        for t in [0.05_f64, 1.0, 3.0] {
            let block = Array2::from_shape_fn((4, 4), |(i, j)| match (i, j) {
                (i, j) if i == j => eigenvalue * t,
                (i, j) if j == i + 1 => t,
                _ => 0.0,
            });
            let term = |k: usize| (1..=k).fold((eigenvalue * t).exp(), |p, l| p * t / l as f64);
            let expected = Array2::from_shape_fn((4, 4), |(i, j)| if j >= i { term(j - i) } else { 0.0 });
            assert!(difference(&exp(&block), &expected) < 1e-13, "{eigenvalue} {t}");
        }
    }
}

/// The matrices are symmetric, so that the exponential is well conditioned and an error of 1e-14 is
/// attainable.
#[test]
fn symmetric_matrices_agree_with_their_eigenvalues() {
    for (case, n) in [1, 2, 3, 5, 10, 30, 40].into_iter().enumerate() {
        for size in [1e-3, 0.1, 1.0, 3.0, 10.0, 40.0] {
            let q = orthogonal(n, case as u64);
            let mut number = numbers(77 + case as u64);
            let d = ndarray::Array1::from_shape_simple_fn(n, || size * number());
            let build = |d: &ndarray::Array1<f64>| q.dot(&Array2::from_diag(d)).dot(&q.t());
            let expected = build(&d.mapv(f64::exp));
            let error = difference(&exp(&build(&d)), &expected);
            assert!(error < 1e-14 * (1.0 + size), "n = {n}, size {size}: {error:e}");
            if size <= 3.0 {
                assert!(error < 1e-14, "n = {n}, size {size}: {error:e}");
            }
        }
    }
}

#[test]
fn the_functional_equations_hold() {
    for (case, n) in [2, 3, 4, 6, 12, 30].into_iter().enumerate() {
        for size in [0.01, 0.3, 1.0, 2.0] {
            let a = random(n, 5 + case as u64) * size;
            let (e, back) = (exp(&a), exp(&-&a));
            // exp(A) exp(-A) = I, up to rounding errors multiplied by the condition number of the product.
            let norm = |a: &Array2<f64>| a.iter().map(|x| x * x).sum::<f64>().sqrt();
            let error = norm(&(e.dot(&back) - Array2::<f64>::eye(n)));
            assert!(error < 1e-14 * norm(&e) * norm(&back), "{n} {size}: {error:e}");
            // The semigroup property, and the exponential of the transpose.
            let (third, rest) = (exp(&(&a * 0.3)), exp(&(&a * 0.7)));
            assert!(difference(&third.dot(&rest), &e) < 1e-13, "{n} {size}");
            let transposed = exp(&a.t().to_owned());
            assert!(difference(&transposed.t().to_owned(), &e) < 1e-13);
            // The determinant is the exponential of the trace.
            if n == 2 {
                let determinant = e[[0, 0]] * e[[1, 1]] - e[[0, 1]] * e[[1, 0]];
                assert!((determinant / a.diag().sum().exp() - 1.0).abs() < 1e-12);
            }
            // d/dt exp(A t) = A exp(A t), by central differences of order 4.
            let (t, d) = (1.0, 1e-3);
            let at = |t: f64| exp(&(&a * t));
            let slope = (at(t - 2.0 * d) - at(t + 2.0 * d) + (at(t + d) - at(t - d)) * 8.0) / (12.0 * d);
            let expected = a.dot(&e);
            let bound = 1e-12 + 1e-12 * (n as f64 * size).powi(5) + 1e-12 / size;
            assert!(difference(&slope, &expected) < bound, "{n} {size}");
        }
    }
}

/// An undamped LC circuit in SI units, with entries 1e6 and 100 and eigenvalues of magnitude 1e4.
#[test]
fn a_circuit_whose_units_are_far_apart() {
    let (l, c) = (1e-2_f64, 1e-6);
    let a = array![[0.0, -1.0 / c], [1.0 / l, 0.0]];
    let (omega, z) = (1.0 / (l * c).sqrt(), (l / c).sqrt());
    for h in [1e-9_f64, 1e-6, 1e-4, 1e-2] {
        let phase = omega * h;
        let expected = array![[phase.cos(), -z * phase.sin()], [phase.sin() / z, phase.cos()]];
        let error = relative(&exp(&(&a * h)), &expected);
        assert!(error < 1e-15 * (10.0 + 20.0 * phase), "h = {h}: {error:e}");
    }
}

/// Example (1.2) of Al-Mohy and Higham (2009). With the scaling of Higham (2005) the result loses digits as b
/// grows.
#[test]
fn far_from_normal_matrices_are_not_scaled_too_much() {
    for b in [1e1, 1e4, 1e8, 1e12] {
        let a = array![[1.0, b], [0.0, -1.0]];
        let expected = array![[1.0_f64.exp(), b * 1.0_f64.sinh()], [0.0, (-1.0_f64).exp()]];
        let error = relative(&exp(&a), &expected);
        assert!(error < 1e-14, "b = {b:e}: {error:e}");
    }
    // A badly scaled matrix: D^-1 A D with D = diag(1, 1e6, 1e12) has the exponential D^-1 exp(A) D.
    let a = random(3, 9);
    let d = [1.0, 1e6, 1e12];
    let similar = |a: &Array2<f64>| Array2::from_shape_fn((3, 3), |(i, j)| a[[i, j]] * d[j] / d[i]);
    let error = relative(&exp(&similar(&a)), &similar(&exp(&a)));
    assert!(error < 1e-10, "{error:e}");
}

#[test]
fn large_norms() {
    // A stiff matrix: the fast mode has decayed, the slow mode is exact.
    let a = array![[-1e6, 1e6], [0.0, -1.0]];
    let slow = (-1.0_f64).exp();
    let expected = array![[0.0, 1e6 / (1e6 - 1.0) * slow], [0.0, slow]];
    assert!(difference(&exp(&a), &expected) < 1e-9);
    // Results near the largest floating-point number.
    let a = array![[700.0, 1.0], [0.0, 700.0]];
    let expected = array![[700.0_f64.exp(), 700.0_f64.exp()], [0.0, 700.0_f64.exp()]];
    assert!(difference(&exp(&a), &expected) < 1e-12);
    for a in [
        array![[710.0, 0.0], [0.0, 0.0]],
        array![[710.0, 1.0], [1.0, 710.0]],
        array![[1e308, 1e308], [1e308, 1e308]],
        array![[1e200, 1.0], [1.0, 0.0]],
    ] {
        let error = exponential(a.view()).unwrap_err();
        assert!(matches!(error, ExponentialError::Overflow { .. }), "{error}");
        assert!(error.to_string().contains("too large"));
    }
}

#[test]
fn what_is_refused() {
    let error = exponential(Array2::zeros((2, 3)).view()).unwrap_err();
    assert_eq!(error, ExponentialError::NotSquare { rows: 2, columns: 3 });
    for bad in [f64::NAN, f64::INFINITY] {
        let error = exponential(array![[0.0, 1.0], [bad, 0.0]].view()).unwrap_err();
        assert!(matches!(error, ExponentialError::NotFinite { what: "A", index: 2, .. }));
        let error = zero_order_hold(&array![[1.0]], bad).unwrap_err();
        assert!(matches!(error, ExponentialError::NotFinite { what: "h", .. }));
    }
    assert!(zero_order_hold(&Array2::zeros((1, 2)), 0.1).is_err());
    assert!(matches!(
        zero_order_hold(&array![[1e300]], 1e300).unwrap_err(),
        ExponentialError::NotFinite { .. } | ExponentialError::Overflow { .. }
    ));
}

/// S = A^-1 (exp(A h) - I) if A is nonsingular.
#[test]
fn the_integral_of_a_regular_matrix() {
    for (case, n) in [1, 2, 3, 5, 8].into_iter().enumerate() {
        let a = random(n, 40 + case as u64) + Array2::<f64>::eye(n) * 2.0;
        for h in [0.05, 0.5, 1.5, -0.7] {
            let hold = zero_order_hold(&a, h).unwrap();
            let transition = exp(&(&a * h));
            assert!(difference(&hold.transition, &transition) < 1e-13);
            let expected = inverse(&a).dot(&(&transition - &Array2::<f64>::eye(n)));
            let error = difference(&hold.integral, &expected);
            assert!(error < 1e-12, "n = {n}, h = {h}: {error:e}");
        }
    }
}

/// S is the sum of h (A h)^k / (k + 1)! even if A is singular, and T = I + A S always holds.
#[test]
fn the_integral_of_a_singular_matrix() {
    for (case, n) in [2, 3, 4, 6].into_iter().enumerate() {
        let mut a = random(n, 60 + case as u64);
        // The last row is the sum of the others.
        let sum = a.slice(s![..n - 1, ..]).sum_axis(ndarray::Axis(0));
        a.row_mut(n - 1).assign(&sum);
        for h in [1e-6, 1e-2, 0.3, 1.0] {
            let hold = zero_order_hold(&a, h).unwrap();
            let mut term = Array2::<f64>::eye(n) * h;
            let mut series = Array2::zeros((n, n));
            for k in 0..60 {
                series += &term;
                term = term.dot(&a) * (h / (k + 2) as f64);
            }
            assert!(difference(&hold.integral, &series) < 1e-14, "n = {n}, h = {h}");
            let transition = Array2::<f64>::eye(n) + a.dot(&hold.integral);
            assert!(difference(&hold.transition, &transition) < 1e-14);
        }
    }
    let hold = zero_order_hold(&Array2::zeros((2, 2)), 0.25).unwrap();
    assert_eq!((hold.transition, hold.integral), (Array2::eye(2), Array2::eye(2) * 0.25));
    let hold = zero_order_hold(&array![[1.0, 2.0], [3.0, 4.0]], 0.0).unwrap();
    assert_eq!((hold.transition, hold.integral), (Array2::eye(2), Array2::zeros((2, 2))));
}

/// Two steps are equivalent to one of twice the length: T(2h) = T T, S(2h) = S + T S. This holds for stiff
/// systems as well.
#[test]
fn two_steps_are_one() {
    let stiff = array![[-1e5, 1e3, 0.0], [0.0, -1.0, 2.0], [0.0, -2.0, -1.0]];
    for (a, h) in [(random(4, 3), 0.4), (stiff, 1e-3), (array![[0.0, -1e6], [100.0, 0.0]], 1e-5)] {
        let (one, two) = (zero_order_hold(&a, h).unwrap(), zero_order_hold(&a, 2.0 * h).unwrap());
        assert!(difference(&one.transition.dot(&one.transition), &two.transition) < 1e-13);
        let sum = &one.integral + &one.transition.dot(&one.integral);
        assert!(difference(&sum, &two.integral) < 1e-13);
    }
}
