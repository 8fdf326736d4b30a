//! `NoSolution` is a proof. Problems that are solvable only by a small margin, in rows with very different
//! units, are solved by every method, and none may report `NoSolution`.

use ndarray::Array2;
use siconos_numerics::lcp::{LcpMethod, LcpProblem};
use siconos_numerics::{Method, Status};
use siconos_testkit::random::RandomState;

/// Creates a problem with a planted solution and a vector s >= 0 with M^T s = -margin s^T s t <= 0 and q^T s
/// = margin s^T s t^T z > 0. With the opposite sign of the margin, s would prove that the problem has no
/// solution. Rows and columns are scaled by powers of ten.
fn nearly_infeasible(
    n: usize,
    margin: f64,
    decades: i32,
    random: &mut RandomState,
) -> (Array2<f64>, Vec<f64>) {
    let uniform = |random: &mut RandomState| f64::from(random.word()) / f64::from(u32::MAX);
    let supported = |i: usize| i % 3 != 2;
    let s: Vec<f64> = (0..n).map(|i| if supported(i) { 0.2 + uniform(random) } else { 0.0 }).collect();
    let t: Vec<f64> = (0..n).map(|_| 0.2 + uniform(random)).collect();
    let z: Vec<f64> = (0..n).map(|i| if supported(i) { 0.2 + uniform(random) } else { 0.0 }).collect();
    let w: Vec<f64> = (0..n).map(|i| if supported(i) { 0.0 } else { 0.2 + uniform(random) }).collect();
    let mut m = Array2::from_shape_fn((n, n), |(i, j)| {
        let drawn = random.standard_normal();
        if i == j { drawn.abs() + 1.0 } else { drawn }
    });
    let square: f64 = s.iter().map(|s| s * s).sum();
    for j in 0..n {
        let along: f64 = (0..n).map(|i| s[i] * m[[i, j]]).sum::<f64>() / square;
        (0..n).for_each(|i| m[[i, j]] -= s[i] * (along + margin * t[j]));
    }
    let q: Vec<f64> = (0..n).map(|i| w[i] - (0..n).map(|j| m[[i, j]] * z[j]).sum::<f64>()).collect();
    let unit =
        |random: &mut RandomState| 10.0_f64.powi((random.word() % (2 * decades as u32 + 1)) as i32 - decades);
    let (rows, columns): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(random), unit(random))).unzip();
    let scaled = Array2::from_shape_fn((n, n), |(i, j)| rows[i] * m[[i, j]] * columns[j]);
    (scaled, q.iter().zip(&rows).map(|(q, row)| q * row).collect())
}

#[test]
fn a_problem_with_a_solution_by_a_hairs_breadth_is_never_called_unsolvable() {
    let mut failures = Vec::new();
    let mut solved = 0;
    for (seed, (n, margin, decades)) in [2, 3, 5, 8]
        .into_iter()
        .flat_map(|n| [1e-3, 1e-6, 1e-8, 1e-10, 1e-11].map(|margin| (n, margin)))
        .flat_map(|(n, margin)| [0, 3].map(|decades| (n, margin, decades)))
        .enumerate()
    {
        let mut random = RandomState::new(7000 + seed as u32);
        for _ in 0..5 {
            let (m, q) = nearly_infeasible(n, margin, decades, &mut random);
            let problem = LcpProblem::new(&m, &q).unwrap();
            for method in LcpMethod::all() {
                let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
                let Ok(info) = method.build().unwrap().solve(&problem, &mut z, &mut w) else { continue };
                solved += usize::from(info.status.is_success());
                if info.status == Status::NoSolution {
                    let name = method.description().name;
                    failures.push(format!("{name}: n {n}, margin {margin:e}, decades {decades}: {info:?}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
    assert!(solved > 400, "the problems are there to be solved: {solved}");
}
