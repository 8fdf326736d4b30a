//! Processes with a perturbation and a metric: closed forms, equivalent linear complementarity systems, and
//! sets given by inequalities compared with their projections.

use ndarray::{Array1, Array2, array};
use siconos_kernel::analysis::LinearSystem;
use siconos_kernel::integrator::{BackwardEuler, Integrator, MeasureEuler};
use siconos_kernel::prelude::*;
use siconos_numerics::cone::Polyhedron;
use siconos_sweeping::{CatchingUp, FixedSet, MovingPolyhedron, SweepingError};
use siconos_testkit::compare::{assert_close, assert_near, worse};
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::{PushedPoint, StaircaseTank};
use siconos_testkit::random::RandomState;

use super::run;

#[test]
fn a_pushed_point_is_followed_with_order_one() {
    let point = PushedPoint::default();
    let motion = point.solve(2.0);
    let hs = steps(8, 0.05, 0.002);
    let error = |h: &f64| {
        let n = (2.0 / h).round() as usize;
        let force = move |t: f64, _x: &[f64], f: &mut [f64]| f[0] = -point.input(t);
        let mut sweep =
            CatchingUp::new(MovingPolyhedron::orthant(1).expect("a half-line")).with_perturbation(force);
        let states = run(&mut sweep, (0.0, 2.0), n, &[point.start]);
        let at = |k: usize| 2.0 * k as f64 / n as f64;
        states.iter().enumerate().map(|(k, x)| (x[0] - motion.state(at(k))[0]).abs()).fold(0.0, worse)
    };
    let errors: Vec<f64> = hs.iter().map(error).collect();
    let order = observed_order(&hs, &errors).order;
    assert!(order >= 0.9, "{order}: {errors:?}");
}

#[test]
fn a_tank_whose_level_jumps_jumps_with_it() {
    let tank = StaircaseTank::new(1.0, 2.0, vec![(0.0, 1.0), (1.0, 3.0), (2.0, 0.5), (3.0, 2.5)]);
    let levels = tank.clone();
    let set = MovingPolyhedron::new(1, 1, move |t, mut h, k| (h[[0, 0]], k[0]) = (1.0, levels.level(t)));
    let mut sweep = CatchingUp::new(set.expect("a half-line"))
        .with_linear_perturbation(array![[1.0]], |_t, _g| ())
        .expect("it fits");
    let n = 4000;
    let states = run(&mut sweep, (0.0, 4.0), n, &[2.0]);
    for (step, t) in [(1, 1.0), (3, 3.0)] {
        let k = n / 4 * t as usize;
        assert_near(states[k][0], tank.state(t), 1e-14);
        if step == 1 {
            // The state rests on the previous level.
            assert_near(states[k][0] - states[k - 1][0], tank.impulse(step), 1e-14);
        }
    }
    for (k, state) in states.iter().enumerate() {
        assert_near(state[0], tank.state(4.0 * k as f64 / n as f64), 4e-3);
    }
}

/// A passive system: x' = A x + B lambda with P B = C^T and A^T P + P A <= 0.
struct Passive {
    a: Array2<f64>,
    b: Array2<f64>,
    c: Array2<f64>,
    p: Array2<f64>,
}

impl Passive {
    /// Creates a random system with n states and m multipliers; B = C^T in the Euclidean norm.
    fn random(random: &mut RandomState, (n, m): (usize, usize), is_euclidean: bool) -> Self {
        let mut matrix =
            |rows, columns| Array2::from_shape_fn((rows, columns), |_| random.between(-1.0, 1.0));
        let (skew, damping, root, c) = (matrix(n, n), matrix(n, n), matrix(n, n), matrix(m, n));
        // P A = S - D with S skew and D >= 0.
        let product = &skew - &skew.t() - damping.t().dot(&damping) * 0.2;
        let p = if is_euclidean { Array2::eye(n) } else { root.t().dot(&root) + Array2::<f64>::eye(n) };
        let solve = |right: &Array2<f64>| {
            let mut lu = siconos_linalg::DenseLu::default();
            lu.factor(p.view()).expect("it is definite");
            let mut solution = right.clone();
            for mut column in solution.columns_mut() {
                let mut x = column.to_vec();
                lu.solve(&mut x);
                column.assign(&Array1::from(x));
            }
            solution
        };
        Self { a: solve(&product), b: solve(&c.t().to_owned()), c, p }
    }

    fn sweep(&self) -> CatchingUp<MovingPolyhedron> {
        let set = Polyhedron::new(self.c.clone(), vec![0.0; self.c.nrows()]).expect("a cone");
        CatchingUp::new(MovingPolyhedron::fixed(&set))
            .with_linear_perturbation(-&self.a, |_t, _g| ())
            .and_then(|sweep| sweep.with_metric(self.p.view()))
            .expect("it fits")
    }
}

/// Returns x and sigma of a time-stepping simulation.
fn stepped(system: &Passive, scheme: impl Into<Integrator>, h: f64, x0: &[f64]) -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinearTi::new(x0.to_vec(), system.a.clone())).unwrap();
    let relation = FirstOrderLinearRelation::new(system.c.clone(), system.b.clone());
    let law = ComplementarityCondition::new(system.c.nrows()).unwrap();
    let rows = model.add_interaction([x], relation, law).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, h).unwrap())
        .integrator(scheme.into())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut all = Vec::new();
    while simulation.step(&model, &mut state).unwrap().is_some() {
        all.push((state.x(x).to_vec(), state.lambda(rows, Level::Velocity).to_vec()));
    }
    all
}

/// A system without a given metric: a metric exists if C B is symmetric and positive definite.
#[test]
fn a_complementarity_system_finds_its_metric_or_is_refused() {
    let mut random = RandomState::new(44);
    let linear = |system: &Passive, b: &Array2<f64>, d: f64| {
        let m = b.ncols();
        LinearSystem::new(system.a.clone(), b.clone(), system.c.clone(), Array2::eye(m) * d).unwrap()
    };
    for case in 0..20 {
        let (n, m) = (3 + case % 4, 2 + case % 2);
        let system = Passive::random(&mut random, (n, m), false);
        let mut found = CatchingUp::of(&linear(&system, &system.b, 0.0)).expect("it is passive");
        let mut given = system.sweep();
        let x0: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let (a, b) = (run(&mut found, (0.0, 2.0), 40, &x0), run(&mut given, (0.0, 2.0), 40, &x0));
        for (a, b) in a.iter().zip(&b) {
            assert_close("x", a, b, 1e-10, 0.0);
        }
        assert_close("h lambda", found.multipliers(), given.multipliers(), 1e-10, 0.0);
        let refused = CatchingUp::of(&linear(&system, &system.b, 0.5)).unwrap_err();
        assert_eq!(refused, SweepingError::ActsOnOutput { row: 0, column: 0, value: 0.5 });
        let mut other = system.b.clone();
        let row = system.c.row(0).mapv(|c| 0.5 * c);
        other.column_mut(1).zip_mut_with(&row, |b, c| *b += c);
        let refused = CatchingUp::of(&linear(&system, &other, 0.0)).unwrap_err();
        assert!(matches!(refused, SweepingError::NoMetric { .. }), "{refused}");
        let refused = CatchingUp::of(&linear(&system, &-&system.b, 0.0)).unwrap_err();
        assert!(refused.to_string().contains("`C B` must be symmetric"), "{refused}");
    }
}

#[test]
fn a_passive_system_is_the_same_by_measures_by_multipliers_and_by_catching_up() {
    let mut random = RandomState::new(43);
    for case in 0..20 {
        let system = Passive::random(&mut random, (2 + case % 4, 1 + case % 3), case % 2 == 0);
        let n = system.c.ncols();
        // A random state, moved into the set.
        let mut x0: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        let mut sweep = system.sweep();
        assert!(sweep.begin(0.0, &mut x0).expect("it begins").status.is_success());
        let h = 0.05;
        let (measures, implicit) =
            (stepped(&system, MeasureEuler { theta: 1.0 }, h, &x0), stepped(&system, BackwardEuler, h, &x0));
        let mut u = x0;
        let mut energy = f64::INFINITY;
        for (k, ((x, sigma), (y, h_lambda))) in measures.iter().zip(&implicit).enumerate() {
            assert!(sweep.step(h * k as f64, h, &mut u).expect("it goes").status.is_success());
            assert_close("measures", x, &u, 1e-10, 0.0);
            assert_close("implicit", y, &u, 1e-10, 0.0);
            assert_close("sigma", sigma, sweep.multipliers(), 1e-10, 0.0);
            assert_close("h lambda", h_lambda, sweep.multipliers(), 1e-10, 0.0);
            let now = Array1::from(u.clone()).dot(&system.p.dot(&Array1::from(u.clone())));
            assert!(now <= energy * (1.0 + 1e-12) + 1e-300, "{now} after {energy}");
            energy = now;
        }
    }
}

/// x' = -x^3 - 2 + lambda over x >= 1 comes to rest at 1 from x = 2; there lambda = 3.
#[test]
fn a_nonlinear_perturbation_over_a_half_line() {
    let at_least_one = MovingPolyhedron::new(1, 1, |_t, mut h, k| (h[[0, 0]], k[0]) = (1.0, 1.0));
    let f = |_t: f64, x: &[f64], f: &mut [f64]| f[0] = x[0].powi(3) + 2.0;
    let mut by_differences = CatchingUp::new(at_least_one.expect("a half-line")).with_perturbation(f);
    let set = FixedSet::new(1, |x: &mut [f64]| x[0] = x[0].max(1.0));
    let mut by_projection = CatchingUp::new(set).with_perturbation(f);
    let set =
        MovingPolyhedron::new(1, 1, |_t, mut h, k| (h[[0, 0]], k[0]) = (1.0, 1.0)).expect("a half-line");
    let mut by_newton =
        CatchingUp::new(set).with_perturbation(f).with_jacobian(|_t, x, mut j| j[[0, 0]] = 3.0 * x[0] * x[0]);
    let (h, n) = (0.01, 50);
    let reference = run(&mut by_newton, (0.0, h * f64::from(n)), n as usize, &[2.0]);
    for (name, states) in [
        ("differences", run(&mut by_differences, (0.0, h * f64::from(n)), n as usize, &[2.0])),
        ("projection", run(&mut by_projection, (0.0, h * f64::from(n)), n as usize, &[2.0])),
    ] {
        for (a, b) in states.iter().zip(&reference) {
            assert_close(name, a, b, 1e-10, 0.0);
        }
    }
    for pair in reference.windows(2).take_while(|pair| pair[1][0] > 1.0) {
        let (before, now) = (pair[0][0], pair[1][0]);
        assert_near(now - before + h * (now.powi(3) + 2.0), 0.0, 1e-13);
    }
    assert_eq!(reference.last(), Some(&vec![1.0]));
    assert_near(by_newton.multipliers()[0], 3.0 * h, 1e-14);
    assert_near(by_newton.reaction()[0], 3.0 * h, 1e-14);
}

#[test]
fn inequalities_and_projections_of_one_set_give_one_motion() {
    let angles = (0..5).map(|k| 0.3 + f64::from(k) * std::f64::consts::TAU / 5.0);
    let rows: Vec<f64> = angles.flat_map(|angle| [-angle.cos(), -angle.sin()]).collect();
    let pentagon = Polyhedron::new(Array2::from_shape_vec((5, 2), rows).unwrap(), vec![-1.0; 5]).unwrap();
    let p = array![[2.0, 0.4], [0.4, 1.0]];
    let f = |t: f64, x: &[f64], f: &mut [f64]| {
        f[0] = -3.0 * (2.0 * t).cos() + x[0] - 2.0 * x[1];
        f[1] = -3.0 * (3.0 * t).sin() + 2.0 * x[0] + x[1] * x[1] * x[1];
    };
    let mut by_rows = CatchingUp::new(MovingPolyhedron::fixed(&pentagon))
        .with_perturbation(f)
        .with_metric(p.view())
        .unwrap();
    let mut by_projection =
        CatchingUp::new(FixedSet::new(2, pentagon)).with_perturbation(f).with_metric(p.view()).unwrap();
    let (a, b) = (
        run(&mut by_rows, (0.0, 4.0), 200, &[0.0, 0.0]),
        run(&mut by_projection, (0.0, 4.0), 200, &[0.0, 0.0]),
    );
    for (a, b) in a.iter().zip(&b) {
        assert_close("x", a, b, 1e-9, 0.0);
    }
}
