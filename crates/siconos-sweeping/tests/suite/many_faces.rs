//! Polyhedra with many more faces than unknowns, rows that come and go, and sets and forces evaluated at the
//! start of a step.

use siconos_linalg::MatrixError;
use siconos_numerics::{ProblemError, SolverError};
use siconos_sweeping::{CatchingUp, Inequalities, MovingPolyhedron, SweepingError};
use siconos_testkit::compare::{assert_close, worse};

use super::run;

const RADIUS: f64 = 0.5;

/// Distance of the discs i < j, linearised at q: gap, entries and bound.
fn distance(q: &[f64], i: usize, j: usize) -> (f64, [(usize, f64); 4], f64) {
    let (x, y) = (q[2 * j] - q[2 * i], q[2 * j + 1] - q[2 * i + 1]);
    let length = x.hypot(y);
    let (x, y) = (x / length, y / length);
    (length - 2.0 * RADIUS, [(2 * i, -x), (2 * i + 1, -y), (2 * j, x), (2 * j + 1, y)], 2.0 * RADIUS)
}

/// Adds the rows of all pairs with a gap of at most `reach`.
fn write_pairs(q: &[f64], reach: f64, rows: &mut Inequalities) {
    let count = q.len() / 2;
    for i in 0..count {
        for j in i + 1..count {
            let (gap, entries, bound) = distance(q, i, j);
            if gap <= reach {
                rows.push(count * i + j, entries, bound);
            }
        }
    }
}

fn pairs_within(reach: f64, count: usize) -> MovingPolyhedron {
    MovingPolyhedron::by_rows_of_state(2 * count, move |_t, q, rows| write_pairs(q, reach, rows))
        .expect("there are discs")
}

/// Discs on a square grid that move to the origin, each with a speed equal to its distance.
fn crowd(set: MovingPolyhedron) -> CatchingUp<MovingPolyhedron> {
    CatchingUp::new(set).with_perturbation(|_t, q, f| f.copy_from_slice(q)).with_state_at_start()
}

fn grid(count: usize) -> Vec<f64> {
    let side = (count as f64).sqrt().ceil() as usize;
    let middle = 0.5 * (side as f64 - 1.0);
    let place = |k: usize| [(k % side) as f64 - middle, (k / side) as f64 - middle].map(|x| 1.25 * x);
    (0..count).flat_map(place).collect()
}

fn deepest(q: &[f64]) -> f64 {
    let count = q.len() / 2;
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    pairs.map(|(i, j)| -distance(q, i, j).0).fold(0.0, worse)
}

/// 24 discs have 276 pairs. In the jam more pairs touch than rows are active. Rows of nearby pairs only, and
/// the full matrix, give the same motion.
#[test]
fn a_jam_of_discs_is_solved_by_all_pairs_and_by_near_ones() {
    let (count, steps) = (24, 100);
    let all = run(&mut crowd(pairs_within(f64::INFINITY, count)), (0.0, 2.0), steps, &grid(count));
    let near = run(&mut crowd(pairs_within(0.5, count)), (0.0, 2.0), steps, &grid(count));
    let full = MovingPolyhedron::of_state(2 * count, 276, move |_t, q, mut h, k| {
        h.fill(0.0);
        let mut rows = Inequalities::new(q.len());
        write_pairs(q, f64::INFINITY, &mut rows);
        for row in 0..rows.len() {
            rows.entries(row).for_each(|(column, value)| h[[row, column]] = value);
        }
        k.copy_from_slice(rows.bounds());
    });
    let full = run(&mut crowd(full.expect("there are discs")), (0.0, 2.0), steps, &grid(count));
    for ((all, near), full) in all.iter().zip(&near).zip(&full) {
        assert!(deepest(all) < 1e-13, "{}", deepest(all));
        assert_close("near", near, all, 1e-9, 0.0);
        assert_close("full", full, all, 1e-9, 0.0);
    }
    let touching = {
        let (mut rows, last) = (Inequalities::new(2 * count), &all[steps]);
        write_pairs(last, 1e-9, &mut rows);
        rows.len()
    };
    assert!(touching > 40, "{touching} pairs touch");
}

/// Newton's method over the faces of a jam converges to its tolerance, and the multipliers add up to the
/// reaction.
#[test]
fn a_nonlinear_force_over_the_faces_of_a_jam() {
    let count = 24;
    let last = run(&mut crowd(pairs_within(0.5, count)), (0.0, 2.0), 100, &grid(count)).pop();
    let jam = last.expect("there are states");
    let place = jam.clone();
    let faces =
        MovingPolyhedron::by_rows(2 * count, move |_t, rows| write_pairs(&place, f64::INFINITY, rows));
    let mut sweep = CatchingUp::new(faces.expect("there are discs")).with_perturbation(|t, q, f| {
        for (f, q) in f.chunks_exact_mut(2).zip(q.chunks_exact(2)) {
            let size = 1.0 + q[0] * q[0] + q[1] * q[1];
            (f[0], f[1]) = (size * q[0] - 0.5 * q[1] + t, size * q[1] + 0.5 * q[0]);
        }
    });
    let mut q = jam;
    for k in 0..10 {
        let report = sweep.step(0.1 * f64::from(k), 0.1, &mut q).expect("it goes");
        assert!(report.status.is_success() && report.inner < 12, "{report:?}");
        let mut force = vec![0.0; 2 * count];
        let rows = sweep.set().rows();
        for (row, l) in sweep.multipliers().iter().enumerate() {
            let gap = rows.gap(row, &q);
            assert!(*l >= 0.0 && gap > -1e-13 && l * gap < 1e-11, "{l} {gap}");
            rows.entries(row).for_each(|(column, value)| force[column] += l * value);
        }
        assert_close("reaction", sweep.reaction(), &force, 1e-11, 0.0);
    }
}

/// Velocities 1 and -1/2 on one line: the centre continues with 1/4, and the distance decreases to the
/// diameter. (Later the discs would move around each other, because this line is not stable.)
#[test]
fn two_discs_meet_head_on() {
    for (h, angle) in [(0.05, 0.0_f64), (0.4, 0.7), (0.07, 2.5)] {
        let (cos, sin) = (angle.cos(), angle.sin());
        let mut sweep = CatchingUp::new(pairs_within(2.0, 2))
            .with_perturbation(move |_t, _q, f| f.copy_from_slice(&[-cos, -sin, 0.5 * cos, 0.5 * sin]))
            .with_state_at_start();
        let mut q = [0.0, 0.0, 3.0 * cos, 3.0 * sin];
        for k in 1..=(3.0 / h) as u32 {
            let t = h * f64::from(k);
            assert!(sweep.step(t - h, h, &mut q).expect("it goes").status.is_success());
            let (middle, apart) = (1.5 + 0.25 * t, (3.0 - 1.5 * t).max(1.0));
            let (first, second) = (middle - 0.5 * apart, middle + 0.5 * apart);
            assert_close("q", &q, &[first * cos, first * sin, second * cos, second * sin], 1e-13, 0.0);
        }
    }
}

/// u_{k+1} = max(u_k - h f(u_k), t_{k+1} + L u_k) for every L.
#[test]
fn the_state_at_the_start_of_a_step_needs_no_equations() {
    for l in [0.5, 1.5] {
        let set =
            MovingPolyhedron::of_state(1, 1, move |t, u, mut h, k| (h[[0, 0]], k[0]) = (1.0, t + l * u[0]));
        let mut sweep = CatchingUp::new(set.expect("a half-line"))
            .with_perturbation(|t, x, f| f[0] = x[0] * x[0] - t)
            .with_state_at_start();
        let (mut u, mut expected) = ([0.5], 0.5_f64);
        for k in 0..20 {
            let (t, h) = (0.125 * f64::from(k), 0.125);
            let report = sweep.step(t, h, &mut u).expect("it goes");
            assert_eq!((report.outer, report.contraction), (1, None));
            expected = (expected - h * (expected * expected - (t + h))).max(t + h + l * expected);
            assert_close("u", &u, &[expected], 0.0, 1e-14);
        }
    }
}

#[test]
fn rows_that_are_none_are_named() {
    let refused = |entry: (usize, f64)| {
        let set = MovingPolyhedron::by_rows(2, move |_t, rows| rows.push(0, [entry], 0.0)).expect("a set");
        CatchingUp::new(set).step(0.0, 1.0, &mut [0.0; 2]).expect_err("no row")
    };
    let error = refused((2, 1.0));
    let position = ProblemError::from(MatrixError::EntryPosition { row: 0, column: 2, rows: 1, columns: 2 });
    assert_eq!(error, SweepingError::Solver { t: 1.0, source: SolverError::Problem(position) });
    assert!(matches!(refused((0, f64::NAN)), SweepingError::Solver { t: 1.0, .. }));
    // The function replaces the list.
    let other = MovingPolyhedron::by_rows(2, |_t, rows| *rows = Inequalities::new(3)).expect("a set");
    assert!(CatchingUp::new(other).step(0.0, 1.0, &mut [0.0; 2]).is_err());
    assert!(MovingPolyhedron::by_rows(0, |_t, _rows| ()).is_err());
}

/// Steps with distances linearised at the end of the step (by the fixed point) and at its start agree to the
/// order of a step.
#[test]
fn implicit_steps_of_discs_agree_with_explicit_ones() {
    let count = 7;
    let implicit = |steps: usize| {
        let set = pairs_within(f64::INFINITY, count);
        let mut sweep = CatchingUp::new(set)
            .with_linear_perturbation(ndarray::Array2::eye(2 * count), |_t, _f| ())
            .expect("it fits");
        run(&mut sweep, (0.0, 1.0), steps, &grid(count)).pop().expect("there are states")
    };
    let explicit = |steps: usize| {
        let motion = run(&mut crowd(pairs_within(f64::INFINITY, count)), (0.0, 1.0), steps, &grid(count));
        motion.into_iter().next_back().expect("there are states")
    };
    let apart = |steps: usize| {
        let (implicit, explicit) = (implicit(steps), explicit(steps));
        assert!(deepest(&implicit) < 1e-9, "{}", deepest(&implicit));
        implicit.iter().zip(&explicit).map(|(a, b)| (a - b).abs()).fold(0.0, worse)
    };
    let (coarse, fine) = (apart(25), apart(100));
    assert!(coarse < 0.1 && fine < 0.5 * coarse, "{coarse} {fine}");
}
