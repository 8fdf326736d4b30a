//! Rows and columns in different units, and additional open rows of an unrelated problem. Neither changes the
//! status or the solution of the automatic choice.
//!
//! With w' = A w and z' = B^-1 z for positive diagonal A and B, the problem M' = A M B, q' = A q has the
//! solutions of M and q. The problems have planted solutions, or a planted proof that there is none.

use ndarray::{Array2, ArrayView1};
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::lcp::{self, LcpProblem};
use siconos_numerics::mlcp::{self, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{self, RelayProblem};
use siconos_numerics::{SolveInfo, Solver, Status};
use siconos_testkit::box_error::box_error;
use siconos_testkit::random::RandomState;

/// Problem with bounds.
#[derive(Clone, Debug)]
struct Rows {
    m: Array2<f64>,
    q: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Unique solution, if it is known.
    z: Option<Vec<f64>>,
}

/// Class of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lcp,
    Mlcp,
    Relay,
}

fn normal(rows: usize, columns: usize, random: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || random.standard_normal())
}

/// Draws a definite matrix with a skew part, so that the solution is unique.
fn definite(n: usize, random: &mut RandomState) -> Array2<f64> {
    let (a, b) = (normal(n, n, random), normal(n, n, random));
    a.dot(&a.t()) / n as f64 + Array2::<f64>::eye(n) + 0.5 * (&b - &b.t())
}

/// Draws a problem with a planted solution at bounds and between them, with w and z of size 1.
fn planted(kind: Kind, n: usize, random: &mut RandomState) -> Rows {
    let m = definite(n, random);
    let (mut lower, mut upper, mut z, mut w) =
        (vec![0.0; n], vec![f64::INFINITY; n], vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        let place = random.integer(0, 2);
        match kind {
            Kind::Mlcp if place == 2 => (lower[i], z[i]) = (f64::NEG_INFINITY, random.between(-2.0, 2.0)),
            Kind::Lcp | Kind::Mlcp if place == 0 => w[i] = random.between(0.2, 2.0),
            Kind::Lcp | Kind::Mlcp => z[i] = random.between(0.2, 2.0),
            Kind::Relay => {
                (lower[i], upper[i]) = (random.between(-2.0, -0.5), random.between(0.5, 2.0));
                (z[i], w[i]) = match place {
                    0 => (lower[i], random.between(0.2, 2.0)),
                    1 => (upper[i], random.between(-2.0, -0.2)),
                    _ => (random.between(0.8 * lower[i], 0.8 * upper[i]), 0.0),
                };
            }
        }
    }
    let q = (ArrayView1::from(&w).to_owned() - m.dot(&ArrayView1::from(&z))).to_vec();
    Rows { m, q, lower, upper, z: Some(z) }
}

/// Draws a semidefinite matrix without a solution: s >= 0 with M^T s = 0 and q^T s < 0.
fn infeasible(n: usize, random: &mut RandomState) -> Rows {
    let s: Vec<f64> = (0..n).map(|_| random.between(0.5, 1.5)).collect();
    let norm = s.iter().map(|s| s * s).sum::<f64>();
    // The rows of A are orthogonal to s, so that s is in the kernel of M = A^T A.
    let mut a = normal(n - 1, n, random);
    for mut row in a.rows_mut() {
        let off = row.dot(&ArrayView1::from(&s)) / norm;
        row.iter_mut().zip(&s).for_each(|(a, s)| *a -= off * s);
    }
    let m = a.t().dot(&a);
    let mut q: Vec<f64> = (0..n).map(|_| random.standard_normal()).collect();
    let off = (q.iter().zip(&s).map(|(q, s)| q * s).sum::<f64>() + random.between(0.5, 1.0)) / norm;
    q.iter_mut().zip(&s).for_each(|(q, s)| *q -= off * s);
    Rows { m, q, lower: vec![0.0; n], upper: vec![f64::INFINITY; n], z: None }
}

/// Draws 10^x with x between -8 and 8.
fn unit(random: &mut RandomState) -> f64 {
    10.0_f64.powf(random.between(-8.0, 8.0))
}

/// Returns the problem in other units of rows and columns, and the units of the columns.
fn in_units(problem: &Rows, random: &mut RandomState) -> (Rows, Vec<f64>) {
    let n = problem.q.len();
    let rows: Vec<f64> = (0..n).map(|_| unit(random)).collect();
    let columns: Vec<f64> = (0..n).map(|_| unit(random)).collect();
    let over = |x: &[f64]| x.iter().zip(&columns).map(|(x, unit)| x / unit).collect();
    let scaled = Rows {
        m: Array2::from_shape_fn((n, n), |(i, j)| rows[i] * problem.m[[i, j]] * columns[j]),
        q: problem.q.iter().zip(&rows).map(|(q, unit)| q * unit).collect(),
        lower: over(&problem.lower),
        upper: over(&problem.upper),
        z: problem.z.as_deref().map(over),
    };
    (scaled, columns)
}

/// Adds open rows of an unrelated problem before and after the rows of a problem. Returns the new problem and
/// the number of rows before.
fn beside_open_rows(problem: &Rows, random: &mut RandomState) -> (Rows, usize) {
    let (before, behind) = (random.integer(0, 2) as usize, random.integer(1, 2) as usize);
    let (n, k) = (problem.q.len(), before + behind);
    let other = definite(k, random);
    let places: Vec<usize> = (0..before).chain(before + n..n + k).collect();
    let mut wide = Rows {
        m: Array2::zeros((n + k, n + k)),
        q: vec![0.0; n + k],
        lower: vec![0.0; n + k],
        upper: vec![f64::INFINITY; n + k],
        z: None,
    };
    wide.m.slice_mut(ndarray::s![before..before + n, before..before + n]).assign(&problem.m);
    let range = before..before + n;
    wide.q[range.clone()].copy_from_slice(&problem.q);
    wide.lower[range.clone()].copy_from_slice(&problem.lower);
    wide.upper[range.clone()].copy_from_slice(&problem.upper);
    let size = 10.0_f64.powf(random.between(4.0, 12.0));
    for (a, &i) in places.iter().enumerate() {
        wide.q[i] = size * random.between(0.5, 2.0);
        places.iter().enumerate().for_each(|(b, &j)| wide.m[[i, j]] = other[[a, b]]);
    }
    if let Some(z) = &problem.z {
        let mut all = vec![0.0; n + k];
        all[range].copy_from_slice(z);
        wide.z = Some(all);
    }
    (wide, before)
}

fn solve(kind: Kind, problem: &Rows, is_sparse: bool) -> (SolveInfo, Vec<f64>) {
    let n = problem.q.len();
    let m = if is_sparse {
        Matrix::from(Csc::from_matrix((&problem.m).into()))
    } else {
        problem.m.clone().into()
    };
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    let info = match kind {
        Kind::Lcp => {
            let problem = LcpProblem::new(&m, &problem.q).expect("it is square");
            lcp::Auto::default().solve(&problem, &mut z, &mut w)
        }
        Kind::Mlcp => {
            let row =
                |lower: &f64| if lower.is_finite() { MlcpRow::Complementarity } else { MlcpRow::Equality };
            let rows: Vec<MlcpRow> = problem.lower.iter().map(row).collect();
            let problem = MlcpProblem::new(&m, &problem.q, &rows).expect("it is square");
            mlcp::Auto::default().solve(&problem, &mut z, &mut w)
        }
        Kind::Relay => {
            let problem =
                RelayProblem::new(&m, &problem.q, &problem.lower, &problem.upper).expect("it is square");
            relay::Auto::default().solve(&problem, &mut z, &mut w)
        }
    };
    (info.expect("the data are finite"), z)
}

/// Returns the difference between the result of the automatic choice and the planted one, if there is any.
fn fault(kind: Kind, problem: &Rows, is_sparse: bool) -> Option<String> {
    let (info, z) = solve(kind, problem, is_sparse);
    let error = box_error(&problem.m, &problem.q, &problem.lower, &problem.upper, &z);
    let Some(expected) = &problem.z else {
        return (info.status != Status::NoSolution).then(|| format!("{info:?}, there is none"));
    };
    if !info.status.is_success() {
        return Some(format!("{info:?}"));
    }
    if info.status == Status::Converged && error > 1e-9 {
        return Some(format!("{info:?}, the error is {error:e}"));
    }
    // The problems are well-conditioned, so that each unknown is compared relative to its size.
    let off = z.iter().zip(expected).map(|(a, b)| (a - b).abs() / b.abs().max(f64::MIN_POSITIVE));
    let wrong = off.zip(expected).position(|(off, b)| *b != 0.0 && (off.is_nan() || off > 1e-6));
    wrong.map(|i| format!("{info:?}, z_{i} is {:e} and not {:e}", z[i], expected[i]))
}

/// Returns all differences for a number of problems of a class.
fn faults(kind: Kind, count: u32) -> Vec<String> {
    let mut faults = Vec::new();
    for seed in 0..count {
        let mut random = RandomState::new(seed);
        let n = 2 + seed as usize % 7;
        let is_solvable = kind == Kind::Relay || !seed.is_multiple_of(4);
        let base = if is_solvable { planted(kind, n, &mut random) } else { infeasible(n, &mut random) };
        let (scaled, _) = in_units(&base, &mut random);
        let (wide, _) = beside_open_rows(&base, &mut random);
        let (both, _) = beside_open_rows(&scaled, &mut random);
        let both = in_units(&both, &mut random).0;
        for (name, problem) in [("base", &base), ("units", &scaled), ("open rows", &wide), ("both", &both)] {
            for is_sparse in [false, true] {
                let what = fault(kind, problem, is_sparse);
                faults.extend(what.map(|what| format!("{kind:?} {seed} {name}, sparse {is_sparse}: {what}")));
            }
        }
    }
    faults
}

fn check(count: u32) {
    let faults: Vec<String> =
        [Kind::Lcp, Kind::Mlcp, Kind::Relay].into_iter().flat_map(|kind| faults(kind, count)).collect();
    assert!(faults.is_empty(), "{} faults: {:#?}", faults.len(), &faults[..faults.len().min(60)]);
}

#[test]
fn units_of_rows_and_open_rows_change_nothing() {
    check(20);
}

#[test]
#[ignore = "a battery"]
fn battery_of_units_of_rows_and_open_rows() {
    check(2000);
}
