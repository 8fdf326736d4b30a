//! Both searches for a pattern: closed forms by the homotopy, and random systems by both searches.

use ndarray::{Array2, array};
use siconos_sweeping::fesd::{
    Fesd, FesdReport, FesdSettings, FesdStatus, FesdSystem, FilippovSystem, PatternSearch, SweepingSystem,
};
use siconos_testkit::compare::worse;
use siconos_testkit::exact::PushedPoint;

use super::attacks::scaled_circle;
use super::orders::{CIRCLE_START, pushed};
use super::sliding::{half_minus_sign, leaving};
use super::{by, run};

fn homotopy(system: impl Into<FesdSystem>, stages: usize, elements: usize) -> Fesd {
    let settings = FesdSettings { elements, pattern: PatternSearch::Homotopy, ..FesdSettings::default() };
    Fesd::new(system, stages, settings).expect("good settings")
}

#[test]
fn the_homotopy_slides_with_a_quarter_of_the_mode_below() {
    for stages in 1..=4 {
        for n in [1, 7] {
            let mut fesd = by(PatternSearch::Homotopy, half_minus_sign(), stages);
            let (states, switches) = run(&mut fesd, (0.0, 3.0), n, &[1.0]);
            assert!(
                (switches[0].t - 2.0).abs() < 1e-12 && switches.len() == 1,
                "{stages}, {n}: {switches:?}"
            );
            assert!(states[n][0].abs() < 1e-12);
            assert!((fesd.weights()[0] - 0.25).abs() < 1e-10, "{:?}", fesd.weights());
        }
    }
}

#[test]
fn the_homotopy_enters_sliding_and_leaves_it_in_one_step() {
    let enters = 1.0 - 0.5_f64.sqrt();
    for stages in 2..=4 {
        let (states, switches) = run(&mut homotopy(leaving(), stages, 3), (0.0, 2.0), 1, &[0.25, 0.0]);
        let times: Vec<f64> = switches.iter().map(|switch| switch.t).collect();
        assert_eq!(times.len(), 2, "{stages} stages: {switches:?}");
        assert!((times[0] - enters).abs() < 1e-11 && (times[1] - 1.0).abs() < 1e-11, "{times:?}");
        assert!((states[1][0] - 0.5).abs() < 1e-11, "{states:?}");
    }
}

/// One revolution on the diamond through (1.5, 0), with four switches.
#[test]
fn the_homotopy_goes_round_through_four_modes() {
    let signs = array![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    for (stages, n) in [(2, 6), (3, 6), (4, 3)] {
        let system = FilippovSystem::new(
            2,
            signs.clone(),
            |_t, x, c| c.copy_from_slice(x),
            |i, _t, _x, f| f.copy_from_slice(&[[-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]][i]),
        );
        let mut fesd = homotopy(system.expect("a system"), stages, 3);
        let (states, switches) = run(&mut fesd, (0.0, 6.0), n, &[1.0, 0.5]);
        for (switch, exact) in switches.iter().zip([1.0, 2.5, 4.0, 5.5]) {
            assert!((switch.t - exact).abs() < 1e-12, "{switches:?}");
        }
        assert!(switches.len() == 4 && (states[n][0] - 1.0).abs() < 1e-12, "{switches:?}");
    }
}

#[test]
fn the_homotopy_sweeps_a_point_into_a_corner() {
    for stages in 2..=4 {
        let system = SweepingSystem::new(
            2,
            2,
            |_t, _x, f| (f[0], f[1]) = (-1.0, -2.0),
            |_t, x, h| h.copy_from_slice(x),
            |_t, _x, mut g| (g[[0, 0]], g[[1, 1]]) = (1.0, 1.0),
        );
        let mut fesd = homotopy(system.expect("a system"), stages, 3);
        let (states, switches) = run(&mut fesd, (0.0, 2.0), 1, &[1.5, 1.0]);
        assert!((switches[0].t - 0.5).abs() < 1e-12 && (switches[1].t - 1.5).abs() < 1e-12, "{switches:?}");
        assert!(states[1].iter().all(|x| x.abs() < 1e-12));
    }
}

#[test]
fn the_homotopy_depends_on_no_units() {
    let run_in = |length: f64, time: f64| {
        let mut fesd = homotopy(scaled_circle(length, time), 3, 2);
        let (states, _) = run(&mut fesd, (0.0, 1.5 * time), 4, &CIRCLE_START.map(|x| x * length));
        states.concat().iter().map(|x| x / length).collect::<Vec<_>>()
    };
    let reference = run_in(1.0, 1.0);
    for (length, time) in [(2.0_f64.powi(40), 1.0), (2.0_f64.powi(-60), 2.0_f64.powi(30))] {
        for (a, b) in run_in(length, time).iter().zip(&reference) {
            assert!((a - b).abs() < 1e-12, "{length:e}, {time:e}: {a:e} {b:e}");
        }
    }
}

#[test]
fn a_pushed_point_goes_the_same_way_by_both_searches() {
    let point = PushedPoint::default();
    let searches = [PatternSearch::Continuation, PatternSearch::Homotopy];
    let [a, b] =
        searches.map(|search| run(&mut by(search, pushed(point), 2), (0.0, 2.4), 24, &[point.start]));
    assert_eq!(a.1.len(), b.1.len());
    let difference =
        a.0.iter().flatten().zip(b.0.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, worse);
    assert!(difference < 1e-12, "{difference:e}");
}

/// Pseudo-random numbers in [-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

/// Random system of affine fields between planes, with two to four modes, an initial state and a step length.
struct Random {
    n: usize,
    signs: Array2<f64>,
    planes: Vec<f64>,
    offsets: Vec<f64>,
    matrices: Vec<f64>,
    constants: Vec<f64>,
    start: Vec<f64>,
    h: f64,
}

impl Random {
    fn new(numbers: &mut Numbers, kind: usize) -> Self {
        let (m, n) = (2 + kind % 3, 2 + kind / 3 % 2);
        let signs = match m {
            2 => array![[-1.0], [1.0]],
            3 => array![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0]],
            _ => array![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]],
        };
        let q = signs.ncols();
        let (mut planes, mut offsets) = (numbers.vector(q * n, 1.0), numbers.vector(q, 0.5));
        if m == 3 {
            // The three modes are layers between parallel planes.
            planes.copy_within(..n, n);
            offsets[1] = offsets[0] - 0.1 - 0.4 * numbers.next().abs();
        }
        let (matrices, constants) = (numbers.vector(m * n * n, 1.5), numbers.vector(m * n, 1.5));
        let (start, h) = (numbers.vector(n, 1.0), 0.65 + 0.45 * numbers.next());
        Self { n, signs, planes, offsets, matrices, constants, start, h }
    }

    /// Takes one step with a search. Returns the report, the end state, and the active sets of the elements.
    fn step(&self, search: PatternSearch) -> (FesdReport, Vec<f64>, Vec<Vec<usize>>) {
        let n = self.n;
        let inner = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
        let (planes, offsets) = (self.planes.clone(), self.offsets.clone());
        let (matrices, constants) = (self.matrices.clone(), self.constants.clone());
        let system = FilippovSystem::new(
            n,
            self.signs.clone(),
            move |_t, x, c| {
                for ((c, row), offset) in c.iter_mut().zip(planes.chunks_exact(n)).zip(&offsets) {
                    *c = offset + inner(row, x);
                }
            },
            move |i, _t, x, f| {
                let rows = matrices[i * n * n..(i + 1) * n * n].chunks_exact(n);
                for ((f, row), constant) in f.iter_mut().zip(rows).zip(&constants[i * n..]) {
                    *f = constant + inner(row, x);
                }
            },
        );
        let settings = FesdSettings { elements: 3, pattern: search, ..FesdSettings::default() };
        let mut fesd = Fesd::new(system.expect("a system"), 2, settings).expect("good settings");
        let mut x = self.start.clone();
        let report = fesd.step(0.0, self.h, &mut x).expect("it goes").clone();
        let sets = fesd.elements().iter().map(|element| element.active.clone()).collect();
        (report, x, sets)
    }
}

/// 120 random steps: 40 each with 0, 1 and 2 switches.
#[test]
fn both_searches_agree_on_random_systems() {
    let mut numbers = Numbers(12_345);
    let (mut found, mut solved, mut kind) = ([0; 3], [0; 3], 0);
    while found.iter().any(|&count| count < 40) {
        let random = Random::new(&mut numbers, kind);
        kind += 1;
        let (report, x, sets) = random.step(PatternSearch::Continuation);
        assert!(report.status.is_success(), "system {kind}: {report:?}");
        let switches = report.switches.len();
        if switches > 2 || found[switches] == 40 {
            continue;
        }
        found[switches] += 1;
        let (other, y, other_sets) = random.step(PatternSearch::Homotopy);
        if other.status.is_success() {
            solved[switches] += 1;
            assert!(other.residual.largest() <= 1e-12);
        }
        let difference = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).fold(0.0, worse);
        // Two switches may lie between the stages of a long element: another pattern then satisfies all
        // conditions.
        let is_same = switches < 2 || other.status.is_success() && other_sets == sets;
        assert!(!is_same || difference < 1e-9, "system {kind}: {difference:e}, {sets:?} {other_sets:?}");
    }
    println!("solved by the homotopy: {solved:?} of {found:?}");
    assert!(solved[0] == 40 && solved[1] == 40 && solved[2] >= 36, "{solved:?}");
}

#[test]
fn a_pattern_with_more_switches_than_the_homotopy_has_boundaries_is_reported() {
    let signs = array![[-1.0], [1.0]];
    // c = sin(pi x): a switch at every integer.
    let system = FilippovSystem::new(
        2,
        signs,
        |_t, x, c| c[0] = (std::f64::consts::PI * x[0]).sin(),
        |i, _t, _x, f| (f[0], f[1]) = (1.0, i as f64),
    );
    let mut x = [0.5, 0.0];
    let report = homotopy(system.expect("a system"), 2, 2).step(0.0, 20.0, &mut x).expect("a report").clone();
    assert_eq!(report.status, FesdStatus::NoPattern, "{report:?}");
    assert_eq!(x, [0.5, 0.0]);
}
