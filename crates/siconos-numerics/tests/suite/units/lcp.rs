//! Linear complementarity problems.

use ndarray::{Array2, array};
use siconos_numerics::lcp::{self, LcpMethod, LcpProblem};
use siconos_numerics::{Method, Solver, Status};
use siconos_testkit::lcp::generated::every_family;

use crate::units::{Ended, Units, check, failure, times};
use siconos_testkit::compare::worse;

fn solve(method: &LcpMethod, (m, q): (&Array2<f64>, &[f64]), guess: &[f64], units: Units) -> Ended {
    let (m, q) = (m * units.of_m(), times(q, units.of_w()));
    let (mut z, mut w) = (times(guess, units.of_z()), vec![0.0; q.len()]);
    let problem = LcpProblem::new(&m, &q).unwrap();
    let info = method.build().unwrap().solve(&problem, &mut z, &mut w).ok()?;
    Some((info, times(&z, 1.0 / units.of_z())))
}

#[test]
fn every_method_is_the_same_in_all_units() {
    let problems: Vec<_> =
        [(2, 1), (5, 2), (9, 3), (16, 4)].into_iter().flat_map(|(n, s)| every_family(n, s)).collect();
    let mut failures = Vec::new();
    for method in LcpMethod::all() {
        let name = method.description().name;
        for known in problems.iter().filter(|known| name != "enumeration" || known.size() <= 9) {
            let guesses = if known.size() <= 9 { &[0.0, 0.75][..] } else { &[0.75] };
            for &guess in guesses {
                let guess = vec![guess; known.size()];
                let run = |units| solve(&method, (&known.m, &known.q), &guess, units);
                failures.extend(
                    failure(run, known.has_solution()).map(|what| format!("{name}, {}, {what}", known.name)),
                );
            }
        }
    }
    check(&failures);
}

#[test]
fn light_bodies_are_not_solved_by_being_light() {
    // A P-matrix times 1e6: z = 1e-7 is not a rounding error, although norm(min(z, w)) / norm(q) is that
    // small.
    let m = array![[2.0, 1.0, 0.5], [-1.0, 3.0, 1.0], [0.5, -1.0, 4.0]] * 1e6;
    let q = [-1.0, -0.5, -0.8];
    let mut reference = vec![0.0; 3];
    let problem = LcpProblem::new(&m, &q).unwrap();
    let told = lcp::Lemke::default().solve(&problem, &mut reference, &mut [0.0; 3]).unwrap();
    assert!(told.status.is_success());
    for method in LcpMethod::all() {
        let (mut z, mut w) = (vec![0.0; 3], vec![0.0; 3]);
        let Ok(info) = method.build().unwrap().solve(&problem, &mut z, &mut w) else { continue };
        let off = z.iter().zip(&reference).map(|(a, b)| (a - b).abs() * 1e6).fold(0.0, worse);
        if info.status == Status::Converged {
            assert!(off <= 1e-5, "{}: {info:?}, off by {off:e}", method.description().name);
        }
    }
}

#[test]
fn a_velocity_in_q_of_the_size_of_rounding_is_solved_all_the_same() {
    let m = array![[2.0, 1.0], [1.0, 2.0]];
    let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
    for method in LcpMethod::all() {
        z.fill(0.0);
        let problem = LcpProblem::new(&m, &[-5e-20, -6e-20]).unwrap();
        let info = method.build().unwrap().solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?}", method.description().name);
        assert!((z[0] * 1e20 - 4.0 / 3.0).abs() < 1e-6, "{}: {z:?}", method.description().name);
    }
}

#[test]
fn without_q_the_point_zero_is_exact_and_others_are_not() {
    let m = array![[2.0, 1.0], [1.0, 2.0]];
    let problem = LcpProblem::new(&m, &[0.0, 0.0]).unwrap();
    assert_eq!(lcp::error(&problem, &[0.0; 2], &[0.0; 2]), 0.0);
    assert!(lcp::error(&problem, &[1e-30, 0.0], &[2e-30, 1e-30]) > 0.1);
    for method in LcpMethod::all() {
        let (mut z, mut w) = ([1.0, 3.0], [0.0; 2]);
        let info = method.build().unwrap().solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{}: {info:?} {z:?}", method.description().name);
    }
}
