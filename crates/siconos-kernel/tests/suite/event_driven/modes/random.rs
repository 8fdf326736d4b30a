//! Random systems with a P-matrix D, compared with a reference that solves the complementarity problem at
//! every evaluation of f.

use ndarray::{Array1, Array2, array};
use siconos_kernel::prelude::*;
use siconos_numerics::Solver;
use siconos_numerics::lcp::{LcpProblem, Lemke};
use siconos_ode::{Advance, Integrator, OdeFunctions, OdeSettings};

use super::{Driver, assert_close, settings, with_relation};

/// Linear congruential generator (Knuth 1998, section 3.3.4) of numbers between -1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, columns), || self.next())
    }
}

#[test]
fn random_systems_of_relative_degree_zero() {
    let mut random = Random(1);
    let mut events = 0;
    for case in 0..25 {
        let (n, m) = (2 + case % 3, 1 + case % 6);
        // A damped rotation; D is positive definite and not symmetric.
        let s = random.matrix(n, n);
        let a = (&s - &s.t()) * 3.0 - Array2::<f64>::eye(n) * 0.2;
        let (b, c) = (random.matrix(n, m), random.matrix(m, n));
        let (g, k) = (random.matrix(m, m), random.matrix(m, m));
        let d = g.dot(&g.t()) + (&k - &k.t()) + Array2::<f64>::eye(m) * 0.3;
        let e = Array1::from_shape_simple_fn(m, || 0.5 * random.next());
        let x0 = Array1::from_shape_simple_fn(n, || random.next());
        let source = |t: f64, k: usize| (2.0 * t + k as f64).sin();
        let system = FirstOrderLinear::new(x0.clone(), a.clone()).with_source_function(move |at, u| {
            for (k, u) in u.iter_mut().enumerate() {
                *u = source(at.t, k);
            }
        });
        let relation =
            FirstOrderLinearRelation::new(c.clone(), b.clone()).with_d(d.clone()).with_offset(e.clone());
        let model = with_relation(system, relation, m);
        let mut driver = Driver::new(&model);
        driver.go(3.0).expect("all modes are found");
        events += driver.times().len();

        let mut lemke = Lemke::default();
        let mut brute = OdeFunctions::new(n, |t, x: &[f64], f: &mut [f64]| {
            let x = ndarray::ArrayView1::from(x);
            let q = (c.dot(&x) + &e).to_vec();
            let (mut z, mut w) = (vec![0.0; m], vec![0.0; m]);
            let problem = LcpProblem::new(&d, &q).expect("sizes fit");
            let info = lemke.solve(&problem, &mut z, &mut w).expect("data are finite");
            assert!(info.status.is_success());
            let rate = a.dot(&x) + b.dot(&Array1::from(z));
            for (k, f) in f.iter_mut().enumerate() {
                *f = rate[k] + source(t, k);
            }
        });
        let mut integrator =
            Integrator::new(OdeSettings { h_max: 2e-3, ..settings(1e-13) }).expect("settings are in range");
        integrator.restart(0.0, x0.as_slice().expect("contiguous")).expect("finite");
        let reached = integrator.advance(&mut brute, 3.0).expect("f is finite");
        assert!(matches!(reached, Advance::Reached { .. }), "{reached:?}");
        let expected = integrator.x().to_vec();
        drop(brute);
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        assert_close(&driver.x(), &expected, 1e-9 * size);
        let mut pairs = driver.y().into_iter().zip(driver.lambda());
        let holds = pairs.all(|(y, l)| (y + l).is_finite() && y.min(l).abs() <= 1e-12);
        assert!(holds, "case {case}: {:?} {:?}", driver.y(), driver.lambda());
    }
    assert!(events > 60, "{events} events only");
}

/// Sweeping processes: random polytopes shrink and grow around a point that is driven by an oscillating
/// field. There are up to twice as many constraints as states, some of them with a small D. The reference is
/// the catching-up algorithm (Moreau 1977), which is of order 1 in its step.
#[test]
fn random_sweeping_processes() {
    let mut random = Random(7);
    let mut events = 0;
    for case in 0..20 {
        let (n, m) = (2 + case % 3, 1 + case % 7);
        let c = random.matrix(m, n);
        let d = Array2::from_diag(&Array1::from_shape_fn(m, |i| if i % 3 == 2 { 0.2 } else { 0.0 }));
        let a = random.matrix(n, n) - Array2::<f64>::eye(n);
        let (size, phase) = (0.2 + 0.1 * random.next(), random.next());
        let source = move |t: f64, k: usize| 2.0 * (3.0 * t + 1.5 * k as f64 + phase).sin();
        let offset = move |t: f64, i: usize| size + 0.05 * (2.0 * t + i as f64).sin();
        let system = FirstOrderLinear::new(vec![0.0; n], a.clone()).with_source_function(move |at, u| {
            u.iter_mut().enumerate().for_each(|(k, u)| *u = source(at.t, k));
        });
        let relation = FirstOrderLinearRelation::new(c.clone(), c.t().to_owned())
            .with_d(d.clone())
            .with_offset_function(move |at, e| {
                e.iter_mut().enumerate().for_each(|(i, e)| *e = offset(at.t, i));
            });
        let model = with_relation(system, relation, m);
        let mut driver = Driver::new(&model);

        let (h, mut x) = (2e-4, Array1::zeros(n));
        let mut lemke = Lemke::default();
        let (mut z, mut w) = (vec![0.0; m], vec![0.0; m]);
        for step in 0..10_000 {
            let (t, next) = (h * f64::from(step), h * f64::from(step + 1));
            let field = a.dot(&x) + Array1::from_shape_fn(n, |k| source(t, k));
            let free: Array1<f64> = &x + &(h * &field);
            // The unknown is h lambda.
            let matrix = c.dot(&c.t()) + &d / h;
            let q = (c.dot(&free) + Array1::from_shape_fn(m, |i| offset(next, i))).to_vec();
            let problem = LcpProblem::new(&matrix, &q).expect("sizes fit");
            let info = lemke.solve(&problem, &mut z, &mut w).expect("data are finite");
            assert!(info.status.is_success());
            x = free + c.t().dot(&Array1::from(z.clone()));
            if (step + 1) % 1000 == 0 {
                driver.go(next).expect("all modes are found");
                assert_close(&driver.x(), x.as_slice().expect("contiguous"), 2e-3);
                let mut pairs = driver.y().into_iter().zip(driver.lambda());
                let holds = pairs.all(|(y, l)| (y + l).is_finite() && y.min(l).abs() <= 1e-9);
                assert!(holds, "case {case}: {:?} {:?}", driver.y(), driver.lambda());
            }
        }
        assert!(driver.events.iter().all(|event| !event.jumped), "case {case}");
        events += driver.times().len();
    }
    assert!(events > 60, "{events} events only");
}

/// The system y = x^3 + lambda, x' = -x^2 - 1/2 + 2 lambda has nonlinear f and h. The reference is the system
/// with lambda = max(0, -x^3) substituted.
#[test]
fn nonlinear_system_of_relative_degree_zero() {
    let field = |t: f64, x: f64| -x * x - 0.5 + 0.8 * (3.0 * t).sin();
    let system = FirstOrderNonlinear::new(
        vec![1.0],
        move |at, x, f| f[0] = field(at.t, x[0]),
        Jacobian::of_state(|_t, x, j| j[[0, 0]] = -2.0 * x[0]),
    )
    .with_mass(array![0.5]);
    let relation = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0].powi(3) + at.lambda[0],
        |at, r| r[0] = 2.0 * at.lambda[0],
    )
    .with_c(RelationJacobian::FiniteDifference)
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::Constant(array![[2.0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(system).expect("shapes fit");
    let law = ComplementarityCondition::new(1).expect("not empty");
    model.add_interaction([x], relation, law).expect("shapes fit");
    let mut driver = Driver::new(&model);
    driver.go(6.0).expect("all modes are found");

    let mut brute = OdeFunctions::new(1, |t, x: &[f64], f: &mut [f64]| {
        f[0] = 2.0 * (field(t, x[0]) + 2.0 * (-x[0].powi(3)).max(0.0));
    });
    let mut integrator = Integrator::new(settings(1e-13)).expect("settings are in range");
    integrator.restart(0.0, &[1.0]).expect("finite");
    assert!(matches!(integrator.advance(&mut brute, 6.0), Ok(Advance::Reached { .. })));
    assert!(!driver.times().is_empty());
    assert_close(&driver.x(), integrator.x(), 1e-11);
}
