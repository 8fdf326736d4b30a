//! Affine variational inequalities: K has the unit of H z, multipliers have the unit of w divided by the unit
//! of H, and each row of H has its own unit.

use ndarray::{Array2, array};
use siconos_linalg::Matrix;
use siconos_numerics::avi::{AviMethod, AviProblem, error};
use siconos_numerics::{Method, Status};
use siconos_testkit::random::RandomState;

use crate::units::{Ended, STORAGES, Units, check, failure, is_near, times};

#[derive(Clone, Debug)]
struct Known {
    name: &'static str,
    m: Array2<f64>,
    q: Vec<f64>,
    h: Array2<f64>,
    k: Vec<f64>,
    has_solution: bool,
}

/// Draws simplices and boxes around the point 0.3, .. with random cuts, and definite matrices with a skew
/// part.
fn random(n: usize, seed: u32) -> Known {
    let mut random = RandomState::new(seed);
    let a = Array2::from_shape_fn((n, n), |_| random.standard_normal());
    let b = Array2::from_shape_fn((n, n), |_| random.standard_normal());
    let m = a.dot(&a.t()) / n as f64 + Array2::<f64>::eye(n) + &b - b.t();
    let q = (0..n).map(|_| 4.0 * random.standard_normal()).collect();
    let h = Array2::from_shape_fn((2 * n + 3, n), |(i, j)| match i {
        i if i < n => f64::from(u8::from(i == j)),
        i if i < 2 * n => -f64::from(u8::from(i - n == j)),
        _ => random.standard_normal(),
    });
    let k = h.rows().into_iter().map(|row| 0.3 * row.sum() - 0.7).collect();
    Known { name: "random", m, q, h, k, has_solution: true }
}

fn problems() -> Vec<Known> {
    let triangle = || array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
    let known = |name, m, q: &[f64], h, k: &[f64], has_solution| Known {
        name,
        m,
        q: q.to_vec(),
        h,
        k: k.to_vec(),
        has_solution,
    };
    let eye = || array![[1.0, 0.0], [0.0, 1.0]];
    let mut problems: Vec<Known> =
        [(1, 1), (3, 2), (6, 3), (10, 4)].into_iter().map(|(n, seed)| random(n, seed)).collect();
    problems.extend([
        known("triangle", eye(), &[-2.0, -0.5], triangle(), &[0.0, 0.0, -1.0], true),
        known(
            "off the origin",
            array![[3.0, -1.0], [2.0, 1.0]],
            &[0.0, 0.0],
            triangle(),
            &[2.0, 3.0, -8.0],
            true,
        ),
        known("without q", eye(), &[0.0, 0.0], triangle(), &[0.0, -1.0, -1.0], true),
        known(
            "a line",
            array![[2.0, 1.0], [-1.0, 3.0]],
            &[1.0, -4.0],
            array![[1.0, 0.0], [-1.0, 0.0]],
            &[-1.0, -2.0],
            true,
        ),
        known(
            "without a diagonal",
            array![[0.0, 2.0], [-2.0, 0.0]],
            &[1.0, -0.5],
            triangle(),
            &[0.0, 0.0, -1.0],
            true,
        ),
        known("a row of zeros", eye(), &[-2.0, 3.0], array![[0.0, 0.0], [-1.0, 2.0]], &[-1.0, -0.25], true),
        known("empty", eye(), &[-2.0, 3.0], triangle(), &[1.0, 1.0, -1.0], false),
    ]);
    problems
}

/// Solves in other units, with rows of H multiplied by other powers of two.
fn solve(
    method: &AviMethod,
    known: &Known,
    store: fn(&Array2<f64>) -> Matrix,
    of_row: fn(usize) -> f64,
    units: Units,
) -> Ended {
    let (m, q) = (store(&(&known.m * units.of_m())), times(&known.q, units.of_w()));
    let h = Array2::from_shape_fn(known.h.dim(), |(i, j)| known.h[[i, j]] * of_row(i));
    let k: Vec<f64> = known.k.iter().enumerate().map(|(i, k)| k * of_row(i) * units.of_z()).collect();
    let problem = AviProblem::new(&m, &q, h.view(), &k).unwrap();
    let (mut z, mut lambda) = (vec![0.0; q.len()], vec![0.0; k.len()]);
    let mut solver = method.build().unwrap();
    let info = solver.solve(&problem, &mut z, &mut lambda).ok()?;
    let mut back = times(&z, 1.0 / units.of_z());
    back.extend(lambda.iter().enumerate().map(|(i, lambda)| lambda * of_row(i) / units.of_w()));
    // A second solve starts from the solution.
    let again = solver.solve(&problem, &mut z, &mut lambda).ok()?;
    back.push(again.iterations as f64);
    back.extend(times(&z, 1.0 / units.of_z()));
    Some((info, back))
}

#[test]
fn every_method_is_the_same_in_all_units() {
    let mut failures = Vec::new();
    for method in AviMethod::all() {
        let name = method.description().name;
        let mut solved = 0;
        for known in problems() {
            for (storage, store) in STORAGES.into_iter().enumerate() {
                let run = |units| solve(&method, &known, store, |_| 1.0, units);
                solved += usize::from(run(Units::GIVEN).is_some_and(|(info, _)| info.status.is_success()));
                failures.extend(
                    failure(run, known.has_solution)
                        .map(|what| format!("{name}, {}, {storage}, {what}", known.name)),
                );
                let rows: fn(usize) -> f64 = |i| 2.0_f64.powi([0, 17, -40, 3, 25][i % 5]);
                let (expected, found) =
                    (run(Units::GIVEN), solve(&method, &known, store, rows, Units::GIVEN));
                // A row of zeros has the mean unit of the other rows.
                if known.name != "a row of zeros" && known.has_solution {
                    failures.extend(
                        crate::units::difference(&expected, &found)
                            .map(|what| format!("{name}, {}, {storage}, rows of H: {what}", known.name)),
                    );
                }
            }
        }
        assert!(solved >= 9, "{name}: {solved}");
    }
    check(&failures);
}

#[test]
fn an_empty_polyhedron_is_empty_in_any_unit() {
    let known = problems().pop().unwrap();
    for method in AviMethod::all() {
        for units in Units::ALL {
            let ended = solve(&method, &known, STORAGES[0], |_| 1.0, units);
            assert_eq!(ended.map(|(info, _)| info.status), Some(Status::NoSolution), "{units:?}");
        }
    }
}

#[test]
fn other_factors_change_no_answer() {
    let mut failures = Vec::new();
    for method in AviMethod::all() {
        for known in problems().into_iter().filter(|known| known.has_solution) {
            let run = |of_m: f64, of_q: f64| -> Ended {
                let (m, q) = (&known.m * of_m, times(&known.q, of_q));
                let k = times(&known.k, of_q / of_m);
                let problem = AviProblem::new(&m, &q, known.h.view(), &k).unwrap();
                let (mut z, mut lambda) = (vec![0.0; q.len()], vec![0.0; k.len()]);
                let info = method.build().unwrap().solve(&problem, &mut z, &mut lambda).ok()?;
                Some((info, times(&z, of_m / of_q)))
            };
            let expected = run(1.0, 1.0);
            for (of_m, of_q) in [(3e6, 1.0), (7e-7, 1.0), (1.0, 1.1e-9), (3e-3, 5e6)] {
                let found = run(of_m, of_q);
                if !is_near(&expected, &found) {
                    let name = method.description().name;
                    failures
                        .push(format!("{name}, {}, {of_m:e}, {of_q:e}: {expected:?} {found:?}", known.name));
                }
            }
        }
    }
    check(&failures);
}

#[test]
fn the_measure_by_hand() {
    // M = 2 with the faces 3 z >= 6 and -z >= -4. At z = 3 with lambda = (1, 0): w = 2 - 3 = -1, and the
    // distances 1 and 1 are multiplied by 2. The first pair is 3 and 2, the second 0 and 2. The error is
    // relative to |q| = 4 and to 2 times the distance 2 from 0.
    let (m, h) = (array![[2.0]], array![[3.0], [-1.0]]);
    let problem = AviProblem::new(&m, &[-4.0], h.view(), &[6.0, -4.0]).unwrap();
    assert_eq!(error(&problem, &[3.0], &[1.0, 0.0]), 5.0_f64.sqrt() / 8.0);
    // At the solution z = 2, the multipliers are zero.
    assert_eq!(error(&problem, &[2.0], &[0.0, 0.0]), 0.0);
    // With q = 0, the error is relative to the point.
    let problem = AviProblem::new(&m, &[0.0], h.view(), &[0.0, -4.0]).unwrap();
    assert_eq!(error(&problem, &[0.0], &[0.0, 0.0]), 0.0);
    assert_eq!(error(&problem, &[1.0], &[0.0, 0.0]), 1.0);
    assert!(error(&problem, &[f64::NAN], &[0.0, 0.0]).is_nan());
}
