//! Mixed linear complementarity problems.

use ndarray::{Array2, array};
use siconos_linalg::Matrix;
use siconos_numerics::Method;
use siconos_numerics::mlcp::{MlcpMethod, MlcpProblem, MlcpRow, error, error_of_point};
use siconos_testkit::mlcp::{KnownMlcp, every_family};

use crate::units::{Ended, STORAGES, Units, check, failure, is_near, times};

fn problems() -> Vec<KnownMlcp> {
    let mut problems: Vec<_> =
        [(2, 1), (5, 2), (9, 3), (14, 4)].into_iter().flat_map(|(n, s)| every_family(n, s)).collect();
    // A problem with q = 0, and a problem with a zero diagonal.
    let mut still = problems[3].clone();
    still.name = "without q".to_owned();
    still.q.fill(0.0);
    let rows = vec![MlcpRow::Equality, MlcpRow::Complementarity, MlcpRow::Complementarity];
    let hollow = KnownMlcp {
        name: "without a diagonal".to_owned(),
        m: array![[0.0, 1.0, -2.0], [1.0, 0.0, 0.5], [3.0, -0.5, 0.0]],
        q: vec![-3.0, 2.0, 7.0],
        z: vec![-2.0, 3.0, 0.0],
        rows,
        is_unique: false,
        has_regular_equations: false,
    };
    problems.extend([still, hollow]);
    problems
}

fn solve(
    method: &MlcpMethod,
    known: &KnownMlcp,
    store: fn(&Array2<f64>) -> Matrix,
    guess: &[f64],
    units: Units,
) -> Ended {
    let (m, q) = (store(&(&known.m * units.of_m())), times(&known.q, units.of_w()));
    let (mut z, mut w) = (times(guess, units.of_z()), vec![0.0; q.len()]);
    let problem = MlcpProblem::new(&m, &q, &known.rows).unwrap();
    let mut solver = method.build().unwrap();
    let first = solver.solve(&problem, &mut z, &mut w).ok()?;
    let mut back = times(&z, 1.0 / units.of_z());
    // Two more solves use the workspace of the solver: from the solution, and from the initial guess.
    for start in [back.clone(), guess.to_vec()] {
        z = times(&start, units.of_z());
        let again = solver.solve(&problem, &mut z, &mut w).ok()?;
        back.extend(times(&z, 1.0 / units.of_z()));
        back.push(again.iterations as f64);
    }
    Some((first, back))
}

#[test]
fn every_method_is_the_same_in_all_units() {
    let solved = check_storage(0);
    assert!(solved.iter().all(|(_, solved)| *solved >= 10), "{solved:?}");
}

#[test]
fn so_it_is_for_sparse_matrices() {
    check_storage(1);
}

#[test]
fn so_it_is_for_matrices_of_blocks() {
    check_storage(2);
}

/// Checks all methods with one of the storage formats. Returns the number of problems that each solves.
fn check_storage(storage: usize) -> Vec<(&'static str, usize)> {
    let mut failures = Vec::new();
    let mut all = Vec::new();
    for method in MlcpMethod::all() {
        let name = method.description().name;
        let mut solved = 0;
        for known in problems() {
            for guess in [0.0, 0.75] {
                let guess = vec![guess; known.size()];
                let run = |units| solve(&method, &known, STORAGES[storage], &guess, units);
                solved += usize::from(run(Units::GIVEN).is_some_and(|(info, _)| info.status.is_success()));
                failures.extend(
                    failure(run, true).map(|what| format!("{name}, {}, {storage}, {what}", known.name)),
                );
            }
        }
        all.push((name, solved));
    }
    check(&failures);
    all
}

#[test]
fn other_factors_change_no_answer() {
    let mut failures = Vec::new();
    for method in MlcpMethod::all() {
        for known in problems().into_iter().filter(|known| known.is_unique) {
            let run = |of_m: f64, of_q: f64| -> Ended {
                let (m, q) = (&known.m * of_m, times(&known.q, of_q));
                let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
                let problem = MlcpProblem::new(&m, &q, &known.rows).unwrap();
                let info = method.build().unwrap().solve(&problem, &mut z, &mut w).ok()?;
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
fn the_measure_has_no_unit() {
    for known in problems() {
        for store in STORAGES {
            let z: Vec<f64> = (0..known.size()).map(|i| 0.3 + (i as f64).sin()).collect();
            let of = |units: Units| {
                let (m, q) = (store(&(&known.m * units.of_m())), times(&known.q, units.of_w()));
                let problem = MlcpProblem::new(&m, &q, &known.rows).unwrap();
                error_of_point(&problem, &times(&z, units.of_z()), &mut vec![0.0; z.len()])
            };
            let expected = of(Units::GIVEN);
            assert!(expected > 1e-2, "{}: {expected}", known.name);
            for units in Units::ALL {
                assert_eq!(of(units).to_bits(), expected.to_bits(), "{}, {units:?}", known.name);
            }
        }
    }
}

#[test]
fn light_bodies_are_not_solved_by_being_light() {
    // An impulse of 1e-7 on a body of mass 1e-6 is a velocity of 0.1, which is not a rounding error.
    let m = array![[1e6, 0.0], [0.0, 1e6]];
    let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
    let problem = MlcpProblem::new(&m, &[0.0, -0.1], &rows).unwrap();
    assert_eq!(error(&problem, &[0.0, 0.0], &[0.0, -0.1]), 1.0);
    assert_eq!(error(&problem, &[0.0, 2e-7], &[0.0, 0.1]), 1.0);
}
