//! Generic mechanical problems, with blocks with different laws.

use ndarray::{Array1, Array2};
use siconos_linalg::Matrix;
use siconos_numerics::Method;
use siconos_numerics::gmp::{GenericMechanicalProblem, GmpMethod, MechanicalLaw, error_of_point};
use siconos_testkit::random::RandomState;

use crate::units::{Ended, STORAGES, Units, check, failure, is_near, times};

struct Known {
    name: String,
    m: Array2<f64>,
    q: Vec<f64>,
    laws: Vec<MechanicalLaw>,
}

/// Draws joints, stops, relays and contacts on the same bodies.
fn random(seed: u32, freedoms: usize, skew: f64) -> Known {
    let mut random = RandomState::new(seed);
    let laws = vec![
        MechanicalLaw::Equality { size: 2 },
        MechanicalLaw::Friction3 { mu: 0.4 },
        MechanicalLaw::Complementarity { size: 2 },
        MechanicalLaw::Relay { lower: vec![-0.5, -f64::INFINITY], upper: vec![0.3, 0.2] },
        MechanicalLaw::Friction2 { mu: 0.7 },
        MechanicalLaw::Complementarity { size: 1 },
    ];
    let n: usize = laws.iter().map(MechanicalLaw::size).sum();
    let h = Array2::from_shape_fn((n, freedoms), |_| random.standard_normal());
    let turn = Array2::from_shape_fn((n, n), |_| skew * random.standard_normal());
    let m = h.dot(&h.t()) / freedoms as f64 + &turn - turn.t();
    // q is in the range of the impulses, so that a solution exists.
    let free = Array1::from_shape_fn(freedoms, |_| random.standard_normal());
    let q = h.dot(&free).to_vec();
    Known { name: format!("{freedoms} freedoms, {seed}, skew {skew}"), m, q, laws }
}

fn problems() -> Vec<Known> {
    let mut problems: Vec<_> = (1..4).map(|seed| random(seed, 30, 0.0)).collect();
    problems.extend((4..7).map(|seed| random(seed, 30, 0.05)));
    problems.extend((7..9).map(|seed| random(seed, 11, 0.0)));
    let mut still = random(1, 30, 0.0);
    still.name = "without q".to_owned();
    still.q.fill(0.0);
    let mut pushed = random(2, 30, 0.0);
    pushed.name = "a relay that is always on".to_owned();
    pushed.laws[3] = MechanicalLaw::Relay { lower: vec![0.25, -2.0], upper: vec![0.25, -1.0] };
    pushed.q.fill(0.0);
    let mut loose = random(3, 30, 0.0);
    loose.name = "a stop without a diagonal".to_owned();
    let last = loose.q.len() - 1;
    loose.m.row_mut(last).fill(0.0);
    loose.m.column_mut(last).fill(0.0);
    loose.q[last] = 1.0;
    problems.extend([still, pushed, loose]);
    problems
}

fn changed(
    known: &Known,
    store: fn(&Array2<f64>) -> Matrix,
    (of_m, of_w): (f64, f64),
) -> GenericMechanicalProblem {
    let laws = known.laws.iter().map(|law| match law {
        MechanicalLaw::Relay { lower, upper } => {
            MechanicalLaw::Relay { lower: times(lower, of_w / of_m), upper: times(upper, of_w / of_m) }
        }
        law => law.clone(),
    });
    GenericMechanicalProblem::new(store(&(&known.m * of_m)), times(&known.q, of_w).into(), laws.collect())
        .unwrap()
}

fn solve(method: &GmpMethod, problem: &GenericMechanicalProblem, guess: &[f64], of_z: f64) -> Ended {
    let (mut z, mut w) = (times(guess, of_z), vec![0.0; guess.len()]);
    let info = method.build().unwrap().solve(problem, &mut z, &mut w).ok()?;
    Some((info, times(&z, 1.0 / of_z)))
}

#[test]
fn every_method_is_the_same_in_all_units() {
    let mut failures = Vec::new();
    for mut method in GmpMethod::all() {
        let name = method.description().name;
        method.set_max_iterations(300);
        let mut solved = 0;
        for known in problems() {
            for (storage, store) in STORAGES.into_iter().enumerate() {
                for guess in [0.0, 0.75] {
                    let guess = vec![guess; known.q.len()];
                    let run = |units: Units| {
                        let problem = changed(&known, store, (units.of_m(), units.of_w()));
                        solve(&method, &problem, &guess, units.of_z())
                    };
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
fn other_factors_change_no_answer() {
    let mut failures = Vec::new();
    for method in GmpMethod::all() {
        for seed in 1..4 {
            let known = random(seed, 30, 0.0);
            let run = |of_m: f64, of_q: f64| {
                let problem = changed(&known, STORAGES[0], (of_m, of_q));
                solve(&method, &problem, &vec![0.0; known.q.len()], of_q / of_m)
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
            let z: Vec<f64> = (0..known.q.len()).map(|i| 0.3 + (i as f64).sin()).collect();
            let of = |units: Units| {
                let problem = changed(&known, store, (units.of_m(), units.of_w()));
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
