//! Jumps at an inconsistent initial state, and the limit of the matrix of the one-step problem.

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_linalg::singular_values;
use siconos_testkit::exact::FilteredBridge;

/// Result of one step of a complementarity system.
struct Step {
    x: Array1<f64>,
    lambda: Array1<f64>,
    /// Integral of lambda over the step.
    sigma: Array1<f64>,
    matrix: Array2<f64>,
}

fn one_step(
    system: FirstOrderLinearTi,
    relation: FirstOrderLinearRelation,
    integrator: impl Into<Integrator>,
    h: f64,
) -> Step {
    let mut model = NonSmoothDynamicalSystem::new();
    let law = ComplementarityCondition::new(relation.size()).unwrap();
    let system = model.add_system(system).unwrap();
    let id = model.add_interaction([system], relation, law).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, h, h).unwrap())
        .integrator(integrator)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.step(&model, &mut state).unwrap().unwrap();
    Step {
        x: state.x(system).iter().copied().collect(),
        lambda: state.lambda(id, Level::Position).iter().copied().collect(),
        sigma: state.lambda(id, Level::Velocity).iter().copied().collect(),
        matrix: simulation.one_step_matrix().unwrap(),
    }
}

fn distance(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    (a - b).iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// Returns step lengths from 1e-2 to 1e-8.
fn lengths() -> impl Iterator<Item = f64> {
    (2..9).map(|k| 10.0_f64.powi(-k))
}

/// If D = 0 and B = C^T, the state jumps to the nearest state with C x >= 0, for any A.
#[test]
fn the_state_jumps_to_its_projection() {
    let c = array![[1.0, 0.0], [1.0, 1.0]];
    // Exact jumps into the corner, onto each side, and none.
    let cases = [
        ([-1.0, -1.0], [0.0, 0.0], [0.0, 1.0]),
        ([-2.0, 1.0], [0.0, 1.0], [2.0, 0.0]),
        ([1.0, -3.0], [2.0, -2.0], [0.0, 1.0]),
        ([-2.0, -1.0], [0.0, 0.0], [1.0, 1.0]),
        ([2.0, 1.0], [2.0, 1.0], [0.0, 0.0]),
    ];
    for (before, after, impulse) in cases {
        for h in lengths() {
            let system = FirstOrderLinearTi::new(before.to_vec(), array![[0.3, -1.0], [2.0, -0.5]]);
            let relation = FirstOrderLinearRelation::new(c.clone(), c.t().to_owned());
            let step = one_step(system, relation, MeasureEuler::default(), h);
            assert!(distance(&step.x, &Array1::from_iter(after)) < 8.0 * h, "{before:?}, {h}: {}", step.x);
            assert!(
                distance(&step.sigma, &Array1::from_iter(impulse)) < 16.0 * h,
                "{before:?}: {}",
                step.sigma
            );
        }
    }
}

/// Two capacitors with different voltages are connected by a diode and share their charge.
#[test]
fn two_capacitors_share_their_charge() {
    let (c1, c2, v1, v2) = (2e-6, 5e-6, 12.0, 3.0);
    let shared = (c1 * v1 + c2 * v2) / (c1 + c2);
    let moved = c1 * c2 / (c1 + c2) * (v1 - v2);
    for h in lengths() {
        // Both capacitors leak through 1 MOhm.
        let leak = -1e-6;
        let system = FirstOrderLinearTi::new(vec![v1, v2], array![[leak, 0.0], [0.0, leak]])
            .with_mass(Array2::from_diag(&array![c1, c2]));
        let relation = FirstOrderLinearRelation::new(array![[-1.0, 1.0]], array![[-1.0], [1.0]]);
        let step = one_step(system, relation, MeasureEuler::default(), h);
        assert!(distance(&step.x, &array![shared, shared]) < 10.0 * h, "{h}: {}", step.x);
        assert!((step.sigma[0] - moved).abs() < 1e-4 * h, "{h}: {:e}", step.sigma[0] - moved);
    }
}

/// With a D, only some directions of impulses are admissible. The exact jump is computed by the test kit.
#[test]
fn the_filter_of_a_bridge_jumps_as_passivity_says() {
    let bridge = FilteredBridge::default();
    let (model, jump) = (bridge.model(), bridge.first_jump());
    assert!(distance(&jump.x, &model.x0) > 1.0, "it does jump");
    let mut last = f64::INFINITY;
    for k in 0..4 {
        let h = 1e-8 * 0.1_f64.powi(k);
        let system = FirstOrderLinearTi::new(model.x0.clone(), model.a.clone());
        let relation =
            FirstOrderLinearRelation::new(model.c.clone(), model.b.clone()).with_d(model.d.clone());
        let step = one_step(system, relation, MeasureEuler::default(), h);
        let off = distance(&step.x, &jump.x);
        assert!(off < 1e7 * h && off < last, "{h:e}: {off:e}, {} is not {}", step.x, jump.x);
        last = off;
    }
}

/// Creates two rows that are not orthogonal, with D = 0 and C B regular.
fn inconsistent() -> (FirstOrderLinearTi, Array2<f64>, Array2<f64>) {
    let system = FirstOrderLinearTi::new(
        vec![-1.0, -2.0, 0.5],
        array![[0.0, 1.0, -1.0], [-2.0, -0.1, 0.0], [1.0, 0.5, -3.0]],
    );
    let c = array![[1.0, 0.2, 0.0], [0.1, 1.0, 0.5]];
    let b = array![[2.0, 0.1], [0.3, 1.0], [0.0, -0.4]];
    (system, c, b)
}

fn smallest_singular_value(matrix: &Array2<f64>) -> f64 {
    singular_values(matrix.view()).unwrap().into_iter().fold(f64::INFINITY, f64::min)
}

#[test]
fn the_matrix_tends_to_cb_in_measures_and_to_zero_otherwise() {
    let (system, c, b) = inconsistent();
    let cb = c.dot(&b);
    let limit = smallest_singular_value(&cb);
    assert!(limit > 0.1);
    for h in lengths() {
        let step = |integrator: Integrator| {
            one_step(system.clone(), FirstOrderLinearRelation::new(c.clone(), b.clone()), integrator, h)
        };
        let of_measures = step(MeasureEuler::default().into());
        let off = (&of_measures.matrix - &cb).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 10.0 * h, "{h:e}: {off:e}");
        assert!(smallest_singular_value(&of_measures.matrix) > 0.9 * limit);
        assert!(of_measures.sigma.iter().all(|sigma| (0.0..5.0).contains(sigma)));
        // The jump is the same with lambda as unknown: lambda grows without bound, and the matrix becomes
        // singular.
        for (integrator, gamma) in [
            (Integrator::from(EulerMoreau { theta: 1.0 }), 1.0),
            (ThetaGamma { theta: 1.0, gamma: 0.5 }.into(), 0.5),
        ] {
            let of_lambda = step(integrator);
            let relative = smallest_singular_value(&of_lambda.matrix) / (gamma * h * limit);
            assert!((0.9..1.1).contains(&relative), "{h:e}: {relative}");
            let largest = h * of_lambda.lambda.iter().fold(0.0, |m: f64, x| m.max(*x));
            assert!((0.5..5.0).contains(&largest), "lambda is of size 1 / h: {largest} / h");
        }
        let of_lambda = step(EulerMoreau { theta: 1.0 }.into());
        assert!(distance(&of_lambda.x, &of_measures.x) < 1e-9, "the state is the same");
    }
}

/// With gamma = 1/2, the law holds for the mean of both ends of the step, so that the jump is twice as large
/// as it should be.
#[test]
fn with_gamma_one_half_the_jump_goes_through_to_the_other_side() {
    for h in lengths() {
        let system = FirstOrderLinearTi::new(vec![-5.0], array![[-1.0]]);
        let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
        let wrong = one_step(system.clone(), relation.clone(), ThetaGamma::default(), h);
        assert!((wrong.x[0] - 5.0).abs() < 1e-12, "{}", wrong.x);
        let right = one_step(system, relation, MeasureEuler::default(), h);
        assert!(right.x[0].abs() < 1e-12, "{}", right.x);
    }
}

#[test]
fn a_feedthrough_grows_with_one_over_h_in_measures() {
    let (system, c, b) = inconsistent();
    let d = array![[0.5, 0.1], [-0.1, 0.8]];
    for h in lengths() {
        let relation = FirstOrderLinearRelation::new(c.clone(), b.clone()).with_d(d.clone());
        let step = one_step(system.clone(), relation, MeasureEuler::default(), h);
        let off = (&step.matrix * h - &d).iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 5.0 * h, "{h:e}: {off:e}");
        // The multiplier stays bounded: D takes the jump of y, and x does not jump.
        assert!(step.lambda.iter().all(|lambda| (0.0..10.0).contains(lambda)), "{}", step.lambda);
        assert!(distance(&step.x, &array![-1.0, -2.0, 0.5]) < 30.0 * h);
    }
}
