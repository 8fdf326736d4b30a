//! Report on all conditions of convergence.

use super::*;

#[test]
fn the_bridge_converges() -> Outcome {
    let (x0, p) = (array![10.0, 0.0], resonator_storage());
    let data = ConvergenceData { storage: Some(p.view()), step: Some(1e-6), ..ConvergenceData::new(&x0) };
    let report = ConvergenceReport::of(&diode_bridge(), &data)?;
    assert_eq!(report.conclusion(), ConvergenceConclusion::Converges);
    // The symmetric part of the one-step matrix is singular and positive semidefinite; the matrix is not a
    // P-matrix.
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
    // Without a storage matrix, passivity is not proved.
    let without = ConvergenceReport::of(&diode_bridge(), &ConvergenceData::new(&x0))?;
    assert_eq!(without.conclusion(), ConvergenceConclusion::ConvergesIfBounded);
    // The theorem does not cover initial states that have to jump.
    let (x0, p) = (array![10.0, 0.0, 0.0], Array2::from_diag(&array![CAPACITANCE, INDUCTANCE, FILTER]));
    let data = ConvergenceData { storage: Some(p.view()), ..ConvergenceData::new(&x0) };
    assert_eq!(
        ConvergenceReport::of(&filtered_bridge(), &data)?.conclusion(),
        ConvergenceConclusion::NotCovered
    );
    let charged = array![10.0, 0.0, 12.0];
    let data = ConvergenceData { x0: &charged, ..data };
    assert_eq!(
        ConvergenceReport::of(&filtered_bridge(), &data)?.conclusion(),
        ConvergenceConclusion::Converges
    );
    Ok(())
}

#[test]
fn a_nonnegative_d_alone_does_not_give_solutions() -> Outcome {
    // x' = -lambda, y = x: a step from x > 0 has two solutions, a step from x < 0 has none.
    let s = system(array![[0.0]], array![[-1.0]], array![[1.0]], array![[0.0]]);
    let x0 = array![1.0];
    let report =
        ConvergenceReport::of(&s, &ConvergenceData { step: Some(0.1), ..ConvergenceData::new(&x0) })?;
    assert!(report.nonnegative_d.is_ok());
    assert_eq!(report.conclusion(), ConvergenceConclusion::ConvergesIfBounded);
    assert!(matches!(report.one_step, Some((_, PProperty::NotPMatrix { .. }))));
    assert!(report.to_string().contains("not a P-matrix"));
    Ok(())
}

#[test]
fn a_negative_d_is_not_covered() -> Outcome {
    let s = system(array![[-1.0]], array![[1.0]], array![[1.0]], array![[-1.0]]);
    let x0 = array![1.0];
    let report = ConvergenceReport::of(&s, &ConvergenceData::new(&x0))?;
    assert_eq!(report.nonnegative_d, Err(vec![1.0]));
    assert_eq!(report.conclusion(), ConvergenceConclusion::NotCovered);
    assert!(matches!(report.samples, PositiveRealness::NotPassive { .. }));
    assert!(report.to_string().contains("does not cover"));
    // A second-order constraint is not covered either: it is not passive, although D = 0 is nonnegative
    // definite.
    let ball = integrator_chain(2);
    let x0 = array![1.0, 0.0];
    let report = ConvergenceReport::of(&ball, &ConvergenceData::new(&x0))?;
    assert!(matches!(report.samples, PositiveRealness::NotPassive { .. }));
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
    assert!(matches!(report.storage, Some(StorageCheck::Proved { .. })));
    assert_eq!(report.conclusion(), ConvergenceConclusion::ConvergesIfBounded);
    Ok(())
}
