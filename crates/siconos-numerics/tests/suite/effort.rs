//! Budget of the automatic choices: a cascade stops when its budget is spent, reports it, and keeps its best
//! point.

use ndarray::{Array2, array};
use siconos_numerics::lcp::LcpProblem;
use siconos_numerics::mlcp::{MlcpProblem, MlcpRow};
use siconos_numerics::relay::RelayProblem;
use siconos_numerics::{Attempt, EffortLimit, Solver, Status, gmp, lcp, mlcp, relay};
use siconos_testkit::random::RandomState;

/// Draws a symmetric indefinite matrix and q from normal variates. No method of the cascade solves this
/// problem.
fn hard(n: usize) -> (Array2<f64>, Vec<f64>) {
    let mut random = RandomState::new(3002);
    let drawn = Array2::from_shape_fn((n, n), |_| random.standard_normal());
    let q = (0..n).map(|_| random.standard_normal()).collect();
    (&drawn + &drawn.t(), q)
}

fn spent(trace: &[Attempt]) -> f64 {
    trace.iter().map(|attempt| attempt.effort).sum()
}

fn nearly_nothing() -> EffortLimit {
    EffortLimit { operations: 1.0, factorisations: 0.0 }
}

#[test]
fn an_lcp_that_nothing_solves_is_given_up_within_its_limit() {
    let (m, q) = hard(36);
    let problem = LcpProblem::new(&m, &q).unwrap();
    let effort = EffortLimit { operations: 2e9, factorisations: 0.0 };
    let mut auto = lcp::Auto::new(lcp::AutoSettings { effort, ..Default::default() }).unwrap();
    let (mut z, mut w) = (vec![0.0; 36], vec![0.0; 36]);
    let info = auto.solve(&problem, &mut z, &mut w).unwrap();
    assert_eq!(info.status, Status::EffortSpent, "{:?}", auto.trace());
    let limit = effort.operations;
    assert!(spent(auto.trace()) <= limit, "{:e} of {limit:e}: {:?}", spent(auto.trace()), auto.trace());
    assert!(spent(auto.trace()) >= 0.2 * limit, "generous: {:?}", auto.trace());
    // The best point is returned, with its own error.
    assert_eq!(info.error, lcp::error_of_point(&problem, &z, &mut w));
    assert!(
        auto.trace().iter().all(|attempt| attempt.info.error.is_nan() || info.error <= attempt.info.error)
    );

    // A second run is identical, since the effort is measured in operations, not in time.
    let first = auto.trace().to_vec();
    let second = auto.solve(&problem, &mut vec![0.0; 36], &mut w).unwrap();
    assert_eq!(second, info);
    let infos = |trace: &[Attempt]| trace.iter().map(|a| (a.method, a.info.iterations)).collect::<Vec<_>>();
    assert_eq!(infos(&first), infos(auto.trace()));
}

#[test]
fn a_small_limit_ends_an_lcp_at_once() {
    let (m, q) = hard(36);
    let settings = lcp::AutoSettings { effort: nearly_nothing(), ..Default::default() };
    let mut auto = lcp::Auto::new(settings).unwrap();
    let (mut z, mut w) = (vec![0.0; 36], vec![0.0; 36]);
    let info = auto.solve(&LcpProblem::new(&m, &q).unwrap(), &mut z, &mut w).unwrap();
    assert_eq!((info.status, auto.trace().len()), (Status::EffortSpent, 0));
    assert!(z.iter().all(|z| *z == 0.0) && info.error.is_finite());
}

#[test]
fn a_small_limit_ends_the_other_classes_at_once() {
    let effort = nearly_nothing();
    let (m, q) = hard(12);
    let (mut z, mut w) = (vec![0.5; 12], vec![0.0; 12]);

    let rows = [[MlcpRow::Equality; 3].as_slice(), &[MlcpRow::Complementarity; 9]].concat();
    let mut mixed = mlcp::Auto::new(mlcp::AutoSettings { effort, ..Default::default() }).unwrap();
    let info = mixed.solve(&MlcpProblem::new(&m, &q, &rows).unwrap(), &mut z, &mut w).unwrap();
    assert_eq!(info.status, Status::EffortSpent, "{:?}", mixed.trace());

    let (lower, upper) = ([-1.0; 12], [1.0; 12]);
    let mut relays = relay::Auto::new(relay::AutoSettings { effort, ..Default::default() }).unwrap();
    let problem = RelayProblem::new(&m, &q, &lower, &upper).unwrap();
    let info = relays.solve(&problem, &mut z, &mut w).unwrap();
    assert_eq!(info.status, Status::EffortSpent, "{:?}", relays.trace());

    let laws = vec![gmp::MechanicalLaw::Complementarity { size: 12 }];
    let problem = gmp::GenericMechanicalProblem::new(m, q.clone().into(), laws).unwrap();
    let mut blocks = gmp::Auto::new(gmp::AutoSettings { effort, ..Default::default() }).unwrap();
    let info = blocks.solve(&problem, &mut z, &mut w).unwrap();
    assert_eq!(info.status, Status::EffortSpent);
}

#[test]
fn an_affine_inequality_shares_its_limit_with_the_mixed_problem_inside() {
    use siconos_numerics::Solver;
    use siconos_numerics::avi::{Auto, AutoSettings, AviProblem};
    let m = array![[1.0, 0.0], [0.0, 1.0]];
    let h = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
    let problem = AviProblem::new(&m, &[-2.0, -0.5], h.view(), &[0.0, 0.0, -1.0]).unwrap();
    let mut auto = Auto::new(AutoSettings { effort: nearly_nothing(), ..Default::default() }).unwrap();
    let info = auto.solve(&problem, &mut [0.0; 2], &mut [0.0; 3]).unwrap();
    assert_eq!(info.status, Status::EffortSpent, "{:?}", auto.trace());
    let enough = AutoSettings { effort: EffortLimit::unlimited(), ..Default::default() };
    let info = Auto::new(enough).unwrap().solve(&problem, &mut [0.0; 2], &mut [0.0; 3]).unwrap();
    assert!(info.status.is_success());
}

#[test]
fn limits_outside_their_range_are_refused() {
    let effort = EffortLimit { operations: f64::NAN, factorisations: 1.0 };
    assert!(lcp::Auto::new(lcp::AutoSettings { effort, ..Default::default() }).is_err());
    assert!(mlcp::Auto::new(mlcp::AutoSettings { effort, ..Default::default() }).is_err());
    assert!(relay::Auto::new(relay::AutoSettings { effort, ..Default::default() }).is_err());
    assert!(gmp::Auto::new(gmp::AutoSettings { effort, ..Default::default() }).is_err());
}
