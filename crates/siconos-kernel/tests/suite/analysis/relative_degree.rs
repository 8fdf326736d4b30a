//! Checks of the matrices, and the relative degree.

use super::*;

#[test]
fn wrong_matrices_are_refused() {
    let (a, b, c, d) = (Array2::eye(2), Array2::ones((2, 1)), Array2::ones((1, 2)), Array2::zeros((1, 1)));
    let of = |a: &Array2<f64>, b: &Array2<f64>, c: &Array2<f64>, d: &Array2<f64>| {
        LinearSystem::new(a.clone(), b.clone(), c.clone(), d.clone())
    };
    assert!(of(&a, &b, &c, &d).is_ok());
    let shape = |what, expected_rows, expected_columns, rows, columns| {
        Err(ModelError::WrongShape { what, expected_rows, expected_columns, rows, columns })
    };
    assert_eq!(of(&Array2::ones((2, 3)), &b, &c, &d), shape("a", 2, 2, 2, 3));
    assert_eq!(of(&a, &Array2::ones((3, 1)), &c, &d), shape("b", 2, 1, 3, 1));
    assert_eq!(of(&a, &b, &Array2::ones((2, 2)), &d), shape("c", 1, 2, 2, 2));
    assert_eq!(of(&a, &b, &c, &Array2::ones((1, 2))), shape("d", 1, 1, 1, 2));
    assert_eq!(of(&Array2::zeros((0, 0)), &b, &c, &d), Err(ModelError::Empty { what: "a" }));
    assert_eq!(of(&a, &Array2::zeros((2, 0)), &c, &d), Err(ModelError::Empty { what: "b" }));
    let infinite = array![[1.0, f64::INFINITY]];
    assert_eq!(
        of(&a, &b, &infinite, &d),
        Err(ModelError::NotFinite { what: "c", index: 1, value: f64::INFINITY })
    );
}

// Relative degree

#[test]
fn a_chain_of_integrators_has_its_length_as_relative_degree() -> Outcome {
    for n in 1..=12 {
        let degree = RelativeDegree::of(&integrator_chain(n))?;
        assert_eq!(degree.per_row, [Some(n)]);
        assert_eq!(degree.uniform, Some(n));
        assert_eq!(degree.vector(), Some(vec![n]));
        assert_eq!(degree.leading, array![[1.0]]);
        assert_eq!(degree.leading_reciprocal_condition, 1.0);
    }
    assert!(RelativeDegree::of(&integrator_chain(2))?.to_string().contains("the second derivative of y"));
    Ok(())
}

#[test]
fn an_output_that_never_sees_lambda_has_no_relative_degree() -> Outcome {
    let apart =
        system(array![[-1.0, 0.0], [3.0, -2.0]], array![[0.0], [1.0]], array![[1.0, 0.0]], array![[0.0]]);
    let degree = RelativeDegree::of(&apart)?;
    assert_eq!((degree.per_row.clone(), degree.uniform, degree.vector()), (vec![None], None, None));
    assert_eq!(degree.largest(), None);
    assert_eq!(degree.leading_reciprocal_condition, 0.0);
    assert!(degree.to_string().contains("none"));
    Ok(())
}

#[test]
fn terms_that_cancel_to_rounding_are_zero() -> Outcome {
    // 0.1 + 0.2 - 0.3 is 5.6e-17 in floating point.
    let b = array![[0.1], [0.2], [0.3]];
    let c = array![[1.0, 1.0, -1.0]];
    assert_ne!(c.dot(&b)[[0, 0]], 0.0);
    // C A B = 0.1 + 0.4 - 0.9.
    let cancelling = system(Array2::from_diag(&array![1.0, 2.0, 3.0]), b.clone(), c.clone(), array![[0.0]]);
    let degree = RelativeDegree::of(&cancelling)?;
    assert_eq!(degree.uniform, Some(2));
    assert!((degree.leading[[0, 0]] + 0.4).abs() < 1e-15);
    // A small entry is not treated as zero.
    let small = system(
        Array2::from_diag(&array![1.0, 2.0, 3.0]),
        b,
        array![[1.0, 1.0, -0.99999999999]],
        array![[0.0]],
    );
    assert_eq!(RelativeDegree::of(&small)?.uniform, Some(1));
    Ok(())
}

#[test]
fn circuits() -> Outcome {
    let bridge = RelativeDegree::of(&diode_bridge())?;
    // D couples rows 2 and 3 with other multipliers, but not with their own.
    assert_eq!(bridge.per_row, [Some(0), Some(0), Some(1), Some(1)]);
    assert_eq!(bridge.per_row_coupled, [Some(0); 4]);
    assert_eq!(bridge.uniform, Some(0));
    assert_eq!(bridge.leading, diode_bridge().d());

    let filtered = RelativeDegree::of(&filtered_bridge())?;
    assert_eq!(filtered.per_row, [Some(1), None, Some(1), Some(1)]);
    assert_eq!(filtered.per_row_coupled, [Some(0); 4]);
    // D has rank 2.
    assert_eq!((filtered.uniform, filtered.vector()), (None, None));
    assert!(filtered.to_string().contains("dependent"));

    assert_eq!(RelativeDegree::of(&rlcd())?.uniform, Some(0));
    Ok(())
}

#[test]
fn several_multipliers() -> Outcome {
    let eye = Array2::<f64>::eye(2);
    let zero = Array2::<f64>::zeros((2, 2));
    // C B is singular, although lambda appears in the first derivative of each row.
    let singular =
        RelativeDegree::of(&system(zero.clone(), array![[1.0, 2.0], [1.0, 2.0]], eye.clone(), zero.clone()))?;
    assert_eq!(singular.per_row, [Some(1), Some(1)]);
    assert_eq!(singular.per_row_coupled, [Some(1), Some(1)]);
    assert_eq!((singular.uniform, singular.vector()), (None, None));

    // The first derivative of each row contains the multiplier of the other row; the second derivative
    // contains its own.
    let crossed = RelativeDegree::of(&system(
        array![[0.0, 1.0], [1.0, 0.0]],
        array![[0.0, 1.0], [1.0, 0.0]],
        eye.clone(),
        zero.clone(),
    ))?;
    assert_eq!(crossed.per_row, [Some(2), Some(2)]);
    assert_eq!(crossed.per_row_coupled, [Some(1), Some(1)]);
    assert_eq!((crossed.uniform, crossed.vector()), (Some(1), Some(vec![1, 1])));
    assert_eq!(crossed.leading, array![[0.0, 1.0], [1.0, 0.0]]);

    // Two uncoupled chains of different lengths: a vector relative degree that is not uniform.
    let a = array![[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    let b = array![[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]];
    let c = array![[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let chains = RelativeDegree::of(&system(a, b, c, zero))?;
    assert_eq!(chains.per_row, [Some(2), Some(1)]);
    assert_eq!((chains.uniform, chains.vector()), (None, Some(vec![2, 1])));
    assert_eq!(chains.largest(), Some(2));
    assert_eq!(chains.leading, array![[2.0, 0.0], [0.0, 3.0]]);
    assert!((chains.leading_reciprocal_condition - 1.0).abs() < 1e-7);
    assert!(chains.to_string().contains("2, 1"));
    Ok(())
}

#[test]
fn long_chains_with_large_rates_do_not_overflow() -> Outcome {
    // C A^29 B is 1e12^29, above the range of f64, and 1e-12^29, below it.
    for rate in [1e12, 1e-12] {
        let n = 30;
        let chain = integrator_chain(n);
        let fast =
            system(chain.a().mapv(|x| x * rate), chain.b().to_owned(), chain.c().to_owned(), array![[0.0]]);
        let degree = RelativeDegree::of(&fast)?;
        assert_eq!((degree.uniform, degree.leading_reciprocal_condition), (Some(n), 1.0));
    }
    let huge = system(array![[1e300]], array![[1e300]], array![[1e300]], array![[0.0]]);
    assert_eq!(RelativeDegree::of(&huge)?.uniform, Some(1));
    Ok(())
}
