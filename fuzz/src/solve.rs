//! Small problems from arbitrary bytes, solved by every method: no panic and no endless loop occurs, and
//! every point that is reported as converged has an error below the tolerance.

use std::time::{Duration, Instant};

use ndarray::Array2;
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::lcp::{self, LcpMethod, LcpProblem};
use siconos_numerics::mlcp::{self, MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{self, RelayMethod, RelayProblem};
use siconos_numerics::{Method, SolveInfo, SolverError, Status};

/// Maximum number of unknowns.
const MOST_UNKNOWNS: usize = 8;
/// Maximum number of iterations, in the unit of each method.
const MAX_ITERATIONS: usize = 60;
/// Maximum time of a solve. A problem of eight unknowns takes far less, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Builds a problem from the bytes and solves it by every method of its class.
///
/// # Panics
///
/// If a method panics, takes too long, or reports convergence although the error exceeds the tolerance.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes { bytes, mode: 0 };
    let class = bytes.next();
    let n = usize::from(bytes.next()) % (MOST_UNKNOWNS + 1);
    let storage = bytes.next();
    let starts_anywhere = bytes.next() % 2 == 1;
    bytes.mode = bytes.next();
    let m = matrix(&mut bytes, n, storage);
    let q = bytes.numbers(n);
    let start = if starts_anywhere { bytes.numbers(n) } else { vec![0.0; n] };
    match class % 3 {
        0 => check_lcp(&m, &q, &start),
        1 => {
            let kind = |byte| if byte % 2 == 0 { MlcpRow::Equality } else { MlcpRow::Complementarity };
            let rows: Vec<_> = (0..n).map(|_| kind(bytes.next())).collect();
            check_mlcp(&m, &q, &rows, &start);
        }
        _ => {
            let (lower, upper) = bounds(&mut bytes, n);
            check_relay(&m, &q, &lower, &upper, &start);
        }
    }
}

fn check_lcp(m: &Matrix, q: &[f64], start: &[f64]) {
    let problem = LcpProblem::new(m, q).expect("the sizes fit");
    for mut method in LcpMethod::all() {
        method.set_max_iterations(MAX_ITERATIONS);
        let mut solver = method.build().expect("the settings are good");
        let (mut z, mut w) = (start.to_vec(), vec![0.0; q.len()]);
        let begin = Instant::now();
        let result = solver.solve(&problem, &mut z, &mut w);
        let mut run =
            Run { name: method.description().name, begin, tolerance: solver.tolerance(), z, w, result };
        run.check(|z, w| lcp::error_of_point(&problem, z, w));
    }
}

fn check_mlcp(m: &Matrix, q: &[f64], rows: &[MlcpRow], start: &[f64]) {
    let problem = MlcpProblem::new(m, q, rows).expect("the sizes fit");
    for mut method in MlcpMethod::all() {
        method.set_max_iterations(MAX_ITERATIONS);
        let mut solver = method.build().expect("the settings are good");
        let (mut z, mut w) = (start.to_vec(), vec![0.0; q.len()]);
        let begin = Instant::now();
        let result = solver.solve(&problem, &mut z, &mut w);
        let mut run =
            Run { name: method.description().name, begin, tolerance: solver.tolerance(), z, w, result };
        run.check(|z, w| mlcp::error_of_point(&problem, z, w));
    }
}

fn check_relay(m: &Matrix, q: &[f64], lower: &[f64], upper: &[f64], start: &[f64]) {
    let problem = RelayProblem::new(m, q, lower, upper).expect("the sizes and bounds fit");
    for mut method in RelayMethod::all() {
        method.set_max_iterations(MAX_ITERATIONS);
        let mut solver = method.build().expect("the settings are good");
        let (mut z, mut w) = (start.to_vec(), vec![0.0; q.len()]);
        let begin = Instant::now();
        let result = solver.solve(&problem, &mut z, &mut w);
        let mut run =
            Run { name: method.description().name, begin, tolerance: solver.tolerance(), z, w, result };
        run.check(|z, w| relay::error_of_point(&problem, z, w));
    }
}

/// Returns pairs of lower and upper bounds. A lower bound of -128 and an upper bound of 127 are replaced by
/// infinity.
fn bounds(bytes: &mut Bytes<'_>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut pair = |_| {
        let (a, b) = (bytes.number(), bytes.number());
        let (lower, upper) = (a.min(b), a.max(b));
        let without = |bound: f64, is_none: bool, infinity: f64| if is_none { infinity } else { bound };
        (without(lower, lower == -128.0, f64::NEG_INFINITY), without(upper, upper == 127.0, f64::INFINITY))
    };
    (0..n).map(&mut pair).unzip()
}

/// Result of a method.
struct Run {
    name: &'static str,
    begin: Instant,
    tolerance: f64,
    z: Vec<f64>,
    w: Vec<f64>,
    result: Result<SolveInfo, SolverError>,
}

impl Run {
    /// Compares the reported status with the error of the point.
    fn check(&mut self, error_of_point: impl FnOnce(&[f64], &mut [f64]) -> f64) {
        let (name, tolerance) = (self.name, self.tolerance);
        assert!(self.begin.elapsed() < LONGEST, "{name} takes long");
        let info = match &self.result {
            Ok(info) => *info,
            // The method does not support the storage, or cannot factorise the matrix.
            Err(SolverError::Unsupported(_) | SolverError::Singular { .. }) => return,
            Err(error) => panic!("{name} refuses a good problem: {error}"),
        };
        if info.status.is_success() {
            let is_finite = self.z.iter().chain(&self.w).all(|x| x.is_finite());
            assert!(is_finite, "{name}: {info:?}, but z = {:?}, w = {:?}", self.z, self.w);
        }
        if info.status == Status::Converged {
            assert!(info.error <= tolerance, "{name}: {info:?} with tolerance {tolerance:e}");
            let error = error_of_point(&self.z, &mut self.w);
            assert!(error <= tolerance, "{name}: {info:?}, but the error of its point is {error:e}");
        }
    }
}

/// Returns a square matrix in one of the storage formats.
fn matrix(bytes: &mut Bytes<'_>, n: usize, storage: u8) -> Matrix {
    let dense = Array2::from_shape_fn((n, n), |_| bytes.number());
    match storage % 4 {
        0 => dense.into(),
        1 => dense.diag().to_owned().into(),
        2 => {
            let entries = dense.indexed_iter().filter(|(_, value)| **value != 0.0);
            Csc::from_triplets(n, n, entries.map(|((i, j), value)| (i, j, *value))).expect("inside").into()
        }
        _ => {
            // Two block rows, without the blocks that are zero.
            let cut = n / 2;
            let ranges = [0..cut, cut..n];
            let mut blocks = Vec::new();
            for (i, rows) in ranges.iter().enumerate() {
                for (j, columns) in ranges.iter().enumerate() {
                    let block = dense.slice(ndarray::s![rows.clone(), columns.clone()]);
                    if block.iter().any(|value| *value != 0.0) {
                        blocks.push((i, j, block.to_owned()));
                    }
                }
            }
            BlockCsr::from_blocks(&[cut, n - cut], &[cut, n - cut], blocks).expect("they fit").into()
        }
    }
}

/// Bytes of the input, followed by zeros without end.
struct Bytes<'a> {
    bytes: &'a [u8],
    /// Kind of the numbers.
    mode: u8,
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (&first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        first
    }

    /// Returns a finite number: a small integer, a number with an exponent, or an arbitrary number.
    fn number(&mut self) -> f64 {
        match self.mode % 3 {
            0 => f64::from(self.next().cast_signed()),
            1 => f64::from(self.next().cast_signed()) * f64::from(self.next().cast_signed()).exp2(),
            _ => {
                let number = f64::from_le_bytes(std::array::from_fn(|_| self.next()));
                if number.is_finite() { number } else { 0.0 }
            }
        }
    }

    fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.number()).collect()
    }
}
