//! Tests that compare the recorded effort with the number of performed operations. Operations are counted
//! only if debug assertions are enabled.

use ndarray::{Array1, Array2, s};
use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::{Matrix, operations};

use super::*;
use crate::avi::{self, AviProblem};
use crate::contact::{self, ContactLaw, ContactProblem};
use crate::gmp::{self, GenericMechanicalProblem, MechanicalLaw};
use crate::info::Status;
use crate::lcp::{self, LcpProblem};
use crate::method::{Class, Solver};
use crate::mlcp::{self, MlcpProblem, MlcpRow};
use crate::relay::{self, RelayProblem};

/// Returns a generator of pseudorandom values between -1 and 1.
fn scattered(n: usize, seed: u32) -> impl FnMut() -> f64 {
    let mut state = u64::from(seed) * 0x9E37_79B9 + n as u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Solves a problem until the limit is exhausted, and compares the recorded with the performed number of
/// operations.
#[track_caller]
fn assert_account<S: Solver>(mut auto: S, problem: &<S::Class as Class>::Problem<'_>, n: usize, limit: f64) {
    let [spent, done] = exhaust(&mut auto, problem, [n, n]);
    let context = format!("{n} unknowns: limit {limit:.2e}, recorded {spent:.2e}, performed {done:.2e}");
    assert!(0.5 * spent <= done && done <= 2.0 * spent, "{context}, {:?}", auto.trace());
    assert!(0.4 * limit <= done && done <= 2.0 * limit, "{context}, {:?}", auto.trace());
}

/// Solves a problem until the limit is exhausted. Returns the recorded and the performed number of
/// operations. `of_z` and `of_w` are the lengths of z and w.
#[track_caller]
fn exhaust<S: Solver>(
    auto: &mut S,
    problem: &<S::Class as Class>::Problem<'_>,
    [of_z, of_w]: [usize; 2],
) -> [f64; 2] {
    let mut status = Status::NotFound;
    let done = operations::of(|| {
        let info = auto.solve(problem, &mut vec![0.0; of_z], &mut vec![0.0; of_w]).expect("finite data");
        status = info.status;
    });
    let trace = auto.trace();
    assert_eq!(status, Status::EffortSpent, "{of_z} unknowns: {trace:?}");
    [trace.iter().map(|attempt| attempt.effort).sum(), done]
}

#[test]
fn accounts_are_within_a_factor_of_two_of_what_is_done() {
    for n in [40, 120, 240] {
        let mut draw = scattered(n, 7);
        let m = Array2::from_shape_fn((n, n), |_| draw());
        let q: Vec<f64> = (0..n).map(|_| draw()).collect();
        let limit = 30.0 * dense_factorisation(n);
        let effort = EffortLimit::of_operations(limit);

        let auto = lcp::Auto::new(lcp::AutoSettings { effort, ..Default::default() }).expect("in range");
        assert_account(auto, &LcpProblem::new(&m, &q).expect("shapes fit"), n, limit);

        let auto = mlcp::Auto::new(mlcp::AutoSettings { effort, ..Default::default() }).expect("in range");
        let row = |i| if i % 4 == 0 { MlcpRow::Equality } else { MlcpRow::Complementarity };
        let rows: Vec<_> = (0..n).map(row).collect();
        assert_account(auto, &MlcpProblem::new(&m, &q, &rows).expect("shapes fit"), n, limit);

        let auto = relay::Auto::new(relay::AutoSettings { effort, ..Default::default() }).expect("in range");
        let (lower, upper) = (vec![-1.0; n], vec![1.0; n]);
        assert_account(auto, &RelayProblem::new(&m, &q, &lower, &upper).expect("shapes fit"), n, limit);

        let auto = avi::Auto::new(avi::AutoSettings { effort, ..Default::default() }).expect("in range");
        let h = Array2::from_shape_fn((n, n), |_| draw());
        let problem = AviProblem::new(&m, &q, h.view(), &q).expect("shapes fit");
        assert_account(auto, &problem, n, limit);

        let auto = gmp::Auto::new(gmp::AutoSettings { effort, ..Default::default() }).expect("in range");
        let laws =
            vec![MechanicalLaw::Complementarity { size: n / 2 }, MechanicalLaw::Equality { size: n - n / 2 }];
        let problem = GenericMechanicalProblem::new(m.clone(), q.clone().into(), laws).expect("shapes fit");
        assert_account(auto, &problem, n, limit);

        let settings = contact::AutoSettings { effort, ..Default::default() };
        let auto = contact::Auto::new(settings).expect("in range");
        let of_few_bodies = m.slice(s![.., ..n / 3]);
        let w = of_few_bodies.dot(&of_few_bodies.t());
        let law = ContactLaw::Coulomb { dimension: 2, mu: &vec![0.8; n / 2] };
        assert_account(auto, &ContactProblem::new(&w, &q, law).expect("shapes fit"), n, limit);
    }
}

/// The limit applies to all stages, whether they compute W or not.
#[test]
fn the_limit_binds_problems_of_bodies() {
    for n in [40, 120, 240] {
        let mut draw = scattered(n, 7);
        let dofs = n / 3;
        let limit = 30.0 * dense_factorisation(n);
        let m = Matrix::from(Array1::ones(dofs));
        let h = Array2::from_shape_fn((dofs, n), |_| draw());
        let q: Vec<f64> = (0..n).map(|_| draw()).collect();
        let law = ContactLaw::Coulomb { dimension: 2, mu: &vec![0.8; n / 2] };
        let problem = ContactProblem::of_bodies(&m, &h, &q, law).expect("shapes fit");
        let effort = EffortLimit::of_operations(limit);
        let settings = contact::AutoSettings { effort, ..Default::default() };
        let mut auto = contact::Auto::new(settings).expect("in range");
        let [spent, done] = exhaust(&mut auto, &problem, [n, n]);
        let context = format!("{n} unknowns: limit {limit:.2e}, recorded {spent:.2e}, performed {done:.2e}");
        assert!(spent <= 2.0 * limit && done <= 2.0 * limit, "{context}, {:?}", auto.trace());
    }
}
