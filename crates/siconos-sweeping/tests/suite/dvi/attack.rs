//! Differential variational inequalities with many parameters, many states and random data. Each step must
//! satisfy its equations.

use ndarray::{Array1, Array2, array};
use siconos_sweeping::dvi::{
    BoundarySettings, Dvi, DviSet, DviSettings, DviStepper, StateMap, ViMap, solve_boundary_value,
};
use siconos_testkit::compare::worse;

use super::problems::{rest_to_rest, rest_to_rest_ends, saturated, saturated_state};

/// Pseudo-random numbers in [-1, 1), equal in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |_| self.next())
    }
}

/// Largest residual of the equations of a step.
fn residual(dvi: &Dvi, theta: f64, (t, h): (f64, f64), old: &[f64], new: &[f64], u: &[f64]) -> f64 {
    let (n, m) = (old.len(), u.len());
    let mixed: Vec<f64> = old.iter().zip(new).map(|(a, b)| (1.0 - theta) * a + theta * b).collect();
    let (mut f, mut w) = (vec![0.0; n], vec![0.0; m]);
    dvi.f().value_into(t, &mixed, &mut f);
    let input = dvi.b().matrix().unwrap().dot(&Array1::from(u.to_vec()));
    let motion = (0..n).map(|i| (new[i] - old[i] - h * (f[i] + input[i])).abs()).fold(0.0, worse);
    dvi.g().value_into(t + h, new, &mut w);
    let image = dvi.map().matrix().unwrap().dot(&Array1::from(u.to_vec()));
    let law = (0..m).map(|j| {
        let w = w[j] + image[j];
        let (lower, upper) = match dvi.set() {
            DviSet::Box { lower, upper } => (lower[j], upper[j]),
            _ => (0.0, f64::INFINITY),
        };
        (u[j] - (u[j] - w).clamp(lower, upper)).abs()
    });
    motion.max(law.fold(0.0, worse))
}

#[test]
fn two_hundred_random_passive_systems_satisfy_their_steps() {
    let mut draw = Draw(7);
    for number in 0..200 {
        let (n, m) = (1 + number % 6, 1 + number % 4);
        let a = draw.matrix(n, n);
        let c = draw.matrix(m, n);
        let root = draw.matrix(m, m);
        let d = root.dot(&root.t()) + 0.1 * Array2::<f64>::eye(m);
        let set = match number % 2 {
            0 => DviSet::Orthant,
            _ => DviSet::Box { lower: vec![-0.5; m], upper: vec![0.25; m] },
        };
        let (e, g) = (draw.matrix(n, 1), draw.matrix(m, 1));
        let dvi = Dvi::new(
            StateMap::linear(a).with_offset(e.column(0).to_owned()),
            c.t().to_owned(),
            StateMap::linear(c).with_offset(g.column(0).to_owned()),
            ViMap::Linear(d),
            set,
        )
        .unwrap();
        for theta in [0.0, 0.5, 1.0] {
            let h = 0.05;
            let mut stepper = DviStepper::new(&dvi, theta, DviSettings::default()).unwrap();
            let mut x: Vec<f64> = (0..n).map(|i| ((i * 7 + number) as f64).sin()).collect();
            for k in 0..40 {
                let (t, old) = (h * f64::from(k), x.clone());
                let step = stepper.step(t, h, &mut x).unwrap();
                assert!(step.info.status.is_success(), "{number}: {:?}", step.info);
                let left = residual(&dvi, theta, (t, h), &old, &x, step.u);
                assert!(left < 1e-10, "{number}, theta {theta}, step {k}: {left:e}");
            }
        }
    }
}

#[test]
fn random_functions_satisfy_their_steps() {
    let mut draw = Draw(11);
    for number in 0..60 {
        let (n, m) = (1 + number % 4, 1 + number % 3);
        let (a, c) = (draw.matrix(n, n), draw.matrix(m, n));
        let f = {
            let a = a.clone();
            StateMap::function(n, move |t, x, f| {
                let sines: Array1<f64> = x.iter().map(|x| x.sin()).collect();
                f.copy_from_slice(a.dot(&sines).as_slice().unwrap_or(&[]));
                f[0] += t;
            })
        };
        let g = {
            let c = c.clone();
            StateMap::function(m, move |_, x, g| {
                let twisted: Array1<f64> = x.iter().map(|x| x + 0.1 * x.sin()).collect();
                g.copy_from_slice(c.dot(&twisted).as_slice().unwrap_or(&[]));
            })
        };
        let map = ViMap::function(m, |u, w| w.iter_mut().zip(u).for_each(|(w, u)| *w = u + u.powi(3)));
        let dvi = Dvi::new(f, c.t().to_owned(), g, map, DviSet::Orthant).unwrap();
        let mut stepper = DviStepper::new(&dvi, 0.5, DviSettings::default()).unwrap();
        let (h, mut x) = (0.05, vec![-0.5; n]);
        for k in 0..20 {
            let (t, old) = (h * f64::from(k), x.clone());
            let step = stepper.step(t, h, &mut x).unwrap();
            assert!(step.info.status.is_success(), "{number}, step {k}: {:?}", step.info);
            let mixed: Vec<f64> = old.iter().zip(&x).map(|(a, b)| 0.5 * (a + b)).collect();
            let mut f = vec![0.0; n];
            dvi.f().value_into(t, &mixed, &mut f);
            let input = c.t().dot(&Array1::from(step.u.to_vec()));
            for i in 0..n {
                let left = x[i] - old[i] - h * (f[i] + input[i]);
                assert!(left.abs() < 1e-9, "{number}, step {k}: {left:e}");
            }
            for (u, w) in step.u.iter().zip(step.w) {
                assert!(u.min(*w).abs() < 1e-9, "{number}, step {k}: {u:e} {w:e}");
            }
        }
    }
}

/// For 200 gains k, the saturated feedback converges to its equilibrium, 2 / (1 + k) or 1.
#[test]
fn two_hundred_gains_come_to_their_equilibria() {
    for number in 0..200 {
        let gain = 0.1 + 0.1 * f64::from(number);
        let dvi = Dvi::new(
            saturated().f().clone(),
            array![[1.0]],
            StateMap::linear(array![[gain]]).with_offset(vec![-2.0]),
            ViMap::Linear(array![[1.0]]),
            saturated().set().clone(),
        )
        .unwrap();
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
        let run = stepper.solve(&[0.0], (0.0, 40.0), 400).unwrap();
        assert!(run.info.status.is_success());
        let exact = (2.0 / (1.0 + gain)).min(1.0);
        assert!((run.solution.x(400)[0] - exact).abs() < 1e-10, "{gain}: {}", run.solution.x(400)[0]);
    }
}

/// A line of 100 RC elements, each with a diode.
#[test]
fn a_hundred_states_are_one_step_problem() {
    let n = 100;
    let a = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
        0 => -2.0,
        1 => 1.0,
        _ => 0.0,
    });
    let dvi = Dvi::new(
        StateMap::linear(a).with_offset_function(|t, e| e[0] = 3.0 * t.sin()),
        Array2::eye(n),
        StateMap::linear(Array2::eye(n)),
        ViMap::Linear(Array2::zeros((n, n))),
        DviSet::Orthant,
    )
    .unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let (h, mut x) = (0.05, vec![0.0; n]);
    for k in 0..120 {
        let (t, old) = (h * f64::from(k), x.clone());
        let step = stepper.step(t, h, &mut x).unwrap();
        assert!(step.info.status.is_success(), "{:?}", step.info);
        assert!(residual(&dvi, 1.0, (t, h), &old, &x, step.u) < 1e-10);
        assert!(x.iter().all(|x| *x >= -1e-12));
    }
}

/// Motions from rest to rest over 200 distances. The bound on the force limits the distance to 1.
#[test]
fn two_hundred_distances_are_covered_with_the_least_effort() {
    let (dvi, mut ends) = (rest_to_rest(), rest_to_rest_ends());
    for number in 0..200 {
        let distance = 0.995 * f64::from(number) / 199.0;
        ends.b[2] = distance;
        let found = solve_boundary_value(&dvi, &ends, (0.0, 2.0), 200, &BoundarySettings::default()).unwrap();
        assert!(found.info.status.is_success(), "{distance}: {:?}", found.grids);
        let solution = &found.solution;
        // u = clip(s (1 - t)). The distance is 2 s / 3 if s <= 1, and 1 - 1 / (3 s^2) otherwise.
        let slope =
            if distance <= 2.0 / 3.0 { 1.5 * distance } else { (3.0 * (1.0 - distance)).sqrt().recip() };
        let off = (1..=200).map(|k| {
            let exact = (slope * (1.0 - solution.t()[k])).clamp(-1.0, 1.0);
            (solution.u(k)[0] - exact).abs()
        });
        let off = off.fold(0.0, worse);
        assert!(off < 0.03 * slope.max(1.0), "{distance}: {off}");
    }
}

/// 200 values of theta, each with a different step length. The error is of order one in the step length.
#[test]
fn two_hundred_thetas_and_steps_follow_the_closed_form() {
    let dvi = saturated();
    for number in 0..200_usize {
        let theta = ((37 * number) % 200) as f64 / 199.0;
        let steps = 10 + (number * number) % 397;
        let mut stepper = DviStepper::new(&dvi, theta, DviSettings::default()).unwrap();
        let run = stepper.solve(&[0.0], (0.0, 2.0), steps).unwrap();
        assert!(run.info.status.is_success(), "theta {theta}, {steps} steps: {:?}", run.info);
        let (solution, h) = (&run.solution, 2.0 / steps as f64);
        let off = (0..=steps).map(|k| (solution.x(k)[0] - saturated_state(solution.t()[k])).abs());
        let off = off.fold(0.0, worse);
        assert!(off <= 0.5 * h, "theta {theta}, {steps} steps: {off:e} = {} h", off / h);
    }
}
