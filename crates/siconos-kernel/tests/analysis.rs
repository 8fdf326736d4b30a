//! The analysis of linear complementarity systems against systems whose properties are known.

use ndarray::{Array1, Array2, Axis, array, concatenate};
use proptest::prelude::*;
use siconos_kernel::ModelError;
use siconos_kernel::analysis::{
    AnalysisError, Conclusion, ConvergenceData, ConvergenceReport, InitialCondition, LinearSystem,
    Minimality, PVerdict, PairProperty, PositiveRealVerdict, RelativeDegree, StorageVerdict,
    SufficientReason, check_nonnegative_definite, check_storage, one_step_matrix, p_property,
    sample_positive_realness,
};

type Outcome = Result<(), AnalysisError>;

fn system(a: Array2<f64>, b: Array2<f64>, c: Array2<f64>, d: Array2<f64>) -> LinearSystem {
    LinearSystem::new(a, b, c, d).expect("the matrices fit together")
}

/// x_1' = x_2, .., x_n' = lambda, y = x_1: relative degree n.
fn integrator_chain(n: usize) -> LinearSystem {
    let a = Array2::from_shape_fn((n, n), |(i, j)| if j == i + 1 { 1.0 } else { 0.0 });
    let b = Array2::from_shape_fn((n, 1), |(i, _)| if i == n - 1 { 1.0 } else { 0.0 });
    let c = Array2::from_shape_fn((1, n), |(_, j)| if j == 0 { 1.0 } else { 0.0 });
    system(a, b, c, array![[0.0]])
}

const INDUCTANCE: f64 = 1e-2;
const CAPACITANCE: f64 = 1e-6;
const RESISTANCE: f64 = 1e3;
const FILTER: f64 = 300e-9;

fn resonator() -> Array2<f64> {
    array![[0.0, -1.0 / CAPACITANCE], [1.0 / INDUCTANCE, 0.0]]
}

fn resonator_storage() -> Array2<f64> {
    Array2::from_diag(&array![CAPACITANCE, INDUCTANCE])
}

/// Four diodes with a resistor, on a resonator of capacitor and inductor.
fn diode_bridge() -> LinearSystem {
    let (g, k) = (1.0 / RESISTANCE, 1.0 / CAPACITANCE);
    system(
        resonator(),
        array![[0.0, 0.0, -k, k], [0.0, 0.0, 0.0, 0.0]],
        array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    )
}

/// The same with a filter capacitor beside the resistor.
fn filtered_bridge() -> LinearSystem {
    let (k, f) = (1.0 / CAPACITANCE, 1.0 / FILTER);
    let mut a = Array2::zeros((3, 3));
    a.slice_mut(ndarray::s![..2, ..2]).assign(&resonator());
    a[[2, 2]] = -1.0 / (RESISTANCE * FILTER);
    system(
        a,
        array![[0.0, 0.0, -k, k], [0.0, 0.0, 0.0, 0.0], [f, 0.0, f, 0.0]],
        array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        array![[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 1.0, -1.0], [0.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
    )
}

/// Resonator, resistor and diode in series.
fn rlcd() -> LinearSystem {
    system(resonator(), array![[-1.0 / CAPACITANCE], [0.0]], array![[-1.0, 0.0]], array![[RESISTANCE]])
}

/// The same system with x, y, lambda and time in other units: new x = scale times old x, and so on.
fn in_units(s: &LinearSystem, x: &[f64], y: &[f64], lambda: &[f64], t: f64) -> LinearSystem {
    let by = |m: ndarray::ArrayView2<'_, f64>, rows: &[f64], columns: &[f64], rate: f64| {
        Array2::from_shape_fn(m.dim(), |(i, j)| m[[i, j]] * rows[i] / columns[j] / rate)
    };
    system(by(s.a(), x, x, t), by(s.b(), x, lambda, t), by(s.c(), y, x, 1.0), by(s.d(), y, lambda, 1.0))
}

fn power_of_ten() -> impl Strategy<Value = f64> {
    (-12..=12).prop_map(|e| 10.0_f64.powi(e))
}

fn entries(rows: usize, columns: usize) -> impl Strategy<Value = Array2<f64>> {
    prop::collection::vec(-1.0..1.0_f64, rows * columns)
        .prop_map(move |v| Array2::from_shape_vec((rows, columns), v).expect("as many as asked for"))
}

/// An orthogonal matrix, by Gram and Schmidt on a matrix that is far from singular.
fn orthogonal(n: usize) -> impl Strategy<Value = Array2<f64>> {
    entries(n, n).prop_map(move |m| {
        let mut q = m * 0.3 + Array2::<f64>::eye(n);
        for _ in 0..2 {
            for k in 0..n {
                for j in 0..k {
                    let other = q.column(j).to_owned();
                    let part = q.column(k).dot(&other);
                    q.column_mut(k).scaled_add(-part, &other);
                }
                let length = q.column(k).dot(&q.column(k)).sqrt();
                q.column_mut(k).mapv_inplace(|x| x / length);
            }
        }
        q
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// The matrices

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

// ---------------------------------------------------------------------------------------------------------------------
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
    // Something small is not nothing.
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
    // Rows 2 and 3 have no own multiplier in D, but others.
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
    // C B singular, though each row shows lambda in its first derivative.
    let singular =
        RelativeDegree::of(&system(zero.clone(), array![[1.0, 2.0], [1.0, 2.0]], eye.clone(), zero.clone()))?;
    assert_eq!(singular.per_row, [Some(1), Some(1)]);
    assert_eq!(singular.per_row_coupled, [Some(1), Some(1)]);
    assert_eq!((singular.uniform, singular.vector()), (None, None));

    // Each row sees the other's multiplier in the first derivative, its own in the second.
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

    // Two chains side by side: a vector relative degree that is not uniform.
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
    // C A^29 B = 1e12^29: beyond the range of f64. And 1e-12^29, below it.
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

// ---------------------------------------------------------------------------------------------------------------------
// Minimality

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
    // Two equal tanks fed in the same way: their difference cannot be controlled.
    let a = array![[-3.0, 1.0], [1.0, -3.0]];
    let tanks = system(a, array![[1.0], [1.0]], array![[1.0, 0.0]], array![[0.0]]);
    let minimality = Minimality::of(&tanks)?;
    assert!(!minimality.controllable.holds && minimality.observable.holds && !minimality.holds());
    assert_eq!(minimality.controllable.property, PairProperty::Controllable);
    assert_eq!(minimality.controllable.dimension, 1);
    assert!((minimality.controllable.weakest_mode.0 + 4.0).abs() < 1e-12);
    assert!(minimality.to_string().contains("not minimal"));
    // Seen from both sides of the diagonal: the dual.
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// In hidden coordinates the last states are driven by nothing; the state is then rotated.
    #[test]
    fn a_hidden_uncontrollable_part_is_found(
        (a, b, q, reached) in (2..7_usize).prop_flat_map(|n| (entries(n, n), entries(n, 2), orthogonal(n), 1..n))
    ) {
        let n = a.nrows();
        let (mut a, mut b) = (a, b);
        for i in 0..n {
            // A chain through the part that is driven, so that it is controllable with room to spare.
            a.row_mut(i).mapv_inplace(|x| 0.1 * x);
            if i > 0 { a[[i, i - 1]] = 1.0; }
            for j in 0..2 {
                b[[i, j]] = if i >= reached { 0.0 } else if i == 0 && j == 0 { 1.0 } else { 0.1 * b[[i, j]] };
            }
        }
        for i in reached..n {
            for j in 0..reached {
                a[[i, j]] = 0.0;
            }
        }
        let rotated_a = q.dot(&a).dot(&q.t());
        let rotated_b = q.dot(&b);
        let s = system(rotated_a, rotated_b.clone(), rotated_b.t().to_owned(), Array2::zeros((2, 2)));
        let test = Minimality::of(&s).unwrap().controllable;
        prop_assert!(!test.holds);
        prop_assert_eq!(test.dimension, reached);
        // The bound of the second test holds: never below what the first has found, and small.
        prop_assert!(test.margin < 1e-3, "{}", test);
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
        // For a power, y and lambda have reciprocal units; the storage goes along with the state.
        let reciprocal: Vec<f64> = lambda.iter().map(|x| x.recip()).collect();
        let scaled = in_units(&original, &x, &reciprocal, &lambda, t);
        let sampled = |s: &LinearSystem| {
            matches!(sample_positive_realness(s).unwrap(), PositiveRealVerdict::NecessaryOnly { .. })
        };
        prop_assert_eq!(sampled(&original), sampled(&scaled));
        // On the axis 1 / s^3 is imaginary, as if it were lossless.
        prop_assert_eq!(sampled(&original), which < 4);
        if which < 3 {
            let c = array![CAPACITANCE, INDUCTANCE, FILTER];
            let p = Array2::from_diag(&Array1::from_shape_fn(original.states(), |i| c[i] / x[i] / x[i] * t));
            // Energies per new time are powers times t; y lambda kept its number.
            let verdict = check_storage(&scaled, p.view()).unwrap();
            let is_proved = matches!(verdict, StorageVerdict::Proved { .. });
            prop_assert!(is_proved, "{}", verdict);
            let wrong = &p * &Array1::from_shape_fn(original.states(), |i| if i == 0 { 1.001 } else { 1.0 });
            let verdict = check_storage(&scaled, wrong.view()).unwrap();
            let is_refuted = matches!(verdict, StorageVerdict::Refuted { .. });
            prop_assert!(is_refuted, "{}", verdict);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Initial condition

fn start(
    s: &LinearSystem,
    x0: Array1<f64>,
    offset: Option<Array1<f64>>,
) -> Result<InitialCondition, AnalysisError> {
    InitialCondition::of(s, &RelativeDegree::of(s)?, &x0, offset.as_ref())
}

#[test]
fn rows_that_are_violated_are_named() -> Outcome {
    let zero = Array2::zeros((3, 3));
    let c = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut d = zero.clone();
    d[[2, 2]] = 1.0;
    // Row 2 has relative degree 0: it may be negative, lambda lifts it.
    let s = system(zero, Array2::eye(3), c, d);
    let bad = start(&s, array![1.0, -0.25, -5.0], None)?;
    assert_eq!(bad.checked, [0, 1]);
    assert_eq!(bad.violated.iter().map(|v| (v.row, v.value)).collect::<Vec<_>>(), [(1, -0.25)]);
    assert_eq!(bad.combination, Some(vec![0.0, 1.0, 0.0]));
    assert!(!bad.holds() && bad.to_string().contains("y[1] = -2.5e-1"));
    let lifted = start(&s, array![1.0, -0.25, -5.0], Some(array![0.0, 0.25, 0.0]))?;
    assert!(lifted.holds(), "{lifted}");
    assert_eq!(lifted.output, [1.0, 0.0, -5.0]);
    Ok(())
}

#[test]
fn rounding_at_the_start_is_no_violation() -> Outcome {
    let s =
        system(Array2::zeros((3, 3)), array![[1.0], [1.0], [1.0]], array![[0.1, 0.2, -0.3]], array![[0.0]]);
    // 0.3 - (0.1 + 0.2) is -5.6e-17.
    let flat = start(&s, array![-1.0, -1.0, -1.0], None)?;
    assert!(flat.holds());
    let below = start(&s, array![1.0, 1.0, 1.0 + 1e-12], None)?;
    assert!(!below.holds());
    Ok(())
}

#[test]
fn rows_can_forbid_a_start_together() -> Outcome {
    // With both capacitors in play 10 V against 0 V cannot be: charge has to jump over.
    let jump = start(&filtered_bridge(), array![10.0, 0.0, 0.0], None)?;
    assert!(jump.violated.is_empty() && jump.checked.is_empty());
    let s = jump.combination.clone().expect("the state has to jump");
    assert!(s.iter().all(|x| *x >= 0.0));
    assert!(filtered_bridge().d().t().dot(&Array1::from(s.clone())).iter().all(|x| *x <= 1e-15));
    assert!(s.iter().zip(&jump.output).map(|(s, y)| s * y).sum::<f64>() < 0.0);
    assert!(jump.to_string().contains("together"));
    // With the filter charged there is nothing to jump; nor without the filter.
    assert!(start(&filtered_bridge(), array![10.0, 0.0, 12.0], None)?.holds());
    assert!(start(&diode_bridge(), array![10.0, 0.0], None)?.holds());
    Ok(())
}

#[test]
fn wrong_states_are_refused() {
    let s = integrator_chain(2);
    assert!(matches!(
        start(&s, array![1.0], None),
        Err(AnalysisError::Model(ModelError::WrongShape { what: "x0", .. }))
    ));
    assert!(matches!(
        start(&s, array![1.0, f64::NAN], None),
        Err(AnalysisError::Model(ModelError::NotFinite { what: "x0", index: 1, .. }))
    ));
    assert!(matches!(
        start(&s, array![1.0, 0.0], Some(array![0.0, 1.0])),
        Err(AnalysisError::Model(ModelError::WrongShape { what: "offset", .. }))
    ));
}

// ---------------------------------------------------------------------------------------------------------------------
// Passivity

fn is_proved(s: &LinearSystem, p: &Array2<f64>) -> Result<bool, AnalysisError> {
    Ok(matches!(check_storage(s, p.view())?, StorageVerdict::Proved { .. }))
}

/// d/dt (x^T P x / 2) - y^T lambda in the direction (x, lambda).
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
    let StorageVerdict::Refuted { direction, excess } = check_storage(&rlcd(), doubled.view())? else {
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
    assert_eq!(check_storage(&s, array![[1.0, 0.5], [0.4, 1.0]].view())?, StorageVerdict::NotSymmetric);
    let StorageVerdict::NotPositiveDefinite { direction, value } =
        check_storage(&s, array![[1.0, 2.0], [2.0, 1.0]].view())?
    else {
        panic!("eigenvalues -1 and 3");
    };
    assert!((value + 1.0).abs() < 1e-14 && (direction[0] + direction[1]).abs() < 1e-14);
    assert!(matches!(
        check_storage(&s, array![[1.0, 0.0], [0.0, 0.0]].view())?,
        StorageVerdict::NotPositiveDefinite { value: 0.0, .. }
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
    let PositiveRealVerdict::NotPassive { frequency, smallest_eigenvalue, .. } =
        sample_positive_realness(&lag)?
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
    let PositiveRealVerdict::NotPassive { frequency, smallest_eigenvalue, .. } =
        sample_positive_realness(&s)?
    else {
        panic!("the residue at 0 is not symmetric");
    };
    assert!((smallest_eigenvalue * frequency + 2.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn poles_on_the_axis_are_left_out() -> Outcome {
    let verdict = sample_positive_realness(&rlcd())?;
    let PositiveRealVerdict::NecessaryOnly { samples, skipped, smallest, .. } = &verdict else {
        panic!("{verdict}");
    };
    let resonance = (INDUCTANCE * CAPACITANCE).sqrt().recip();
    assert!(*samples > 50 && *smallest > -1e-12);
    assert!(skipped.iter().all(|w| (w / resonance - 1.0).abs() < 1e-12), "{skipped:?}");
    // A lossless port has G + G^H = 0 everywhere: rounding must not refute it.
    let lossless = system(resonator(), array![[1.0 / CAPACITANCE], [0.0]], array![[1.0, 0.0]], array![[0.0]]);
    let verdict = sample_positive_realness(&lossless)?;
    assert!(matches!(verdict, PositiveRealVerdict::NecessaryOnly { .. }), "{verdict}");
    Ok(())
}

#[test]
fn growing_modes_and_negative_feedthrough() -> Outcome {
    // -1 / (s - 1) has a positive real part on the axis and is not positive real all the same.
    let growing = system(array![[1.0]], array![[-1.0]], array![[1.0]], array![[0.0]]);
    assert_eq!(sample_positive_realness(&growing)?, PositiveRealVerdict::GrowingMode { re: 1.0, im: 0.0 });
    // 1 / (s + 1) - 0.01 is positive at low frequencies only.
    let negative = system(array![[-1.0]], array![[1.0]], array![[1.0]], array![[-0.01]]);
    assert!(
        matches!(sample_positive_realness(&negative)?, PositiveRealVerdict::NotPassive { frequency, .. } if frequency > 9.0)
    );
    // Three integrators in a row: eigenvalue 0 three times, but it does not grow. On the axis 1 / s^3 is
    // imaginary, so that the samples have nothing to say; 1 / s^2 is negative there.
    assert!(matches!(
        sample_positive_realness(&integrator_chain(3))?,
        PositiveRealVerdict::NecessaryOnly { .. }
    ));
    assert!(matches!(
        sample_positive_realness(&integrator_chain(2))?,
        PositiveRealVerdict::NotPassive { .. }
    ));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// x' = (J - R) P x + B lambda, y = B^T P x + D lambda with J skew and R >= 0 is passive with storage P;
    /// with one source in the place of a resistor it is not, with this P.
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
        let is_necessary = matches!(sampled, PositiveRealVerdict::NecessaryOnly { .. });
        prop_assert!(is_necessary, "{}", sampled);
        let mut active = losses;
        active[[0, 0]] = -0.1;
        let active = s(&active);
        let verdict = check_storage(&active, p.view()).unwrap();
        let StorageVerdict::Refuted { direction, .. } = verdict else { panic!("{verdict}") };
        prop_assert_eq!(direction.len(), n + m);
        prop_assert!(surplus(&active, &p, &direction) > 0.0);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// P property

#[test]
fn known_p_matrices() -> Result<(), ModelError> {
    // Second differences, a K-matrix: all minors are products of (size of a run + 1).
    let k = |n| {
        Array2::from_shape_fn((n, n), |(i, j): (usize, usize)| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        })
    };
    for n in 1..=20 {
        let PVerdict::PMatrix { margin } = p_property(k(n).view())? else { panic!("a K-matrix") };
        // The smallest pivot of all is the last of the whole chain, (n + 1) / n over 2.
        assert!((margin - (n + 1) as f64 / (2 * n) as f64).abs() < 1e-14);
    }
    // Murty's matrix: ones on the diagonal, twos below.
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
    // The last minor only is negative: the sum of all entries of the inverse is what counts.
    let mut last = k(5);
    last[[0, 4]] = -8.0;
    let PVerdict::NotPMatrix { index_set, minor } = p_property(last.view())? else { panic!("6 - 8 + ..") };
    assert_eq!(index_set, [0, 1, 2, 3, 4]);
    assert!((minor - (6.0 - 8.0)).abs() < 1e-13, "{minor}");
    // Zero on the diagonal, as the diode bridge has it.
    assert!(matches!(p_property(diode_bridge().d())?, PVerdict::NotPMatrix { .. }));
    // The complements 1 - 1/3 * 3 are zero up to rounding or in truth, never positive.
    let singular = array![[3.0, 1.0], [3.0, 1.0]];
    assert!(!p_property(singular.view())?.is_proved());
    Ok(())
}

#[test]
fn large_matrices_get_what_is_sufficient() -> Result<(), ModelError> {
    let n = 25;
    let eye = Array2::<f64>::eye(n);
    assert_eq!(p_property(eye.view())?, PVerdict::SufficientOnly(SufficientReason::Definite));
    let mut dominant = eye.clone() * 2.0;
    for i in 1..n {
        dominant[[0, i]] = 1.0 / n as f64;
        dominant[[i, 0]] = 1.9;
    }
    assert_eq!(p_property(dominant.view())?, PVerdict::SufficientOnly(SufficientReason::DiagonallyDominant));
    let murty = Array2::from_shape_fn((n, n), |(i, j)| {
        if i == j {
            1.0
        } else if i > j {
            2.0
        } else {
            0.0
        }
    });
    assert_eq!(p_property(murty.view())?, PVerdict::Unknown);
    let mut negative = eye;
    negative[[7, 7]] = -1.0;
    assert_eq!(p_property(negative.view())?, PVerdict::NotPMatrix { index_set: vec![7], minor: -1.0 });
    assert!(p_property(Array2::zeros((2, 3)).view()).is_err());
    assert!(p_property(Array2::zeros((0, 0)).view()).is_err());
    assert!(p_property(array![[f64::NAN]].view()).is_err());
    Ok(())
}

/// The determinant of an integer matrix without any rounding (Bareiss 1968).
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

    /// Integers, whose minors can be had exactly; about half of them are P-matrices, and some singular.
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
            PVerdict::PMatrix { margin } => prop_assert!(exact && margin > 0.0),
            PVerdict::NotPMatrix { index_set, minor } => {
                let reference = exact_minor(&m, &index_set);
                prop_assert!(reference <= 0);
                prop_assert!((minor - reference as f64).abs() <= 1e-9 * (1.0 + minor.abs()));
            }
            PVerdict::TooCloseToCall { index_set, minor, rounding } => {
                prop_assert_eq!(exact_minor(&m, &index_set), 0);
                prop_assert!(minor.abs() <= rounding && rounding < 1e-6);
            }
            other => prop_assert!(false, "{other}"),
        }
        // Positive factors of rows and columns change no sign.
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

// ---------------------------------------------------------------------------------------------------------------------
// The conditions of convergence together

#[test]
fn the_bridge_converges() -> Outcome {
    let (x0, p) = (array![10.0, 0.0], resonator_storage());
    let data = ConvergenceData { storage: Some(p.view()), step: Some(1e-6), ..ConvergenceData::new(&x0) };
    let report = ConvergenceReport::of(&diode_bridge(), &data)?;
    assert_eq!(report.conclusion(), Conclusion::Converges);
    // The matrix of the step is semidefinite and singular in its symmetric part, but not a P-matrix.
    assert!(report.one_step.as_ref().is_some_and(|(_, verdict)| !verdict.is_proved()));
    let text = report.to_string();
    for sentence in [
        "the relative degree is 0",
        "D is nonnegative definite",
        "the state is minimal",
        "backward Euler converges:",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
    // Without a storage matrix passivity is not proved.
    let without = ConvergenceReport::of(&diode_bridge(), &ConvergenceData::new(&x0))?;
    assert_eq!(without.conclusion(), Conclusion::ConvergesIfBounded);
    // A state that has to jump is outside of the result.
    let (x0, p) = (array![10.0, 0.0, 0.0], Array2::from_diag(&array![CAPACITANCE, INDUCTANCE, FILTER]));
    let data = ConvergenceData { storage: Some(p.view()), ..ConvergenceData::new(&x0) };
    assert_eq!(ConvergenceReport::of(&filtered_bridge(), &data)?.conclusion(), Conclusion::NotCovered);
    let charged = array![10.0, 0.0, 12.0];
    let data = ConvergenceData { x0: &charged, ..data };
    assert_eq!(ConvergenceReport::of(&filtered_bridge(), &data)?.conclusion(), Conclusion::Converges);
    Ok(())
}

#[test]
fn a_nonnegative_d_alone_does_not_give_solutions() -> Outcome {
    // x' = -lambda, y = x: the step from x > 0 has two solutions, from below 0 none.
    let s = system(array![[0.0]], array![[-1.0]], array![[1.0]], array![[0.0]]);
    let x0 = array![1.0];
    let report =
        ConvergenceReport::of(&s, &ConvergenceData { step: Some(0.1), ..ConvergenceData::new(&x0) })?;
    assert!(report.nonnegative_d.is_ok());
    assert_eq!(report.conclusion(), Conclusion::ConvergesIfBounded);
    assert!(matches!(report.one_step, Some((_, PVerdict::NotPMatrix { .. }))));
    assert!(report.to_string().contains("not a P-matrix"));
    Ok(())
}

#[test]
fn a_negative_d_is_not_covered() -> Outcome {
    let s = system(array![[-1.0]], array![[1.0]], array![[1.0]], array![[-1.0]]);
    let x0 = array![1.0];
    let report = ConvergenceReport::of(&s, &ConvergenceData::new(&x0))?;
    assert_eq!(report.nonnegative_d, Err(vec![1.0]));
    assert_eq!(report.conclusion(), Conclusion::NotCovered);
    assert!(matches!(report.samples, PositiveRealVerdict::NotPassive { .. }));
    assert!(report.to_string().contains("does not cover"));
    // Neither is a second-order constraint: not passive, though D = 0 is nonnegative definite.
    let ball = integrator_chain(2);
    let x0 = array![1.0, 0.0];
    let report = ConvergenceReport::of(&ball, &ConvergenceData::new(&x0))?;
    assert!(matches!(report.samples, PositiveRealVerdict::NotPassive { .. }));
    Ok(())
}

#[test]
fn a_part_that_is_not_seen_keeps_passivity_but_not_minimality() -> Outcome {
    let a = Array2::from_diag(&array![-1.0, -1.0]);
    let b = concatenate![Axis(0), array![[1.0]], array![[0.0]]];
    let s = system(a, b.clone(), b.t().to_owned(), array![[0.0]]);
    let (x0, p) = (array![1.0, 1.0], Array2::<f64>::eye(2));
    let data = ConvergenceData { storage: Some(p.view()), ..ConvergenceData::new(&x0) };
    let report = ConvergenceReport::of(&s, &data)?;
    assert!(matches!(report.storage, Some(StorageVerdict::Proved { .. })));
    assert_eq!(report.conclusion(), Conclusion::ConvergesIfBounded);
    Ok(())
}
