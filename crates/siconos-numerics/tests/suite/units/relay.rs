//! Relays: linear complementarity problems with bounds, which are in the unit of z.

use ndarray::{Array2, array};
use siconos_linalg::Matrix;
use siconos_numerics::Method;
use siconos_numerics::relay::{RelayMethod, RelayProblem, error_of_point};
use siconos_testkit::relay::{KnownRelay, every_family};

use crate::units::{Ended, STORAGES, Units, check, failure, is_near, times};

fn problems() -> Vec<KnownRelay> {
    let mut problems: Vec<_> =
        [(1, 5), (2, 1), (5, 2), (8, 3), (14, 4)].into_iter().flat_map(|(n, s)| every_family(n, s)).collect();
    let infinite = f64::INFINITY;
    let known = |name: &str, m: Array2<f64>, q: Vec<f64>, lower: Vec<f64>, upper: Vec<f64>| KnownRelay {
        name: name.to_owned(),
        z: vec![0.0; q.len()],
        m,
        q,
        lower,
        upper,
        is_unique: false,
        is_symmetric: false,
    };
    let m = || array![[3.0, 1.0, -0.5], [0.5, 2.0, 1.0], [-1.0, 0.25, 4.0]];
    problems.extend([
        known(
            "one bound, none, and a constant",
            m(),
            vec![-1.0, 2.0, 3.0],
            vec![0.0, -infinite, 0.7],
            vec![infinite, infinite, 0.7],
        ),
        known(
            "an upper bound",
            m(),
            vec![-5.0, 2.0, 3.0],
            vec![-infinite, -0.3, -infinite],
            vec![0.5, 0.2, 0.4],
        ),
        known("bounds without 0", m(), vec![0.0; 3], vec![0.5, -2.0, 1.0], vec![0.75, -1.0, infinite]),
        known("without q", m(), vec![0.0; 3], vec![-1.0; 3], vec![1.0; 3]),
        known(
            "without a diagonal",
            array![[0.0, 2.0], [-3.0, 0.0]],
            vec![1.0, -0.5],
            vec![-1.0; 2],
            vec![1.0; 2],
        ),
        known(
            "half a diagonal",
            array![[2.0, 1.0], [-1.0, 0.0]],
            vec![-3.0, 0.25],
            vec![-1.0, 0.0],
            vec![1.0, 2.0],
        ),
        known("indefinite", array![[0.0, -3.0], [1.0, -1.0]], vec![1.0, 0.5], vec![-1.0; 2], vec![1.0; 2]),
    ]);
    problems
}

fn solve(
    method: &RelayMethod,
    known: &KnownRelay,
    store: fn(&Array2<f64>) -> Matrix,
    guess: &[f64],
    units: Units,
) -> Ended {
    let (m, q) = (store(&(&known.m * units.of_m())), times(&known.q, units.of_w()));
    let (lower, upper) = (times(&known.lower, units.of_z()), times(&known.upper, units.of_z()));
    let (mut z, mut w) = (times(guess, units.of_z()), vec![0.0; q.len()]);
    let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
    let info = method.build().unwrap().solve(&problem, &mut z, &mut w).ok()?;
    Some((info, times(&z, 1.0 / units.of_z())))
}

#[test]
fn every_method_is_the_same_in_all_units() {
    let mut failures = Vec::new();
    for method in RelayMethod::all() {
        let name = method.description().name;
        let mut solved = 0;
        for known in problems().into_iter().filter(|known| name != "enumeration" || known.size() <= 8) {
            for (storage, store) in STORAGES.into_iter().enumerate() {
                for guess in [0.0, 0.75] {
                    let guess = vec![guess; known.size()];
                    let run = |units| solve(&method, &known, store, &guess, units);
                    solved +=
                        usize::from(run(Units::GIVEN).is_some_and(|(info, _)| info.status.is_success()));
                    failures.extend(
                        failure(run, true).map(|what| format!("{name}, {}, {storage}, {what}", known.name)),
                    );
                }
            }
        }
        assert!(solved >= 30, "{name}: {solved}");
    }
    check(&failures);
}

#[test]
fn there_is_no_solution_in_any_unit() {
    let known = KnownRelay {
        name: "unsolvable".to_owned(),
        m: array![[-1.0, 0.0], [0.0, 1.0]],
        q: vec![-1.0, -3.0],
        lower: vec![0.0; 2],
        upper: vec![f64::INFINITY; 2],
        z: vec![0.0; 2],
        is_unique: false,
        is_symmetric: true,
    };
    for method in RelayMethod::all() {
        let run = |units| solve(&method, &known, STORAGES[0], &[0.0; 2], units);
        check(&failure(run, false).into_iter().collect::<Vec<_>>());
    }
    let proven = solve(
        &RelayMethod::from_name("enumeration").unwrap(),
        &known,
        STORAGES[0],
        &[0.0; 2],
        Units { m: -40, w: 31 },
    );
    assert_eq!(proven.map(|(info, _)| info.status), Some(siconos_numerics::Status::NoSolution));
}

#[test]
fn other_factors_change_no_answer() {
    let mut failures = Vec::new();
    for method in RelayMethod::all() {
        for known in problems().into_iter().filter(|known| known.is_unique && known.size() <= 8) {
            let run = |of_m: f64, of_q: f64| -> Ended {
                let (m, q, of_z) = (&known.m * of_m, times(&known.q, of_q), of_q / of_m);
                let (lower, upper) = (times(&known.lower, of_z), times(&known.upper, of_z));
                let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
                let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
                let info = method.build().unwrap().solve(&problem, &mut z, &mut w).ok()?;
                Some((info, times(&z, 1.0 / of_z)))
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
                let (lower, upper) = (times(&known.lower, units.of_z()), times(&known.upper, units.of_z()));
                let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
                error_of_point(&problem, &times(&z, units.of_z()), &mut vec![0.0; z.len()])
            };
            let expected = of(Units::GIVEN);
            assert!(expected > 1e-3, "{}: {expected}", known.name);
            for units in Units::ALL {
                assert_eq!(of(units).to_bits(), expected.to_bits(), "{}, {units:?}", known.name);
            }
        }
    }
}

#[test]
fn bounds_of_a_complementarity_problem_have_its_measure() {
    let (m, q) = (array![[2.0, 1.0], [1.0, 0.0]], [-1.0, 0.5]);
    let relay = RelayProblem::new(&m, &q, &[0.0; 2], &[f64::INFINITY; 2]).unwrap();
    let lcp = siconos_numerics::lcp::LcpProblem::new(&m, &q).unwrap();
    for z in [[0.0, 0.0], [0.25, 1.0], [3.0, 0.0]] {
        let of_lcp = siconos_numerics::lcp::error_of_point(&lcp, &z, &mut [0.0; 2]);
        assert_eq!(error_of_point(&relay, &z, &mut [0.0; 2]), of_lcp, "{z:?}");
    }
}
