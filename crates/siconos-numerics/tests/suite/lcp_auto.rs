//! Automatic choice for linear complementarity problems: all known problems, every storage, proofs, trace.

use ndarray::{Array2, array};
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, Matrix, MatrixRef};
use siconos_numerics::lcp::{
    Auto, AutoSettings, InteriorPoint, LcpMethod, LcpProblem, error, infeasibility_certificate,
    is_infeasibility_certificate,
};
use siconos_numerics::{Method, SolveInfo, Solver, Status};
use siconos_testkit::lcp::{Answer, Measures, all, enumerate_solutions, unsolvable};
use siconos_testkit::random;

/// Solves, and checks the report with the point.
fn solve<'a>(auto: &mut Auto, m: MatrixRef<'a>, q: &'a [f64], z: &mut [f64]) -> SolveInfo {
    let mut w = vec![f64::NAN; q.len()];
    let info = auto.solve(&LcpProblem::new(m, q).unwrap(), z, &mut w).unwrap();
    let measures = Measures::of(m.to_dense().view(), q, z);
    if info.status == Status::Converged {
        let recomputed = error(&LcpProblem::new(m.to_dense().view(), q).unwrap(), z, &w);
        assert!(measures.natural <= 1e-12 && recomputed <= 1e-12, "{info:?} {measures:?}");
    }
    if info.status == Status::AtRoundingLevel {
        assert!(measures.backward <= 1e-13, "{info:?} {measures:?}");
    }
    assert!(z.iter().chain(&w).all(|x| x.is_finite()));
    info
}

fn storages(m: &Array2<f64>) -> [Matrix; 3] {
    let n = m.nrows();
    let blocks = (0..n * n).map(|k| (k / n, k % n, array![[m[[k / n, k % n]]]])).collect();
    let ones = vec![1; n];
    let csc = Csc::from_matrix(MatrixRef::from(m));
    [Matrix::from(m.clone()), BlockCsr::from_blocks(&ones, &ones, blocks).unwrap().into(), csc.into()]
}

#[test]
fn every_known_problem_that_has_a_solution_is_solved() {
    let mut auto = Auto::default();
    for known in all().into_iter().filter(siconos_testkit::lcp::KnownLcp::has_solution) {
        let mut z = vec![0.0; known.size()];
        let info = solve(&mut auto, MatrixRef::from(&known.m), &known.q, &mut z);
        assert!(info.status.is_success(), "{}: {info:?} {:?}", known.name, auto.trace());
        if let Some(unique) = known.unique_solution() {
            let scale = unique.iter().fold(1.0_f64, |a, z| a.max(z.abs()));
            let near = z.iter().zip(unique).all(|(z, u)| (z - u).abs() <= 1e-8 * scale);
            assert!(near, "{}: {z:?} {unique:?}", known.name);
        }
    }
}

#[test]
fn sparse_storages_are_solved_where_the_matrix_is_a_p_matrix() {
    let mut auto = Auto::default();
    let p = siconos_numerics::method::MatrixClass::PMatrix;
    for known in all().into_iter().filter(|known| known.class.is_within(p)) {
        for m in storages(&known.m) {
            let mut z = vec![0.0; known.size()];
            let info = solve(&mut auto, m.view(), &known.q, &mut z);
            assert!(info.status.is_success(), "{} {}: {info:?}", known.name, m.view().storage());
        }
    }
}

#[test]
fn where_there_is_no_solution_it_says_so_with_a_proof() {
    let mut auto = Auto::default();
    for known in unsolvable() {
        let mut z = vec![0.0; known.size()];
        let info = solve(&mut auto, MatrixRef::from(&known.m), &known.q, &mut z);
        assert_eq!(info.status, Status::NoSolution, "{}: {:?}", known.name, auto.trace());
        let problem = LcpProblem::new(&known.m, &known.q).unwrap();
        let found = infeasibility_certificate(&problem);
        match &known.answer {
            Answer::Infeasible { certificate } => {
                assert!(is_infeasibility_certificate(&problem, certificate), "{}", known.name);
                assert!(is_infeasibility_certificate(&problem, &found.unwrap()), "{}", known.name);
            }
            _ => assert!(found.is_none(), "{} is feasible", known.name),
        }
    }
}

#[test]
fn a_problem_beyond_every_proof_is_not_found() {
    // A feasible problem without a solution (three copies of a known one, so that the problem is too large
    // for enumeration).
    let known = unsolvable()
        .into_iter()
        .find(|k| matches!(k.answer, Answer::FeasibleWithoutSolution { .. }))
        .unwrap();
    let n = known.size();
    let m = Array2::from_shape_fn(
        (3 * n, 3 * n),
        |(i, j)| {
            if i / n == j / n { known.m[[i % n, j % n]] } else { 0.0 }
        },
    );
    let q = known.q.repeat(3);
    let mut auto = Auto::new(AutoSettings { largest_enumeration: 3 * n - 1, ..Default::default() }).unwrap();
    let info = solve(&mut auto, MatrixRef::from(&m), &q, &mut vec![0.0; 3 * n]);
    assert_eq!(info.status, Status::NotFound, "{:?}", auto.trace());
    assert!(auto.trace().len() >= 3);
}

#[test]
fn the_trace_tells_what_was_tried_and_why() {
    let mut auto = Auto::default();
    let m = array![[2.0, -1.0], [-1.0, 2.0]];
    let info = solve(&mut auto, MatrixRef::from(&m), &[-1.0, -1.0], &mut [0.0; 2]);
    let [only] = auto.trace() else { panic!("{:?}", auto.trace()) };
    assert_eq!((only.method, only.why, only.info), ("lemke", "small and dense", info));

    // The next solve resets the trace. A larger sparse matrix is solved by another method.
    let chain = siconos_testkit::lcp::clamped_chain(60);
    let sparse = Csc::from_matrix(MatrixRef::from(&chain.m));
    let info = solve(&mut auto, MatrixRef::from(&sparse), &chain.q, &mut [0.0; 60]);
    assert!(info.status.is_success());
    let [only] = auto.trace() else { panic!("{:?}", auto.trace()) };
    assert_eq!((only.method, only.info), ("newton-min", info));
}

#[test]
fn it_is_the_default_and_has_checked_settings() {
    assert_eq!(LcpMethod::default().build().unwrap().name(), "auto");
    assert!(Auto::new(AutoSettings { tolerance: 0.0, ..Default::default() }).is_err());
    assert!(Auto::new(AutoSettings { largest_enumeration: 25, ..Default::default() }).is_err());
    let info = solve(&mut Auto::default(), MatrixRef::from(&Array2::zeros((0, 0))), &[], &mut []);
    assert_eq!((info.status, info.error), (Status::Converged, 0.0));
}

proptest! {
    #![proptest_config(random::config(200))]

    #[test]
    fn agrees_with_the_oracle_on_any_small_matrix(
        n in 1..5_usize,
        entries in prop::collection::vec(-3..=3_i32, 16),
        q in prop::collection::vec(-3..=3_i32, 4),
    ) {
        let m = Array2::from_shape_fn((n, n), |(i, j)| f64::from(entries[i * n + j]));
        let q: Vec<f64> = q[..n].iter().map(|&q| f64::from(q)).collect();
        let solvable = !enumerate_solutions(m.view(), &q).is_empty();
        let mut auto = Auto::default();
        let info = solve(&mut auto, MatrixRef::from(&m), &q, &mut vec![0.0; n]);
        prop_assert_eq!(info.status.is_success(), solvable, "{} {:?} {:?}", m, q, auto.trace());
        if !solvable {
            prop_assert_eq!(info.status, Status::NoSolution, "{} {:?} {:?}", m, q, auto.trace());
        }
    }
}

/// Returns the problem of a string over an obstacle with n unknowns. M is an M-matrix, and its active set
/// changes by one index per pivot.
fn string(n: usize) -> (Csc, Vec<f64>) {
    let triplets = (0..n).flat_map(|i| {
        let neighbours = [i.checked_sub(1), (i + 1 < n).then_some(i + 1)];
        std::iter::once((i, i, 2.0)).chain(neighbours.into_iter().flatten().map(move |j| (i, j, -1.0)))
    });
    let m = Csc::from_triplets(n, n, triplets).unwrap();
    (m, (0..n).map(|i| if 2 * i < n { -1.0 } else { 0.5 }).collect())
}

#[test]
fn long_chains_take_as_many_bases_as_they_need() {
    for n in [600_usize, 1200, 2000, 5000] {
        let (m, q) = string(n);
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        let info = Auto::default().solve(&LcpProblem::new(&m, &q).unwrap(), &mut z, &mut w).unwrap();
        assert!(info.status.is_success(), "{n}: {info:?}");
        let size = z.iter().fold(1.0_f64, |size, z| size.max(*z));
        assert!(z.iter().zip(&w).all(|(z, w)| z.min(*w).abs() <= 1e-14 * size), "{n}: {info:?}");
    }
}

/// The solution is up to n^2 times as large as the default initial point.
#[test]
fn interior_points_follow_long_chains() {
    for n in [100_usize, 600, 2000, 10_000] {
        let (m, q) = string(n);
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        let problem = LcpProblem::new(&m, &q).unwrap();
        let info = InteriorPoint::default().solve(&problem, &mut z, &mut w).unwrap();
        assert!(info.status.is_success() && info.iterations < 60, "{n}: {info:?}");
    }
}
