//! Consistency of initial states.

use super::*;

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
    // Row 2 has relative degree 0: lambda can lift a negative value.
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
    // With both capacitors, voltages of 10 V and 0 V are inconsistent: charge has to jump from one to the
    // other.
    let jump = start(&filtered_bridge(), array![10.0, 0.0, 0.0], None)?;
    assert!(jump.violated.is_empty() && jump.checked.is_empty());
    let s = jump.combination.clone().expect("the state has to jump");
    assert!(s.iter().all(|x| *x >= 0.0));
    assert!(filtered_bridge().d().t().dot(&Array1::from(s.clone())).iter().all(|x| *x <= 1e-15));
    assert!(s.iter().zip(&jump.output).map(|(s, y)| s * y).sum::<f64>() < 0.0);
    assert!(jump.to_string().contains("together"));
    // With the filter capacitor charged, or without a filter capacitor, the state does not jump.
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
