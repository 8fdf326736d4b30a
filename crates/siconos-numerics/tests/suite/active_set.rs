//! Active-set method for multipliers of polyhedra: optimality conditions for symmetric and nonsymmetric
//! responses, many more faces than unknowns, changing lists of rows, units, proofs of emptiness, invalid
//! input.

use ndarray::{Array2, Axis};
use siconos_linalg::{MatrixError, dot};
use siconos_numerics::cone::{Inequalities, PolyhedronActiveSet};
use siconos_numerics::{ProblemError, SolverError, Status};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::{assert_close, worse};
use siconos_testkit::random::RandomState;

fn vector(random: &mut RandomState, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| random.between(-size, size)).collect()
}

/// Overwrites a vector with a matrix times it.
fn times(w: &Array2<f64>) -> impl Fn(&mut [f64]) + '_ {
    |normal| {
        let product: Vec<f64> =
            w.rows().into_iter().map(|row| dot(row.as_slice().unwrap(), normal)).collect();
        normal.copy_from_slice(&product);
    }
}

/// Returns random rows with two or three entries. A third of the rows occurs twice. The origin satisfies all
/// rows.
fn random_rows(random: &mut RandomState, (n, p): (usize, usize)) -> Inequalities {
    let mut rows = Inequalities::new(n);
    for label in 0..p {
        let start = (random.uniform() * n as f64) as usize;
        let entries: Vec<_> = (0..3).map(|k| ((start + 2 * k) % n, random.between(-1.0, 1.0))).collect();
        let bound = -random.between(0.0, 0.5);
        rows.push(2 * label, entries.clone(), bound);
        if label % 3 == 0 {
            rows.push(2 * label + 1, entries, bound);
        }
    }
    rows
}

/// Returns a matrix with a positive definite symmetric part.
fn response(random: &mut RandomState, n: usize, skew: f64) -> Array2<f64> {
    let root = Array2::from_shape_fn((n, n), |_| random.between(-1.0, 1.0) / (n as f64).sqrt());
    let turn = Array2::from_shape_fn((n, n), |_| skew * random.between(-1.0, 1.0) / (n as f64).sqrt());
    root.dot(&root.t()) + &turn - turn.t() + Array2::<f64>::eye(n) * 0.3
}

#[test]
fn the_conditions_hold_with_many_faces_under_any_definite_response() {
    let mut random = RandomState::new(101);
    for (n, p) in [(2, 10), (5, 40), (12, 150), (40, 400)] {
        for skew in [0.0, 0.3, 3.0] {
            let rows = random_rows(&mut random, (n, p));
            let w = response(&mut random, n, skew);
            let mut faces = PolyhedronActiveSet::default();
            for _ in 0..10 {
                let free = vector(&mut random, n, 3.0);
                let mut x = free.clone();
                let info = faces.solve(&rows, times(&w), &mut x).unwrap();
                assert!(info.status.is_success(), "{n} {p} {skew}: {info:?}");
                let l = faces.multipliers();
                let mut force = vec![0.0; n];
                let mut gaps = Vec::new();
                for (row, l) in l.iter().enumerate() {
                    rows.entries(row).for_each(|(column, value)| force[column] += l * value);
                    gaps.push(rows.gap(row, &x));
                    assert!(
                        *l >= 0.0 && gaps[row] > -1e-12 && (l * gaps[row]).abs() < 1e-9,
                        "{l} {}",
                        gaps[row]
                    );
                }
                times(&w)(&mut force);
                let sum: Vec<f64> = free.iter().zip(&force).map(|(free, force)| free + force).collect();
                assert_close("x", &x, &sum, 1e-11, 0.0);
            }
        }
    }
}

/// Lengths, responses and rows are multiplied by powers of two. The digits of the solution do not change.
#[test]
fn no_unit_counts() {
    let mut random = RandomState::new(7);
    for skew in [0.0, 1.0] {
        let (rows, w) = (random_rows(&mut random, (30, 200)), response(&mut random, 30, skew));
        for (length, size, softness) in [(20, 0, 0), (-31, 5, 0), (3, -7, 9), (0, 0, -13)] {
            let power = |exponent: i32| 2.0_f64.powi(exponent);
            let mut other = Inequalities::new(30);
            for row in 0..rows.len() {
                let entries = rows.entries(row).map(|(column, value)| (column, value * power(size)));
                other.push(row, entries, rows.bounds()[row] * power(size + length));
            }
            let softer = &w * power(softness);
            let (mut faces, mut scaled) = (PolyhedronActiveSet::default(), PolyhedronActiveSet::default());
            for _ in 0..5 {
                let mut x = vector(&mut random, 30, 3.0);
                let mut y: Vec<f64> = x.iter().map(|x| x * power(length)).collect();
                assert!(faces.solve(&rows, times(&w), &mut x).unwrap().status.is_success());
                assert!(scaled.solve(&other, times(&softer), &mut y).unwrap().status.is_success());
                let expected: Vec<f64> = x.iter().map(|x| x * power(length)).collect();
                assert_eq!(y, expected, "2^{length}, 2^{size}, 2^{softness}");
            }
        }
    }
}

/// With the rows in another order and inactive rows in between, the previous active set is found again.
#[test]
fn labels_carry_over_what_bears() {
    let mut random = RandomState::new(17);
    let rows = random_rows(&mut random, (20, 60));
    let mut faces = PolyhedronActiveSet::default();
    let free = vector(&mut random, 20, 3.0);
    let mut x = free.clone();
    assert!(faces.solve(&rows, |_| (), &mut x).unwrap().iterations > 0);
    let mut others = Inequalities::new(20);
    for row in (0..rows.len()).rev() {
        others.push(1000 + row, [(row % 20, 1.0)], -1e3);
        others.push(rows.labels()[row], rows.entries(row), rows.bounds()[row]);
    }
    let mut again = free;
    let info = faces.solve(&others, |_| (), &mut again).unwrap();
    assert_eq!((info.status, info.iterations), (Status::Converged, 0));
    assert_close("x", &again, &x, 1e-13, 0.0);
}

#[test]
fn an_empty_polyhedron_is_proved_to_be() {
    let mut random = RandomState::new(29);
    for n in [2, 6, 25] {
        // A combination of rows is zero, and the sum of its bounds is positive.
        let mut h = Array2::from_shape_fn((n + 1, n), |_| random.between(-1.0, 1.0));
        let sum = h.slice(ndarray::s![..n, ..]).sum_axis(Axis(0));
        h.row_mut(n).assign(&(-sum));
        let mut rows = random_rows(&mut random, (n, 3 * n));
        for (label, row) in h.rows().into_iter().enumerate() {
            rows.push(1000 + label, row.iter().copied().enumerate(), 0.1);
        }
        let mut faces = PolyhedronActiveSet::default();
        let free = vector(&mut random, n, 1.0);
        let mut x = free.clone();
        let info = faces.solve(&rows, |_| (), &mut x).unwrap();
        assert_eq!((info.status, &x), (Status::NoSolution, &free));
        let y = faces.certificate();
        assert!(y.iter().all(|y| *y >= 0.0) && dot(y, rows.bounds()) > 0.0, "{y:?}");
        let mut sum = vec![0.0; n];
        for (row, y) in y.iter().enumerate() {
            rows.entries(row).for_each(|(column, value)| sum[column] += y * value);
        }
        assert!(sum.iter().map(|sum| sum.abs()).fold(0.0, worse) < 1e-9, "{sum:?}");
        // The next polyhedron is not empty.
        let rows = random_rows(&mut random, (n, 3 * n));
        assert!(faces.solve(&rows, |_| (), &mut x).unwrap().status.is_success());
        assert!(faces.certificate().is_empty());
    }
}

#[test]
fn responses_that_are_not_definite_end_honestly() {
    let mut rows = Inequalities::new(1);
    rows.push(0, [(0, 1.0)], 1.0);
    let mut x = [0.0];
    // The response is negative: a multiplier that should increase x decreases it.
    let info = PolyhedronActiveSet::default().solve(&rows, |normal| normal[0] *= -1.0, &mut x).unwrap();
    assert!(!info.status.is_success() && x == [0.0], "{info:?}");
    let mut x = [2.0];
    let info = PolyhedronActiveSet::default().solve(&rows, |normal| normal[0] *= -1.0, &mut x).unwrap();
    assert!(info.status.is_success() && x == [2.0], "{info:?}");
    let info = PolyhedronActiveSet::default().solve(&rows, |normal| normal[0] = f64::NAN, &mut [0.0]);
    assert!(!info.is_ok_and(|info| info.status.is_success()));
}

#[test]
fn what_is_no_list_of_inequalities() {
    let mut faces = PolyhedronActiveSet::default();
    let mut rows = Inequalities::new(2);
    rows.push(0, [(0, 1.0)], 0.0);
    rows.push(1, [(1, 1.0), (2, 1.0)], 0.0);
    let error = faces.solve(&rows, |_| (), &mut [0.0; 2]).unwrap_err();
    let position = ProblemError::from(MatrixError::EntryPosition { row: 1, column: 2, rows: 2, columns: 2 });
    assert_eq!(error, SolverError::Problem(position));
    for (entry, bound, what) in [(f64::NAN, 0.0, "H"), (1.0, f64::INFINITY, "k")] {
        rows.clear();
        rows.push(0, [(0, entry)], bound);
        let error = faces.solve(&rows, |_| (), &mut [0.0; 2]).unwrap_err();
        assert!(
            matches!(&error, SolverError::Problem(ProblemError::NotFinite { what: found, index: 0, .. }) if *found == what),
            "{error}"
        );
    }
    rows.clear();
    assert!(faces.solve(&rows, |_| (), &mut [0.0]).is_err());
    assert!(faces.solve(&rows, |_| (), &mut [0.0, f64::NAN]).is_err());
    let mut x = [3.0, -4.0];
    assert!(faces.solve(&rows, |_| (), &mut x).unwrap().status.is_success());
    assert_eq!(x, [3.0, -4.0]);
}

#[test]
fn calls_allocate_nothing() {
    let mut random = RandomState::new(31);
    let (all, points) = (random_rows(&mut random, (20, 100)), vector(&mut random, 400, 3.0));
    let (mut faces, mut rows) = (PolyhedronActiveSet::default(), Inequalities::new(20));
    let mut run = |turn: f64| {
        for free in points.chunks_exact(20) {
            rows.clear();
            for row in 0..all.len() {
                let entries = all.entries(row).map(|(column, value)| (column, value + turn * 1e-3));
                rows.push(row, entries, all.bounds()[row]);
            }
            let mut x = [0.0; 20];
            x.copy_from_slice(free);
            assert!(faces.solve(&rows, |_| (), &mut x).unwrap().status.is_success());
        }
    };
    run(0.0);
    run(1.0);
    assert_eq!(count_allocations(|| run(2.0)), 0);
}
