//! Passivity, positive realness and storage functions.

use super::*;

fn is_proved(s: &LinearSystem, p: &Array2<f64>) -> Result<bool, AnalysisError> {
    Ok(matches!(check_storage(s, p.view())?, StorageCheck::Proved { .. }))
}

/// Returns d/dt (x^T P x / 2) - y^T lambda in the direction (x, lambda).
fn surplus(s: &LinearSystem, p: &Array2<f64>, direction: &[f64]) -> f64 {
    let (x, lambda) = direction.split_at(s.states());
    let (x, lambda) = (Array1::from(x.to_vec()), Array1::from(lambda.to_vec()));
    let rate = s.a().dot(&x) + s.b().dot(&lambda);
    let y = s.c().dot(&x) + s.d().dot(&lambda);
    p.dot(&x).dot(&rate) - y.dot(&lambda)
}

#[test]
fn circuits_are_passive_with_the_energy_as_storage() -> Outcome {
    assert!(is_proved(&diode_bridge(), &resonator_storage())?);
    assert!(is_proved(&rlcd(), &resonator_storage())?);
    let p = Array2::from_diag(&array![CAPACITANCE, INDUCTANCE, FILTER]);
    assert!(is_proved(&filtered_bridge(), &p)?);
    Ok(())
}

#[test]
fn a_wrong_storage_is_refuted_in_a_direction() -> Outcome {
    let doubled = resonator_storage() * 2.0;
    let StorageCheck::Refuted { direction, excess } = check_storage(&rlcd(), doubled.view())? else {
        panic!("the coupling to the diode asks for P itself");
    };
    assert!(excess > 1e-2 && direction.len() == 3);
    assert!(surplus(&rlcd(), &doubled, &direction) > 0.0);
    assert!(surplus(&rlcd(), &resonator_storage(), &direction) <= 0.0);
    Ok(())
}

#[test]
fn matrices_that_are_no_storage() -> Outcome {
    let s = rlcd();
    assert_eq!(check_storage(&s, array![[1.0, 0.5], [0.4, 1.0]].view())?, StorageCheck::NotSymmetric);
    let StorageCheck::NotPositiveDefinite { direction, value } =
        check_storage(&s, array![[1.0, 2.0], [2.0, 1.0]].view())?
    else {
        panic!("eigenvalues -1 and 3");
    };
    assert!((value + 1.0).abs() < 1e-14 && (direction[0] + direction[1]).abs() < 1e-14);
    assert!(matches!(
        check_storage(&s, array![[1.0, 0.0], [0.0, 0.0]].view())?,
        StorageCheck::NotPositiveDefinite { value: 0.0, .. }
    ));
    assert!(matches!(
        check_storage(&s, array![[1.0]].view()),
        Err(AnalysisError::Model(ModelError::WrongShape { what: "p", .. }))
    ));
    assert!(matches!(
        check_storage(&s, array![[1.0, 0.0], [0.0, f64::NAN]].view()),
        Err(AnalysisError::Model(ModelError::NotFinite { what: "p", index: 3, .. }))
    ));
    Ok(())
}

#[test]
fn nonnegative_definite_d() -> Outcome {
    assert!(check_nonnegative_definite(diode_bridge().d())?.is_ok());
    assert!(check_nonnegative_definite(filtered_bridge().d())?.is_ok());
    let d = array![[1.0, 3.0], [0.0, 1.0]];
    let v = Array1::from(check_nonnegative_definite(d.view())?.expect_err("1 + 1 - 3"));
    assert!(v.dot(&d.dot(&v)) < 0.0);
    Ok(())
}

#[test]
fn samples_of_a_double_lag_refute_passivity() -> Outcome {
    // G = 1 / (s + 1)^2, G + G^H = 2 (1 - w^2) / (1 + w^2)^2.
    let lag =
        system(array![[-1.0, 1.0], [0.0, -1.0]], array![[0.0], [1.0]], array![[1.0, 0.0]], array![[0.0]]);
    let PositiveRealness::NotPassive { frequency, smallest_eigenvalue, .. } = sample_positive_realness(&lag)?
    else {
        panic!("the real part is negative above 1 rad/s");
    };
    let w2 = frequency * frequency;
    assert!(frequency > 1.0);
    let exact = 2.0 * (1.0 - w2) / (1.0 + w2).powi(2);
    assert!((smallest_eigenvalue - exact).abs() <= 1e-12 * exact.abs());
    Ok(())
}

#[test]
fn a_gyrating_integrator_is_not_passive() -> Outcome {
    // G = C / s with C = [1, 1; -1, 1]: G + G^H = (C - C^T) / (i w), eigenvalues +-2 / w.
    let s =
        system(Array2::zeros((2, 2)), Array2::eye(2), array![[1.0, 1.0], [-1.0, 1.0]], Array2::zeros((2, 2)));
    let PositiveRealness::NotPassive { frequency, smallest_eigenvalue, .. } = sample_positive_realness(&s)?
    else {
        panic!("the residue at 0 is not symmetric");
    };
    assert!((smallest_eigenvalue * frequency + 2.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn poles_on_the_axis_are_left_out() -> Outcome {
    let verdict = sample_positive_realness(&rlcd())?;
    let PositiveRealness::NecessaryOnly { samples, skipped, smallest, .. } = &verdict else {
        panic!("{verdict}");
    };
    let resonance = (INDUCTANCE * CAPACITANCE).sqrt().recip();
    assert!(*samples > 50 && *smallest > -1e-12);
    assert!(skipped.iter().all(|w| (w / resonance - 1.0).abs() < 1e-12), "{skipped:?}");
    // For a lossless port G + G^H = 0 at all frequencies. Rounding must not refute its passivity.
    let lossless = system(resonator(), array![[1.0 / CAPACITANCE], [0.0]], array![[1.0, 0.0]], array![[0.0]]);
    let verdict = sample_positive_realness(&lossless)?;
    assert!(matches!(verdict, PositiveRealness::NecessaryOnly { .. }), "{verdict}");
    Ok(())
}

#[test]
fn growing_modes_and_negative_feedthrough() -> Outcome {
    // The real part of -1 / (s - 1) is positive on the imaginary axis, but the function is not positive real.
    let growing = system(array![[1.0]], array![[-1.0]], array![[1.0]], array![[0.0]]);
    assert_eq!(sample_positive_realness(&growing)?, PositiveRealness::GrowingMode { re: 1.0, im: 0.0 });
    // The real part of 1 / (s + 1) - 0.01 is positive at low frequencies only.
    let negative = system(array![[-1.0]], array![[1.0]], array![[1.0]], array![[-0.01]]);
    assert!(
        matches!(sample_positive_realness(&negative)?, PositiveRealness::NotPassive { frequency, .. } if frequency > 9.0)
    );
    // Three integrators in a chain: 0 is a triple eigenvalue that does not count as unstable. On the
    // imaginary axis 1 / s^3 is imaginary, so that samples are inconclusive, and 1 / s^2 is negative.
    assert!(matches!(
        sample_positive_realness(&integrator_chain(3))?,
        PositiveRealness::NecessaryOnly { .. }
    ));
    assert!(matches!(sample_positive_realness(&integrator_chain(2))?, PositiveRealness::NotPassive { .. }));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// The system x' = (J - R) P x + B lambda, y = B^T P x + D lambda with J skew and R >= 0 is passive with
    /// storage matrix P. If one resistor is replaced by a source, P is refuted as storage matrix.
    #[test]
    fn port_hamiltonian_systems(
        (j, r, p, b, d) in (1..6_usize, 1..4_usize).prop_flat_map(|(n, m)| {
            (entries(n, n), entries(n, n), entries(n, n), entries(n, m), entries(m, m))
        })
    ) {
        let (n, m) = b.dim();
        let j = &j - &j.t();
        let losses = r.dot(&r.t());
        let p = p.dot(&p.t()) + Array2::<f64>::eye(n) * 0.1;
        let p = (&p + &p.t()) * 0.5;
        let d = &d - &d.t();
        let s = |r: &Array2<f64>| system((&j - r).dot(&p), b.clone(), b.t().dot(&p), d.clone());
        let passive = s(&losses);
        prop_assert!(is_proved(&passive, &p).unwrap());
        let sampled = sample_positive_realness(&passive).unwrap();
        let is_necessary = matches!(sampled, PositiveRealness::NecessaryOnly { .. });
        prop_assert!(is_necessary, "{}", sampled);
        let mut active = losses;
        active[[0, 0]] = -0.1;
        let active = s(&active);
        let verdict = check_storage(&active, p.view()).unwrap();
        let StorageCheck::Refuted { direction, .. } = verdict else { panic!("{verdict}") };
        prop_assert_eq!(direction.len(), n + m);
        prop_assert!(surplus(&active, &p, &direction) > 0.0);
    }
}
