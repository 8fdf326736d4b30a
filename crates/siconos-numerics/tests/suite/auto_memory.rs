//! The automatic choice has no state that affects later calls: a solver that has solved other problems
//! returns the same bits and the same trace as a new solver. (The test for mixed problems is in
//! `mlcp_solvers.rs`.) The default solver agrees with a solver with default settings.

use std::fmt::Debug;

use ndarray::Array2;
use siconos_testkit::random::RandomState;

use siconos_linalg::{BlockCsr, Csc, MatrixRef};
use siconos_numerics::{Attempt, SettingsError, SolveInfo, Solver, SolverError, avi, gmp, lcp, mlcp, relay};

/// Draws definite matrices, and others for which many problems have no solution. Some data are small
/// integers, with ties.
fn drawn(k: usize, draw: &mut RandomState) -> (Array2<f64>, Vec<f64>) {
    let n = 2 + k % 12;
    let root = Array2::from_shape_fn((n, n), |_| draw.between(-1.0, 1.0));
    let m =
        if k.is_multiple_of(3) { root.clone() } else { root.dot(&root.t()) + 0.1 * Array2::<f64>::eye(n) };
    let q = (0..n).map(|_| draw.between(-1.0, 1.0));
    let q = q.map(|q| if k.is_multiple_of(7) { (4.0 * q).round() } else { q });
    (m, q.collect())
}

/// Result of a solve: the bits of the point, the report, and the trace.
type Answer = (Vec<u64>, String);

fn answer(info: SolveInfo, z: &[f64], w: &[f64], trace: &[Attempt]) -> Answer {
    (z.iter().chain(w).map(|x| x.to_bits()).collect(), format!("{info:?} {trace:?}"))
}

/// Compares a solver that is kept with a new one, from the point where the previous problem ended.
fn compare(mut ask: impl FnMut(bool, &Array2<f64>, &[f64], &mut [f64]) -> Result<Answer, SolverError>) {
    let mut draw = RandomState::new(29);
    let mut guess = Vec::new();
    for k in 0..300 {
        let (m, q) = drawn(k, &mut draw);
        guess.resize(q.len(), 0.0);
        let (mut z, mut again) = (guess.clone(), guess.clone());
        let kept = ask(true, &m, &q, &mut z).expect("the data fit");
        let new = ask(false, &m, &q, &mut again).expect("the data fit");
        assert_eq!(kept, new, "problem {k}");
        guess = z;
    }
}

#[test]
fn of_linear_complementarity() {
    let mut kept = lcp::Auto::default();
    compare(|is_kept, m, q, z| {
        let (mut new, mut w) = (lcp::Auto::default(), vec![0.0; q.len()]);
        let solver = if is_kept { &mut kept } else { &mut new };
        let info = solver.solve(&lcp::LcpProblem::new(m, q)?, z, &mut w)?;
        Ok(answer(info, z, &w, solver.trace()))
    });
}

/// Sparse definite matrices, for which factors are kept between calls. A few matrices alternate, each for
/// some calls with a dense matrix in between, and active sets change by a few indices or by many.
#[test]
fn of_sparse_linear_complementarity() {
    let mut draw = RandomState::new(31);
    let matrices: Vec<_> = [("chain", 60), ("grid", 64), ("tree", 50), ("chain", 45)]
        .map(|(shape, n)| sparse_matrix(shape, n, &mut draw))
        .into_iter()
        .collect();
    let mut kept = lcp::Auto::default();
    let mut guess = Vec::new();
    for k in 0..240 {
        let blocks = &matrices[k / 6 % matrices.len()];
        let (n, columns) = (blocks.rows(), Csc::from_matrix(blocks.into()));
        let dense = blocks.to_dense() * if k % 6 == 3 { 8.0 * draw.between(1.0, 2.0) } else { 1.0 };
        let m = match k % 6 {
            0 => MatrixRef::from(&columns),
            3 => MatrixRef::from(&dense),
            _ => MatrixRef::from(blocks),
        };
        let mut q: Vec<f64> = (0..n).map(|i| (0.3 * i as f64).sin() + 0.2).collect();
        for _ in 0..[1, 10, n / 2][k % 3] {
            let i = (draw.between(0.0, 1.0) * n as f64) as usize % n;
            q[i] = draw.between(-1.0, 1.0);
        }
        guess.resize(n, 0.0);
        let solve = |solver: &mut lcp::Auto| {
            let (mut z, mut w) = (guess.clone(), vec![0.0; n]);
            let problem = lcp::LcpProblem::new(m, &q).expect("it is square");
            let info = solver.solve(&problem, &mut z, &mut w).expect("the data fit");
            assert!(info.status.is_success(), "problem {k}: {info:?}");
            (answer(info, &z, &w, solver.trace()), z)
        };
        let (answered, z) = solve(&mut kept);
        assert_eq!(answered, solve(&mut lcp::Auto::default()).0, "problem {k}");
        // The reference pivots on all entries.
        let (mut by_pivots, mut w) = (vec![0.0; n], vec![0.0; n]);
        let problem = lcp::LcpProblem::new(&dense, &q).expect("it is square");
        let info = lcp::Lemke::default().solve(&problem, &mut by_pivots, &mut w).expect("the data fit");
        assert!(info.status.is_success(), "problem {k}: {info:?}");
        let largest = by_pivots.iter().fold(1.0_f64, |a, x| a.max(*x));
        assert!(z.iter().zip(&by_pivots).all(|(x, y)| (x - y).abs() < 1e-11 * largest), "problem {k}");
        guess = z;
    }
}

/// Returns the matrix of springs between neighbours, with a weaker spring from each point to the ground, in
/// blocks of one entry.
fn sparse_matrix(shape: &str, n: usize, draw: &mut RandomState) -> BlockCsr {
    let mut dense = Array2::zeros((n, n));
    let side = n.isqrt();
    let mut join = |i: usize, j: usize, stiffness: f64| {
        for (row, column, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
            dense[[row, column]] += sign * stiffness;
        }
    };
    for i in 1..n {
        match shape {
            "chain" => join(i - 1, i, draw.between(0.5, 1.5)),
            "tree" => join((draw.between(0.0, 1.0) * i as f64) as usize, i, draw.between(0.5, 1.5)),
            _ => {
                if i % side > 0 {
                    join(i - 1, i, draw.between(0.5, 1.5));
                }
                if i >= side {
                    join(i - side, i, draw.between(0.5, 1.5));
                }
            }
        }
    }
    (0..n).for_each(|i| dense[[i, i]] += draw.between(0.05, 0.1));
    let entries = dense.indexed_iter().filter(|(_, x)| **x != 0.0);
    let blocks = entries.map(|((i, j), x)| (i, j, Array2::from_elem((1, 1), *x))).collect();
    BlockCsr::from_blocks(&vec![1; n], &vec![1; n], blocks).expect("blocks that fit")
}

#[test]
fn of_relays() {
    let mut kept = relay::Auto::default();
    compare(|is_kept, m, q, z| {
        let (mut new, mut w) = (relay::Auto::default(), vec![0.0; q.len()]);
        let solver = if is_kept { &mut kept } else { &mut new };
        let upper: Vec<f64> = (0..q.len()).map(|i| if i % 5 == 4 { f64::INFINITY } else { 1.0 }).collect();
        let lower = vec![-1.0; q.len()];
        let problem = relay::RelayProblem::new(m, q, &lower, &upper)?;
        let info = solver.solve(&problem, z, &mut w)?;
        Ok(answer(info, z, &w, solver.trace()))
    });
}

#[test]
fn of_affine_variational_inequalities() {
    let mut kept = avi::Auto::default();
    compare(|is_kept, m, q, z| {
        let (mut new, n) = (avi::Auto::default(), q.len());
        let solver = if is_kept { &mut kept } else { &mut new };
        // A box, and a face across it.
        let h = Array2::from_shape_fn((2 * n + 1, n), |(i, j)| match i {
            i if i == j => 1.0,
            i if i == n + j => -1.0,
            i if i == 2 * n => 1.0,
            _ => 0.0,
        });
        let k: Vec<f64> = (0..=2 * n).map(|i| if i == 2 * n { 0.25 } else { -1.0 }).collect();
        let mut lambda = vec![0.0; 2 * n + 1];
        let info = solver.solve(&avi::AviProblem::new(m, q, h.view(), &k)?, z, &mut lambda)?;
        Ok(answer(info, z, &lambda, solver.trace()))
    });
}

/// `default()` and `new(default settings)` have equal limits and functions.
#[test]
fn the_default_is_that_of_the_default_settings() -> Result<(), SettingsError> {
    let same = |a: &dyn Debug, b: &dyn Debug| assert_eq!(format!("{a:?}"), format!("{b:?}"));
    same(&lcp::Auto::default(), &lcp::Auto::new(lcp::AutoSettings::default())?);
    same(&mlcp::Auto::default(), &mlcp::Auto::new(mlcp::AutoSettings::default())?);
    same(&relay::Auto::default(), &relay::Auto::new(relay::AutoSettings::default())?);
    same(&avi::Auto::default(), &avi::Auto::new(avi::AutoSettings::default())?);
    same(&gmp::Auto::default(), &gmp::Auto::new(gmp::AutoSettings::default())?);
    Ok(())
}
