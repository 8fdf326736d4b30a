//! Invalid rigid bodies.

use siconos_kernel::FitError;
use siconos_kernel::model::{Inertia, NewtonEuler, Quaternion};
use siconos_kernel::prelude::*;

fn add(
    mass: f64,
    inertia: impl Into<Inertia>,
    orientation: [f64; 4],
) -> Result<DynamicalSystemId, ModelError> {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(NewtonEuler::new(mass, inertia, [0.0; 3], Quaternion(orientation)))
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

#[test]
fn a_mass_is_above_zero() {
    for mass in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(add(mass, 1.0, UPRIGHT), Err(ModelError::Mass { value: mass }));
    }
    assert!(matches!(add(f64::NAN, 1.0, UPRIGHT), Err(ModelError::Mass { .. })));
}

#[test]
fn an_inertia_is_symmetric_and_positive_definite() {
    let inertia = [[1.0, 0.5, 0.0], [0.25, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let expected = ModelError::InertiaNotSymmetric { row: 0, column: 1, value: 0.5, transposed: 0.25 };
    assert_eq!(add(1.0, inertia, UPRIGHT), Err(expected));
    let inertia = [[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert!(matches!(add(1.0, inertia, UPRIGHT), Err(ModelError::InertiaNotPositive { order: 2, .. })));
    assert!(matches!(
        add(1.0, [1.0, 1.0, 0.0], UPRIGHT),
        Err(ModelError::InertiaNotPositive { order: 3, .. })
    ));
    assert!(matches!(add(1.0, [1.0, f64::NAN, 1.0], UPRIGHT), Err(ModelError::NotFinite { .. })));
    // The unit of the inertia does not matter. A moment larger than the sum of the other two is only a
    // warning.
    for unit in [f64::powi(2.0, -600), f64::powi(2.0, 600)] {
        assert!(add(1.0, [1.0, 2.0, 3.0].map(|i: f64| i * unit), UPRIGHT).is_ok());
    }
    assert!(add(1.0, [1.0, 1.0, 5.0], UPRIGHT).is_ok());
}

#[test]
fn an_attitude_has_a_direction_and_gets_length_1() -> Result<(), Error> {
    assert_eq!(add(1.0, 1.0, [0.0; 4]), Err(ModelError::ZeroOrientation));
    assert!(matches!(add(1.0, 1.0, [f64::NAN; 4]), Err(ModelError::NotFinite { .. })));
    let mut model = NonSmoothDynamicalSystem::new();
    let body =
        model.add_system(NewtonEuler::new(1.0, 1.0, [1.0, 2.0, 3.0], Quaternion([3.0, 0.0, 4.0, 0.0])))?;
    let mut simulation =
        TimeStepping::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?).build()?;
    let mut state = simulation.initial_state(&model)?;
    assert_eq!(state.q(body), [1.0, 2.0, 3.0, 0.6, 0.0, 0.8, 0.0]);
    state.set_position(body, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0])?;
    assert_eq!(state.q(body)[3..], [0.0, 0.0, 0.0, -1.0]);
    state.set_positions(&model, &[0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0])?;
    assert_eq!(state.q(body)[3..], [0.0, 1.0, 0.0, 0.0]);
    let refused = state.set_position(body, &[0.0; 7]);
    assert_eq!(refused, Err(ModelError::OutsideSpace { index: 3, value: 0.0 }));
    assert_eq!(state.q(body)[3..], [0.0, 1.0, 0.0, 0.0]);
    assert!(simulation.step(&model, &mut state)?.is_some());
    Ok(())
}

#[test]
fn events_refuse_a_body_and_say_what_takes_it() -> Result<(), Error> {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY))?;
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
    let refused = EventDriven::builder(&model).discretisation(grid.clone()).build().err();
    assert!(
        matches!(
            refused,
            Some(Error::Simulation(SimulationError::Fit(FitError::UnsupportedSystem {
                what: "a rigid body",
                integrator: "EventDriven",
                ..
            })))
        ),
        "{refused:?}"
    );
    let refused = TimeStepping::builder(&model)
        .discretisation(grid)
        .integrator_for(body, EulerMoreau::default())
        .build();
    assert!(matches!(
        refused.err(),
        Some(Error::Simulation(SimulationError::Fit(FitError::UnsupportedSystem {
            what: "a rigid body",
            ..
        })))
    ));
    Ok(())
}

/// If joints do not hold at the start, the error names the joint with the largest error, its component and
/// the error.
#[test]
fn a_joint_that_does_not_hold_at_the_start_is_named() -> Result<(), Error> {
    // Hinges at the lower ends of two rods. The second rod is displaced or set in motion afterwards.
    let start = |shift: f64, speed: f64, size: f64| -> Result<_, Error> {
        let rod = |x: f64| {
            let moments = [1.0 / 12.0, 1.0 / 12.0, 1e-4].map(|it| it * size * size);
            NewtonEuler::new(1.0, moments, [x * size, 0.0, 0.5 * size], Quaternion::IDENTITY)
        };
        let mut model = NonSmoothDynamicalSystem::new();
        let mut hinges = Vec::new();
        for (x, shift, speed) in [(1.0, 0.0, 0.0), (2.0, shift, speed)] {
            let hinge = Joint::revolute(&rod(x), [x * size, 0.0, 0.0], [0.0, 1.0, 0.0])?;
            let rod = rod(x + shift).with_twist([0.0, speed * size, 0.0], [0.0; 3]);
            let rod = model.add_system(rod)?;
            let condition = hinge.condition()?;
            hinges.push(model.add_interaction([rod], hinge, condition)?);
        }
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
        let mut lenient = TimeStepping::builder(&model).discretisation(grid.clone()).build()?;
        lenient.initial_state(&model)?;
        let mut strict = TimeStepping::builder(&model).discretisation(grid).strict(true).build()?;
        Ok((strict.initial_state(&model).map(|_| ()), hinges))
    };
    for size in [1.0, 2.0_f64.powi(-30)] {
        assert!(start(0.0, 0.0, size)?.0.is_ok());
        assert!(start(1e-14, 0.0, size)?.0.is_ok());
        let (found, hinges) = start(1e-3, 0.0, size)?;
        let Err(SimulationError::InconsistentStart { relation, component, level, value }) = found else {
            panic!("{found:?}")
        };
        assert_eq!((relation, component, level), (hinges[1].into(), 0, Level::Position));
        assert!((value - 1e-3 * size).abs() < 1e-15 * size);
        let (found, hinges) = start(0.0, 0.2, size)?;
        let error = found.expect_err("a velocity that the hinge forbids").to_string();
        let expected = format!(
            "interaction {} is a joint that is violated at the start: component 1 of its velocity",
            hinges[1]
        );
        assert!(error.contains(&expected), "{error}");
    }
    Ok(())
}

#[test]
fn an_attitude_may_be_of_any_length_but_0() {
    let unit = Quaternion::about([1.0, 2.0, 3.0], 0.7);
    let orientation = |length: f64| {
        NewtonEuler::new(1.0, 0.1, [0.0; 3], Quaternion(unit.0.map(|part| length * part))).q0()[3..].to_vec()
    };
    // Powers of two with squares outside the range of f64.
    for power in [-1060, -600, -3, 3, 600, 1000] {
        let length = 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2);
        let off = orientation(length).into_iter().zip(orientation(1.0)).map(|(a, b)| (a - b).abs());
        let off = off.fold(0.0, siconos_testkit::compare::worse);
        assert!(off < if power < -1000 { 1e-3 } else { 1e-15 }, "2^{power}: {off:e}");
        assert!((Quaternion([length, 0.0, 0.0, 0.0]).norm() / length - 1.0).abs() < 1e-15, "2^{power}");
    }
    assert_eq!(Quaternion([0.0; 4]).norm(), 0.0);
    assert!(!Quaternion([f64::NAN, 1.0, 0.0, 0.0]).norm().is_finite());
}
