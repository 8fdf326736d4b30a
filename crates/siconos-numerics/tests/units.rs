//! Units: a matrix times 2^k (bodies lighter by as much) and a q times 2^l (all of it faster) are the same problem. Every
//! method takes the same steps and ends, bit for bit, at the same point in other units.

use ndarray::{Array2, array};
use siconos_numerics::lcp::{self, LcpMethod, LcpProblem, LcpSolver};
use siconos_numerics::{SolveInfo, Status};
use siconos_testkit::lcp::generated::every_family;

/// Exponents of the factors of M and of q.
const UNITS: [(i32, i32); 7] = [(-40, 0), (-7, 0), (13, 0), (40, 0), (0, -40), (0, 31), (-21, 17)];

fn power(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

fn times(x: &[f64], factor: f64) -> Vec<f64> {
    x.iter().map(|x| x * factor).collect()
}

/// What a method makes of a problem: nothing when it refuses it.
type Ended = Option<(SolveInfo, Vec<f64>)>;

/// What differs between an outcome and the one expected, whose point is in units `of_z` times as small.
fn difference(expected: &Ended, found: &Ended, of_z: f64) -> Option<String> {
    match (expected, found) {
        (None, None) => None,
        (Some((before, z)), Some((after, scaled))) => {
            let same = (before.status, before.iterations, before.error.to_bits())
                == (after.status, after.iterations, after.error.to_bits())
                || (before.error.is_nan() && after.error.is_nan());
            // Zeros may differ in sign.
            let moved = times(z, of_z).iter().zip(scaled).any(|(a, b)| a != b && !(a.is_nan() && b.is_nan()));
            (!same || moved || z.len() != scaled.len())
                .then(|| format!("{before:?} {after:?}, moved {moved}"))
        }
        _ => Some("refused in one unit only".to_owned()),
    }
}

/// Whether only one of two outcomes claims to have a solution.
fn difference_of_verdicts(expected: &Ended, found: &Ended) -> Option<String> {
    let claim = |ended: &Ended| ended.as_ref().map(|(info, _)| info.status.is_success());
    (claim(expected) != claim(found)).then(|| format!("{expected:?} {found:?}"))
}

fn solve_lcp(method: &LcpMethod, m: &Array2<f64>, q: &[f64], guess: &[f64]) -> Ended {
    let (mut z, mut w) = (guess.to_vec(), vec![0.0; q.len()]);
    let problem = LcpProblem::new(m, q).unwrap();
    let info = method.build().unwrap().solve(&problem, &mut z, &mut w).ok()?;
    Some((info, z))
}

#[test]
fn every_method_for_lcp_is_the_same_in_all_units() {
    let problems: Vec<_> =
        [(2, 1), (5, 2), (9, 3), (16, 4)].into_iter().flat_map(|(n, s)| every_family(n, s)).collect();
    let mut offences = Vec::new();
    for method in LcpMethod::all() {
        let name = method.description().name;
        for known in problems.iter().filter(|known| name != "enumeration" || known.size() <= 9) {
            for guess in [0.0, 0.75] {
                let guess = vec![guess; known.size()];
                let expected = solve_lcp(&method, &known.m, &known.q, &guess);
                for (of_m, of_q) in UNITS {
                    let of_z = power(of_q - of_m);
                    let (m, q) = (&known.m * power(of_m), times(&known.q, power(of_q)));
                    let found = solve_lcp(&method, &m, &q, &times(&guess, of_z));
                    // Where there is no solution a method may run until numbers end, and those have a unit.
                    let same = if known.has_solution() {
                        difference(&expected, &found, of_z)
                    } else {
                        difference_of_verdicts(&expected, &found)
                    };
                    if let Some(what) = same {
                        offences.push(format!("{name}, {} in units {of_m}, {of_q}: {what}", known.name));
                        break;
                    }
                }
            }
        }
    }
    check(&offences);
}

fn check(offences: &[String]) {
    assert!(offences.is_empty(), "{} offences: {:#?}", offences.len(), &offences[..offences.len().min(40)]);
}

#[test]
fn light_bodies_are_not_solved_by_being_light() {
    // A P-matrix times 1e6: a z of 1e-7 is no rounding, and yet norm(min(z, w)) / norm(q) calls it that.
    let m = array![[2.0, 1.0, 0.5], [-1.0, 3.0, 1.0], [0.5, -1.0, 4.0]] * 1e6;
    let q = [-1.0, -0.5, -0.8];
    let mut reference = vec![0.0; 3];
    let problem = LcpProblem::new(&m, &q).unwrap();
    let told = lcp::Lemke::default().solve(&problem, &mut reference, &mut [0.0; 3]).unwrap();
    assert!(told.status.is_success());
    for method in LcpMethod::all() {
        let (mut z, mut w) = (vec![0.0; 3], vec![0.0; 3]);
        let Ok(info) = method.build().unwrap().solve(&problem, &mut z, &mut w) else { continue };
        let off = z.iter().zip(&reference).map(|(a, b)| (a - b).abs() * 1e6).fold(0.0, f64::max);
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
