//! Random models of first-order systems: the discretised equations and the laws hold after each step,
//! evaluated from the state alone.

use ndarray::{Array1, Array2, array, s};
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

/// Values of theta, theta_r and gamma of the schemes.
const SCHEMES: [(&str, f64, f64, f64); 5] = [
    ("EulerMoreau", 0.5, 1.0, 1.0),
    ("MeasureEuler", 1.0, 1.0, 1.0),
    ("ThetaGamma", 0.5, 1.0, 0.5),
    ("FullyImplicit", 0.7, 0.4, 1.0),
    ("BackwardEuler", 1.0, 1.0, 1.0),
];

fn integrator(name: &str, theta: f64, theta_r: f64, gamma: f64) -> Integrator {
    match name {
        "EulerMoreau" => EulerMoreau { theta }.into(),
        "MeasureEuler" => MeasureEuler { theta }.into(),
        "ThetaGamma" => ThetaGamma { theta, gamma }.into(),
        "FullyImplicit" => FullyImplicit { theta, theta_r }.into(),
        _ => BackwardEuler.into(),
    }
}

/// System x' = A x - cubic x^3 + sin(t + i).
struct Body {
    id: DynamicalSystemId,
    a: Array2<f64>,
    cubic: f64,
}

/// Relation y = C x + D lambda + bend tanh x_0, r_i = (B lambda)_i (1 + bend tanh x_i).
#[derive(Clone)]
struct Link {
    over: Vec<usize>,
    c: Array2<f64>,
    b: Array2<f64>,
    d: Array2<f64>,
    bend: f64,
}

impl Link {
    fn output(&self, x: &Array1<f64>, lambda: &Array1<f64>) -> Array1<f64> {
        self.c.dot(x) + self.d.dot(lambda) + self.bend * x[0].tanh()
    }

    fn input(&self, x: &Array1<f64>, lambda: &Array1<f64>) -> Array1<f64> {
        self.b.dot(lambda) * x.mapv(|x| 1.0 + self.bend * x.tanh())
    }

    fn relation(&self) -> siconos_kernel::model::Relation {
        if self.bend == 0.0 {
            let linear = FirstOrderLinearRelation::new(self.c.clone(), self.b.clone());
            return linear.with_d(self.d.clone()).into();
        }
        let (of_h, of_g) = (self.clone(), self.clone());
        let arrays = |x: &[f64], lambda: &[f64]| (Array1::from(x.to_vec()), Array1::from(lambda.to_vec()));
        FirstOrderNonlinearRelation::new(
            self.c.nrows(),
            move |at, y| {
                let (x, lambda) = arrays(at.x, at.lambda);
                y.copy_from_slice(&of_h.output(&x, &lambda).to_vec());
            },
            move |at, r| {
                let (x, lambda) = arrays(at.x, at.lambda);
                r.copy_from_slice(&of_g.input(&x, &lambda).to_vec());
            },
        )
        .with_c(RelationJacobian::FiniteDifference)
        .with_d(RelationJacobian::Constant(self.d.clone()))
        .with_k(RelationJacobian::FiniteDifference)
        .with_b(RelationJacobian::FiniteDifference)
        .into()
    }
}

fn random_law(m: usize, numbers: &mut RandomState) -> NonSmoothLaw {
    match numbers.integer(0, 3) {
        0 => ComplementarityCondition::new(m).unwrap().into(),
        1 => EqualityCondition::new(1).unwrap().into(),
        2 => MixedComplementarityCondition::new(1, m - 1).unwrap().into(),
        _ => Relay::symmetric(m, 0.3).unwrap().into(),
    }
}

/// Returns the violation of the law by y and lambda.
fn violation(law: &NonSmoothLaw, y: f64, lambda: f64, row: usize) -> f64 {
    let complementary = y.min(lambda).abs();
    match law {
        NonSmoothLaw::Complementarity(_) => complementary,
        NonSmoothLaw::Equality(_) => y.abs(),
        NonSmoothLaw::MixedComplementarity(law) if row < law.equalities() => y.abs(),
        NonSmoothLaw::MixedComplementarity(_) => complementary,
        _ => (lambda - (lambda - y).clamp(-0.3, 0.3)).abs(),
    }
}

fn field(a: &Array2<f64>, cubic: f64, t: f64, x: &Array1<f64>) -> Array1<f64> {
    let drive = Array1::from_shape_fn(x.len(), |i| (t + i as f64).sin());
    a.dot(x) - cubic * x.mapv(|x| x.powi(3)) + drive
}

fn random_body(numbers: &mut RandomState, model: &mut NonSmoothDynamicalSystem) -> Body {
    let n = numbers.integer(1, 3) as usize;
    let a = Array2::from_shape_fn((n, n), |_| numbers.between(-1.0, 1.0)) - Array2::<f64>::eye(n);
    let x0: Vec<_> = (0..n).map(|_| numbers.between(-1.0, 1.0)).collect();
    let drive =
        |at: At<'_>, b: &mut [f64]| b.iter_mut().enumerate().for_each(|(i, b)| *b = (at.t + i as f64).sin());
    let cubic = if numbers.integer(0, 1) == 0 { 0.0 } else { 0.5 };
    let id = if cubic == 0.0 {
        model.add_system(FirstOrderLinear::new(x0, a.clone()).with_source_function(drive)).unwrap()
    } else {
        let (matrix, jacobian) = (a.clone(), a.clone());
        let f = move |at: At<'_>, x: &[f64], f: &mut [f64]| {
            f.copy_from_slice(&field(&matrix, cubic, at.t, &Array1::from(x.to_vec())).to_vec());
        };
        let derivative = Jacobian::of_state(move |_, x, j| {
            j.assign(&jacobian);
            x.iter().enumerate().for_each(|(i, x)| j[[i, i]] -= 3.0 * cubic * x * x);
        });
        model.add_system(FirstOrderNonlinear::new(x0, f, derivative)).unwrap()
    };
    Body { id, a, cubic }
}

#[test]
fn equations_and_laws_hold_after_each_step_of_random_models() {
    let mut steps = 0;
    for seed in 0..150 {
        let numbers = &mut RandomState::new(seed);
        let (name, theta, theta_r, gamma) = SCHEMES[seed as usize % SCHEMES.len()];
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies: Vec<_> = (0..numbers.integer(1, 4)).map(|_| random_body(numbers, &mut model)).collect();
        if numbers.integer(0, 1) == 1 {
            let ball = LagrangianLinear::new(vec![0.1], vec![0.0], array![1.0]);
            let ball = model.add_system(ball.with_external_force(|_, f| f[0] = -9.81)).unwrap();
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
        }
        let mut links = Vec::new();
        for _ in 0..numbers.integer(0, 4) {
            let m = numbers.integer(1, 3) as usize;
            let mut over = numbers.permutation(bodies.len());
            over.truncate(numbers.integer(1, bodies.len() as i32) as usize);
            let columns = over.iter().map(|&i| bodies[i].a.nrows()).sum();
            let b = Array2::from_shape_fn((columns, m), |_| numbers.between(-1.0, 1.0));
            let bend = if numbers.integer(0, 1) == 0 { 0.0 } else { 0.1 };
            let d = Array2::from_shape_fn((m, m), |_| numbers.between(-0.2, 0.2)) + Array2::<f64>::eye(m);
            let link = Link { over, c: b.t().to_owned(), b, d, bend };
            let systems: Vec<_> = link.over.iter().map(|&i| bodies[i].id).collect();
            let law = random_law(m, numbers);
            links.push((model.add_interaction(systems, link.relation(), law.clone()).unwrap(), law, link));
        }
        let times = (0..30).map(|k| 0.05 * f64::from(k) + 0.01 * f64::from(k % 2)).collect();
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::from_times(times).unwrap())
            .integrator(integrator(name, theta, theta_r, gamma))
            .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let vector = |x: &[f64]| Array1::from(x.to_vec());
        // r_k of each body; the initial multipliers are zero.
        let mut r_k: Vec<_> = bodies.iter().map(|body| Array1::<f64>::zeros(body.a.nrows())).collect();
        loop {
            let before: Vec<_> = bodies.iter().map(|body| vector(state.x(body.id))).collect();
            let t_k = state.t;
            let Some(report) = simulation.step(&model, &mut state).unwrap() else { break };
            let (t, h) = (report.t, report.h);
            let after: Vec<_> = bodies.iter().map(|body| vector(state.x(body.id))).collect();
            let mut r: Vec<_> = r_k.iter().map(|r| 0.0 * r).collect();
            for (id, law, link) in &links {
                let at: Vec<f64> =
                    link.over.iter().flat_map(|&i| gamma * &after[i] + (1.0 - gamma) * &before[i]).collect();
                let (y, lambda) = (state.y(*id, Level::Position), vector(state.lambda(*id, Level::Position)));
                let expected = link.output(&vector(&at), &lambda);
                for (row, (y, expected)) in y.iter().zip(&expected).enumerate() {
                    assert!((y - expected).abs() < 1e-9, "{seed}, {name}, t = {t}: y = {y}, not {expected}");
                    let off = violation(law, *y, lambda[row], row % law.size());
                    assert!(off < 1e-7, "{seed}, {name}, t = {t}: {law:?} by {off:e}");
                }
                let input = link.input(&vector(&at), &lambda);
                let mut start = 0;
                for &i in &link.over {
                    let end = start + r[i].len();
                    r[i] += &input.slice(s![start..end]);
                    start = end;
                }
            }
            for (i, body) in bodies.iter().enumerate() {
                let f = |t, x| field(&body.a, body.cubic, t, x);
                let f = theta * f(t, &after[i]) + (1.0 - theta) * f(t_k, &before[i]);
                let input = theta_r * &r[i] + (1.0 - theta_r) * &r_k[i];
                let residual = &after[i] - &before[i] - h * (f + &input);
                let off = residual.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                assert!(off < 1e-9, "{seed}, {name}, t = {t}: {off:e}");
                let impulse = vector(state.impulse(body.id)) - h * input;
                assert!(impulse.iter().all(|x| x.abs() < 1e-9), "{seed}, {name}: {impulse}");
            }
            r_k = r;
            steps += 1;
        }
    }
    assert_eq!(steps, 150 * 29);
}
