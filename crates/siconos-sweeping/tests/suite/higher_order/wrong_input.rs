//! Wrong input is refused with an error that states the requirement.

use ndarray::{Array2, array};
use siconos_kernel::analysis::{LinearSystem, PProperty};
use siconos_kernel::prelude::*;
use siconos_sweeping::higher_order::{HigherOrderError, HigherOrderSweeping};

use super::systems::chain;

fn of(a: Array2<f64>, b: Array2<f64>, c: Array2<f64>, d: Array2<f64>) -> HigherOrderError {
    HigherOrderSweeping::of(&LinearSystem::new(a, b, c, d).unwrap()).unwrap_err()
}

#[test]
fn systems_without_a_relative_degree() {
    // The input does not act on the output.
    let error = of(array![[-1.0]], array![[0.0]], array![[1.0]], array![[0.0]]);
    let HigherOrderError::NotUniform { degree } = &error else { panic!("{error}") };
    assert_eq!(degree.per_row_coupled, [None]);
    assert!(error.to_string().contains("derivative none"), "{error}");
}

#[test]
fn systems_without_a_uniform_relative_degree() {
    // Row 0 has degree 1, row 1 has degree 2.
    let a = array![[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]];
    let b = array![[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]];
    let c = array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let error = of(a, b, c, Array2::zeros((2, 2)));
    let HigherOrderError::NotUniform { degree } = &error else { panic!("{error}") };
    assert_eq!(degree.per_row_coupled, [Some(1), Some(2)]);
    assert!(error.to_string().contains("derivative 1, 2"), "{error}");
    // Dependent rows: equal degrees, and a singular matrix.
    let ones = array![[1.0, 1.0], [1.0, 1.0]];
    let error = of(Array2::zeros((2, 2)), Array2::eye(2), ones, Array2::zeros((2, 2)));
    assert!(matches!(&error, HigherOrderError::NotUniform { .. }), "{error}");
    assert!(error.to_string().contains("1, 1") && error.to_string().contains("dependent"), "{error}");
    // A D that is neither 0 nor regular.
    let error = of(Array2::zeros((2, 2)), Array2::eye(2), Array2::eye(2), array![[1.0, 0.0], [0.0, 0.0]]);
    let HigherOrderError::NotUniform { degree } = &error else { panic!("{error}") };
    assert_eq!(degree.per_row_coupled, [Some(0), Some(1)]);
}

#[test]
fn systems_of_relative_degree_zero() {
    let error = of(array![[-1.0]], array![[1.0]], array![[1.0]], array![[1.0]]);
    assert_eq!(error, HigherOrderError::DegreeZero);
}

#[test]
fn leading_matrices_that_are_no_p_matrix() {
    let b = array![[1.0, 2.0], [2.0, 1.0]];
    let error = of(Array2::zeros((2, 2)), b, Array2::eye(2), Array2::zeros((2, 2)));
    let HigherOrderError::NotP { relative_degree: 1, verdict } = &error else { panic!("{error}") };
    assert_eq!(*verdict, PProperty::NotPMatrix { index_set: vec![0, 1], minor: -3.0 });
    // A lambda of the wrong sign.
    let error = of(array![[0.0, 1.0], [0.0, 0.0]], array![[0.0], [-1.0]], array![[1.0, 0.0]], array![[0.0]]);
    assert!(matches!(error, HigherOrderError::NotP { relative_degree: 2, .. }), "{error}");
    assert!(error.to_string().contains("r = 2"), "{error}");
}

#[test]
fn powers_that_overflow() {
    let error = of(
        array![[0.0, 1e200, 0.0], [0.0, 0.0, 1e200], [0.0, 0.0, 1e200]],
        array![[0.0], [0.0], [1e-300]],
        array![[1.0, 0.0, 0.0]],
        array![[0.0]],
    );
    assert!(matches!(error, HigherOrderError::Model(ModelError::NotFinite { .. })), "{error}");
}

#[test]
fn vectors_and_steps() {
    let mut sweeping = chain(3);
    let shape = |error| matches!(error, HigherOrderError::Model(ModelError::WrongShape { .. }));
    let not_finite = |error, at| matches!(error, HigherOrderError::Model(ModelError::NotFinite { index, .. }) if index == at);
    assert!(shape(sweeping.state(&[1.0, 2.0]).unwrap_err()));
    assert!(not_finite(sweeping.state(&[1.0, f64::NAN, 2.0]).unwrap_err(), 1));
    assert!(not_finite(sweeping.state(&[1.0, 0.0, f64::INFINITY]).unwrap_err(), 2));
    let z = array![[1.0], [2.0], [f64::NAN]];
    assert!(not_finite(sweeping.normal_state(z.view(), &[]).unwrap_err(), 2));
    assert!(shape(sweeping.normal_state(array![[1.0, 2.0, 3.0]].view(), &[]).unwrap_err()));
    assert!(shape(sweeping.normal_state(array![[1.0], [2.0], [3.0]].view(), &[1.0]).unwrap_err()));
    assert!(shape(chain(3).with_source(&[1.0]).unwrap_err()));
    assert!(not_finite(chain(3).with_source(&[0.0, f64::NAN, 0.0]).unwrap_err(), 1));

    let mut state = sweeping.state(&[1.0, -2.0, 1.0]).unwrap();
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let error = sweeping.step(h, &mut state).unwrap_err();
        let HigherOrderError::Settings(SettingsError::OutOfRange { name: "h", .. }) = error else {
            panic!("{error}")
        };
        assert!(sweeping.step_matrix(h).is_err());
    }
    // A state of another process.
    let mut other = chain(2).state(&[1.0, 2.0]).unwrap();
    assert!(shape(sweeping.step(0.1, &mut other).unwrap_err()));
    assert!(shape(sweeping.jump(&other).unwrap_err()));
    assert!(shape(sweeping.x(&other).unwrap_err()));
    // The state of this process has not changed.
    assert_eq!(sweeping.x(&state).unwrap(), [1.0, -2.0, 1.0]);
}
