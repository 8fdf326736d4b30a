//! First-order models with values that are not finite, or with a singular W: the step fails, and the state
//! does not change.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array2, array};
use siconos_kernel::model::{DynamicalSystem, NonSmoothLaw, Relation};
use siconos_kernel::prelude::*;

use crate::common::grid;

/// Returns 0 for t <= 0.25, then the given value.
fn poison(t: f64, value: f64) -> f64 {
    if t > 0.25 { value } else { 0.0 }
}

fn linear() -> FirstOrderLinear {
    FirstOrderLinear::new(vec![1.0, 2.0], -Array2::<f64>::eye(2))
}

fn relation() -> FirstOrderLinearRelation {
    FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[1.0], [0.0]]).with_d(array![[1.0]])
}

fn nonlinear_relation() -> FirstOrderNonlinearRelation {
    FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.lambda[0] - 3.0,
        |at, r| r[0] = at.lambda[0],
    )
    .with_c(RelationJacobian::Constant(array![[1.0, 0.0]]))
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[1.0], [0.0]]))
}

/// Checks that the third step fails, under every policy and several schemes, and that the state does not
/// change.
#[track_caller]
fn assert_error(
    name: &str,
    system: impl Into<DynamicalSystem>,
    relation: impl Into<Relation>,
    law: NonSmoothLaw,
) {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    model.add_interaction([id], relation, law).unwrap();
    let schemes: [Integrator; 4] = [
        EulerMoreau::default().into(),
        BackwardEuler.into(),
        MeasureEuler { theta: 0.5 }.into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
    ];
    for scheme in schemes {
        for policy in [OnNonConvergence::Fail, OnNonConvergence::Continue] {
            for max_iterations in [1, 20] {
                let mut simulation = TimeStepping::builder(&model)
                    .discretisation(grid(1.0, 0.1))
                    .integrator(scheme)
                    .on_non_convergence(policy)
                    .newton(NewtonSettings { max_iterations, ..NewtonSettings::default() })
                    .build()
                    .unwrap();
                let mut state = simulation.initial_state(&model).unwrap();
                let mut failed = None;
                let mut before = format!("{state:?}");
                while failed.is_none() {
                    match simulation.step(&model, &mut state) {
                        Ok(Some(_)) => before = format!("{state:?}"),
                        Ok(None) => panic!("{name}, {}: no error", scheme.name()),
                        Err(error) => failed = Some(error),
                    }
                    assert!(!before.contains("null"), "{name}, {}, {policy:?}: {before}", scheme.name());
                }
                assert_eq!(format!("{state:?}"), before, "{name}, {}", scheme.name());
                let error = failed.unwrap();
                let early = policy == OnNonConvergence::Fail && max_iterations == 1;
                assert!(state.step() <= 3 && (early || state.step() >= 2), "{name}: {error}");
                assert!(!error.to_string().is_empty());
                // A second attempt with the same simulation fails in the same way.
                assert!(simulation.step(&model, &mut state).is_err());
            }
        }
    }
}

fn complementarity() -> NonSmoothLaw {
    ComplementarityCondition::new(1).unwrap().into()
}

const VALUES: [f64; 2] = [f64::NAN, f64::INFINITY];

#[test]
fn functions_of_linear_systems() {
    for value in VALUES {
        let matrix = FirstOrderLinear::of_matrix_function(vec![1.0, 2.0], move |at, a| {
            a[[0, 1]] = poison(at.t, value);
        });
        assert_error("A", matrix, relation(), complementarity());
        let source = linear().with_source_function(move |at, b| b[1] = poison(at.t, value));
        assert_error("b", source, relation(), complementarity());
        let control = linear().with_control(array![[1.0], [0.0]], move |at, u| u[0] = poison(at.t, value));
        assert_error("u", control, relation(), complementarity());
    }
}

#[test]
fn functions_of_linear_relations() {
    for value in VALUES {
        let c = FirstOrderLinearRelation::of_functions(
            1,
            move |at, c| c[[0, 0]] = 1.0 + poison(at.t, value),
            |_, b| b[[0, 0]] = 1.0,
        );
        assert_error("C", linear(), c, complementarity());
        let b = FirstOrderLinearRelation::of_functions(
            1,
            |_, c| c[[0, 0]] = 1.0,
            move |at, b| b[[0, 0]] = 1.0 + poison(at.t, value),
        );
        assert_error("B", linear(), b, complementarity());
        let d = relation().with_d_function(move |at, d| d[[0, 0]] = 1.0 + poison(at.t, value));
        assert_error("D", linear(), d, complementarity());
        let e = relation().with_offset_function(move |at, e| e[0] = poison(at.t, value));
        assert_error("e", linear(), e, complementarity());
        let z = relation().with_parameter_function(array![[1.0]], move |at, z| z[0] = poison(at.t, value));
        assert_error("z", linear(), z, complementarity());
    }
    let law = Relay::of_time(1, |at, lower, upper| {
        (lower[0], upper[0]) = (-1.0, 1.0 + poison(at.t, f64::NAN));
    });
    assert_error("bounds", linear(), relation(), law.unwrap().into());
}

#[test]
fn functions_of_nonlinear_systems() {
    let f = |_: At<'_>, x: &[f64], f: &mut [f64]| f.copy_from_slice(&[-x[0], -x[1]]);
    let jacobian = || Jacobian::Constant(-Array2::<f64>::eye(2));
    for value in VALUES {
        let field = FirstOrderNonlinear::new(
            vec![1.0, 2.0],
            move |at, x, out| {
                f(at, x, out);
                out[0] += poison(at.t, value);
            },
            jacobian(),
        );
        assert_error("f", field, relation(), complementarity());
        let derivative = Jacobian::of_state(move |at, _, j| j[[0, 0]] = poison(at.t, value));
        let derivative = FirstOrderNonlinear::new(vec![1.0, 2.0], f, derivative);
        assert_error("derivative of f", derivative, relation(), complementarity());
        let mass =
            FirstOrderNonlinear::new(vec![1.0, 2.0], f, jacobian()).with_mass_function(move |at, _, m| {
                m.diag_mut().fill(1.0);
                m[[1, 0]] = poison(at.t, value);
            });
        assert_error("M", mass, relation(), complementarity());
        let control = ControlTerm::new(array![[1.0], [0.0]], move |at, _, _, u| u[0] = poison(at.t, value));
        let control = FirstOrderNonlinear::new(vec![1.0, 2.0], f, jacobian()).with_control(control);
        assert_error("u", control, relation(), complementarity());
    }
}

#[test]
fn functions_of_nonlinear_relations() {
    for value in VALUES {
        let h = FirstOrderNonlinearRelation::new(
            1,
            move |at, y| y[0] = at.x[0] + at.lambda[0] - 3.0 + poison(at.t, value),
            |at, r| r[0] = at.lambda[0],
        );
        let g = FirstOrderNonlinearRelation::new(
            1,
            |at, y| y[0] = at.x[0] + at.lambda[0] - 3.0,
            move |at, r| r[0] = at.lambda[0] + poison(at.t, value),
        );
        for (name, functions) in [("h", h), ("g", g)] {
            let given = functions
                .with_c(RelationJacobian::Constant(array![[1.0, 0.0]]))
                .with_d(RelationJacobian::Constant(array![[1.0]]))
                .with_b(RelationJacobian::Constant(array![[1.0], [0.0]]));
            assert_error(name, linear(), given.clone().with_k(RelationJacobian::Zero), complementarity());
            let coupled = given.with_k(RelationJacobian::Constant(Array2::zeros((2, 2))));
            assert_error(name, linear(), coupled, complementarity());
        }
        let c = RelationJacobian::function(move |at, c| c[[0, 0]] = 1.0 + poison(at.t, value));
        assert_error("C", linear(), nonlinear_relation().with_c(c), complementarity());
        let d = RelationJacobian::function(move |at, d| d[[0, 0]] = 1.0 + poison(at.t, value));
        assert_error("D", linear(), nonlinear_relation().with_d(d), complementarity());
        let b = RelationJacobian::function(move |at, b| b[[0, 0]] = 1.0 + poison(at.t, value));
        assert_error("B", linear(), nonlinear_relation().with_b(b), complementarity());
        let k = RelationJacobian::function(move |at, k| k[[0, 1]] = poison(at.t, value));
        assert_error("K", linear(), nonlinear_relation().with_k(k), complementarity());
    }
}

/// Only the last evaluation of g in a step returns NaN. No step has used this value yet.
#[test]
fn an_input_that_is_evaluated_last() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.lambda[0] - 3.0,
        move |at, r| {
            r[0] = at.lambda[0];
            // The first two evaluations are at the initial state and at the start of the step, the third is
            // at its end.
            if counted.fetch_add(1, Ordering::Relaxed) >= 2 {
                r[0] = f64::NAN;
            }
        },
    )
    .with_c(RelationJacobian::Constant(array![[1.0, 0.0]]))
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[1.0], [0.0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(linear()).unwrap();
    model.add_interaction([id], relation, complementarity()).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 0.1))
        .on_non_convergence(OnNonConvergence::Continue)
        .newton(NewtonSettings { max_iterations: 1, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let error = simulation.step(&model, &mut state).unwrap_err();
    let of_r =
        matches!(error, SimulationError::NotFinite { system, what: "integral of r", .. } if system == id);
    assert!(of_r, "{error}");
    assert_eq!((state.step(), calls.load(Ordering::Relaxed)), (0, 3));
    assert!(state.impulse(id).iter().all(|x| *x == 0.0));
}

#[test]
fn an_output_that_is_none_at_the_initial_state() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(linear()).unwrap();
    let relation = relation().with_offset_function(|_, e| e[0] = f64::NAN);
    let interaction = model.add_interaction([id], relation, complementarity()).unwrap();
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build().unwrap();
    let error = simulation.initial_state(&model).unwrap_err();
    assert!(
        matches!(error, SimulationError::NotFiniteOutput { relation, .. } if relation == interaction),
        "{error}"
    );
}

#[test]
fn a_singular_w_names_the_step_length_and_its_condition() {
    // The product h theta a is exactly 1.
    let (h, theta) = (0.25, 0.5);
    let mut model = NonSmoothDynamicalSystem::new();
    let a = array![[8.0, 0.0], [0.0, -1.0]];
    let id = model.add_system(FirstOrderLinearTi::new(vec![1.0, 1.0], a)).unwrap();
    let build = |model: &NonSmoothDynamicalSystem, integrator: Integrator, h: f64| {
        TimeStepping::builder(model).discretisation(grid(1.0, h)).integrator(integrator).build().unwrap()
    };
    let schemes: [Integrator; 4] = [
        EulerMoreau { theta }.into(),
        ThetaGamma { theta, gamma: 0.5 }.into(),
        MeasureEuler { theta }.into(),
        FullyImplicit { theta, theta_r: 1.0 }.into(),
    ];
    for scheme in schemes {
        let mut simulation = build(&model, scheme, h);
        let mut state = simulation.initial_state(&model).unwrap();
        let error = simulation.step(&model, &mut state).unwrap_err();
        match error {
            SimulationError::SingularIterationMatrix { system, step: 1, h: of, .. } => {
                assert_eq!((system, of), (id, h));
            }
            ref other => panic!("{other}"),
        }
        let message = error.to_string();
        assert!(
            message.contains("is singular to working precision for h = 0.25: pivot 0e0 in column 0"),
            "{message}"
        );
        assert_eq!(state.x(id), [1.0, 1.0]);
        // With another step length, W is regular.
        let mut simulation = build(&model, scheme, 0.2);
        simulation.step(&model, &mut state).unwrap();
    }
    // With the zero-order hold, M has to be regular.
    model.remove_system(id).unwrap();
    let singular = FirstOrderLinearTi::new(vec![1.0, 1.0], -Array2::<f64>::eye(2))
        .with_mass(array![[1.0, 2.0], [0.5, 1.0]]);
    model.add_system(singular).unwrap();
    let mut simulation = build(&model, ZeroOrderHold::default().into(), h);
    let mut state = simulation.initial_state(&model).unwrap();
    let error = simulation.step(&model, &mut state).unwrap_err();
    assert!(matches!(error, SimulationError::SingularIterationMatrix { .. }), "{error}");
    // With an implicit scheme, the system is a differential-algebraic equation, and the step succeeds.
    let mut simulation = build(&model, BackwardEuler.into(), h);
    simulation.step(&model, &mut state).unwrap();
}

#[test]
fn a_hold_that_overflows_says_so() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[1e5]])).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 0.1))
        .integrator(ZeroOrderHold::default())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let error = simulation.step(&model, &mut state).unwrap_err();
    assert!(matches!(error, SimulationError::Hold { system, h: 0.1, .. } if system == id), "{error}");
}

#[test]
fn a_motion_that_diverges_ends_with_an_error() {
    let mut model = NonSmoothDynamicalSystem::new();
    // The solution of x' = x^2 is unbounded at t = 1. A step beyond this time has no solution.
    let field = FirstOrderNonlinear::new(
        vec![1.0],
        |_, x, f| f[0] = x[0] * x[0],
        Jacobian::of_state(|_, x, j| j[[0, 0]] = 2.0 * x[0]),
    );
    let id = model.add_system(field).unwrap();
    for policy in [OnNonConvergence::Fail, OnNonConvergence::Continue] {
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(grid(3.0, 0.1))
            .integrator(EulerMoreau { theta: 0.0 })
            .on_non_convergence(policy)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut failed = false;
        loop {
            match simulation.step(&model, &mut state) {
                Ok(Some(_)) => assert!(state.x(id)[0].is_finite()),
                Ok(None) => break,
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        assert!(failed && state.x(id)[0].is_finite());
    }
}
