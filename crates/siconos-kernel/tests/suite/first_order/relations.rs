//! Equivalent formulations of first-order systems and relations.

use ndarray::{Array2, ArrayViewMut2, array};
use siconos_kernel::model::{DynamicalSystem, Relation, RelationPoint};
use siconos_kernel::prelude::*;

/// Simulates and returns x, y, lambda and the integral of r after every step.
fn run(
    system: impl Into<DynamicalSystem>,
    relation: impl Into<Relation>,
    integrator: impl Into<Integrator>,
) -> Vec<f64> {
    let relation = relation.into();
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(system).unwrap();
    let law = ComplementarityCondition::new(relation.size()).unwrap();
    let id = model.add_interaction([system], relation, law).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 0.02).unwrap())
        .integrator(integrator)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut out = Vec::new();
    simulation
        .run(&model, &mut state, |_, state| {
            out.extend(state.x(system).iter().chain(state.impulse(system)));
            out.extend(state.y(id, Level::Position).iter().chain(state.lambda(id, Level::Position)));
        })
        .unwrap();
    out
}

#[track_caller]
fn assert_same(name: &str, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |m: f64, x| m.max(x));
    assert!(worst <= tolerance && !a.iter().any(|x| x.is_nan()), "{name}: {worst:e}");
}

fn integrators() -> Vec<Integrator> {
    vec![
        EulerMoreau { theta: 0.5 }.into(),
        EulerMoreau { theta: 0.0 }.into(),
        BackwardEuler.into(),
        ThetaGamma { theta: 0.5, gamma: 0.5 }.into(),
        MeasureEuler { theta: 0.8 }.into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
    ]
}

fn a() -> Array2<f64> {
    array![[-0.5, 4.0, 0.0], [-4.0, -0.2, 1.0], [0.5, 0.0, -1.5]]
}

fn b() -> Array2<f64> {
    array![[1.0, 0.2], [0.0, 0.7], [0.5, 1.0]]
}

fn c() -> Array2<f64> {
    array![[1.0, 0.0, 0.4], [0.1, 0.8, 1.0]]
}

fn d() -> Array2<f64> {
    array![[0.3, 0.1], [-0.1, 0.2]]
}

const E: [f64; 2] = [0.1, -0.3];

fn source(at: At<'_>, b: &mut [f64]) {
    (b[0], b[2]) = (2.0 * (3.0 * at.t).sin(), -1.0);
}

fn linear() -> FirstOrderLinear {
    FirstOrderLinear::new(vec![1.0, 0.0, -0.5], a()).with_source_function(source)
}

fn nonlinear() -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(
        vec![1.0, 0.0, -0.5],
        |at, x, f| {
            source(at, f);
            add_product(&a(), x, f);
        },
        Jacobian::Constant(a()),
    )
}

fn relation() -> FirstOrderLinearRelation {
    FirstOrderLinearRelation::new(c(), b()).with_d(d()).with_offset(E.to_vec())
}

fn add_product(matrix: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(matrix.rows()) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

fn output(at: RelationPoint<'_>, y: &mut [f64]) {
    y.copy_from_slice(&E);
    add_product(&c(), at.x, y);
    add_product(&d(), at.lambda, y);
}

fn constant(matrix: Array2<f64>) -> RelationJacobian {
    RelationJacobian::Constant(matrix)
}

#[test]
fn constants_are_functions_of_time_that_do_not_change() {
    let of_time =
        FirstOrderLinearRelation::of_functions(2, |_, out| out.assign(&c()), |_, out| out.assign(&b()))
            .with_d_function(|_, out| out.assign(&d()))
            .with_offset_function(|_, out| out.copy_from_slice(&E));
    let matrix = FirstOrderLinear::of_matrix_function(vec![1.0, 0.0, -0.5], |_, out| out.assign(&a()))
        .with_source_function(source);
    for integrator in integrators() {
        let expected = run(linear(), relation(), integrator);
        assert!(
            expected.chunks(10).any(|step| step[8] > 0.1) && expected.chunks(10).any(|step| step[8] == 0.0)
        );
        assert_same("relation", &run(linear(), of_time.clone(), integrator), &expected, 1e-12);
        assert_same("system", &run(matrix.clone(), relation(), integrator), &expected, 1e-12);
        assert_same("both", &run(matrix.clone(), of_time.clone(), integrator), &expected, 1e-12);
    }
    let expected = run(linear(), relation(), ZeroOrderHold::default());
    assert_same("held", &run(linear(), of_time, ZeroOrderHold::default()), &expected, 1e-12);
}

#[test]
fn parameters_are_an_offset() {
    let f = array![[2.0, 0.0, -1.0], [0.5, 1.0, 0.0]];
    let z = [0.3, 0.2, 0.55];
    let shift = move |t: f64| [2.0 * z[0] * t.cos() - z[2], 0.5 * z[0] * t.cos() + z[1]];
    let bare = || FirstOrderLinearRelation::new(c(), b()).with_d(d());
    let at_rest = run(linear(), bare().with_offset(shift(0.0).to_vec()), EulerMoreau::default());
    let fixed = bare().with_parameters(f.clone(), z.to_vec());
    assert_same("constant", &run(linear(), fixed, EulerMoreau::default()), &at_rest, 1e-12);
    let expected = bare().with_offset_function(move |at, e| e.copy_from_slice(&shift(at.t)));
    let moving = bare().with_parameter_function(f, move |at, out| {
        out.copy_from_slice(&z);
        out[0] *= at.t.cos();
    });
    for integrator in [EulerMoreau::default().into(), Integrator::from(ThetaGamma::default())] {
        let expected = run(linear(), expected.clone(), integrator);
        assert_same("of time", &run(linear(), moving.clone(), integrator), &expected, 1e-12);
    }
    // The functions of a nonlinear relation receive its vector z.
    let with_z = FirstOrderNonlinearRelation::new(
        2,
        |at, y| {
            output(at, y);
            y.iter_mut().zip(at.z).for_each(|(y, z)| *y += z - E[0]);
        },
        |at, r| add_product(&b(), at.lambda, r),
    )
    .with_c(constant(c()))
    .with_d(constant(d()))
    .with_k(RelationJacobian::Zero)
    .with_b(constant(b()))
    .with_parameters(vec![0.1, 0.1]);
    let expected = run(linear(), relation(), EulerMoreau::default());
    assert_same("z", &run(linear(), with_z, EulerMoreau::default()), &expected, 1e-11);
}

#[test]
fn a_linear_law_as_a_nonlinear_relation() {
    let input = |at: RelationPoint<'_>, r: &mut [f64]| add_product(&b(), at.lambda, r);
    let given = FirstOrderNonlinearRelation::new(2, output, input)
        .with_c(constant(c()))
        .with_d(constant(d()))
        .with_k(RelationJacobian::Zero)
        .with_b(constant(b()));
    let differences = FirstOrderNonlinearRelation::new(2, output, input)
        .with_c(RelationJacobian::FiniteDifference)
        .with_d(RelationJacobian::FiniteDifferenceWithStep(1e-4))
        .with_k(RelationJacobian::FiniteDifference)
        .with_b(RelationJacobian::FiniteDifference);
    for integrator in integrators() {
        let expected = run(linear(), relation(), integrator);
        assert_same("relation", &run(linear(), given.clone(), integrator), &expected, 1e-11);
        assert_same("differences", &run(linear(), differences.clone(), integrator), &expected, 1e-11);
        assert_same("system", &run(nonlinear(), relation(), integrator), &expected, 1e-11);
        assert_same("both", &run(nonlinear(), given.clone(), integrator), &expected, 1e-11);
    }
    let expected = run(linear(), relation(), ZeroOrderHold::default());
    assert_same("held", &run(linear(), given, ZeroOrderHold::default()), &expected, 1e-11);
}

#[test]
fn special_forms_and_the_general_one_move_alike() {
    // y = x_0 + x_2^3 (+ lambda^3 + lambda), r = (lambda + 0.1 lambda^3) (1, 0, 0.5).
    fn g(lambda: f64, r: &mut [f64]) {
        let current = lambda + 0.1 * lambda.powi(3);
        (r[0], r[2]) = (current, 0.5 * current);
    }
    fn slope(lambda: f64, b: &mut ArrayViewMut2<'_, f64>) {
        let slope = 1.0 + 0.3 * lambda * lambda;
        (b[[0, 0]], b[[2, 0]]) = (slope, 0.5 * slope);
    }
    fn h(x: &[f64]) -> f64 {
        x[0] + x[2].powi(3)
    }
    let c = || RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 2]]) = (1.0, 3.0 * at.x[2] * at.x[2]));
    let b = || RelationJacobian::function(|at, b| slope(at.lambda[0], b));
    let type_1 = FirstOrderNonlinearRelation::type_1(
        1,
        |_, x, _, y| y[0] = h(x),
        |_, lambda, _, r| g(lambda[0], r),
        (c(), b()),
    );
    // The feedthrough is the factor of the terms with lambda in y.
    let d = |feedthrough: f64| {
        RelationJacobian::function(move |at, d| d[[0, 0]] = feedthrough * (1.0 + 3.0 * at.lambda[0].powi(2)))
    };
    fn output(at: RelationPoint<'_>, feedthrough: f64) -> f64 {
        h(at.x) + feedthrough * (at.lambda[0] + at.lambda[0].powi(3))
    }
    let general = |feedthrough: f64| {
        let output = move |at: RelationPoint<'_>, y: &mut [f64]| y[0] = output(at, feedthrough);
        FirstOrderNonlinearRelation::new(1, output, |at, r| g(at.lambda[0], r))
            .with_c(c())
            .with_d(d(feedthrough))
            .with_k(constant(Array2::zeros((3, 3))))
            .with_b(b())
    };
    let type_2 = |feedthrough: f64| {
        let output = move |at: RelationPoint<'_>, y: &mut [f64]| y[0] = output(at, feedthrough);
        let jacobians = (c(), d(feedthrough), b());
        FirstOrderNonlinearRelation::type_2(1, output, |_, lambda, _, r| g(lambda[0], r), jacobians)
    };
    type_1.check_jacobians(0.0, &[0.3, 0.1, -0.8], &[0.6], 1e-8).unwrap();
    general(0.4).check_jacobians(0.0, &[0.3, 0.1, -0.8], &[0.6], 1e-8).unwrap();
    for integrator in
        [BackwardEuler.into(), EulerMoreau::default().into(), Integrator::from(MeasureEuler::default())]
    {
        let expected = run(nonlinear(), type_1.clone(), integrator);
        assert!(
            expected.chunks(8).any(|step| step[7] > 0.5) && expected.chunks(8).any(|step| step[7] == 0.0)
        );
        assert_same("2 as 1", &run(nonlinear(), type_2(0.0), integrator), &expected, 1e-11);
        assert_same("general as 1", &run(nonlinear(), general(0.0), integrator), &expected, 1e-11);
        let expected = run(linear(), type_2(0.4), integrator);
        assert_same("general as 2", &run(linear(), general(0.4), integrator), &expected, 1e-11);
    }
}

#[test]
fn a_matrix_before_the_rate_in_every_form() {
    let m = array![[2.0, 0.5, 0.0], [0.0, 1.0, -0.2], [0.3, 0.0, 1.5]];
    let matrix = m.clone();
    for integrator in integrators() {
        let expected = run(linear().with_mass(m.clone()), relation(), integrator);
        let constant = nonlinear().with_mass(m.clone());
        let matrix = matrix.clone();
        let function = nonlinear().with_mass_function(move |_, _, out| out.assign(&matrix));
        assert_same("constant", &run(constant, relation(), integrator), &expected, 1e-11);
        assert_same("function", &run(function, relation(), integrator), &expected, 1e-11);
        let plain = run(linear(), relation(), integrator);
        assert_same(
            "identity",
            &run(linear().with_mass(Array2::eye(3)), relation(), integrator),
            &plain,
            1e-13,
        );
        assert_same(
            "diagonal",
            &run(linear().with_mass(array![1.0, 1.0, 1.0]), relation(), integrator),
            &plain,
            1e-13,
        );
    }
    // The system M x' = A x + M b + M B lambda is equivalent to x' = M^-1 A x + b + B lambda, also with a
    // zero-order hold.
    let double = linear().with_mass(array![2.0, 2.0, 2.0]).with_source_function(|at, b| {
        source(at, b);
        b.iter_mut().for_each(|b| *b *= 2.0);
    });
    let half = FirstOrderLinear::new(vec![1.0, 0.0, -0.5], 0.5 * a()).with_source_function(source);
    for integrator in integrators().into_iter().chain([ZeroOrderHold::default().into()]) {
        let (x, expected) = (
            run(double.clone(), FirstOrderLinearRelation::new(c(), 2.0 * b()).with_d(d()), integrator),
            run(half.clone(), FirstOrderLinearRelation::new(c(), b()).with_d(d()), integrator),
        );
        let states =
            |run: &[f64]| -> Vec<f64> { run.chunks(10).flat_map(|step| step[..3].to_vec()).collect() };
        assert_same("divided out", &states(&x), &states(&expected), 1e-12);
    }
}

#[test]
fn coefficients_of_time_in_linear_and_nonlinear_form() {
    fn matrix(at: At<'_>, out: &mut ArrayViewMut2<'_, f64>) {
        out.assign(&a());
        out[[0, 1]] += (2.0 * at.t).sin();
        out[[2, 2]] -= at.t;
    }
    let t_matrix = array![[1.0, 0.0], [0.5, -1.0], [0.0, 2.0]];
    let u = |at: At<'_>, u: &mut [f64]| (u[0], u[1]) = ((4.0 * at.t).cos(), at.t);
    let linear = FirstOrderLinear::of_matrix_function(vec![1.0, 0.0, -0.5], matrix)
        .with_source_function(source)
        .with_control(t_matrix.clone(), u);
    let field = |at: At<'_>, x: &[f64], f: &mut [f64]| {
        let mut a = Array2::zeros((3, 3));
        matrix(at, &mut a.view_mut());
        source(at, f);
        add_product(&a, x, f);
    };
    let jacobian = || Jacobian::of_state(|at, _, j| matrix(at, j));
    let nonlinear = FirstOrderNonlinear::new(vec![1.0, 0.0, -0.5], field, jacobian())
        .with_control(ControlTerm::new(t_matrix, move |at, _, _, out| u(at, out)));
    nonlinear.check_jacobians(0.4, &[0.2, 0.3, 0.4], &[1.0, 2.0, 3.0], 1e-7).unwrap();
    for integrator in integrators() {
        let expected = run(linear.clone(), relation(), integrator);
        assert_same("of time", &run(nonlinear.clone(), relation(), integrator), &expected, 1e-11);
    }
}

#[test]
fn feedback_of_the_rate_in_closed_form() {
    // The feedback x' = A x + b + K x' is equivalent to (1 - K) x' = A x + b.
    let k = 0.4;
    let feedback = nonlinear().with_control(ControlTerm::new(Array2::eye(3), move |_, _, rate, u| {
        u.iter_mut().zip(rate).for_each(|(u, rate)| *u = k * rate);
    }));
    let given = nonlinear().with_control(
        ControlTerm::of_matrix_function(
            3,
            |_, _, out| out.diag_mut().fill(1.0),
            move |_, _, rate, u| u.iter_mut().zip(rate).for_each(|(u, rate)| *u = k * rate),
        )
        .with_jacobians(Jacobian::Zero, Jacobian::Constant(k * Array2::eye(3))),
    );
    given.check_jacobians(0.1, &[0.1, 0.2, 0.3], &[1.0, -1.0, 2.0], 1e-8).unwrap();
    for integrator in integrators() {
        let expected = run(linear().with_mass(array![1.0 - k, 1.0 - k, 1.0 - k]), relation(), integrator);
        assert_same("differences", &run(feedback.clone(), relation(), integrator), &expected, 1e-11);
        assert_same("given", &run(given.clone(), relation(), integrator), &expected, 1e-11);
    }
    // The motion also satisfies x' = -x / (1 - k).
    let decay =
        FirstOrderNonlinear::new(vec![1.0], |_, x, f| f[0] = -x[0], Jacobian::Constant(array![[-1.0]]))
            .with_control(ControlTerm::new(array![[k]], |_, _, rate, u| u[0] = rate[0]));
    let idle = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]).with_offset(vec![9.0]);
    let motion = run(decay, idle, ThetaGamma::default());
    for (step, x) in motion.chunks(4).enumerate() {
        let t = 0.02 * (step + 1) as f64;
        assert!((x[0] - (-t / (1.0 - k)).exp()).abs() < 1e-4, "{t}");
    }
}
