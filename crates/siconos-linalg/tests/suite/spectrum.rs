//! Eigenvalues and singular values compared with closed forms and with their definitions.

use ndarray::{Array2, array};
use siconos_linalg::{SpectrumError, complex_singular_values, eigenvalues, singular_values, symmetric_eigen};

/// Matrix of second differences of size n, with the eigenvalues 2 - 2 cos(k pi / (n + 1)).
fn second_differences(n: usize) -> Array2<f64> {
    Array2::from_shape_fn((n, n), |(i, j): (usize, usize)| match i.abs_diff(j) {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    })
}

#[test]
fn symmetric_matrices() -> Result<(), SpectrumError> {
    for n in [1, 2, 7, 30] {
        let a = second_differences(n);
        let eigen = symmetric_eigen(a.view())?;
        for (k, value) in eigen.values.iter().enumerate() {
            let angle = (k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
            assert!((value - (2.0 - 2.0 * angle.cos())).abs() < 1e-13);
        }
        let v = &eigen.vectors;
        let error = a.dot(v) - v.dot(&Array2::from_diag(&ndarray::Array1::from(eigen.values.clone())));
        let skew = v.t().dot(v) - Array2::<f64>::eye(n);
        assert!(error.iter().chain(&skew).all(|x| x.abs() < 1e-13));
        // Only the lower triangle is read, in row-major as well as in column-major storage.
        let mut lower = a.clone().reversed_axes();
        lower.indexed_iter_mut().filter(|((i, j), _)| j > i).for_each(|(_, x)| *x = 99.0);
        assert_eq!(symmetric_eigen(lower.view())?.values, eigen.values);
    }
    Ok(())
}

#[test]
fn general_matrices() -> Result<(), SpectrumError> {
    // The companion matrix of (s - 1) (s + 2) (s^2 + 2 s + 5).
    let companion =
        array![[-3.0, -5.0, -1.0, 10.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    for a in [companion.view(), companion.t()] {
        let values = eigenvalues(a)?;
        assert_eq!(values.len(), 4);
        for exact in [(-2.0_f64, 0.0_f64), (-1.0, -2.0), (-1.0, 2.0), (1.0, 0.0)] {
            let near = |value: &&(f64, f64)| (value.0 - exact.0).hypot(value.1 - exact.1) < 1e-13;
            assert_eq!(values.iter().filter(near).count(), 1, "{values:?}");
        }
    }
    Ok(())
}

#[test]
fn singular_values_are_those_of_the_gram_matrix() -> Result<(), SpectrumError> {
    let a = array![[1.0, 2.0, 0.5], [-3.0, 1.0, 4.0]];
    let gram = symmetric_eigen(a.dot(&a.t()).view())?;
    for view in [a.view(), a.t()] {
        let values = singular_values(view)?;
        assert!(values.len() == 2 && values[0] >= values[1]);
        assert!((values[0] - gram.values[1].sqrt()).abs() < 1e-14);
        assert!((values[1] - gram.values[0].sqrt()).abs() < 1e-14);
        // Neither multiplication by i nor a vanishing imaginary part changes the singular values.
        let zero = Array2::zeros(view.dim());
        for (re, im) in [(view, zero.view()), (zero.view(), view)] {
            let complex = complex_singular_values(re, im)?;
            assert!(complex.iter().zip(&values).all(|(x, y)| (x - y).abs() < 1e-14));
        }
    }
    // [1, i; i, 1] is sqrt(2) times a unitary matrix. An implementation that ignored the imaginary unit would
    // find it singular.
    let values = complex_singular_values(Array2::eye(2).view(), array![[0.0, 1.0], [1.0, 0.0]].view())?;
    assert!(values.iter().all(|x| (x - 2.0_f64.sqrt()).abs() < 1e-15));
    Ok(())
}

#[test]
fn wrong_input_is_refused_and_empty_has_no_values() -> Result<(), SpectrumError> {
    let wide = Array2::<f64>::zeros((2, 3));
    assert_eq!(eigenvalues(wide.view()), Err(SpectrumError::NotSquare { rows: 2, columns: 3 }));
    assert_eq!(symmetric_eigen(wide.view()), Err(SpectrumError::NotSquare { rows: 2, columns: 3 }));
    let infinite = array![[1.0, 0.0], [f64::INFINITY, 1.0]];
    let refused = SpectrumError::NotFinite { row: 1, column: 0, value: f64::INFINITY };
    assert_eq!(eigenvalues(infinite.view()), Err(refused));
    assert_eq!(symmetric_eigen(infinite.view()), Err(refused));
    assert_eq!(singular_values(infinite.view()), Err(refused));
    assert_eq!(complex_singular_values(Array2::eye(2).view(), infinite.view()), Err(refused));
    let parts = SpectrumError::PartsDiffer { real: (2, 3), imaginary: (2, 2) };
    assert_eq!(complex_singular_values(wide.view(), infinite.view()), Err(parts));
    let empty = Array2::<f64>::zeros((0, 0));
    assert!(eigenvalues(empty.view())?.is_empty() && singular_values(empty.view())?.is_empty());
    assert!(symmetric_eigen(empty.view())?.values.is_empty());
    assert!(complex_singular_values(empty.view(), empty.view())?.is_empty());
    Ok(())
}
