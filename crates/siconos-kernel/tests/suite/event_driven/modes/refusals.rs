//! Refused models, with errors that state the requirement.

use ndarray::{Array2, array};
use siconos_kernel::FitError;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::ModeError;

use super::{Driver, linear, with_relation};

fn error_of(model: &NonSmoothDynamicalSystem) -> SimulationError {
    Driver::try_new(model).map(|_| ()).expect_err("it is refused")
}

#[test]
fn relative_degree_two_is_refused() {
    let model = linear(
        &[1.0, 0.0],
        array![[0.0, 1.0], [0.0, 0.0]],
        array![[0.0], [1.0]],
        array![[1.0, 0.0]],
        array![[0.0]],
    );
    assert!(error_of(&model).to_string().contains("second or a higher derivative"));
}

#[test]
fn matrices_without_a_unique_motion_are_refused() {
    for (b, d) in [(1.0, -1.0), (-1.0, 0.0)] {
        let model = linear(&[1.0], array![[0.0]], array![[b]], array![[1.0]], array![[d]]);
        assert!(error_of(&model).to_string().contains("P-matrix"), "B = {b}, D = {d}");
    }
}

#[test]
fn singular_mass_and_relays_are_refused() {
    let system =
        FirstOrderLinear::new(vec![1.0, 1.0], Array2::eye(2)).with_mass(array![[1.0, 0.0], [0.0, 0.0]]);
    let relation = FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[1.0], [0.0]]);
    let text = error_of(&with_relation(system, relation, 1)).to_string();
    assert!(text.contains("singular matrix M"), "{text}");

    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinear::new(vec![1.0], array![[0.0]])).expect("shapes fit");
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    model
        .add_interaction([x], relation, Relay::new(vec![-1.0], vec![1.0]).expect("in order"))
        .expect("shapes fit");
    assert!(
        matches!(error_of(&model), SimulationError::Fit(FitError::Unsupported { what, .. }) if what.contains("relay"))
    );
}

#[test]
fn relation_that_is_not_affine_in_lambda_is_refused() {
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.lambda[0] + at.lambda[0].powi(2),
        |at, r| r[0] = at.lambda[0],
    )
    .with_c(RelationJacobian::Constant(array![[1.0]]))
    .with_d(RelationJacobian::FiniteDifference)
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[1.0]]));
    let model = with_relation(FirstOrderLinear::new(vec![-1.0], array![[0.0]]), relation, 1);
    assert!(matches!(error_of(&model), SimulationError::Mode(ModeError::NotAffineInLambda { .. })));
}

#[test]
fn state_without_any_way_on_is_an_error() {
    // Two walls with contradictory positions.
    let relation = FirstOrderLinearRelation::new(array![[1.0], [-1.0]], array![[1.0, -1.0]])
        .with_offset(vec![-1.0, 0.5]);
    let model = with_relation(FirstOrderLinear::new(vec![0.0], array![[0.0]]), relation, 2);
    assert!(matches!(error_of(&model), SimulationError::Mode(ModeError::NoMode { .. })));
}

#[test]
fn what_is_not_finite_is_an_error() {
    let system = FirstOrderLinear::new(vec![1.0], array![[0.0]]).with_source_function(|_, b| b[0] = f64::NAN);
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    assert!(matches!(
        error_of(&with_relation(system, relation, 1)),
        SimulationError::Mode(ModeError::NotFinite { .. })
    ));
}
