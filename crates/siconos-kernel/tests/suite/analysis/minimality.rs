//! Controllability, observability and minimality.

use super::*;

#[test]
fn controllable_and_observable_chains() -> Outcome {
    for n in 1..=12 {
        let minimality = Minimality::of(&integrator_chain(n))?;
        assert!(minimality.holds(), "{minimality}");
        assert_eq!((minimality.controllable.dimension, minimality.observable.dimension), (n, n));
    }
    for circuit in [diode_bridge(), filtered_bridge(), rlcd()] {
        let minimality = Minimality::of(&circuit)?;
        assert!(minimality.holds(), "{minimality}");
    }
    Ok(())
}

#[test]
fn the_mode_that_is_not_reached_is_named() -> Outcome {
    // Two equal tanks with equal inflows: the difference of their levels is not controllable.
    let a = array![[-3.0, 1.0], [1.0, -3.0]];
    let tanks = system(a, array![[1.0], [1.0]], array![[1.0, 0.0]], array![[0.0]]);
    let minimality = Minimality::of(&tanks)?;
    assert!(!minimality.controllable.holds && minimality.observable.holds && !minimality.holds());
    assert_eq!(minimality.controllable.property, PairProperty::Controllable);
    assert_eq!(minimality.controllable.dimension, 1);
    assert!((minimality.controllable.weakest_mode.0 + 4.0).abs() < 1e-12);
    assert!(minimality.to_string().contains("not minimal"));
    // The transposed system: the dual property.
    let dual =
        system(tanks.a().t().to_owned(), tanks.c().t().to_owned(), tanks.b().t().to_owned(), array![[0.0]]);
    let dual = Minimality::of(&dual)?;
    assert!(dual.controllable.holds && !dual.observable.holds);
    assert_eq!(dual.observable.dimension, 1);
    Ok(())
}

#[test]
fn two_equal_modes_need_two_inputs() -> Outcome {
    let a = Array2::from_diag(&array![-1.0, -1.0]);
    let one = system(a.clone(), array![[1.0], [2.0]], array![[1.0, 1.0]], array![[0.0]]);
    assert_eq!(Minimality::of(&one)?.controllable.dimension, 1);
    let two = system(a, array![[1.0, 0.0], [2.0, 1.0]], Array2::eye(2), Array2::zeros((2, 2)));
    assert!(Minimality::of(&two)?.holds());
    Ok(())
}

#[test]
fn no_coupling_at_all() -> Outcome {
    let dead = system(array![[0.0]], array![[0.0]], array![[0.0]], array![[1.0]]);
    let minimality = Minimality::of(&dead)?;
    assert_eq!((minimality.controllable.dimension, minimality.observable.dimension), (0, 0));
    assert!(!minimality.controllable.holds && !minimality.observable.holds);
    Ok(())
}

/// Checks a system with an uncontrollable part. Before a rotation of the state, no input acts on the last
/// states. The second input is a multiple of the first except for terms of relative size 10^`short`, so that
/// it contributes little. The estimated dimension equals `reached`, or is at most `reached` if `is_exact` is
/// `false`.
fn hidden_part_is_found(
    (mut a, mut b, q): (Array2<f64>, Array2<f64>, Array2<f64>),
    reached: usize,
    short: f64,
    is_exact: bool,
) -> Result<(), TestCaseError> {
    let n = a.nrows();
    for i in 0..n {
        // A chain through the driven states keeps them well controllable.
        a.row_mut(i).mapv_inplace(|x| 0.1 * x);
        if i > 0 {
            a[[i, i - 1]] = 1.0;
        }
        for j in 0..2 {
            let size = if i > 0 && j == 1 { 0.1 * 10.0_f64.powf(short) } else { 0.1 };
            b[[i, j]] = match (i, j) {
                (i, _) if i >= reached => 0.0,
                (0, 0) => 1.0,
                _ => size * b[[i, j]],
            };
        }
    }
    for i in reached..n {
        for j in 0..reached {
            a[[i, j]] = 0.0;
        }
    }
    let rotated_a = q.dot(&a).dot(&q.t());
    let rotated_b = q.dot(&b);
    // An entry that is only rounding counts as nonzero, since it might be 1 in other units. Such systems are
    // skipped.
    prop_assume!(rotated_a.iter().chain(&rotated_b).all(|x| x.abs() > 1e-9));
    let s = system(rotated_a, rotated_b.clone(), rotated_b.t().to_owned(), Array2::zeros((2, 2)));
    let test = Minimality::of(&s).unwrap().controllable;
    prop_assert!(!test.holds);
    let (least, most) = (if is_exact { reached } else { 1 }, reached);
    prop_assert!((least..=most).contains(&test.dimension), "{} and {reached}", test.dimension);
    // The margin, the bound of the second test, is small.
    prop_assert!(test.margin < 1e-3, "{}", test);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// With many states, the lengths of some directions are at the level of rounding errors. These directions
    /// are not counted, so that the dimension is only an estimate.
    #[test]
    fn a_hidden_uncontrollable_part_of_many_states_is_found(
        (a, b, q, reached) in (7..24_usize)
            .prop_flat_map(|n| (entries(n, n), entries(n, 2), orthogonal(n), 1..n)),
        short in -7.0..0.0_f64,
    ) {
        hidden_part_is_found((a, b, q), reached, short, false)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_hidden_uncontrollable_part_is_found(
        (a, b, q, reached) in (2..7_usize).prop_flat_map(|n| (entries(n, n), entries(n, 2), orthogonal(n), 1..n)),
        short in -7.0..0.0_f64,
    ) {
        hidden_part_is_found((a, b, q), reached, short, true)?;
    }

    #[test]
    fn units_change_nothing(
        which in 0..5_usize,
        x in prop::collection::vec(power_of_ten(), 3),
        y in prop::collection::vec(power_of_ten(), 4),
        lambda in prop::collection::vec(power_of_ten(), 4),
        t in power_of_ten(),
    ) {
        let original = match which {
            0 => diode_bridge(),
            1 => filtered_bridge(),
            2 => rlcd(),
            3 => integrator_chain(3),
            _ => {
                let b = array![[0.1], [0.2], [0.3]];
                system(Array2::from_diag(&array![1.0, 2.0, 3.0]), b, array![[1.0, 1.0, -1.0]], array![[0.0]])
            }
        };
        let scaled = in_units(&original, &x, &y, &lambda, t);
        let (before, after) = (RelativeDegree::of(&original).unwrap(), RelativeDegree::of(&scaled).unwrap());
        prop_assert_eq!(&before.per_row, &after.per_row);
        prop_assert_eq!(&before.per_row_coupled, &after.per_row_coupled);
        prop_assert_eq!(before.uniform, after.uniform);
        prop_assert_eq!(before.vector(), after.vector());
        let (before, after) = (Minimality::of(&original).unwrap(), Minimality::of(&scaled).unwrap());
        prop_assert_eq!(before.controllable.dimension, after.controllable.dimension);
        prop_assert_eq!(before.holds(), after.holds());
        for (before, after) in [(before.controllable, after.controllable), (before.observable, after.observable)] {
            prop_assert!(before.margin < 10.0 * after.margin && after.margin < 10.0 * before.margin);
        }
        // If y lambda is a power, y and lambda have reciprocal units. The storage matrix is transformed with
        // the state.
        let reciprocal: Vec<f64> = lambda.iter().map(|x| x.recip()).collect();
        let scaled = in_units(&original, &x, &reciprocal, &lambda, t);
        let sampled = |s: &LinearSystem| {
            matches!(sample_positive_realness(s).unwrap(), PositiveRealness::NecessaryOnly { .. })
        };
        prop_assert_eq!(sampled(&original), sampled(&scaled));
        // On the imaginary axis 1 / s^3 is imaginary, as for a lossless system.
        prop_assert_eq!(sampled(&original), which < 4);
        if which < 3 {
            let c = array![CAPACITANCE, INDUCTANCE, FILTER];
            let p = Array2::from_diag(&Array1::from_shape_fn(original.states(), |i| c[i] / x[i] / x[i] * t));
            // Energy per new unit of time is the power times t; the value of y lambda does not change.
            let verdict = check_storage(&scaled, p.view()).unwrap();
            let is_proved = matches!(verdict, StorageCheck::Proved { .. });
            prop_assert!(is_proved, "{}", verdict);
            let wrong = &p * &Array1::from_shape_fn(original.states(), |i| if i == 0 { 1.001 } else { 1.0 });
            let verdict = check_storage(&scaled, wrong.view()).unwrap();
            let is_refuted = matches!(verdict, StorageCheck::Refuted { .. });
            prop_assert!(is_refuted, "{}", verdict);
        }
    }
}
