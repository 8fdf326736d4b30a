//! Invalid first-order models, and the contents of the errors.

use ndarray::{Array2, array};
use siconos_kernel::FitError;
use siconos_kernel::model::{DynamicalSystem, NonSmoothLaw, Relation};
use siconos_kernel::prelude::*;
use siconos_numerics::avi::AviMethod;
use siconos_numerics::contact::ContactMethod;
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::LcpMethod;
use siconos_numerics::mlcp::MlcpMethod;
use siconos_numerics::relay::RelayMethod;

fn grid() -> TimeDiscretisation {
    TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap()
}

fn two() -> FirstOrderLinearTi {
    FirstOrderLinearTi::new(vec![1.0, 2.0], -Array2::<f64>::eye(2))
}

fn law() -> ComplementarityCondition {
    ComplementarityCondition::new(1).unwrap()
}

fn add(system: impl Into<DynamicalSystem>) -> Result<(), ModelError> {
    NonSmoothDynamicalSystem::new().add_system(system).map(drop)
}

fn relate(relation: impl Into<Relation>) -> Result<(), ModelError> {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(two()).unwrap();
    model.add_interaction([system], relation, law()).map(drop)
}

#[track_caller]
fn assert_shape(result: Result<(), ModelError>, name: &str, expected: (usize, usize), found: (usize, usize)) {
    match result {
        Err(ModelError::WrongShape { what, expected_rows, expected_columns, rows, columns }) => {
            assert_eq!((what, (expected_rows, expected_columns), (rows, columns)), (name, expected, found));
        }
        other => panic!("{other:?}"),
    }
}

fn matrix(rows: usize, columns: usize) -> Array2<f64> {
    Array2::ones((rows, columns))
}

#[test]
fn coefficients_of_the_wrong_shape() {
    let good = || FirstOrderLinearRelation::new(matrix(1, 2), matrix(2, 1));
    assert!(relate(good()).is_ok());
    assert_shape(relate(good().with_d(matrix(2, 2))), "D", (1, 1), (2, 2));
    assert_shape(relate(good().with_d(matrix(1, 2))), "D", (1, 1), (1, 2));
    assert_shape(relate(good().with_offset(vec![0.0, 1.0])), "e", (1, 1), (2, 1));
    assert_shape(relate(good().with_parameters(matrix(2, 3), vec![0.0; 3])), "F", (1, 3), (2, 3));
    assert_shape(relate(good().with_parameters(matrix(1, 3), vec![0.0; 2])), "z", (3, 1), (2, 1));
    assert_shape(relate(FirstOrderLinearRelation::new(matrix(1, 3), matrix(2, 1))), "C", (1, 2), (1, 3));
    assert_shape(relate(FirstOrderLinearRelation::new(matrix(1, 2), matrix(3, 1))), "B", (2, 1), (3, 1));
    assert_shape(relate(FirstOrderLinearRelation::new(matrix(1, 2), matrix(1, 2))), "B", (2, 1), (1, 2));

    let linear = || FirstOrderLinear::new(vec![0.0; 2], matrix(2, 2));
    assert_shape(add(FirstOrderLinear::new(vec![0.0; 2], matrix(2, 3))), "A", (2, 2), (2, 3));
    assert_shape(add(linear().with_mass(matrix(3, 3))), "M", (2, 2), (3, 3));
    assert_shape(add(linear().with_source(vec![0.0; 3])), "b", (2, 1), (3, 1));
    assert_shape(add(linear().with_control(matrix(1, 2), |_, _| ())), "T", (2, 2), (1, 2));
    let of_jacobian = |j| FirstOrderNonlinear::new(vec![0.0; 2], |_, _, _| (), Jacobian::Constant(j));
    assert_shape(add(of_jacobian(matrix(2, 1))), "derivative of f in x", (2, 2), (2, 1));
    assert_shape(add(of_jacobian(matrix(2, 2)).with_mass(matrix(1, 1))), "M", (2, 2), (1, 1));
    assert_eq!(add(FirstOrderLinearTi::new(vec![], matrix(0, 0))), Err(ModelError::NoDegreeOfFreedom));
    assert!(matches!(
        add(FirstOrderLinearTi::new(vec![0.0, f64::NAN], matrix(2, 2))),
        Err(ModelError::NotFinite { what: "x0", index: 1, .. })
    ));
    let infinite = array![[1.0, f64::INFINITY]];
    assert!(matches!(
        relate(FirstOrderLinearRelation::new(infinite, matrix(2, 1))),
        Err(ModelError::NotFinite { what: "C", index: 1, .. })
    ));
    assert!(matches!(
        relate(good().with_parameters(matrix(1, 1), vec![f64::NAN])),
        Err(ModelError::NotFinite { what: "z", .. })
    ));
    let empty = FirstOrderLinearRelation::new(matrix(0, 2), matrix(2, 0));
    assert!(matches!(relate(empty), Err(ModelError::Empty { .. })));
}

#[test]
fn jacobians_that_are_missing_or_do_not_fit() {
    let bare = || FirstOrderNonlinearRelation::new(1, |_, _| (), |_, _| ());
    let zero = || RelationJacobian::Zero;
    let missing = |relation| match relate(relation) {
        Err(ModelError::MissingJacobian { what }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(missing(bare()), "C");
    assert_eq!(missing(bare().with_c(zero())), "D");
    assert_eq!(missing(bare().with_c(zero()).with_d(zero())), "K");
    assert_eq!(missing(bare().with_c(zero()).with_d(zero()).with_k(zero())), "B");
    assert_eq!(missing(bare().with_d(zero()).with_k(zero()).with_b(zero())), "C");
    let message = relate(bare()).unwrap_err().to_string();
    assert!(message.contains("FiniteDifference"), "{message}");

    let complete = || bare().with_c(zero()).with_d(zero()).with_k(zero()).with_b(zero());
    assert!(relate(complete()).is_ok());
    let constant = |rows, columns| RelationJacobian::Constant(matrix(rows, columns));
    assert_shape(relate(complete().with_c(constant(2, 1))), "C", (1, 2), (2, 1));
    assert_shape(relate(complete().with_d(constant(2, 2))), "D", (1, 1), (2, 2));
    assert_shape(relate(complete().with_k(constant(1, 2))), "K", (2, 2), (1, 2));
    assert_shape(relate(complete().with_b(constant(1, 1))), "B", (2, 1), (1, 1));
    for step in [0.0, -1e-6, f64::NAN] {
        let relation = complete().with_k(RelationJacobian::FiniteDifferenceWithStep(step));
        assert!(matches!(relate(relation), Err(ModelError::DifferenceStep { .. })));
    }
    let relation = complete().with_parameters(vec![0.0, f64::INFINITY]);
    assert!(matches!(relate(relation), Err(ModelError::NotFinite { what: "z", index: 1, .. })));
}

#[test]
fn wrong_jacobians_are_found() {
    let wrong = FirstOrderNonlinearRelation::new(1, |at, y| y[0] = at.x[0] * at.x[1], |_, _| ())
        .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 1]]) = (at.x[1], -at.x[0])))
        .with_d(RelationJacobian::Zero)
        .with_k(RelationJacobian::Zero)
        .with_b(RelationJacobian::Zero);
    let found = wrong.check_jacobians(0.0, &[2.0, 3.0], &[0.0], 1e-6).unwrap_err();
    assert_eq!((found.what, found.row, found.column, found.given), ("C", 0, 1, -2.0));
    let system = FirstOrderNonlinear::new(vec![1.0], |_, x, f| f[0] = x[0].powi(2), Jacobian::Zero);
    assert!(system.check_jacobians(0.0, &[1.0], &[0.0], 1e-6).is_err());
}

#[test]
fn families_do_not_mix() {
    let mut model = NonSmoothDynamicalSystem::new();
    let (first, second) = (
        model.add_system(two()).unwrap(),
        model.add_system(LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![1.0, 1.0])).unwrap(),
    );
    let error =
        model.add_interaction([first], LagrangianLinearRelation::new(matrix(1, 2)), law()).unwrap_err();
    assert!(matches!(error, ModelError::OrderMismatch { system, .. } if system == first), "{error}");
    let relation = || FirstOrderLinearRelation::new(matrix(1, 2), matrix(2, 1));
    let error = model.add_interaction([second], relation(), law()).unwrap_err();
    assert!(matches!(error, ModelError::OrderMismatch { system, .. } if system == second), "{error}");
    assert!(model.add_interaction([first, second], relation(), law()).is_err());

    for (system, integrator) in
        [(first, Integrator::from(MoreauJean::default())), (second, EulerMoreau::default().into())]
    {
        let built =
            TimeStepping::builder(&model).discretisation(grid()).integrator_for(system, integrator).build();
        match built.unwrap_err() {
            Error::Simulation(SimulationError::Fit(FitError::UnsupportedSystem {
                system: of,
                integrator: name,
                ..
            })) => {
                assert_eq!((of, name), (system, integrator.name()));
            }
            other => panic!("{other}"),
        }
    }
    // If several integrators are set, each applies to the systems of its family.
    let built = TimeStepping::builder(&model)
        .discretisation(grid())
        .integrator(MoreauJean::default())
        .integrator(ThetaGamma::default())
        .build();
    assert!(built.is_ok());
}

fn build(model: &NonSmoothDynamicalSystem, integrator: impl Into<Integrator>) -> Result<TimeStepping, Error> {
    TimeStepping::builder(model).discretisation(grid()).integrator(integrator).build()
}

#[test]
fn what_a_scheme_cannot_carry() {
    let with = |system: DynamicalSystem| {
        let mut model = NonSmoothDynamicalSystem::new();
        model.add_system(system).unwrap();
        model
    };
    let unsupported = |result: Result<TimeStepping, Error>| match result {
        Err(Error::Simulation(SimulationError::Fit(FitError::UnsupportedSystem {
            integrator,
            what,
            ..
        }))) => (integrator, what),
        other => panic!("{other:?}"),
    };
    let nonlinear = FirstOrderNonlinear::new(vec![1.0], |_, x, f| f[0] = -x[0], Jacobian::Zero);
    assert_eq!(
        unsupported(build(&with(nonlinear.into()), ZeroOrderHold::default())),
        ("ZeroOrderHold", "a nonlinear system")
    );
    let varying = FirstOrderLinear::of_matrix_function(vec![1.0], |at, a| a[[0, 0]] = at.t);
    assert_eq!(unsupported(build(&with(varying.into()), ZeroOrderHold::default())).0, "ZeroOrderHold");

    let mut model = NonSmoothDynamicalSystem::new();
    let (a, b) = (model.add_system(two()).unwrap(), model.add_system(two()).unwrap());
    let mut with_k = model.clone();
    let relation = FirstOrderLinearRelation::new(matrix(1, 4), matrix(4, 1));
    model.add_interaction([a, b], relation, law()).unwrap();
    let k = RelationJacobian::FiniteDifference;
    let relation = FirstOrderNonlinearRelation::new(1, |at, y| y[0] = at.lambda[0], |_, _| ())
        .with_c(RelationJacobian::Zero)
        .with_d(RelationJacobian::Constant(matrix(1, 1)))
        .with_k(k)
        .with_b(RelationJacobian::Zero);
    with_k.add_interaction([a, b], relation, law()).unwrap();
    assert!(matches!(
        build(&with_k, ZeroOrderHold::default()),
        Err(Error::Simulation(SimulationError::Fit(FitError::Unsupported {
            integrator: "ZeroOrderHold",
            ..
        })))
    ));
    // The systems of an interaction need the same time at which the law holds. They need the same theta only
    // if K couples them.
    let disagreement = |model: &NonSmoothDynamicalSystem, first: Integrator, second: Integrator| {
        let built = TimeStepping::builder(model)
            .discretisation(grid())
            .integrator_for(a, first)
            .integrator_for(b, second)
            .build();
        match built {
            Ok(_) => None,
            Err(Error::Simulation(SimulationError::Fit(FitError::IntegratorsDisagree {
                setting,
                first,
                second,
                ..
            }))) => Some((setting, first, second)),
            Err(other) => panic!("{other}"),
        }
    };
    let gamma = |gamma| Integrator::from(ThetaGamma { theta: 0.5, gamma });
    let theta = |theta| Integrator::from(EulerMoreau { theta });
    let theta_r = |theta_r| Integrator::from(FullyImplicit { theta: 0.5, theta_r });
    for model in [&model, &with_k] {
        assert_eq!(disagreement(model, gamma(0.5), gamma(1.0)), Some(("gamma", 0.5, 1.0)));
        assert_eq!(disagreement(model, theta_r(0.5), theta_r(0.75)), Some(("theta_r", 0.5, 0.75)));
        assert!(disagreement(model, theta(0.5), MeasureEuler { theta: 0.5 }.into()).is_some());
        assert_eq!(disagreement(model, theta(1.0), BackwardEuler.into()), None);
    }
    assert!(disagreement(&model, theta(1.0), ZeroOrderHold::default().into()).is_some());
    assert_eq!(disagreement(&model, theta(0.5), theta(1.0)), None);
    assert_eq!(disagreement(&with_k, theta(0.5), theta(1.0)), Some(("theta", 0.5, 1.0)));

    let mut impact = NonSmoothDynamicalSystem::new();
    let a = impact.add_system(two()).unwrap();
    let relation = FirstOrderLinearRelation::new(matrix(1, 2), matrix(2, 1));
    impact.add_interaction([a], relation, NewtonImpact::new(0.5).unwrap()).unwrap();
    assert!(matches!(
        build(&impact, EulerMoreau::default()),
        Err(Error::Simulation(SimulationError::Fit(FitError::Unsupported { what: "an impact law", .. })))
    ));
}

#[test]
fn parameters_of_schemes_outside_their_range() {
    for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(EulerMoreau::new(bad).is_err() && MeasureEuler::new(bad).is_err());
        assert!(ThetaGamma::new(bad, 0.5).is_err() && ThetaGamma::new(0.5, bad).is_err());
        assert!(FullyImplicit::new(bad, 0.5).is_err() && FullyImplicit::new(0.5, bad).is_err());
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(two()).unwrap();
        for integrator in [
            Integrator::from(EulerMoreau { theta: bad }),
            MeasureEuler { theta: bad }.into(),
            ThetaGamma { theta: 0.5, gamma: bad }.into(),
            FullyImplicit { theta: 0.5, theta_r: bad }.into(),
        ] {
            assert!(matches!(
                build(&model, integrator),
                Err(Error::Settings(SettingsError::OutOfRange { .. }))
            ));
            let of_one = TimeStepping::builder(&model).discretisation(grid()).integrator_for(id, integrator);
            assert!(matches!(of_one.build(), Err(Error::Settings(SettingsError::OutOfRange { .. }))));
        }
    }
}

#[test]
fn bounds_and_laws_that_are_nothing() {
    let bounds = |lower: &[f64], upper: &[f64]| Relay::new(lower.to_vec(), upper.to_vec()).unwrap_err();
    assert_eq!(bounds(&[0.0, 2.0], &[0.0, 1.0]), ModelError::Bounds { index: 1, lower: 2.0, upper: 1.0 });
    assert!(matches!(bounds(&[f64::NAN], &[0.0]), ModelError::Bounds { index: 0, .. }));
    assert!(matches!(bounds(&[f64::INFINITY], &[f64::INFINITY]), ModelError::Bounds { .. }));
    assert!(matches!(bounds(&[0.0], &[0.0, 1.0]), ModelError::WrongShape { .. }));
    assert!(matches!(bounds(&[], &[]), ModelError::Empty { what: "relay" }));
    assert!(matches!(Relay::symmetric(1, -1.0), Err(ModelError::Bounds { .. })));
    assert!(matches!(Relay::of_time(0, |_, _, _| ()), Err(ModelError::Empty { .. })));
    assert!(matches!(MixedComplementarityCondition::new(0, 0), Err(ModelError::Empty { .. })));
    assert!(matches!(ConeComplementarity::second_order([]), Err(ModelError::Empty { .. })));
    assert!(matches!(ConeComplementarity::second_order([2, 0]), Err(ModelError::Empty { .. })));
    assert!(matches!(NormalCone::new(matrix(2, 0), vec![0.0; 2]), Err(ModelError::Empty { .. })));
    assert!(matches!(NormalCone::new(matrix(2, 2), vec![0.0; 3]), Err(ModelError::Set(_))));
    assert!(matches!(NormalCone::new(array![[f64::NAN]], vec![0.0]), Err(ModelError::Set(_))));
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(two()).unwrap();
    let relation = FirstOrderLinearRelation::new(matrix(3, 2), matrix(2, 3));
    let error = model.add_interaction([system], relation, Relay::symmetric(2, 1.0).unwrap()).unwrap_err();
    assert_eq!(error, ModelError::SizeNotMultiple { relation: 3, law: 2 });
}

#[test]
fn solvers_of_another_class() {
    let model = |law: NonSmoothLaw| {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = model.add_system(two()).unwrap();
        let relation = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
        model.add_interaction([system], relation, law).unwrap();
        model
    };
    let friction = {
        let mut model = NonSmoothDynamicalSystem::new();
        let body =
            model.add_system(LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])).unwrap();
        let contact = NewtonImpactFriction::in_plane(0.0, 0.5).unwrap();
        model.add_interaction([body], LagrangianLinearRelation::new(Array2::eye(2)), contact).unwrap();
        model
    };
    let refused = |model: &NonSmoothDynamicalSystem, solver: OneStepSolver| {
        let name = solver.name();
        match TimeStepping::builder(model).discretisation(grid()).solver(solver).build() {
            Err(Error::Simulation(SimulationError::Fit(FitError::Solver(unsupported)))) => {
                assert!(unsupported.to_string().contains("choose"), "{name}: {unsupported}");
                true
            }
            Ok(_) => false,
            Err(other) => panic!("{name}: {other}"),
        }
    };
    let lcp = || OneStepSolver::from_method(&LcpMethod::default()).unwrap();
    let mlcp = || OneStepSolver::from_method(&MlcpMethod::default()).unwrap();
    let relay = || OneStepSolver::from_method(&RelayMethod::default()).unwrap();
    let avi = || OneStepSolver::from_method(&AviMethod::default()).unwrap();
    let contact = || OneStepSolver::from_method(&ContactMethod::default()).unwrap();
    let gmp = || OneStepSolver::from_method(&GmpMethod::default()).unwrap();
    let solvers = || [lcp(), mlcp(), relay(), avi(), contact(), gmp()];
    for (model, takes) in [
        (model(ComplementarityCondition::new(2).unwrap().into()), [true, true, true, true, false, true]),
        (model(EqualityCondition::new(2).unwrap().into()), [true, true, true, true, false, true]),
        (model(Relay::symmetric(2, 1.0).unwrap().into()), [false, false, true, true, false, true]),
        (
            model(NormalCone::new(Array2::eye(2), vec![0.0; 2]).unwrap().into()),
            [false, false, false, true, false, false],
        ),
        (
            model(ConeComplementarity::second_order([2]).unwrap().into()),
            [false, false, false, false, true, false],
        ),
        (friction, [false, false, false, false, true, true]),
    ] {
        for (solver, takes) in solvers().into_iter().zip(takes) {
            assert_eq!(refused(&model, solver), !takes);
        }
    }
}
