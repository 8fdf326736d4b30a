//! Small problems made of any bytes, into every method: no panic, no endless loop, and nothing called
//! converged that is not.

use std::time::{Duration, Instant};

use ndarray::Array2;
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::lcp::{self, LcpMethod, LcpProblem};
use siconos_numerics::mlcp::{self, MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{self, RelayMethod, RelayProblem};
use siconos_numerics::{Method, SolveInfo, SolverError, Status};

/// The largest problem.
const MOST_UNKNOWNS: usize = 8;
/// In the unit of the method.
const MAX_ITERATIONS: usize = 60;
/// A problem of eight unknowns takes far less than this, also where the machine is busy.
const LONGEST: Duration = Duration::from_secs(20);

/// Makes a problem of the bytes and gives it to every method of its class.
///
/// # Panics
///
/// When a method does, takes very long, or says that it converged where the error measure does not.
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

/// Pairs of bounds in order. In the first mode the least number and the greatest one stand for no bound.
fn bounds(bytes: &mut Bytes<'_>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut pair = |_| {
        let (a, b) = (bytes.number(), bytes.number());
        let (lower, upper) = (a.min(b), a.max(b));
        let without = |bound: f64, is_none: bool, infinity: f64| if is_none { infinity } else { bound };
        (without(lower, lower == -128.0, f64::NEG_INFINITY), without(upper, upper == 127.0, f64::INFINITY))
    };
    (0..n).map(&mut pair).unzip()
}

/// What a method did.
struct Run {
    name: &'static str,
    begin: Instant,
    tolerance: f64,
    z: Vec<f64>,
    w: Vec<f64>,
    result: Result<SolveInfo, SolverError>,
}

impl Run {
    /// Compares what the method says with the error of its point.
    fn check(&mut self, error_of_point: impl FnOnce(&[f64], &mut [f64]) -> f64) {
        let (name, tolerance) = (self.name, self.tolerance);
        assert!(self.begin.elapsed() < LONGEST, "{name} takes long");
        let info = match &self.result {
            Ok(info) => *info,
            // A storage that the method does not take, or a matrix that it cannot factorise.
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

/// A square matrix in one of the storages.
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

/// Bytes that never end: zeros follow.
struct Bytes<'a> {
    bytes: &'a [u8],
    /// How numbers are made.
    mode: u8,
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (&first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        first
    }

    /// A finite number: a small whole one, one with an exponent, or any at all.
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
