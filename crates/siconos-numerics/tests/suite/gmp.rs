//! Problems whose blocks have different laws.

use std::path::Path;

use crate::support::tokens::Tokens;
use ndarray::{Array1, Array2, array};
use siconos_linalg::{Csc, Matrix};
use siconos_numerics::gmp::{
    Auto, EqualityElimination, GenericMechanicalProblem, Gmp, GmpMethod, MechanicalLaw, error_of_point,
    siconos_error,
};
use siconos_numerics::{Method, ProblemError, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::compare::largest_difference;
use siconos_testkit::random::RandomState as Random;
use siconos_testkit::reference;

fn read(path: &Path) -> GenericMechanicalProblem {
    let read = || -> Result<_, String> {
        let text = reference::text(path).map_err(|error| error.to_string())?;
        let mut tokens = Tokens::of(&text);
        let Matrix::BlockCsr(m) = tokens.matrix()? else { return Err("the matrix has no blocks".into()) };
        let q = tokens.vector(m.rows())?;
        let mut laws = Vec::new();
        for ends in m.row_starts().windows(2) {
            let size = ends[1] - ends[0];
            laws.push(match tokens.next::<u8>()? {
                0 => MechanicalLaw::Complementarity { size },
                2 => MechanicalLaw::Equality { size },
                3 => MechanicalLaw::Friction2 { mu: tokens.next()? },
                4 => MechanicalLaw::Friction3 { mu: tokens.next()? },
                other => return Err(format!("blocks of type {other} do not occur here")),
            });
        }
        GenericMechanicalProblem::new(m, q, laws).map_err(|error| error.to_string())
    };
    read().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn solve(
    solver: &mut dyn Solver<Class = Gmp>,
    problem: &GenericMechanicalProblem,
) -> (Vec<f64>, Vec<f64>, SolveInfo) {
    let (mut z, mut w) = (vec![0.0; problem.size()], vec![0.0; problem.size()]);
    let info = solver.solve(problem, &mut z, &mut w).expect("the data are fine");
    (z, w, info)
}

/// Returns the violation of the laws by a pair, computed from the laws and not from projections:
/// complementarity and the three cases of Coulomb's law. It is zero exactly at solutions.
fn violation(problem: &GenericMechanicalProblem, z: &[f64]) -> f64 {
    let w = problem.m().to_dense().dot(&Array1::from(z.to_vec())) + Array1::from(problem.q().to_vec());
    let mut worst = 0.0_f64;
    let mut note = |x: f64| worst = worst.max(x);
    for (block, law) in problem.laws().iter().enumerate() {
        let range = problem.range(block);
        let (z, w) = (&z[range.clone()], &w.as_slice().expect("contiguous")[range]);
        match law {
            MechanicalLaw::Equality { .. } => w.iter().for_each(|w| note(w.abs())),
            MechanicalLaw::Complementarity { .. } => {
                for (z, w) in z.iter().zip(w) {
                    note((-z).max(-w).max((z * w).abs().min(z.abs().min(w.abs()))));
                }
            }
            MechanicalLaw::Relay { lower, upper } => {
                for ((z, w), (l, u)) in z.iter().zip(w).zip(lower.iter().zip(upper)) {
                    note((l - z).max(z - u));
                    note((-w).max(0.0).min((u - z).abs()).max(w.max(0.0).min((z - l).abs())));
                }
            }
            MechanicalLaw::Friction2 { mu } | MechanicalLaw::Friction3 { mu } => {
                let (z_t, w_t) = (&z[1..], &w[1..]);
                let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
                note((-z[0]).max(-w[0]).max(z[0].min(w[0])));
                note(length(z_t) - mu * z[0]);
                // Sliding: friction is opposite to the velocity and at its bound.
                let dissipated: f64 = z_t.iter().zip(w_t).map(|(z, w)| z * w).sum();
                note((dissipated + mu * z[0] * length(w_t)).abs().min(length(w_t)));
            }
            MechanicalLaw::Rolling3 { mu, mu_rolling } | MechanicalLaw::Rolling5 { mu, mu_rolling } => {
                let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
                note((-z[0]).max(-w[0]).max(z[0].min(w[0])));
                let velocities = z.len().div_ceil(2);
                for (rows, mu) in [(1..velocities, mu), (velocities..z.len(), mu_rolling)] {
                    let (z_t, w_t) = (&z[rows.clone()], &w[rows]);
                    note(length(z_t) - mu * z[0]);
                    let dissipated: f64 = z_t.iter().zip(w_t).map(|(z, w)| z * w).sum();
                    note((dissipated + mu * z[0] * length(w_t)).abs().min(length(w_t)));
                }
            }
            _ => panic!("a law without a check"),
        }
    }
    worst
}

const FILES: [&str; 3] = ["GMP0.dat", "GMP2.dat", "GMP4.dat"];

#[test]
fn every_method_solves_the_reference_files() {
    let Some(folder) = reference::folder("gmp") else { return };
    for name in FILES {
        let problem = read(&folder.join(name));
        for method in GmpMethod::all() {
            let mut solver = method.build().expect("valid settings");
            let (z, _, info) = solve(solver.as_mut(), &problem);
            let (error, violation) =
                (error_of_point(&problem, &z, &mut vec![0.0; z.len()]), violation(&problem, &z));
            println!("{name}: {}: {info:?}, violation {violation:e}", solver.name());
            assert!(
                info.status.is_success() && error <= 1e-10 && violation <= 1e-8,
                "{name}: {}",
                solver.name()
            );
            assert!((error - info.error).abs() <= 1e-15);
        }
    }
}

fn mixed_laws(random: &mut Random, bodies: usize) -> Vec<MechanicalLaw> {
    (0..bodies)
        .map(|_| match random.integer(0, 6) {
            0 => MechanicalLaw::Equality { size: random.integer(1, 5) as usize },
            1 => MechanicalLaw::Complementarity { size: random.integer(1, 4) as usize },
            2 => {
                let size = random.integer(1, 3) as usize;
                let lower = (0..size).map(|_| random.between(-1.0, 0.0)).collect();
                let upper = (0..size).map(|k| if k == 0 { f64::INFINITY } else { random.between(0.0, 1.0) });
                MechanicalLaw::Relay { lower, upper: upper.collect() }
            }
            3 => MechanicalLaw::Friction2 { mu: random.between(0.0, 0.8) },
            4 => {
                MechanicalLaw::Rolling3 { mu: random.between(0.0, 0.8), mu_rolling: random.between(0.0, 0.3) }
            }
            5 => {
                MechanicalLaw::Rolling5 { mu: random.between(0.0, 0.8), mu_rolling: random.between(0.0, 0.3) }
            }
            _ => MechanicalLaw::Friction3 { mu: random.between(0.0, 0.8) },
        })
        .collect()
}

/// Draws a problem with a Delassus matrix G G^T + d I and laws of all kinds.
fn mixed(random: &mut Random, blocks: usize) -> GenericMechanicalProblem {
    let laws = mixed_laws(random, blocks);
    let n = laws.iter().map(MechanicalLaw::size).sum();
    let g = Array2::from_shape_fn((n, n + 2), |_| random.between(-1.0, 1.0));
    let m = g.dot(&g.t()) / n as f64 + Array2::from_diag_elem(n, 0.3);
    let q = Array1::from_iter((0..n).map(|_| random.between(-2.0, 1.0)));
    GenericMechanicalProblem::new(m, q, laws).expect("the parts fit")
}

#[test]
fn mixed_problems_are_solved() {
    let mut random = Random::new(17);
    for case in 0..30 {
        let problem = mixed(&mut random, 2 + case % 7);
        let mut solver = Auto::default();
        let (z, w, info) = solve(&mut solver, &problem);
        let violation = violation(&problem, &z);
        assert!(info.status.is_success(), "{case}: {info:?} {:?}", solver.trace());
        assert!(info.error <= 1e-10 && violation <= 1e-8, "{case}: {info:?}, {violation:e}");
        let m = problem.m().to_dense();
        let expected = m.dot(&Array1::from(z)) + Array1::from(problem.q().to_vec());
        assert!(expected.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}

#[test]
fn without_friction_all_methods_agree_in_every_storage() {
    let mut random = Random::new(23);
    for _ in 0..10 {
        let problem = mixed(&mut random, 6);
        let laws: Vec<_> = problem
            .laws()
            .iter()
            .map(|law| match law {
                MechanicalLaw::Friction2 { .. } => MechanicalLaw::Friction2 { mu: 0.0 },
                MechanicalLaw::Friction3 { .. } => MechanicalLaw::Friction3 { mu: 0.0 },
                MechanicalLaw::Rolling3 { .. } => MechanicalLaw::Rolling3 { mu: 0.0, mu_rolling: 0.0 },
                MechanicalLaw::Rolling5 { .. } => MechanicalLaw::Rolling5 { mu: 0.0, mu_rolling: 0.0 },
                other => other.clone(),
            })
            .collect();
        let (m, q) = (problem.m().to_dense(), Array1::from(problem.q().to_vec()));
        let sparse = Csc::from_matrix((&m).into());
        let dense = GenericMechanicalProblem::new(m, q.clone(), laws.clone()).expect("the parts fit");
        let sparse = GenericMechanicalProblem::new(sparse, q, laws).expect("the parts fit");
        let (reference, ..) = solve(&mut Auto::default(), &dense);
        for method in GmpMethod::all() {
            for problem in [&dense, &sparse] {
                let mut solver = method.build().expect("valid settings");
                let (z, _, info) = solve(solver.as_mut(), problem);
                assert!(info.status.is_success(), "{}: {info:?}", solver.name());
                // With a positive definite matrix and without friction, the solution is unique.
                let difference = largest_difference(&z, &reference);
                assert!(difference < 1e-7, "{}: {difference:e}", solver.name());
            }
        }
    }
}

#[test]
fn a_chain_of_joints_that_ends_on_a_stop() {
    // Masses of 1 on a line, each joined to the next one; the last one hits a stop. All final velocities are
    // 0, and joint k has to stop k + 1 masses.
    let n = 40;
    let mut m = Array2::zeros((n, n));
    for k in 0..n {
        // Constraint k is v_(k+1) - v_k; the last one is -v_n, the stop.
        m[[k, k]] = if k + 1 < n { 2.0 } else { 1.0 };
        if k + 1 < n {
            m[[k, k + 1]] = -1.0;
            m[[k + 1, k]] = -1.0;
        }
    }
    let mut q = Array1::zeros(n);
    q[n - 1] = -1.0;
    let laws = vec![MechanicalLaw::Equality { size: n - 1 }, MechanicalLaw::Complementarity { size: 1 }];
    let problem = GenericMechanicalProblem::new(m.clone(), q.clone(), laws).expect("the parts fit");
    let single = std::iter::repeat_n(MechanicalLaw::Equality { size: 1 }, n - 1);
    let laws = single.chain([MechanicalLaw::Complementarity { size: 1 }]).collect();
    let apart = GenericMechanicalProblem::new(m, q, laws).expect("the parts fit");
    for problem in [&problem, &apart] {
        for mut solver in [
            Box::new(Auto::default()) as Box<dyn Solver<Class = Gmp>>,
            Box::new(EqualityElimination::default()),
        ] {
            let (z, _, info) = solve(solver.as_mut(), problem);
            assert!(info.status.is_success(), "{info:?}");
            for (k, z) in z.iter().enumerate() {
                assert!((z - (k + 1) as f64).abs() < 1e-7, "joint {k}: {z}");
            }
        }
    }
}

#[test]
fn no_unknowns() {
    let problem =
        GenericMechanicalProblem::new(Array2::zeros((0, 0)), Array1::zeros(0), Vec::new()).expect("fits");
    for method in GmpMethod::all() {
        let mut solver = method.build().expect("valid settings");
        let (.., info) = solve(solver.as_mut(), &problem);
        assert_eq!((info.status, info.error), (Status::Converged, 0.0), "{}", solver.name());
    }
}

#[test]
fn a_problem_without_solution_is_not_called_solved() {
    // The equation 0 z = 1, and a stop that no impulse can open.
    let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
    let problem = GenericMechanicalProblem::new(array![[0.0, 0.0], [0.0, 0.0]], array![1.0, -1.0], laws)
        .expect("it fits");
    for method in GmpMethod::all() {
        let mut solver = method.build().expect("valid settings");
        match solver.solve(&problem, &mut [0.0; 2], &mut [0.0; 2]) {
            Ok(info) => assert!(!info.status.is_success(), "{}: {info:?}", solver.name()),
            Err(error) => {
                assert!(matches!(error, SolverError::Singular { .. }), "{}: {error}", solver.name());
            }
        }
    }
}

#[test]
fn data_are_checked() {
    let m = || array![[1.0, 0.0], [0.0, 1.0]];
    let new = |q: Array1<f64>, laws| GenericMechanicalProblem::new(m(), q, laws).unwrap_err();
    let equality = |size| vec![MechanicalLaw::Equality { size }];
    let what = "laws (by unknowns)";
    let wrong = new(array![0.0, 0.0], equality(3));
    assert_eq!(wrong, ProblemError::WrongLength { what, expected: 2, found: 3 });
    assert!(matches!(new(array![0.0, 0.0], equality(usize::MAX)), ProblemError::WrongLength { .. }));
    let wrong = new(array![0.0, 0.0], vec![MechanicalLaw::Friction2 { mu: -1.0 }]);
    assert_eq!(wrong, ProblemError::Coefficient { what: "mu", contact: 0, value: -1.0 });
    let relay = MechanicalLaw::Relay { lower: vec![1.0], upper: vec![0.0] };
    let wrong = new(array![0.0, 0.0], vec![MechanicalLaw::Equality { size: 1 }, relay]);
    assert_eq!(wrong, ProblemError::Bounds { index: 1, lower: 1.0, upper: 0.0 });
    assert!(matches!(
        new(array![0.0, f64::NAN], equality(2)),
        ProblemError::NotFinite { what: "q", index: 1, .. }
    ));
    let problem = GenericMechanicalProblem::new(m(), array![0.0, 0.0], equality(2)).expect("it fits");
    assert!(error_of_point(&problem, &[f64::NAN, 0.0], &mut [0.0; 2]).is_nan());
}

#[test]
fn both_measures_by_hand() {
    let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
    let problem =
        GenericMechanicalProblem::new(array![[2.0, 1.0], [1.0, 2.0]], array![0.0, -3.0], laws).unwrap();
    // For w = (0, -3), the violation of the stop is 3, relative to norm(q) = 3. The error as Siconos defines
    // it divides by 1 + 3.
    let mut w = [0.0; 2];
    assert_eq!(error_of_point(&problem, &[0.0, 0.0], &mut w), 1.0);
    assert_eq!(siconos_error(&problem, &[0.0, 0.0], &w), 0.75);
    // For w = (0, 3), z = (-2, 4), the violation of the stop is the smaller of 2 * 4 and 3, or 3 relative to
    // 4.
    assert_eq!(error_of_point(&problem, &[-2.0, 4.0], &mut w), 1.0);
    assert_eq!(siconos_error(&problem, &[-2.0, 4.0], &w), 0.75);
    // For w = (2, -2), the error as Siconos defines it is the unscaled violation of the joint. The squared
    // error here is 8 over 9.
    let measured = error_of_point(&problem, &[1.0, 0.0], &mut w);
    assert!((measured - 8.0_f64.sqrt() / 3.0).abs() <= 1e-15, "{measured}");
    assert_eq!(siconos_error(&problem, &[1.0, 0.0], &w), 2.0);
}

/// Two nearly dependent joints: with impulses of 5e8, rounding errors are 6e-8 of q, and no point is better.
#[test]
fn rounding_level_is_a_success_and_says_so() {
    let laws = vec![MechanicalLaw::Equality { size: 1 }; 2];
    let m = array![[1.0, -1.0], [-1.0, 1.0 + 1e-9]];
    let problem = GenericMechanicalProblem::new(m, array![-1.0, 0.5], laws).unwrap();
    for name in ["equality-elimination", "auto"] {
        let method = GmpMethod::from_name(name).unwrap();
        let (z, _, info) = solve(method.build().unwrap().as_mut(), &problem);
        assert!(info.status.is_success(), "{name}: {info:?}");
        assert!(info.status == Status::AtRoundingLevel || info.error <= 1e-10, "{name}: {info:?}");
        assert!((z[1] / 5e8 - 1.0).abs() < 1e-5, "{name}: {z:?}");
    }
}
