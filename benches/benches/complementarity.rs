//! Methods of the complementarity classes, selected by name:
//!
//! - on problems of increasing size: `lcp/method/family/n`, `mlcp/method/circuit/n`, `relay/method/family/n`,
//!   `growth/method/chain/n`;
//! - on very small problems of consecutive time steps: `relay/auto/n`, `mlcp/auto/n`, `lcp/auto/bridge/4`;
//! - on a sparse chain whose active set changes in every step: `lcp/auto/exchange_k/n`.
//!
//! The family `p_matrix` is [`gram`], which other programs can generate as well; it is solved to the
//! tolerance 1e-8. The family `chain` is the clamped chain of contacts, stored in block rows, or as a dense
//! matrix for methods that support only dense matrices. Every solve starts at z = 0 with a solver whose
//! workspace is allocated.
//!
//! Every problem is solved once before it is timed. A method that does not exist, does not support the
//! problem, does not reach the tolerance or takes longer than [`LONGEST`] is reported and skipped. With
//! `--quick`, problems of more than [`LARGEST_QUICK`] unknowns are skipped too, so that the benches take a
//! minute or two.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ndarray::{Array2, array};
use siconos_io::problem::{Problem, ProblemClass};
use siconos_linalg::{BlockCsr, Matrix};
use siconos_numerics::lcp::{LcpMethod, LcpProblem, LinearComplementarityProblem};
use siconos_numerics::mlcp::{MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::relay::{RelayMethod, RelayProblem};
use siconos_numerics::{Method, SolveInfo, SolverError};
use siconos_testkit::lcp::generated::{Chain, gram};
use siconos_testkit::mlcp::{KnownMlcp, diode_ladder};
use siconos_testkit::reference;
use siconos_testkit::relay::{KnownRelay, definite};

const SIZES: [usize; 6] = [10, 50, 100, 200, 500, 1000];
/// Short name of a method in the names of its benches, and the name by which it is selected.
const LCP_METHODS: [(&str, &str); 6] = [
    ("lemke", "lemke"),
    ("pgs", "projected-gauss-seidel"),
    ("newton_fb", "newton-fischer-burmeister"),
    ("newton_min", "newton-min"),
    ("interior_point", "interior-point"),
    ("auto", "auto"),
];
const TOLERANCE: f64 = 1e-8;

/// Time of a solve above which it is not repeated.
const LONGEST: Duration = Duration::from_secs(2);

const LARGEST_QUICK: usize = 100;

fn is_quick() -> bool {
    std::env::args().any(|argument| argument == "--quick")
}

/// Returns `true` if the command line has no filter, or a filter that may match this bench. Criterion makes
/// the final decision. This test avoids the first solve of benches that Criterion would skip.
fn may_be_asked_for(id: &str) -> bool {
    let filters: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_plain = |c: char| c.is_alphanumeric() || "-_/".contains(c);
    filters.is_empty() || filters.iter().any(|filter| !filter.chars().all(is_plain) || id.contains(filter))
}

fn sizes() -> impl Iterator<Item = usize> {
    SIZES.into_iter().filter(|&n| !is_quick() || n <= LARGEST_QUICK)
}

/// Benches solves from z = 0, unless the first solve fails or takes too long.
fn bench(
    criterion: &mut Criterion,
    (group, family): (&str, &str),
    n: usize,
    mut solve: impl FnMut(&mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
) {
    let id = format!("{group}/{family}/{n}");
    if !may_be_asked_for(&id) {
        return;
    }
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    let begin = Instant::now();
    let first = solve(&mut z, &mut w);
    let took = begin.elapsed();
    match first {
        Ok(info) if !info.status.is_success() => {
            return println!("{id}: left out, {} with the error {:.1e}", info.status, info.error);
        }
        Ok(_) if took > LONGEST => return println!("{id}: left out, it takes {:.1} s", took.as_secs_f64()),
        Ok(_) => {}
        Err(error) => return println!("{id}: left out, {error}"),
    }
    let mut group = criterion.benchmark_group(format!("{group}/{family}"));
    group.sample_size(10).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
        bencher.iter(|| {
            z.fill(0.0);
            solve(&mut z, &mut w)
        });
    });
    group.finish();
}

fn lcp(criterion: &mut Criterion) {
    for (short, name) in LCP_METHODS {
        let Some(mut method) = LcpMethod::from_name(name) else {
            println!("lcp/{short}: left out, there is no such method");
            continue;
        };
        method.set_tolerance(TOLERANCE);
        for n in sizes() {
            let random = gram(n);
            bench_lcp(criterion, (short, "p_matrix"), &method, &[Matrix::from(random.m)], &random.q);
        }
        for n in sizes() {
            let chain = Chain::clamped(n);
            let storages = [chain.matrix(), Matrix::from(chain.dense())];
            bench_lcp(criterion, (short, "chain"), &method, &storages, &chain.q);
        }
    }
}

/// Benches a method with the first storage that it supports.
fn bench_lcp(
    criterion: &mut Criterion,
    (short, family): (&str, &str),
    method: &LcpMethod,
    storages: &[Matrix],
    q: &[f64],
) {
    let mut solver = method.build().expect("the default settings are valid");
    let name = format!("lcp/{short}");
    let takes = |m: &&Matrix| LcpProblem::new(*m, q).is_ok_and(|problem| solver.supports(&problem).is_ok());
    let Some(m) = storages.iter().find(takes) else {
        return println!("{name}/{family}: left out, no storage that it takes");
    };
    bench(criterion, (&name, family), q.len(), |z, w| solver.solve(&LcpProblem::new(m, q)?, z, w));
}

/// Benches a sparse chain with n and 10 n contacts, and prints the growth of the time.
fn growth(criterion: &mut Criterion) {
    for (short, name) in [("newton_min", "newton-min"), ("auto", "auto")] {
        if !may_be_asked_for(&format!("growth/{short}/chain/")) {
            continue;
        }
        let Some(mut method) = LcpMethod::from_name(name) else {
            println!("growth/{short}: left out, there is no such method");
            continue;
        };
        method.set_tolerance(TOLERANCE);
        let mut times: Vec<(usize, f64)> = Vec::new();
        for n in [100, 1000, 10_000].into_iter().filter(|&n| !is_quick() || n <= 1000) {
            let chain = Chain::drawn(n, 1, 1);
            let q = chain.q.clone().into();
            let problem = LinearComplementarityProblem::new(chain.block_rows(), q).expect("it is square");
            let mut solver = method.build().expect("the default settings are valid");
            if let Some(time) = best_time(n, |z, w| solver.solve(&problem.view(), z, w)) {
                times.push((n, time));
            }
            bench(criterion, (&format!("growth/{short}"), "chain"), n, |z, w| {
                solver.solve(&problem.view(), z, w)
            });
        }
        for pair in times.windows(2) {
            let ((small, quick), (large, slow)) = (pair[0], pair[1]);
            let exponent = (slow / quick).ln() / (large as f64 / small as f64).ln();
            println!("growth/{short}/chain: time like n^{exponent:.2} from {small} to {large} contacts");
        }
    }
}

/// Returns the shortest time of five solves, or `None` if the first one fails.
fn best_time(
    n: usize,
    mut solve: impl FnMut(&mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
) -> Option<f64> {
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        z.fill(0.0);
        let begin = Instant::now();
        let info = solve(&mut z, &mut w).ok()?;
        best = best.min(begin.elapsed().as_secs_f64());
        if !info.status.is_success() {
            return None;
        }
    }
    Some(best)
}

fn mlcp(criterion: &mut Criterion) {
    let mut method = MlcpMethod::default();
    method.set_tolerance(TOLERANCE);
    let name = format!("mlcp/{}", method.description().name);
    let mut solver = method.build().expect("the default settings are valid");
    for stages in [5, 20, 100].into_iter().filter(|&n| !is_quick() || 2 * n <= LARGEST_QUICK) {
        let KnownMlcp { m, q, rows, .. } = diode_ladder(stages, 1);
        bench(criterion, (&name, "ladder"), q.len(), |z, w| {
            solver.solve(&MlcpProblem::new(&m, &q, &rows)?, z, w)
        });
    }
    for file in ["Buck2_mlcp.dat", "diodeBridge20_mlcp.dat", "deltasigma_mlcp.dat.gz"] {
        let Some(Problem::Mlcp(problem)) = reference(ProblemClass::Mlcp, file) else { continue };
        let circuit = file.split('_').next().unwrap_or(file);
        bench(criterion, (&name, circuit), problem.view().size(), |z, w| solver.solve(&problem.view(), z, w));
    }
}

fn relay(criterion: &mut Criterion) {
    let mut method = RelayMethod::default();
    method.set_tolerance(TOLERANCE);
    let name = format!("relay/{}", method.description().name);
    let mut solver = method.build().expect("the default settings are valid");
    for n in sizes() {
        let KnownRelay { m, q, lower, upper, .. } = definite(n, 1);
        bench(criterion, (&name, "definite"), n, |z, w| {
            solver.solve(&RelayProblem::new(&m, &q, &lower, &upper)?, z, w)
        });
    }
    if let Some(Problem::Relay(problem)) = reference(ProblemClass::Relay, "relay1.dat") {
        bench(criterion, (&name, "relay1"), problem.view().size(), |z, w| {
            solver.solve(&problem.view(), z, w)
        });
    }
}

/// Benches problems of consecutive time steps, each solved from the solution of the previous step. The matrix
/// is constant and q changes slightly. The result is the mean time of all steps, including steps in which the
/// active set changes.
fn bench_steps(
    criterion: &mut Criterion,
    (group, n): (&str, usize),
    steps: &[Vec<f64>],
    mut solve: impl FnMut(&[f64], &mut [f64], &mut [f64]) -> Result<SolveInfo, SolverError>,
) {
    let id = format!("{group}/{n}");
    if !may_be_asked_for(&id) {
        return;
    }
    let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
    for (step, q) in steps.iter().enumerate() {
        match solve(q, &mut z, &mut w) {
            Ok(info) if info.status.is_success() => {}
            failure => return println!("{id}: left out, step {step} ends with {failure:?}"),
        }
    }
    let mut all = steps.iter().cycle();
    let mut group = criterion.benchmark_group(group);
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
        bencher.iter(|| all.next().map(|q| solve(q, &mut z, &mut w)));
    });
    group.finish();
}

/// Returns vectors of `n` entries for 256 steps. The entries oscillate with different periods about different
/// means.
fn swinging(n: usize, size: f64) -> Vec<Vec<f64>> {
    let entry = |step: usize, i: usize| {
        let phase = std::f64::consts::TAU * (step * (i + 1)) as f64 / 256.0;
        size * ((phase + i as f64).sin() + 0.3 * (i as f64 - 1.0))
    };
    (0..256).map(|step| (0..n).map(|i| entry(step, i)).collect()).collect()
}

/// Returns a nonsymmetric positive definite matrix, like the matrix of coupled relays.
fn coupled(n: usize) -> Array2<f64> {
    let entry = |(i, j): (usize, usize)| match i.abs_diff(j) {
        0 => 2.0,
        _ => 0.5 * if i < j { 1.0 } else { -0.6 } / i.abs_diff(j) as f64,
    };
    Array2::from_shape_fn((n, n), entry)
}

/// Returns the four-diode bridge with a resistor (Acary, Bonnefon, Brogliato 2011) by implicit Euler: the
/// matrix, and q for each of the 5000 steps of 1 us.
fn diode_bridge() -> (Array2<f64>, Vec<Vec<f64>>) {
    let (inductance, capacity, resistance, h) = (1e-2, 1e-6, 1e3, 1e-6);
    // Voltage of the capacitor and current of the inductor: x' = A x + B lambda, and W = I - h A.
    let (a, b) = (h / capacity, h / inductance);
    let determinant = 1.0 + a * b;
    let inverse = [[1.0 / determinant, -a / determinant], [b / determinant, 1.0 / determinant]];
    let g = 1.0 / resistance;
    let mut m = array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let (c, of_lambda) = ([0.0, 0.0, -1.0, 1.0], [0.0, 0.0, -a, a]);
    for i in 0..4 {
        for j in 0..4 {
            m[[i, j]] += c[i] * inverse[0][0] * of_lambda[j];
        }
    }
    let mut solver = LcpMethod::default().build().expect("the default settings are valid");
    let (mut x, mut steps) = ([10.0, 0.0], Vec::new());
    let (mut lambda, mut y) = ([0.0; 4], [0.0; 4]);
    for _ in 0..5000 {
        let q: Vec<f64> = c.iter().map(|c| c * (inverse[0][0] * x[0] + inverse[0][1] * x[1])).collect();
        let problem = LcpProblem::new(&m, &q).expect("it is square");
        let info = solver.solve(&problem, &mut lambda, &mut y).expect("it is finite");
        assert!(info.status.is_success(), "{info:?}");
        let current: f64 = of_lambda.iter().zip(&lambda).map(|(b, l)| b * l).sum();
        let right = [x[0] + current, x[1]];
        x = inverse.map(|row| row[0] * right[0] + row[1] * right[1]);
        steps.push(q);
    }
    (m, steps)
}

/// Returns q for 64 cyclic steps. In each step, `exchanges` indices enter or leave the active set. The
/// solution is chosen first, and q is computed from it.
fn exchanging(m: &BlockCsr, exchanges: usize) -> Vec<Vec<f64>> {
    let n = m.rows();
    let mut is_active: Vec<bool> = (0..n).map(|i| !i.is_multiple_of(3)).collect();
    let size = |i: usize| 1.0 + 0.5 * (i as f64).sin();
    let mut step = |number: usize| {
        // The indices are spread over the chain. The second half of the steps reverses the first half.
        for k in 0..exchanges {
            let i = (number.min(63 - number) * exchanges + k) * 617 % n;
            is_active[i] = !is_active[i];
        }
        let pick = |wanted: bool| (0..n).map(move |i| (i, wanted));
        let value = |(i, wanted): (usize, bool)| if is_active[i] == wanted { size(i) } else { 0.0 };
        let z: Vec<f64> = pick(true).map(value).collect();
        let mut q: Vec<f64> = pick(false).map(value).collect();
        m.add_product(-1.0, &z, &mut q);
        q
    };
    (0..64).map(&mut step).collect()
}

/// Benches a sparse chain. In every step, one index, ten indices or a tenth of all indices enter or leave the
/// active set.
fn exchanges(criterion: &mut Criterion) {
    for n in [1000, 10_000].into_iter().filter(|&n| !is_quick() || n <= 1000) {
        let m = Chain::drawn(n, 1, 1).block_rows();
        for exchanges in [1, 10, n / 10] {
            let mut solver = LcpMethod::default().build().expect("the default settings are valid");
            let group = format!("lcp/auto/exchange_{exchanges}");
            bench_steps(criterion, (&group, n), &exchanging(&m, exchanges), |q, z, w| {
                solver.solve(&LcpProblem::new(&m, q)?, z, w)
            });
        }
    }
}

/// Benches very small problems, as they occur in each step of time-stepping.
fn steps(criterion: &mut Criterion) {
    for n in [1, 2, 4] {
        let (m, lower, upper) = (coupled(n), vec![-1.0; n], vec![1.0; n]);
        let mut solver = RelayMethod::default().build().expect("the default settings are valid");
        bench_steps(criterion, ("relay/auto", n), &swinging(n, 3.0), |q, z, w| {
            solver.solve(&RelayProblem::new(&m, q, &lower, &upper)?, z, w)
        });
    }
    for n in [4, 5, 6] {
        let rows: Vec<MlcpRow> =
            (0..n).map(|i| if i < 2 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect();
        let m = coupled(n);
        let mut solver = MlcpMethod::default().build().expect("the default settings are valid");
        bench_steps(criterion, ("mlcp/auto", n), &swinging(n, 1.0), |q, z, w| {
            solver.solve(&MlcpProblem::new(&m, q, &rows)?, z, w)
        });
    }
    if may_be_asked_for("lcp/auto/bridge/4") {
        let (m, steps) = diode_bridge();
        let mut solver = LcpMethod::default().build().expect("the default settings are valid");
        bench_steps(criterion, ("lcp/auto/bridge", 4), &steps, |q, z, w| {
            solver.solve(&LcpProblem::new(&m, q)?, z, w)
        });
    }
}

/// Returns the problem in a reference file, or `None` if the folder does not exist on this machine.
fn reference(class: ProblemClass, file: &str) -> Option<Problem> {
    let path = reference::at_hand()?.join(class.to_string()).join(file);
    let problem = path.is_file().then(|| Problem::read(&path, Some(class)))?;
    problem.inspect_err(|error| println!("{error}")).ok()
}

criterion_group!(group, lcp, growth, exchanges, mlcp, relay, steps);
criterion_main!(group);
