//! Rare combinations of features of first-order systems: laws, grids, masses and schemes. Each step is
//! checked against the discretised equations.

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

fn vector(x: &[f64]) -> Array1<f64> {
    x.iter().copied().collect()
}

/// Returns the largest magnitude, or NaN if an entry is NaN.
fn largest<'a>(x: impl IntoIterator<Item = &'a f64>) -> f64 {
    x.into_iter().fold(0.0, |m: f64, x| if x.is_nan() || x.abs() > m { x.abs() } else { m })
}

/// Keeps the larger of the two, or NaN if one of them is NaN.
fn keep(worst: &mut f64, error: f64) {
    *worst = largest(&[*worst, error]);
}

fn random(rows: usize, columns: usize, numbers: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |_| numbers.between(-1.0, 1.0))
}

/// Returns a grid with random steps of a few lengths, so that lengths recur.
fn grid(steps: usize, numbers: &mut RandomState) -> TimeDiscretisation {
    let lengths = [0.01, 0.01, 0.05, 0.002];
    let times = (0..=steps).scan(0.3, |t, _| {
        let now = *t;
        *t += lengths[numbers.integer(0, 3) as usize];
        Some(now)
    });
    TimeDiscretisation::from_times(times.collect()).unwrap()
}

fn simulation(
    model: &NonSmoothDynamicalSystem,
    grid: TimeDiscretisation,
    integrator: impl Into<Integrator>,
) -> TimeStepping {
    TimeStepping::builder(model).discretisation(grid).integrator(integrator).build().unwrap()
}

/// Returns y and lambda.
fn pair(state: &State, id: InteractionId) -> (Array1<f64>, Array1<f64>) {
    (vector(state.y(id, Level::Position)), vector(state.lambda(id, Level::Position)))
}

/// All coefficients and the bounds of the relays depend on time. For measures, the bounds are multiplied by
/// h.
#[test]
fn relays_with_bounds_of_time_in_measures_on_steps_that_change() {
    let bounds = |t: f64| (-1.0 - 0.5 * (9.0 * t).sin(), 0.7 + 0.3 * (5.0 * t).cos());
    for seed in 0..30 {
        let numbers = &mut RandomState::new(seed);
        let theta = [1.0, 0.5, 0.0][seed as usize % 3];
        let (n, m) = (numbers.integer(1, 4) as usize, numbers.integer(1, 3) as usize);
        let (a, swing) = (random(n, n, numbers), random(n, n, numbers));
        let mass = 0.2 * random(n, n, numbers) + Array2::<f64>::eye(n);
        let b = random(n, m, numbers);
        let d = 0.2 * random(m, m, numbers) + 0.5 * Array2::<f64>::eye(m);
        let matrix = {
            let (a, swing) = (a.clone(), swing.clone());
            move |t: f64| &a + &(&swing * t.sin())
        };
        let feedthrough = {
            let d = d.clone();
            move |t: f64| &d * (1.0 + 0.1 * t)
        };
        let (of_system, of_relation) = (matrix.clone(), feedthrough.clone());
        let mut model = NonSmoothDynamicalSystem::new();
        let system =
            FirstOrderLinear::of_matrix_function(vec![0.4; n], move |at, out| out.assign(&of_system(at.t)))
                .with_mass(mass.clone())
                .with_source_function(|at, source| source[0] = at.t.cos())
                .with_control(Array2::ones((n, 5)), |at, u| u[4] = at.t);
        let system = model.add_system(system).unwrap();
        let relation = FirstOrderLinearRelation::new(b.t().to_owned(), b.clone())
            .with_d_function(move |at, out| out.assign(&of_relation(at.t)))
            .with_offset_function(|at, e| e[0] = (7.0 * at.t).sin())
            .with_parameter_function(Array2::ones((m, 3)), |at, z| z[2] = 0.1 * at.t);
        let law = Relay::of_time(1, move |at, lower, upper| (lower[0], upper[0]) = bounds(at.t)).unwrap();
        let relays = model.add_interaction([system], relation, law).unwrap();

        let mut simulation = simulation(&model, grid(60, numbers), MeasureEuler { theta });
        let mut state = simulation.initial_state(&model).unwrap();
        let field = |t: f64, x: &Array1<f64>| {
            let mut f = matrix(t).dot(x) + t;
            f[0] += t.cos();
            f
        };
        loop {
            let (x_k, t_k) = (vector(state.x(system)), state.t);
            let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
            let (t, h, x) = (report.t, report.h, vector(state.x(system)));
            let ((y, lambda), sigma) = (pair(&state, relays), vector(state.lambda(relays, Level::Velocity)));
            assert!(largest(&(&sigma - h * &lambda)) < 1e-14);
            let smooth = theta * field(t, &x) + (1.0 - theta) * field(t_k, &x_k);
            assert!(
                largest(&(mass.dot(&(&x - &x_k)) - h * smooth - b.dot(&sigma))) < 1e-12,
                "{seed}, t = {t}"
            );
            let mut output = b.t().dot(&x) + feedthrough(t).dot(&lambda) + 0.1 * t;
            output[0] += (7.0 * t).sin();
            assert!(largest(&(output - &y)) < 1e-12, "{seed}, t = {t}");
            let (lower, upper) = bounds(t);
            let off = y.iter().zip(&lambda).map(|(y, l)| l - (l - y).clamp(lower, upper));
            assert!(largest(&off.collect::<Vec<_>>()) < 1e-9, "{seed}, t = {t}");
        }
    }
}

/// A multiplier in a triangle: no vertex is further in the direction of -y than the multiplier. D is not
/// symmetric.
#[test]
fn a_triangle_in_measures() {
    let corners = [array![-0.5, 0.0], array![1.0, 0.0], array![-0.5, 1.5]];
    for seed in 0..20 {
        let numbers = &mut RandomState::new(seed);
        let (a, b, skew) = (random(3, 3, numbers), random(3, 2, numbers), numbers.between(-1.0, 1.0));
        let d = array![[0.1, skew], [-skew, 0.1]];
        let mut model = NonSmoothDynamicalSystem::new();
        let push = |t: f64| 5.0 * (20.0 * t).sin();
        let system = FirstOrderLinear::new(vec![1.0, -2.0, 0.5], a.clone())
            .with_source_function(move |at, source| source[1] = push(at.t));
        let system = model.add_system(system).unwrap();
        let relation = FirstOrderLinearRelation::new(b.t().to_owned(), b.clone()).with_d(d.clone());
        let triangle = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
        let law = NormalCone::new(triangle, vec![-0.5, 0.0, -1.0]).unwrap();
        let id = model.add_interaction([system], relation, law).unwrap();
        let mut simulation = simulation(&model, grid(80, numbers), MeasureEuler::default());
        let mut state = simulation.initial_state(&model).unwrap();
        loop {
            let x_k = vector(state.x(system));
            let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
            let (t, h, x, (y, lambda)) = (report.t, report.h, vector(state.x(system)), pair(&state, id));
            let mut f = a.dot(&x) + b.dot(&lambda);
            f[1] += push(t);
            assert!(largest(&(&x - &x_k - h * f)) < 1e-12, "{seed}, t = {t}");
            assert!(largest(&(b.t().dot(&x) + d.dot(&lambda) - &y)) < 1e-12, "{seed}, t = {t}");
            assert!(lambda[0] > -0.5 - 1e-9 && lambda[1] > -1e-9 && lambda.sum() < 1.0 + 1e-9, "{lambda}");
            assert!(corners.iter().all(|corner| y.dot(&(corner - &lambda)) > -1e-9), "{seed}, t = {t}");
        }
    }
}

#[test]
fn second_order_cones_with_a_feedthrough_that_is_not_symmetric() {
    let outside = |z: &Array1<f64>| (z[1].hypot(z[2]) - z[0]).max(-z[3]);
    for seed in 0..20 {
        let numbers = &mut RandomState::new(seed);
        let (a, b, s) = (random(4, 4, numbers), random(4, 4, numbers), random(4, 4, numbers));
        let d = &s - &s.t() + 0.3 * Array2::<f64>::eye(4);
        let mut model = NonSmoothDynamicalSystem::new();
        let system = FirstOrderLinear::new(vec![1.0, -2.0, 0.5, 1.0], a)
            .with_source_function(|at, source| source[1] = 5.0 * (20.0 * at.t).sin());
        let system = model.add_system(system).unwrap();
        let relation = FirstOrderLinearRelation::new(b.t().to_owned(), b.clone()).with_d(d.clone());
        let law = ConeComplementarity::second_order([3, 1]).unwrap();
        let id = model.add_interaction([system], relation, law).unwrap();
        let mut simulation = simulation(&model, grid(80, numbers), EulerMoreau::default());
        let mut state = simulation.initial_state(&model).unwrap();
        while simulation.step(&model, &mut state).unwrap().is_some() {
            let (y, lambda) = pair(&state, id);
            assert!(largest(&(b.t().dot(&vector(state.x(system))) + d.dot(&lambda) - &y)) < 1e-12);
            // The default solver of cones ends at 1e-8, relative to its data.
            assert!(outside(&y).max(outside(&lambda)).max(y.dot(&lambda).abs()) < 1e-6, "{y} {lambda}");
        }
    }
}

/// The input before a step is computed from the present interactions, with the state and the multiplier that
/// were set.
#[test]
fn an_explicit_input_after_changes_of_state_and_model() {
    let a = array![[-0.5, 1.0], [-1.0, -0.3]];
    let (c_1, c_2) = (array![1.0, 0.0], array![0.3, 1.0]);
    for nonlinear in [false, true] {
        let mut model = NonSmoothDynamicalSystem::new();
        let x0 = vec![1.0, 0.5];
        let system = if nonlinear {
            let (f, jacobian) = (a.clone(), Jacobian::Constant(a.clone()));
            let f = move |_: At<'_>, x: &[f64], out: &mut [f64]| {
                out.copy_from_slice(&f.dot(&vector(x)).to_vec());
            };
            model.add_system(FirstOrderNonlinear::new(x0, f, jacobian)).unwrap()
        } else {
            model.add_system(FirstOrderLinearTi::new(x0, a.clone())).unwrap()
        };
        let [first, second] = [&c_1, &c_2].map(|c| {
            let c = c.clone().insert_axis(ndarray::Axis(0));
            let relation = FirstOrderLinearRelation::new(c.clone(), c.reversed_axes()).with_d(array![[0.4]]);
            model.add_interaction([system], relation, ComplementarityCondition::new(1).unwrap()).unwrap()
        });
        let scheme = FullyImplicit { theta: 0.5, theta_r: 0.5 };
        let mut simulation = simulation(&model, grid(110, &mut RandomState::new(3)), scheme);
        let mut state = simulation.initial_state(&model).unwrap();
        let (mut worst, mut active) = (0.0, 0);
        for k in 0..110 {
            match k {
                20 => state.set_x(system, &[-0.5, -2.0]).unwrap(),
                40 => drop(model.remove_interaction(first).unwrap()),
                60 => state.set_x(system, &[-0.5, -3.0]).unwrap(),
                80 => state.set_lambda(second, &[2.0]).unwrap(),
                _ => {}
            }
            let input = |state: &State| {
                let of_first = if k < 40 { state.lambda(first, Level::Position)[0] } else { 0.0 };
                of_first * &c_1 + state.lambda(second, Level::Position)[0] * &c_2
            };
            let (x_k, r_k) = (vector(state.x(system)), input(&state));
            let h = simulation.step(&model, &mut state).unwrap().unwrap().h;
            let (x, (y, lambda)) = (vector(state.x(system)), pair(&state, second));
            let rate = 0.5 * (a.dot(&x) + a.dot(&x_k) + input(&state) + r_k);
            keep(&mut worst, largest(&(&x - &x_k - h * rate)));
            keep(&mut worst, y[0].min(lambda[0]));
            keep(&mut worst, c_2.dot(&x) + 0.4 * lambda[0] - y[0]);
            active += usize::from(lambda[0] > 0.0);
        }
        assert!(worst < 1e-12 && (30..110).contains(&active), "{worst:e}, {active}");
    }
}

/// Between samples, the motion satisfies M x' = A x + b_k + r. The reference is a Runge-Kutta method with 100
/// small steps.
#[test]
fn a_hold_with_mass_source_and_a_nonlinear_relation() {
    let (a, mass) = (array![[0.0, 1.0], [-4.0, -0.5]], array![[2.0, 0.3], [0.1, 1.5]]);
    let inverse = array![[1.5, -0.3], [-0.1, 2.0]] / (2.0 * 1.5 - 0.3 * 0.1);
    let source = |t: f64| array![0.3, (3.0 * t).cos()];
    let input = |lambda: f64| array![0.2 * lambda + 0.05 * lambda.powi(3), lambda];
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(vec![1.0, 0.0], a.clone())
        .with_mass(mass)
        .with_source_function(move |at, b| b.copy_from_slice(&source(at.t).to_vec()));
    let system = model.add_system(system).unwrap();
    let relation = FirstOrderNonlinearRelation::type_1(
        1,
        |_, x, _, y| y[0] = x[0] + 0.3 * x[1].tanh(),
        move |_, lambda, _, r| r.copy_from_slice(&input(lambda[0]).to_vec()),
        (RelationJacobian::FiniteDifference, RelationJacobian::FiniteDifference),
    );
    let relay = model.add_interaction([system], relation, Relay::symmetric(1, 1.0).unwrap()).unwrap();
    let mut simulation = simulation(&model, grid(80, &mut RandomState::new(5)), ZeroOrderHold::default());
    let mut state = simulation.initial_state(&model).unwrap();
    loop {
        let (mut x, t_k) = (vector(state.x(system)), state.t);
        let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
        let (h, (y, lambda)) = (report.h / 100.0, pair(&state, relay));
        let force = source(t_k) + input(lambda[0]);
        let f = |x: &Array1<f64>| inverse.dot(&(a.dot(x) + &force));
        for _ in 0..100 {
            let k_1 = f(&x);
            let k_2 = f(&(&x + &(0.5 * h * &k_1)));
            let k_3 = f(&(&x + &(0.5 * h * &k_2)));
            let k_4 = f(&(&x + &(h * &k_3)));
            x += &(h / 6.0 * (k_1 + 2.0 * k_2 + 2.0 * k_3 + k_4));
        }
        let found = vector(state.x(system));
        assert!(largest(&(x - &found)) < 1e-11);
        assert!((found[0] + 0.3 * found[1].tanh() - y[0]).abs() < 1e-9);
        assert!((lambda[0] - (lambda[0] - y[0]).clamp(-1.0, 1.0)).abs() < 1e-9);
    }
}

/// A descriptor system with M = diag(1, 0). The second row is an algebraic equation that contains the
/// multiplier. W is regular, although M is singular.
#[test]
fn a_descriptor_system_under_the_implicit_schemes() {
    let a = array![[-1.0, 1.0], [1.0, -2.0]];
    let source = |t: f64| (4.0 * t).sin() - 2.0;
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinear::new(vec![1.0, 0.5], a.clone())
        .with_mass(array![1.0, 0.0])
        .with_source_function(move |at, b| b[1] = source(at.t));
    let system = model.add_system(system).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]);
    let id = model.add_interaction([system], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let equal = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
    let schemes: [Integrator; 4] = [
        EulerMoreau { theta: 1.0 }.into(),
        MeasureEuler::default().into(),
        BackwardEuler.into(),
        ThetaGamma { theta: 1.0, gamma: 1.0 }.into(),
    ];
    for scheme in schemes {
        let mut simulation = simulation(&model, equal.clone(), scheme);
        let mut state = simulation.initial_state(&model).unwrap();
        let (mut worst, mut active) = (0.0, 0);
        loop {
            let x_k = vector(state.x(system));
            let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
            let (t, h) = (report.t, report.h);
            let (x, (_, lambda)) = (vector(state.x(system)), pair(&state, id));
            let f = a.dot(&x) + array![0.0, source(t) + lambda[0]];
            keep(&mut worst, x[0] - x_k[0] - h * f[0]);
            keep(&mut worst, f[1]);
            keep(&mut worst, x[1].min(lambda[0]));
            active += usize::from(lambda[0] > 0.0);
        }
        assert!(worst < 1e-12 && active > 100, "{}: {worst:e}, {active}", scheme.name());
    }
    // If the iteration matrix is M, it is singular for every step length. The message contains this reason.
    for scheme in [Integrator::from(EulerMoreau { theta: 0.0 }), ZeroOrderHold::default().into()] {
        let mut simulation = simulation(&model, equal.clone(), scheme);
        let mut state = simulation.initial_state(&model).unwrap();
        let error = simulation.step(&model, &mut state).unwrap_err();
        assert!(matches!(error, SimulationError::SingularIterationMatrix { step: 1, .. }), "{error}");
        assert!(error.to_string().contains("unless W is the mass matrix itself"), "{error}");
    }
}
