//! Limits, and accounts compared with the operations that are done.

use ndarray::{Array2, s};

use super::*;
use crate::contact::{self, ContactLaw, ContactProblem};
use crate::info::{Attempt, Status};
use crate::lcp::{self, LcpProblem};
use crate::linalg::Csc;
use crate::mlcp::{self, MlcpProblem, MlcpRow};
use crate::operations;
use crate::relay::{self, RelayProblem};
use crate::{Solver, gmp};

#[test]
fn large_problems_get_more() {
    let m = Array2::<f64>::eye(1000);
    let effort = EffortLimit::default().of(MatrixRef::from(&m));
    assert_eq!(effort.limit(), 100.0 * dense_factorisation(1000));
}

#[test]
fn sparse_factorisations_are_counted_where_they_fill_in() {
    let n = 1600;
    // A mesh of 40 x 40 points, numbered at random, and as many entries anywhere.
    let mut draw = scattered(n, 11);
    let mut number: Vec<usize> = (0..n).collect();
    number.sort_by_cached_key(|_| (1e9 * draw()) as i64);
    let neighbours = |k: usize| [(k % 40 < 39).then_some(k + 1), (k + 40 < n).then_some(k + 40)];
    let edges: Vec<_> =
        (0..n).flat_map(|k| neighbours(k).into_iter().flatten().map(move |l| (k, l))).collect();
    let of = |pairs: &[(usize, usize)]| {
        let entries = pairs.iter().flat_map(|&(i, j)| [(i, j, -1.0), (j, i, -1.0)]);
        Csc::from_triplets(n, n, entries.chain((0..n).map(|i| (i, i, 4.0))))
            .expect("places within the matrix")
    };
    let mesh = of(&edges.iter().map(|&(k, l)| (number[k], number[l])).collect::<Vec<_>>());
    let anywhere = of(&edges
        .iter()
        .enumerate()
        .map(|(k, _)| (k % n, (draw().abs() * n as f64) as usize))
        .collect::<Vec<_>>());
    let counted =
        |m: &Csc| MatrixCost::count(m.into()).factorisation / MatrixCost::estimate(m.into()).factorisation;
    // Nested dissection takes 9.9 n^(3/2) multiplications on a mesh with diagonals (George 1973); this has
    // none.
    let multiplications = MatrixCost::count((&mesh).into()).factorisation / 4.0;
    let of_power = multiplications / (n as f64).powf(1.5);
    assert!((2.0..10.0).contains(&of_power), "{of_power}");
    assert!(counted(&anywhere) > 5.0 * counted(&mesh), "{} {}", counted(&anywhere), counted(&mesh));
}

#[test]
fn an_account_ends_at_its_limit_and_not_below_zero() {
    let limit = EffortLimit { operations: 10.0, factorisations: 0.0 };
    let mut effort = limit.of_cost(1e9);
    assert_eq!((effort.iterations(3.0, 100), effort.iterations(3.0, 2)), (3, 2));
    effort.spend(12.0);
    assert!(effort.is_exhausted());
    assert_eq!(effort.iterations(1.0, 5), 0);
    assert_eq!(EffortLimit::unlimited().of_cost(1e30).iterations(1e12, usize::MAX), usize::MAX);
}

#[test]
fn limits_outside_their_range_are_refused() {
    for (operations, factorisations) in
        [(0.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, -1.0), (1.0, f64::NAN)]
    {
        assert!(EffortLimit { operations, factorisations }.check().is_err());
    }
}

/// Entries between -1 and 1 that look random.
fn scattered(n: usize, seed: u32) -> impl FnMut() -> f64 {
    let mut state = u64::from(seed) * 0x9E37_79B9 + n as u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The sum of the accounts of an automatic choice, and how its solve ended.
fn account<S: Solver>(solver: &S, status: Status) -> (Status, f64, String) {
    let trace: &[Attempt] = solver.trace();
    let line = |a: &Attempt| format!("{} {} x {:.1e}", a.method, a.info.iterations, a.effort);
    (status, trace.iter().map(|a| a.effort).sum(), trace.iter().map(line).collect::<Vec<_>>().join(", "))
}

#[test]
fn accounts_are_within_a_factor_of_two_of_what_is_done() {
    for n in [40, 120, 240] {
        let mut draw = scattered(n, 7);
        let m = Array2::from_shape_fn((n, n), |_| draw());
        let q: Vec<f64> = (0..n).map(|_| draw()).collect();
        let effort = EffortLimit { operations: 30.0 * dense_factorisation(n), factorisations: 0.0 };
        let rows: Vec<_> =
            (0..n).map(|i| if i % 4 == 0 { MlcpRow::Equality } else { MlcpRow::Complementarity }).collect();
        let (lower, upper) = (vec![-1.0; n], vec![1.0; n]);
        let mu = vec![0.8; n / 2];
        type Solve<'a> = (&'static str, Box<dyn Fn() -> (Status, f64, String) + 'a>);
        let solves: [Solve<'_>; 5] = [
            (
                "lcp",
                Box::new(|| {
                    let settings = lcp::AutoSettings { effort, ..Default::default() };
                    let mut auto = lcp::Auto::new(settings).expect("in range");
                    let problem = LcpProblem::new(&m, &q).expect("shapes fit");
                    let info = auto.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("finite");
                    account(&auto, info.status)
                }),
            ),
            (
                "mlcp",
                Box::new(|| {
                    let settings = mlcp::AutoSettings { effort, ..Default::default() };
                    let mut auto = mlcp::Auto::new(settings).expect("in range");
                    let problem = MlcpProblem::new(&m, &q, &rows).expect("shapes fit");
                    let info = auto.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("finite");
                    account(&auto, info.status)
                }),
            ),
            (
                "relay",
                Box::new(|| {
                    let settings = relay::AutoSettings { effort, ..Default::default() };
                    let mut auto = relay::Auto::new(settings).expect("in range");
                    let problem = RelayProblem::new(&m, &q, &lower, &upper).expect("shapes fit");
                    let info = auto.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("finite");
                    account(&auto, info.status)
                }),
            ),
            (
                "gmp",
                Box::new(|| {
                    let settings = gmp::AutoSettings { effort, ..Default::default() };
                    let mut auto = gmp::Auto::new(settings).expect("in range");
                    let laws = vec![
                        gmp::MechanicalLaw::Complementarity { size: n / 2 },
                        gmp::MechanicalLaw::Equality { size: n - n / 2 },
                    ];
                    let problem = gmp::GenericMechanicalProblem::new(m.clone(), q.clone().into(), laws)
                        .expect("shapes fit");
                    let info = auto.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("finite");
                    account(&auto, info.status)
                }),
            ),
            (
                "contact",
                Box::new(|| {
                    let settings = contact::AutoSettings { effort, ..Default::default() };
                    let mut auto = contact::Auto::new(settings).expect("in range");
                    let law = ContactLaw::Coulomb { dimension: 2, mu: &mu };
                    let half = m.slice(s![.., ..n / 3]);
                    let w = half.dot(&half.t());
                    let problem = ContactProblem::new(&w, &q, law).expect("shapes fit");
                    let info = auto.solve(&problem, &mut vec![0.0; n], &mut vec![0.0; n]).expect("finite");
                    account(&auto, info.status)
                }),
            ),
        ];
        for (class, solve) in &solves {
            let mut outcome = None;
            let done = operations::of(|| outcome = Some(solve()));
            let (status, spent, trace) = outcome.expect("it has run");
            assert_eq!(status, Status::EffortSpent, "{class} {n}: {trace}");
            let context = format!("{class} {n}: {done:.2e} done, {spent:.2e} spent, {trace}");
            assert!(0.5 * spent <= done && done <= 2.0 * spent, "{context}");
            let limit = effort.operations;
            assert!(0.4 * limit <= done && done <= 2.0 * limit, "limit {limit:.2e}; {context}");
        }
    }
}
