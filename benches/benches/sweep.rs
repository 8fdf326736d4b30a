//! One Gauss-Seidel sweep over a pile of spheres, compared with the memory bandwidth of the machine:
//! `sweep/triad/threads`, `sweep/nsgs/contacts` and `sweep/coloured_threads/contacts`.
//!
//! A sweep reads W once and computes little with each entry, so the memory bandwidth gives a lower bound on
//! its time. All times are taken in one run, because other programs on the machine may use a share of the
//! bandwidth. The table at the end contains the shortest times, and the bandwidth of the sweeps as a fraction
//! of the triad bandwidth. With `--quick` the piles are small and fit in the cache.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use siconos_linalg::Matrix;
use siconos_numerics::Solver;
use siconos_numerics::contact::{
    ColouredGaussSeidel, ColouredGaussSeidelSettings, Contact, GaussSeidelSettings, NonsmoothGaussSeidel,
};
use siconos_testkit::contact::{KnownContact, spheres};

const FRICTION: f64 = 0.3;
const SIZES: [usize; 3] = [1000, 20_000, 50_000];
const QUICK_SIZES: [usize; 1] = [1000];

/// Number of doubles in each array of the triad. Each array takes 64 MiB, which is more than a cache holds.
const LONG: usize = 1 << 23;
const QUICK_LONG: usize = 1 << 18;

/// Numbers of sweeps of two solves. Their time difference does not include the preparations before the first
/// sweep.
const FEW: usize = 64;
const MANY: usize = 128;

fn is_quick() -> bool {
    std::env::args().any(|argument| argument == "--quick")
}

/// Row of the table: bytes per pass, and the shortest time \[s\].
struct Line {
    name: String,
    bytes: usize,
    best: f64,
}

impl Line {
    /// Returns the bandwidth \[GB/s\].
    fn rate(&self) -> f64 {
        self.bytes as f64 / self.best * 1e-9
    }
}

/// Benches a pass over `bytes` bytes. `pass` returns its time.
fn bench(
    criterion: &mut Criterion,
    (method, size): (&str, usize),
    bytes: usize,
    mut pass: impl FnMut() -> Duration,
) -> Line {
    let mut group = criterion.benchmark_group(format!("sweep/{method}"));
    group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    group.sampling_mode(SamplingMode::Flat).throughput(Throughput::Bytes(bytes as u64));
    let mut best = f64::INFINITY;
    group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
        bencher.iter_custom(|passes| {
            (0..passes)
                .map(|_| {
                    let time = pass();
                    best = best.min(time.as_secs_f64());
                    time
                })
                .sum()
        });
    });
    group.finish();
    Line { name: format!("{method} {size}"), bytes, best }
}

/// Benches $a = b + s c$ on a number of threads.
fn triad(criterion: &mut Criterion, threads: usize) -> Line {
    let length = if is_quick() { QUICK_LONG } else { LONG };
    let (mut a, b, c) = (vec![0.0; length], vec![1.0; length], vec![2.0; length]);
    let part = length.div_ceil(threads);
    let mut s = 0.0;
    bench(criterion, ("triad", threads), 3 * 8 * length, || {
        s += 1.0;
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for (a, (b, c)) in a.chunks_mut(part).zip(b.chunks(part).zip(c.chunks(part))) {
                scope.spawn(move || {
                    a.iter_mut().zip(b.iter().zip(c)).for_each(|(a, (b, c)): (&mut f64, _)| *a = b + s * c);
                });
            }
        });
        let time = begin.elapsed();
        assert!(a.last() == Some(&(1.0 + 2.0 * s)), "the pass is not left out");
        time
    })
}

/// Returns the number of bytes that a sweep reads and writes. A sweep reads W with the columns of its blocks.
/// For each contact, it reads the diagonal block, the data that its solver has prepared from this block, q,
/// the friction coefficient and the start of its row. It reads and writes the reaction and the multiplier.
fn bytes_of_sweep(pile: &KnownContact, bytes_of_column: usize, rows_have_diagonal: bool) -> usize {
    let Matrix::BlockCsr(w) = &pile.w else { return 0 };
    const NUMBER: usize = size_of::<f64>();
    const BLOCK: usize = 9 * NUMBER;
    const PREPARED: usize = 19 * NUMBER;
    let contacts = w.block_rows();
    let blocks = if rows_have_diagonal { w.blocks() } else { w.blocks() - contacts };
    let of_contact = BLOCK + PREPARED + (3 + 1 + 2 * 3 + 2) * NUMBER + 2 * NUMBER;
    blocks * (BLOCK + bytes_of_column) + contacts * of_contact
}

/// Benches sweeps near the solution, where most sweeps of a solve take place.
fn sweeps<S: Solver<Class = Contact>>(
    criterion: &mut Criterion,
    (method, pile): (&str, &KnownContact),
    bytes: usize,
    make: impl Fn(usize) -> S,
) -> Line {
    let mut solvers = [FEW, MANY].map(make);
    let (mut r, mut u) = (vec![0.0; pile.q.len()], vec![0.0; pile.q.len()]);
    bench(criterion, (method, pile.q.len() / 3), bytes, || {
        let [few, many] = solvers.each_mut().map(|solver| {
            let begin = Instant::now();
            let info = solver.solve(&pile.view(), &mut r, &mut u).expect("a pile can be swept");
            assert!(info.iterations >= FEW, "the solve ends before it is timed");
            begin.elapsed()
        });
        many.saturating_sub(few) / (MANY - FEW) as u32
    })
}

/// Tolerance that no solve reaches.
const OUT_OF_REACH: f64 = 1e-300;

fn sweep(criterion: &mut Criterion) {
    let mut lines: Vec<Line> = [1, 2].map(|threads| triad(criterion, threads)).into();
    let sizes = if is_quick() { &QUICK_SIZES[..] } else { &SIZES[..] };
    for &contacts in sizes {
        let pile = spheres(contacts, FRICTION, 1);
        // The sequential sweep reads a diagonal block twice: with its row, and separately.
        let bytes = bytes_of_sweep(&pile, size_of::<usize>(), true);
        lines.push(sweeps(criterion, ("nsgs", &pile), bytes, |max_iterations| {
            let settings =
                GaussSeidelSettings { tolerance: OUT_OF_REACH, max_iterations, ..Default::default() };
            NonsmoothGaussSeidel::new(settings).expect("valid settings")
        }));
        let bytes = bytes_of_sweep(&pile, size_of::<u32>(), false);
        for threads in [1, 2] {
            let name = format!("coloured_{threads}");
            lines.push(sweeps(criterion, (&name, &pile), bytes, |max_iterations| {
                let settings = ColouredGaussSeidelSettings {
                    tolerance: OUT_OF_REACH,
                    max_iterations,
                    threads,
                    ..Default::default()
                };
                ColouredGaussSeidel::new(settings).expect("valid settings")
            }));
        }
    }
    let [one, two] = [lines[0].rate(), lines[1].rate()];
    println!("{:<20} {:>9} {:>9} {:>12} {:>13}", "", "MB", "ms", "GB/s", "of triad 1, 2");
    for line in &lines {
        let (megabytes, time, rate) = (line.bytes as f64 * 1e-6, line.best * 1e3, line.rate());
        let (of_one, of_two) = (100.0 * rate / one, 100.0 * rate / two);
        println!("{:<20} {megabytes:>9.2} {time:>9.3} {rate:>12.2} {of_one:>6.0}% {of_two:>4.0}%", line.name);
    }
}

criterion_group!(group, sweep);
criterion_main!(group);
