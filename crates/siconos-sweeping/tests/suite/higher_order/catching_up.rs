//! Relative degree 1: Moreau's catching-up algorithm.

use ndarray::{Array1, Array2};
use siconos_kernel::analysis::LinearSystem;
use siconos_linalg::DenseLu;
use siconos_numerics::Solver;
use siconos_numerics::lcp::{LcpProblem, Lemke};
use siconos_sweeping::higher_order::HigherOrderSweeping;
use siconos_testkit::compare::assert_close;
use siconos_testkit::random::RandomState;

use super::systems::assert_step;

/// Computes x_{k+1} = proj(x_k - h (A x_{k+1} + g)) onto the nonnegative numbers, by a complementarity
/// problem in x_{k+1} with M = I + h A and q = -x_k + h g. Returns the measure M x_{k+1} + q.
fn catch_up(a: &Array2<f64>, g: &[f64], h: f64, x: &mut [f64]) -> Vec<f64> {
    let m = Array2::eye(x.len()) + a * h;
    let q: Vec<f64> = x.iter().zip(g).map(|(x, g)| -x + h * g).collect();
    let mut measure = vec![0.0; x.len()];
    x.fill(0.0);
    let info = Lemke::default().solve(&LcpProblem::new(&m, &q).unwrap(), x, &mut measure).unwrap();
    assert!(info.status.is_success());
    measure
}

#[test]
fn the_orthant_is_swept_as_by_catching_up() {
    let mut random = RandomState::new(3);
    let mut contacts = 0;
    for n in 1..=8 {
        for _ in 0..10 {
            let a = Array2::from_shape_fn((n, n), |(i, j)| {
                random.between(-1.0, 1.0) + if i == j { n as f64 } else { 0.0 }
            });
            let g: Vec<f64> = (0..n).map(|_| random.between(-1.0, 2.0)).collect();
            let (b, d) = (Array2::eye(n), Array2::zeros((n, n)));
            let system = LinearSystem::new(-a.clone(), b.clone(), b, d).unwrap();
            let source: Vec<f64> = g.iter().map(|g| -g).collect();
            let mut sweeping = HigherOrderSweeping::of(&system).unwrap().with_source(&source).unwrap();
            let mut x: Vec<f64> = (0..n).map(|_| random.between(-0.5, 1.0)).collect();
            let mut state = sweeping.state(&x).unwrap();
            for _ in 0..50 {
                let h = random.between(0.01, 0.1);
                let before = state.clone();
                let report = sweeping.step(h, &mut state).unwrap();
                assert_step(&before, &state, report.mu);
                let measure = catch_up(&a, &g, h, &mut x);
                assert_close("x", state.y(), &x, 1e-13, 0.0);
                assert_close("mu", report.mu.as_slice().unwrap(), &measure, 1e-13, 0.0);
                contacts += measure.iter().filter(|mu| **mu > 0.0).count();
            }
        }
    }
    assert!(contacts > 500, "{contacts}");
}

#[test]
fn a_polyhedron_is_swept_as_by_catching_up() {
    // C x >= 0 with B = C^T: x_{k+1} = proj(x_k - h (A x_{k+1} + g)). The other coordinates are zero
    // dynamics.
    let mut random = RandomState::new(4);
    let mut contacts = 0;
    for (n, m) in [(2, 1), (3, 2), (5, 3), (6, 3)] {
        for _ in 0..10 {
            let a = Array2::from_shape_fn((n, n), |(i, j)| {
                random.between(-1.0, 1.0) + if i == j { n as f64 } else { 0.0 }
            });
            let g = Array1::from_shape_fn(n, |_| random.between(-2.0, 2.0));
            let c = Array2::from_shape_fn((m, n), |_| random.between(-1.0, 1.0));
            let system =
                LinearSystem::new(-a.clone(), c.t().to_owned(), c.clone(), Array2::zeros((m, m))).unwrap();
            let mut sweeping = HigherOrderSweeping::of(&system).unwrap();
            if sweeping.normal_form().leading().diag().iter().any(|h| *h < 0.3) {
                // Nearly parallel constraints amplify rounding.
                continue;
            }
            sweeping = sweeping.with_source(&g.iter().map(|g| -g).collect::<Vec<_>>()).unwrap();
            let h = 0.05;
            let mut lu = DenseLu::default();
            lu.factor((Array2::eye(n) + &(&a * h)).view()).unwrap();
            let mut response = c.t().to_owned();
            for mut column in response.columns_mut() {
                let mut solution = column.to_vec();
                lu.solve(&mut solution);
                column.iter_mut().zip(solution).for_each(|(x, value)| *x = value);
            }
            let mut x: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
            let mut state = sweeping.state(&x).unwrap();
            for _ in 0..40 {
                x.iter_mut().zip(&g).for_each(|(x, g)| *x -= h * g);
                lu.solve(&mut x);
                let free = Array1::from(x.clone());
                let (matrix, q) = (c.dot(&response), c.dot(&free));
                let (mut mu, mut w) = (vec![0.0; m], vec![0.0; m]);
                let problem = LcpProblem::new(&matrix, q.as_slice().unwrap()).unwrap();
                assert!(Lemke::default().solve(&problem, &mut mu, &mut w).unwrap().status.is_success());
                x = (free + response.dot(&Array1::from(mu.clone()))).to_vec();
                let report = sweeping.step(h, &mut state).unwrap();
                let scale = 1.0 + mu.iter().fold(0.0_f64, |largest, mu| largest.max(*mu));
                assert_close("mu", report.mu.as_slice().unwrap(), &mu, 1e-13 * scale, 1e-13);
                assert_close("x", &sweeping.x(&state).unwrap(), &x, 1e-13 * scale, 1e-13);
                contacts += mu.iter().filter(|mu| **mu > 0.0).count();
            }
        }
    }
    assert!(contacts > 200, "{contacts}");
}
