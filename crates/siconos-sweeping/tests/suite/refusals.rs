//! Wrong input and its errors.

use ndarray::array;
use siconos_kernel::{ModelError, SettingsError};
use siconos_numerics::Status;
use siconos_numerics::cone::{Ball, ConvexSetError, DykstraSettings, Intersection, Orthant, Polyhedron};
use siconos_sweeping::{
    CatchingUp, CatchingUpSettings, FixedSet, FunctionSet, MovingFrame, MovingPolyhedron, SweepingError,
};

#[test]
fn an_empty_set_is_named_with_its_time_and_a_proof() {
    // t <= x <= 1.
    let closing = MovingPolyhedron::new(1, 2, |t, mut h, k| {
        (h[[0, 0]], h[[1, 0]]) = (1.0, -1.0);
        (k[0], k[1]) = (t, -1.0);
    });
    let mut sweep = CatchingUp::new(closing.expect("an interval"));
    let mut u = [0.0];
    for k in 0..4 {
        assert!(sweep.step(0.25 * f64::from(k), 0.25, &mut u).expect("it goes").status.is_success());
    }
    assert_eq!(u, [1.0]);
    let error = sweep.step(1.0, 0.25, &mut u).expect_err("nothing is between 1.25 and 1");
    let SweepingError::Empty { t, certificate } = &error else { panic!("{error}") };
    assert_eq!(*t, 1.25);
    assert!((certificate[0] - certificate[1]).abs() < 1e-12 && certificate[0] > 0.0, "{certificate:?}");
    assert_eq!(u, [1.0], "the state is as it was");
}

#[test]
fn steps_times_and_states_are_checked() {
    let mut sweep = CatchingUp::new(FixedSet::new(2, Orthant));
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = sweep.step(0.0, h, &mut [0.0; 2]).expect_err("no step");
        assert!(
            matches!(error, SweepingError::Settings(SettingsError::OutOfRange { name: "h", .. })),
            "{error}"
        );
    }
    let error = sweep.step(0.0, 1.0, &mut [0.0, f64::NAN]).expect_err("no state");
    assert!(
        matches!(error, SweepingError::Model(ModelError::NotFinite { what: "u", index: 1, .. })),
        "{error}"
    );
    let error = sweep.step(0.0, 1.0, &mut [0.0]).expect_err("one number");
    assert!(matches!(error, SweepingError::Model(ModelError::WrongShape { what: "u", .. })), "{error}");
    assert!(sweep.begin(f64::NAN, &mut [0.0; 2]).is_err());
    let settings = CatchingUpSettings { tolerance: 0.0, ..CatchingUpSettings::default() };
    assert!(CatchingUp::new(FixedSet::new(1, Orthant)).with_settings(settings).is_err());
    let settings = CatchingUpSettings { max_outer: 0, ..CatchingUpSettings::default() };
    assert!(CatchingUp::new(FixedSet::new(1, Orthant)).with_settings(settings).is_err());
}

#[test]
fn functions_that_give_no_numbers_are_named() {
    let named = |error: SweepingError, expected: &str| {
        assert!(
            matches!(&error, SweepingError::Model(ModelError::NotFiniteAt { what, t: 1.0, .. }) if *what == expected),
            "{error}"
        );
    };
    let half_line = || MovingPolyhedron::orthant(1).expect("a half-line");
    let mut sweep = CatchingUp::new(half_line()).with_perturbation(|t, _x, f| f[0] = (0.5 - t).sqrt());
    named(sweep.step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "f");
    let mut sweep = CatchingUp::new(half_line())
        .with_perturbation(|_t, _x, f| f[0] = 1.0)
        .with_jacobian(|_t, _x, mut j| j[[0, 0]] = f64::NAN);
    named(sweep.step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "df/dx");
    let lost = MovingFrame::translated(1, Orthant, |t, shift| shift[0] = (0.5 - t).ln());
    named(CatchingUp::new(lost).step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "the origin of a frame");
    let lost = MovingFrame::new(1, Orthant, |t, _origin, mut axes| axes[[0, 0]] = (0.5 - t).ln());
    named(CatchingUp::new(lost).step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "the axes of a frame");
    let lost = MovingPolyhedron::new(1, 1, |t, mut h, k| (h[[0, 0]], k[0]) = (1.0, (0.5 - t).ln()));
    named(CatchingUp::new(lost.unwrap()).step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "k");
    let lost = FunctionSet::new(1, |_t, x: &mut [f64]| x[0] = f64::NAN);
    named(CatchingUp::new(lost).step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "a projection");
    let lost = FixedSet::new(1, |x: &mut [f64]| x[0] = f64::NAN);
    named(CatchingUp::new(lost).step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "a projection");
    // Steps by projection check the function as well.
    let mut sweep = CatchingUp::new(FixedSet::new(1, Orthant)).with_perturbation(|_t, _x, f| f[0] = f64::NAN);
    named(sweep.step(0.0, 1.0, &mut [1.0]).expect_err("no number"), "f");
}

/// A set, alone or in a frame, reports that it has no nearest point, or that the projection did not find it.
#[test]
fn a_projection_that_fails_is_told() {
    let nothing = Polyhedron::new(array![[1.0], [-1.0]], vec![1.0, 0.0]).unwrap();
    let mut apart = Intersection::default()
        .with_settings(DykstraSettings { max_cycles: 20, ..DykstraSettings::default() })
        .unwrap();
    apart.add(Ball::new(vec![0.0], 1.0).unwrap());
    apart.add(Ball::new(vec![3.0], 1.0).unwrap());
    let report = CatchingUp::new(FixedSet::new(1, nothing.clone())).step(0.0, 1.0, &mut [0.5]).unwrap();
    assert_eq!(report.status, Status::NoSolution);
    let shifted = MovingFrame::translated(1, nothing, |t, shift| shift[0] = t);
    assert_eq!(CatchingUp::new(shifted).step(0.0, 1.0, &mut [0.5]).unwrap().status, Status::NoSolution);
    let report = CatchingUp::new(FixedSet::new(1, apart)).step(0.0, 1.0, &mut [0.5]).unwrap();
    assert_eq!(report.status, Status::MaxIterations);
}

#[test]
fn matrices_that_do_not_fit() {
    let sweep = || CatchingUp::new(FixedSet::new(2, Orthant));
    let error = sweep().with_metric(array![[1.0, 2.0], [2.0, 1.0]].view()).expect_err("it is indefinite");
    assert!(
        matches!(error, SweepingError::Set(ConvexSetError::NotPositiveDefinite { what: "P", .. })),
        "{error}"
    );
    assert!(sweep().with_metric(array![[1.0]].view()).is_err());
    assert!(sweep().with_linear_perturbation(array![[1.0]], |_t, _g| ()).is_err());
    assert!(sweep().with_linear_perturbation(array![[1.0, f64::NAN], [0.0, 0.0]], |_t, _g| ()).is_err());
    assert!(MovingPolyhedron::new(0, 1, |_t, _h, _k| ()).is_err());
    assert!(MovingPolyhedron::orthant(0).is_err());
    // I + h A = 0 for h = 1.
    let mut singular = CatchingUp::new(MovingPolyhedron::orthant(1).unwrap())
        .with_linear_perturbation(array![[-1.0]], |_t, _g| ())
        .unwrap();
    let error = singular.step(0.0, 1.0, &mut [1.0]).expect_err("it is singular");
    assert!(matches!(error, SweepingError::Singular { t: 1.0, .. }), "{error}");
    let skew = MovingFrame::new(2, Orthant, |t, _origin, mut axes| axes[[0, 1]] = 0.1 * t);
    let error = CatchingUp::new(skew).step(0.0, 1.0, &mut [1.0, 1.0]).expect_err("it is no frame");
    assert!(
        matches!(
            error,
            SweepingError::MovingSet {
                source: ConvexSetError::NotOrthogonal { first: 0, second: 1, .. },
                ..
            }
        ),
        "{error}"
    );
    // A row of zeros with a bound above 0.
    let zero = MovingPolyhedron::new(1, 1, |_t, _h, k| k[0] = 1.0).unwrap();
    let error = CatchingUp::new(zero).step(0.0, 1.0, &mut [1.0]).expect_err("a row of zeros");
    assert!(
        matches!(error, SweepingError::MovingSet { source: ConvexSetError::ZeroRow { row: 0, .. }, .. }),
        "{error}"
    );
}
