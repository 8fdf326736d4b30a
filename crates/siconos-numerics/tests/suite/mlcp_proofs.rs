//! Distant points must not count as solutions of mixed problems, and rounding errors must not count as proofs
//! that a problem has no solution.

use ndarray::{Array2, array};
use siconos_numerics::mlcp::{MlcpMethod, MlcpProblem, MlcpRow};
use siconos_numerics::{Method, SolverError, Status};

/// Solves by every method from zero, and passes its name, status and z to `see`.
fn each(m: &Array2<f64>, q: &[f64], free: &[usize], mut see: impl FnMut(&str, Status, &[f64])) {
    let row = |i: usize| if free.contains(&i) { MlcpRow::Equality } else { MlcpRow::Complementarity };
    let rows: Vec<_> = (0..q.len()).map(row).collect();
    for method in MlcpMethod::all() {
        let problem = MlcpProblem::new(m, q, &rows).expect("sizes agree");
        let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        if let Ok(info) = method.build().expect("default settings").solve(&problem, &mut z, &mut w) {
            see(method.description().name, info.status, &z);
        }
    }
}

/// The third row is -2 = w >= 0. Along z_2 the other rows grow, so that an error that divides by them
/// vanishes.
#[test]
fn a_violation_is_not_hidden_by_a_huge_w() {
    let m = array![[0.0, 1.0, 3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]];
    each(&m, &[-2.0, -2.0, -2.0], &[], |name, status, z| {
        assert!(!status.is_success(), "{name}: {status}, {z:?}");
    });
    // Three free unknowns. Enumeration finds no solution.
    let m = array![
        [-1.0, -1.0, 0.0, -2.0, -2.0, -1.0],
        [-1.0, -2.0, -1.0, -2.0, 0.0, -1.0],
        [-2.0, -2.0, -1.0, 0.0, 0.0, -1.0],
        [-2.0, 0.0, -1.0, -1.0, -1.0, -1.0],
        [-2.0, -2.0, -2.0, -2.0, -2.0, 0.0],
        [-1.0, -1.0, -1.0, -1.0, -2.0, -1.0]
    ];
    each(&m, &[-1.0, 0.0, 3.0, 3.0, 3.0, -1.0], &[2, 3, 4, 5], |name, status, z| {
        assert!(!status.is_success(), "{name}: {status}, {z:?}");
    });
}

/// At the solution z_3 = w_3 = 0. After the elimination, the right-hand side is a rounding error, and its
/// sign is not a proof.
#[test]
fn rounding_of_the_elimination_is_no_proof() {
    let m = array![
        [3.0, -1.0, 3.0, -1.0, 1.0, -2.0],
        [2.0, 1.0, -1.0, 3.0, 1.0, -2.0],
        [3.0, -3.0, -2.0, 2.0, 0.0, -1.0],
        [-2.0, 1.0, -1.0, 0.0, 2.0, 1.0],
        [2.0, -2.0, -2.0, 3.0, 1.0, -3.0],
        [1.0, 0.0, -1.0, 2.0, -3.0, -3.0]
    ];
    for solution in [[-1.0, -3.0, 1.0, 0.0, -4.0, -3.0], [2.0, 1.0, -5.0, 0.0, 3.0, 7.0]] {
        let q: Vec<f64> = m.dot(&ndarray::Array1::from(solution.to_vec())).iter().map(|x| -x / 7.0).collect();
        each(&m, &q, &[0, 1, 2, 4, 5], |name, status, z| {
            assert_ne!(status, Status::NoSolution, "{name}: {z:?}");
        });
    }
}

/// The equations of the free unknowns are singular, and the unit of the last unknown is 1e10 times smaller.
#[test]
fn small_entries_of_other_units_are_not_taken_for_zero() {
    let m = array![
        [-1_073_741_824.0, -2_147_483_648.0, -0.015_625, 0.0],
        [-2_147_483_648.0, -4_294_967_296.0, -0.031_25, -16384.0],
        [0.0, 0.0, -f64::EPSILON * 1024.0, 0.0],
        [-8192.0, -16384.0, 0.0, -0.0625]
    ];
    let solution = array![0.0, -0.25, 17_179_869_184.0, 98304.0];
    let q = (-m.dot(&solution)).to_vec();
    each(&m, &q, &[0, 1, 3], |name, status, z| assert_ne!(status, Status::NoSolution, "{name}: {z:?}"));
}

#[test]
fn a_nan_proves_nothing() {
    let m = array![[f64::NAN, 1.0], [1.0, 1.0]];
    each(&m, &[1.0, -1.0], &[0], |name, status, z| {
        assert!(!status.is_success() && status != Status::NoSolution, "{name}: {status}, {z:?}");
        assert!(z.iter().all(|z| z.is_finite()), "{name}: {z:?}");
    });
    let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
    let problem = MlcpProblem::new(&m, &[1.0, -1.0], &rows).expect("sizes agree");
    let mut elimination = MlcpMethod::from_name("elimination").expect("a method").build().expect("settings");
    let refused = elimination.solve(&problem, &mut [0.0; 2], &mut [0.0; 2]);
    assert!(matches!(refused, Err(SolverError::Problem(_))), "{refused:?}");
}

/// Free unknowns in very different units: the remainder after two pivots is small, but not a rounding error.
#[test]
fn small_entries_that_are_no_rounding_contradict_nothing() {
    let m = array![
        [5.551115123125783e-17, -6.661338147750939e-16, -0.09375],
        [6.661338147750939e-16, 0.0, -0.625],
        [0.09375, 0.625, 0.0]
    ];
    let q = [5.238689482212067e-10, 2.3283064365386963e-10, -622592.0];
    let rows = [MlcpRow::Equality; 3];
    let problem = MlcpProblem::new(&m, &q, &rows).unwrap();
    for name in ["auto", "elimination", "warm-active-set"] {
        let mut solver = MlcpMethod::from_name(name).unwrap().build().unwrap();
        let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
        // An error that names the rank is also correct.
        if let Ok(info) = solver.solve(&problem, &mut z, &mut w) {
            assert_ne!(info.status, Status::NoSolution, "{name}");
        }
    }
}
