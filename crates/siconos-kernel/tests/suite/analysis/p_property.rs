//! P-property of matrices.

use super::*;

#[test]
fn known_p_matrices() -> Result<(), ModelError> {
    // The second-difference matrix is a K-matrix. Each principal minor is the product, over the runs of
    // consecutive indices, of the run length plus 1.
    let k = |n| {
        Array2::from_shape_fn((n, n), |(i, j): (usize, usize)| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        })
    };
    for n in 1..=20 {
        let PProperty::PMatrix { margin } = p_property(k(n).view())? else { panic!("a K-matrix") };
        // The smallest pivot is the last one of the whole chain, (n + 1) / n; it is relative to the diagonal
        // entry 2.
        assert!((margin - (n + 1) as f64 / (2 * n) as f64).abs() < 1e-14);
    }
    // Murty's matrix: ones on the diagonal, twos below it.
    let murty = Array2::from_shape_fn((12, 12), |(i, j)| {
        if i == j {
            1.0
        } else if i > j {
            2.0
        } else {
            0.0
        }
    });
    assert!(p_property(murty.view())?.is_proved());
    // Only the last minor, the determinant of the whole matrix, is negative.
    let mut last = k(5);
    last[[0, 4]] = -8.0;
    let PProperty::NotPMatrix { index_set, minor } = p_property(last.view())? else { panic!("6 - 8 + ..") };
    assert_eq!(index_set, [0, 1, 2, 3, 4]);
    assert!((minor - (6.0 - 8.0)).abs() < 1e-13, "{minor}");
    // A zero on the diagonal, as in the diode bridge.
    assert!(matches!(p_property(diode_bridge().d())?, PProperty::NotPMatrix { .. }));
    // The Schur complement 1 - 1/3 * 3 is zero, exactly or up to rounding, and must not count as positive.
    let singular = array![[3.0, 1.0], [3.0, 1.0]];
    assert!(!p_property(singular.view())?.is_proved());
    Ok(())
}

#[test]
fn large_matrices_get_what_is_sufficient() -> Result<(), ModelError> {
    let n = 25;
    let eye = Array2::<f64>::eye(n);
    assert_eq!(p_property(eye.view())?, PProperty::SufficientOnly(SufficientReason::Definite));
    let mut dominant = eye.clone() * 2.0;
    for i in 1..n {
        dominant[[0, i]] = 1.0 / n as f64;
        dominant[[i, 0]] = 1.9;
    }
    assert_eq!(p_property(dominant.view())?, PProperty::SufficientOnly(SufficientReason::DiagonallyDominant));
    let murty = Array2::from_shape_fn((n, n), |(i, j)| {
        if i == j {
            1.0
        } else if i > j {
            2.0
        } else {
            0.0
        }
    });
    assert_eq!(p_property(murty.view())?, PProperty::Unknown);
    let mut negative = eye;
    negative[[7, 7]] = -1.0;
    assert_eq!(p_property(negative.view())?, PProperty::NotPMatrix { index_set: vec![7], minor: -1.0 });
    assert!(p_property(Array2::zeros((2, 3)).view()).is_err());
    assert!(p_property(Array2::zeros((0, 0)).view()).is_err());
    assert!(p_property(array![[f64::NAN]].view()).is_err());
    Ok(())
}

/// Returns the determinant of an integer matrix in exact arithmetic (Bareiss 1968).
fn exact_determinant(mut a: Vec<Vec<i128>>) -> i128 {
    let n = a.len();
    let (mut sign, mut before) = (1, 1);
    for k in 0..n {
        let Some(row) = (k..n).find(|&i| a[i][k] != 0) else { return 0 };
        if row != k {
            a.swap(row, k);
            sign = -sign;
        }
        for i in k + 1..n {
            for j in k + 1..n {
                a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / before;
            }
        }
        before = a[k][k];
    }
    sign * before
}

fn exact_minor(m: &Array2<f64>, set: &[usize]) -> i128 {
    exact_determinant(set.iter().map(|&i| set.iter().map(|&j| m[[i, j]] as i128).collect()).collect())
}

fn is_p_by_brute_force(m: &Array2<f64>) -> bool {
    let n = m.nrows();
    (1_u32..1 << n).all(|set| {
        let rows: Vec<usize> = (0..n).filter(|i| set & (1 << i) != 0).collect();
        exact_minor(m, &rows) > 0
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    /// Random integer matrices, for which all minors are computed exactly. About half of them are P-matrices,
    /// and some are singular.
    #[test]
    fn agrees_with_all_minors_in_exact_arithmetic(
        (m, diagonal) in (1..7_usize).prop_flat_map(|n| (prop::collection::vec(-4..5_i32, n * n), 0..12_i32)),
        rows in prop::collection::vec(power_of_ten(), 6),
    ) {
        let n = m.len().isqrt();
        let mut m = Array2::from_shape_vec((n, n), m.into_iter().map(f64::from).collect()).unwrap();
        m.diag_mut().mapv_inplace(|x| x.abs() + f64::from(diagonal));
        let exact = is_p_by_brute_force(&m);
        match p_property(m.view()).unwrap() {
            PProperty::PMatrix { margin } => prop_assert!(exact && margin > 0.0),
            PProperty::NotPMatrix { index_set, minor } => {
                let reference = exact_minor(&m, &index_set);
                prop_assert!(reference <= 0);
                prop_assert!((minor - reference as f64).abs() <= 1e-9 * (1.0 + minor.abs()));
            }
            PProperty::Undecided { index_set, minor, rounding } => {
                prop_assert_eq!(exact_minor(&m, &index_set), 0);
                prop_assert!(minor.abs() <= rounding && rounding < 1e-6);
            }
            other => prop_assert!(false, "{other}"),
        }
        // Positive scaling of rows and columns does not change the signs of the minors.
        let scaled = Array2::from_shape_fn((n, n), |(i, j)| rows[i] * m[[i, j]] / rows[(j + 1) % 6]);
        prop_assert_eq!(p_property(scaled.view()).unwrap().is_proved(), exact);
    }
}

#[test]
fn the_matrix_of_a_step() -> Outcome {
    // x' = -2 x + 3 lambda, y = 5 x + 7 lambda.
    let s = system(array![[-2.0]], array![[3.0]], array![[5.0]], array![[7.0]]);
    let m = one_step_matrix(&s, 0.5, 0.5)?;
    assert!((m[[0, 0]] - (0.5 * 15.0 / 1.5 + 7.0)).abs() < 1e-14);
    assert!(matches!(one_step_matrix(&s, 0.0, 1.0), Err(AnalysisError::Settings(_))));
    assert!(matches!(one_step_matrix(&s, f64::NAN, 1.0), Err(AnalysisError::Settings(_))));
    assert!(matches!(one_step_matrix(&s, 1.0, 1.5), Err(AnalysisError::Settings(_))));
    let growing = system(array![[2.0]], array![[1.0]], array![[1.0]], array![[0.0]]);
    assert!(matches!(
        one_step_matrix(&growing, 0.5, 1.0),
        Err(AnalysisError::SingularIterationMatrix { .. })
    ));
    Ok(())
}
