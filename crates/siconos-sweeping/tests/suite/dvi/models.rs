//! Conversion of models to differential variational inequalities.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviError, DviSet, DviSettings, DviStepper, StateMap,
    solve_boundary_value,
};
use siconos_testkit::compare::{largest_difference, worse};
use std::f64::consts::PI;

use super::problems::{periodic, rectified, regulator, regulator_ends};

/// Bits of all numbers in the solution of a boundary value problem.
fn bits(dvi: &Dvi, boundary: &Boundary, end: f64) -> Vec<u64> {
    let settings = BoundarySettings::default();
    let found = solve_boundary_value(dvi, boundary, (0.0, end), 150, &settings).unwrap();
    assert!(found.info.status.is_success());
    let solution = &found.solution;
    let all = (0..=150).flat_map(|k| solution.x(k).iter().chain(if k > 0 { solution.u(k) } else { &[] }));
    all.map(|x| x.to_bits()).collect()
}

#[test]
fn the_regulator_as_a_model_gives_the_same_bits() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinearTi::new(vec![0.0, 0.0], array![[0.0, 0.0], [-1.0, 0.0]]);
    let x = model.add_system(system).unwrap();
    let relation =
        FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[1.0], [0.0]]).with_d(array![[1.0]]);
    model.add_interaction([x], relation, Relay::symmetric(1, 1.0).unwrap()).unwrap();
    let of_model = Dvi::of(&model).unwrap();
    assert!(of_model.is_affine() && matches!(of_model.set(), DviSet::Box { .. }));
    assert_eq!(bits(&of_model, &regulator_ends(), 2.0), bits(&regulator(), &regulator_ends(), 2.0));
}

#[test]
fn the_rectifier_as_a_model_gives_the_same_bits() {
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[-1.0]])).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[0.0]], array![[1.0]])
        .with_d(array![[1.0]])
        .with_offset_function(|at, e| e[0] = -at.t.sin());
    model.add_interaction([x], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let of_model = Dvi::of(&model).unwrap();
    assert!(of_model.is_affine() && matches!(of_model.set(), DviSet::Orthant));
    let end = 2.0 * PI;
    assert_eq!(bits(&of_model, &periodic(), end), bits(&rectified(), &periodic(), end));
}

/// Two systems, masses other than the identity, laws of three kinds: K is a polyhedron.
#[test]
fn systems_and_laws_of_several_kinds_become_one_problem() {
    let mut model = NonSmoothDynamicalSystem::new();
    let first =
        FirstOrderLinearTi::new(vec![1.0], array![[-2.0]]).with_mass(array![[4.0]]).with_source(vec![1.0]);
    let second = FirstOrderLinear::new(vec![2.0, 3.0], array![[0.0, 1.0], [-1.0, 0.0]])
        .with_source_function(|at, b| b[1] = at.t);
    let (first, second) = (model.add_system(first).unwrap(), model.add_system(second).unwrap());
    let cone = NormalCone::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -1.0]).unwrap();
    let relation = FirstOrderLinearRelation::new(
        array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        array![[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
    );
    model.add_interaction([first, second], relation, cone).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[2.0]]).with_d(array![[5.0]]);
    model.add_interaction([first], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let dvi = Dvi::of(&model).unwrap();
    assert!(dvi.is_affine());
    let a = dvi.f().matrix().unwrap();
    assert_eq!(a, &array![[-0.5, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]);
    let mut e = [0.0; 3];
    dvi.f().value_into(7.0, &[0.0; 3], &mut e);
    assert_eq!(e, [0.25, 0.0, 7.0]);
    assert_eq!(dvi.b().matrix().unwrap(), &array![[0.25, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]);
    assert_eq!(dvi.map().matrix().unwrap()[[2, 2]], 5.0);
    let DviSet::Polyhedron(set) = dvi.set() else { panic!() };
    assert_eq!(set.h(), array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(set.k(), &[0.0, 0.0, -1.0, 0.0]);
    assert_eq!(Dvi::initial_state(&model), [1.0, 2.0, 3.0]);
}

/// A nonlinear system with a separable nonlinear relation, compared with manually written functions.
#[test]
fn nonlinear_models_are_functions() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderNonlinear::new(
        vec![1.0],
        |at, x, f| f[0] = -x[0].powi(3) - at.t,
        Jacobian::of_state(|_, x, j| j[[0, 0]] = -3.0 * x[0] * x[0]),
    )
    .with_mass(array![[2.0]]);
    let x = model.add_system(system).unwrap();
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0].sinh() + 0.5 * at.lambda[0],
        |at, r| r[0] = 3.0 * at.lambda[0],
    )
    .with_c(RelationJacobian::function(|at, c| c[[0, 0]] = at.x[0].cosh()))
    .with_d(RelationJacobian::Constant(array![[0.5]]))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[3.0]]));
    model.add_interaction([x], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let of_model = Dvi::of(&model).unwrap();
    let by_hand = Dvi::new(
        StateMap::function(1, |t, x, f| f[0] = 0.5 * (-x[0].powi(3) - t)),
        array![[1.5]],
        StateMap::function(1, |_, x, g| g[0] = x[0].sinh()),
        siconos_sweeping::dvi::ViMap::Linear(array![[0.5]]),
        DviSet::Orthant,
    )
    .unwrap();
    let run = |dvi: &Dvi| {
        let mut stepper = DviStepper::new(dvi, 1.0, DviSettings::default()).unwrap();
        let run = stepper.solve(&[1.0], (0.0, 4.0), 200).unwrap();
        assert!(run.info.status.is_success());
        (run.solution.x(200)[0], run.solution.u(200)[0])
    };
    let ((x, u), (x_by_hand, u_by_hand)) = (run(&of_model), run(&by_hand));
    assert!((x - x_by_hand).abs() < 1e-10 && (u - u_by_hand).abs() < 1e-9 && u > 0.5, "{x} {u}");
}

/// Returns x after each step of time-stepping with the implicit Euler method.
fn backward_euler(
    model: &NonSmoothDynamicalSystem,
    x: DynamicalSystemId,
    h: f64,
    steps: usize,
) -> Vec<Vec<f64>> {
    let grid = TimeDiscretisation::uniform(0.0, h * steps as f64, h).unwrap();
    let mut simulation =
        TimeStepping::builder(model).integrator(BackwardEuler).discretisation(grid).build().unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    let mut all = Vec::new();
    while let Some(_report) = simulation.step(model, &mut state).unwrap() {
        all.push(state.x(x).to_vec());
    }
    all
}

/// Checks that theta = 1 and time-stepping give the same x.
fn assert_same_motion(model: &NonSmoothDynamicalSystem, x: DynamicalSystemId, tolerance: f64) -> Dvi {
    let (h, steps) = (0.02, 200);
    let dvi = Dvi::of(model).unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let run = stepper.solve(&Dvi::initial_state(model), (0.0, h * steps as f64), steps).unwrap();
    assert!(run.info.status.is_success(), "{:?}", run.info);
    let other = backward_euler(model, x, h, steps);
    for (k, other) in other.iter().enumerate() {
        let off = largest_difference(other, run.solution.x(k + 1));
        assert!(off <= tolerance, "step {k}: {off:e}");
    }
    let most = |k: usize| run.solution.u(k).iter().fold(0.0, |most: f64, u| worse(most, u.abs()));
    assert!((1..=steps).any(|k| most(k) > 0.05), "the law acts");
    assert!((1..=steps).any(|k| run.solution.u(k)[0] == 0.0), "the law lets go");
    dvi
}

/// A circuit of a diode and a resistor that changes with time.
#[test]
fn a_feedthrough_that_depends_on_time_is_a_map_of_time() {
    let mut model = NonSmoothDynamicalSystem::new();
    let oscillator = FirstOrderLinearTi::new(vec![1.0, 0.0], array![[0.0, 3.0], [-3.0, -0.1]]);
    let x = model.add_system(oscillator).unwrap();
    let relation =
        FirstOrderLinearRelation::new(array![[1.0, 0.0], [0.0, 1.0]], array![[1.0, 0.0], [0.0, 2.0]])
            .with_d_function(|at, d| {
                (d[[0, 0]], d[[1, 1]]) = (1.5 + at.t.sin(), 0.2);
                (d[[0, 1]], d[[1, 0]]) = (0.1, -0.1 * at.t.cos());
            });
    model.add_interaction([x], relation, ComplementarityCondition::new(2).unwrap()).unwrap();
    let dvi = assert_same_motion(&model, x, 1e-10);
    assert!(!dvi.is_affine() && dvi.map().depends_on_time());
}

/// A second-order cone for lambda, alone and together with an interval and a polyhedron.
#[test]
fn second_order_cones_are_sets_known_by_their_projection() {
    let a = array![[-0.1, 2.0, 0.3], [-2.0, -0.2, 1.0], [-0.3, -1.0, -0.1]];
    for mixed in [false, true] {
        let mut model = NonSmoothDynamicalSystem::new();
        let system =
            FirstOrderLinearTi::new(vec![-0.3, 1.2, 0.5], a.clone()).with_source(vec![-0.4, 0.2, 0.3]);
        let x = model.add_system(system).unwrap();
        let relation =
            FirstOrderLinearRelation::new(Array2::eye(3), Array2::eye(3)).with_d(0.3 * Array2::eye(3));
        let cone = ConeComplementarity::second_order([3]).unwrap();
        model.add_interaction([x], relation, cone).unwrap();
        if mixed {
            let row = array![[0.5, 0.0, 1.0]];
            let relation =
                FirstOrderLinearRelation::new(row.clone(), row.t().to_owned()).with_d(array![[1.0]]);
            model.add_interaction([x], relation, Relay::symmetric(1, 0.5).unwrap()).unwrap();
            let relation =
                FirstOrderLinearRelation::new(row.clone(), row.t().to_owned()).with_d(array![[2.0]]);
            let law = NormalCone::new(array![[1.0], [-1.0]], vec![0.0, -0.25]).unwrap();
            model.add_interaction([x], relation, law).unwrap();
        }
        let dvi = if mixed { Dvi::of(&model).unwrap() } else { assert_same_motion(&model, x, 1e-8) };
        assert!(dvi.is_affine() && matches!(dvi.set(), DviSet::Projection(_)));
        // u is in its set, w is in the dual set, and both are orthogonal.
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
        let mut state = Dvi::initial_state(&model);
        for k in 0..200 {
            let step = stepper.step(0.02 * f64::from(k), 0.02, &mut state).unwrap();
            assert!(step.info.status.is_success(), "{:?}", step.info);
            for v in [step.u, step.w] {
                assert!(v[0] >= v[1].hypot(v[2]) - 1e-9, "{v:?}");
            }
            let product: f64 = step.u[..3].iter().zip(&step.w[..3]).map(|(u, w)| u * w).sum();
            assert!(product.abs() < 1e-9, "{product:e}");
            if mixed {
                let (u, w) = (step.u, step.w);
                assert!((u[3] - (u[3] - w[3]).clamp(-0.5, 0.5)).abs() < 1e-9);
                assert!((u[4] - (u[4] - w[4]).clamp(0.0, 0.25)).abs() < 1e-9);
            }
        }
    }
    // Cones of one component are half-lines.
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinearTi::new(vec![1.0, 1.0], -Array2::<f64>::eye(2))).unwrap();
    let relation = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
    let cones = ConeComplementarity::second_order([1, 1]).unwrap();
    model.add_interaction([x], relation, cones).unwrap();
    assert!(matches!(Dvi::of(&model).unwrap().set(), DviSet::Orthant));
}

#[test]
fn what_is_no_such_inequality_is_refused_with_a_reason() {
    let with = |relation: FirstOrderLinearRelation, law: Relay| {
        let mut model = NonSmoothDynamicalSystem::new();
        let x = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[0.0]])).unwrap();
        model.add_interaction([x], relation, law).unwrap();
        Dvi::of(&model).unwrap_err()
    };
    let plain = || FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    let moving = Relay::of_time(1, |_, l, u| (l[0], u[0]) = (-1.0, 1.0)).unwrap();
    let refused = with(plain(), moving);
    assert!(refused.to_string().contains("K must be constant; simulate the model"), "{refused}");
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[0.0]])).unwrap();
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.lambda[0].powi(3),
        |at, r| r[0] = at.lambda[0],
    )
    .with_c(RelationJacobian::Constant(array![[1.0]]))
    .with_d(RelationJacobian::function(|at, d| d[[0, 0]] = 3.0 * at.lambda[0].powi(2)))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[1.0]]));
    model.add_interaction([x], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let refused = Dvi::of(&model).unwrap_err();
    assert!(refused.to_string().contains("combine these functions with Dvi::new"), "{refused}");
    let mut empty = NonSmoothDynamicalSystem::new();
    assert_eq!(Dvi::of(&empty).unwrap_err(), DviError::NoInteraction);
    empty.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![[1.0]])).unwrap();
    assert!(matches!(Dvi::of(&empty).unwrap_err(), DviError::System { .. } | DviError::NoInteraction));
}
