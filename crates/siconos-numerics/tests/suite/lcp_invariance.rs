//! Invariants of all methods that can be selected at run time. A reported success is a solution, and the
//! result does not depend on the order of the unknowns, their units, or the storage of the matrix.
//!
//! The methods come from `LcpMethod::all`, so that new methods are included automatically. The guarantee of a
//! method is in its description.

use ndarray::Array2;
use proptest::prelude::*;
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::lcp::{Lcp, LcpMethod, LcpProblem, error};
use siconos_numerics::method::MatrixClass;
use siconos_numerics::{Method, SolveInfo, Solver, SolverError, Status};
use siconos_testkit::lcp::generated::{Chain, every_family};
use siconos_testkit::lcp::strategy::{
    RandomLcp, degenerate_integers, feasible_semidefinite, p_matrix, permutation, positive_definite,
};
use siconos_testkit::lcp::{
    Answer, Capability, KnownLcp, Measures, Promise, check_lcp_solver_up_to, condition_number,
    enumerate_solutions,
};
use siconos_testkit::random::config;

/// Method under test with its guarantee.
struct Candidate {
    name: &'static str,
    promise: Promise,
    solver: Box<dyn Solver<Class = Lcp>>,
}

impl Candidate {
    fn capability(&self) -> &Capability {
        &self.promise.capability
    }

    fn takes(&self, m: &Matrix, q: &[f64]) -> bool {
        LcpProblem::new(m, q).is_ok_and(|problem| self.solver.supports(&problem).is_ok())
    }
}

/// Returns every method, with the tolerance of its guarantee.
fn candidates() -> Vec<Candidate> {
    let methods = LcpMethod::all().into_iter().map(|mut method| {
        let name = method.description().name;
        let promise = Promise::of(method.description());
        method.set_tolerance(promise.capability.tolerance);
        Candidate { name, promise, solver: method.build().expect("valid settings") }
    });
    methods.collect()
}

/// Solves from 0. Returns `None` if the method refuses the problem, which is an error only if its guarantee
/// covers the problem.
fn solve(
    solver: &mut dyn Solver<Class = Lcp>,
    m: &Matrix,
    q: &[f64],
) -> Option<(SolveInfo, Vec<f64>, Vec<f64>)> {
    let problem = LcpProblem::new(m, q).expect("it is square");
    let (mut z, mut w) = (vec![0.0; q.len()], vec![0.0; q.len()]);
    match solver.solve(&problem, &mut z, &mut w) {
        Ok(info) => Some((info, z, w)),
        Err(SolverError::Problem(error)) => panic!("the data are fine, and yet: {error}"),
        Err(_) => None,
    }
}

/// Checks that a success is a solution: `w = M z + q`, `z >= 0`, `w >= 0`, and each pair complementary, up to
/// the tolerance.
fn check_success(
    m: &Array2<f64>,
    q: &[f64],
    (info, z, w): (&SolveInfo, &[f64], &[f64]),
    tolerance: f64,
) -> Result<(), String> {
    if !info.status.is_success() {
        return Ok(());
    }
    let point = Measures::of(m.view(), q, z);
    let norm_q = q.iter().map(|q| q * q).sum::<f64>().sqrt().max(f64::EPSILON);
    let scale = z.iter().chain(w).chain(q).fold(1.0_f64, |a, x| a.max(x.abs()));
    let off = w.iter().zip(&point.w).any(|(a, b)| (a - b).abs() > 1e-11 * scale);
    let slack = tolerance * norm_q.max(1.0) * (1.0 + 1e-6);
    let at_rounding = info.status == Status::AtRoundingLevel;
    let is_point = if at_rounding {
        point.backward <= 8.0 * f64::EPSILON * q.len().max(1) as f64
    } else {
        point.natural <= tolerance * (1.0 + 1e-6)
            && point.least_z >= -slack / m.diag().iter().copied().filter(|d| *d > 0.0).fold(1.0, f64::min)
            && point.least_w >= -slack
    };
    let recomputed = error(&LcpProblem::new(m, q).expect("it is square"), z, w);
    if off || !is_point || recomputed.is_nan() {
        return Err(format!("{info:?}, but the point has {point:?}"));
    }
    Ok(())
}

fn check_same(a: &[f64], b: &[f64], tolerance: f64) -> Result<(), String> {
    let scale = a.iter().chain(b).fold(1.0_f64, |a, x| a.max(x.abs()));
    match a.iter().zip(b).position(|(a, b)| (a - b).abs() > tolerance * scale) {
        None => Ok(()),
        Some(i) => Err(format!("entry {i}: {:e} against {:e}", a[i], b[i])),
    }
}

/// Returns the largest distance between two points of the given tolerance if the solution is unique.
fn distance(m: &Array2<f64>, tolerance: f64) -> f64 {
    1e3 * tolerance * condition_number(m.view()).max(1.0)
}

/// Solves a known problem by one method. The report has to be correct, and the solve has to succeed if the
/// guarantee covers the problem.
fn judge(candidate: &mut Candidate, known: &KnownLcp, m: &Matrix) -> Result<(), String> {
    let covered = candidate.capability().covers(known);
    let tolerance = candidate.capability().tolerance;
    let Some((info, z, w)) = solve(candidate.solver.as_mut(), m, &known.q) else {
        return if covered { Err("refused".to_owned()) } else { Ok(()) };
    };
    check_success(&known.m, &known.q, (&info, &z, &w), tolerance)?;
    match (known.has_solution(), info.status) {
        (true, Status::NoSolution) => return Err("there is a solution".to_owned()),
        (true, status) if covered && !status.is_success() => return Err(format!("promised, but {info:?}")),
        (false, status) if status.is_success() => return Err(format!("there is none, but {info:?}")),
        (false, Status::NoSolution | Status::RayTermination) => {}
        (false, _) if covered && candidate.capability().recognises_unsolvable => {
            return Err(format!("there is none, which was not seen: {info:?}"));
        }
        _ => {}
    }
    match &known.answer {
        Answer::Unique(solution) if info.status.is_success() => {
            check_same(&z, solution, distance(&known.m, tolerance))
        }
        _ => Ok(()),
    }
}

#[test]
fn every_method_is_honest_and_keeps_its_promise_on_drawn_problems() {
    let problems: Vec<KnownLcp> = [(1, 1), (3, 2), (6, 3), (12, 4), (30, 5)]
        .into_iter()
        .flat_map(|(n, seed)| every_family(n, seed))
        .collect();
    let mut failures = Vec::new();
    for mut candidate in candidates() {
        let largest = candidate.promise.largest_size;
        for known in problems.iter().filter(|known| known.size() <= largest) {
            let dense = Matrix::from(known.m.clone());
            if !candidate.takes(&dense, &known.q) {
                continue;
            }
            if let Err(failure) = judge(&mut candidate, known, &dense) {
                failures.push(format!("{} on {}: {failure}", candidate.name, known.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_method_passes_the_battery_of_its_promise() {
    for mut candidate in candidates() {
        let promise = candidate.promise.clone();
        let report =
            check_lcp_solver_up_to(candidate.solver.as_mut(), &promise.capability, promise.largest_size);
        let solves: usize = report.storages.iter().sum();
        assert!(solves > 50, "{}: {report:?}", candidate.name);
        assert_eq!(promise.capability.classes.is_empty(), report.solved == 0, "{}", candidate.name);
    }
}

#[test]
fn the_storage_does_not_change_the_answer() {
    let chains = [Chain::clamped(12), Chain::of_beads(12), Chain::drawn(20, 1, 3), Chain::drawn(9, 3, 4)];
    for (mut candidate, chain) in
        chains.iter().flat_map(|chain| candidates().into_iter().map(move |c| (c, chain)))
    {
        if chain.size() > candidate.promise.largest_size {
            continue;
        }
        let known = KnownLcp {
            name: chain.name.clone(),
            source: "planted",
            m: chain.dense(),
            q: chain.q.clone(),
            class: MatrixClass::SymmetricPositiveDefinite,
            answer: Answer::Unique(chain.z.clone()),
        };
        for m in [Matrix::from(known.m.clone()), Matrix::from(chain.block_rows()), Matrix::from(chain.csc())]
        {
            if candidate.takes(&m, &known.q) {
                let verdict = judge(&mut candidate, &known, &m);
                let (name, storage) = (candidate.name, m.view().storage());
                assert_eq!(verdict, Ok(()), "{name} on {}, {storage}", known.name);
            }
        }
    }
}

#[test]
fn a_sparse_method_takes_a_long_chain_in_stride() {
    // With dense storage, ten thousand contacts would need 800 MB.
    let chain = Chain::drawn(10_000, 1, 9);
    let m = chain.matrix();
    let mut solved = 0;
    for mut candidate in candidates().into_iter().filter(|c| c.promise.largest_size >= chain.size()) {
        if !candidate.takes(&m, &chain.q) || candidate.capability().classes.is_empty() {
            continue;
        }
        let (info, z, w) = solve(candidate.solver.as_mut(), &m, &chain.q).expect("it supports block rows");
        if info.status.is_success() {
            let recomputed = error(&LcpProblem::new(&m, &chain.q).expect("it is square"), &z, &w);
            assert!(recomputed <= 1e-8, "{}: {info:?}, {recomputed:e}", candidate.name);
            solved += 1;
        }
    }
    // Half of the contacts are open, so that the closed ones form short rows, and even simple sweeps
    // converge.
    assert!(solved > 0, "no method that takes block rows solved it");
}

/// Returns the problem with its unknowns in another order.
fn permuted(m: &Array2<f64>, q: &[f64], order: &[usize]) -> (Array2<f64>, Vec<f64>) {
    let m = Array2::from_shape_fn(m.dim(), |(i, j)| m[[order[i], order[j]]]);
    (m, order.iter().map(|&i| q[i]).collect())
}

/// Returns the problem (S M S, S q), which has the solution S^-1 z.
fn rescaled(m: &Array2<f64>, q: &[f64], s: &[f64]) -> (Array2<f64>, Vec<f64>) {
    let m = Array2::from_shape_fn(m.dim(), |(i, j)| s[i] * m[[i, j]] * s[j]);
    (m, q.iter().zip(s).map(|(q, s)| q * s).collect())
}

/// Solves a problem and its image. Checks both points, that a guarantee holds for both, and, for unique
/// solutions, that the points agree after the map `back`.
fn check_pair(
    class: MatrixClass,
    (m, q): (&Array2<f64>, &[f64]),
    (image_m, image_q): (&Array2<f64>, &[f64]),
    back: impl Fn(&[f64]) -> Vec<f64>,
) -> Result<(), TestCaseError> {
    let is_unique = class.is_within(MatrixClass::PMatrix);
    let as_known = |m: &Array2<f64>, q: &[f64]| KnownLcp {
        name: String::new(),
        source: "drawn",
        m: m.clone(),
        q: q.to_vec(),
        class,
        answer: Answer::Several(Vec::new()),
    };
    for mut candidate in candidates() {
        let tolerance = candidate.capability().tolerance;
        if q.len() > candidate.promise.largest_size {
            continue;
        }
        let mut points = Vec::new();
        for (m, q) in [(m, q), (image_m, image_q)] {
            let promised = candidate.capability().covers(&as_known(m, q));
            let solved = solve(candidate.solver.as_mut(), &Matrix::from(m.clone()), q);
            prop_assert!(solved.is_some() || !promised, "{} refuses", candidate.name);
            let Some((info, z, w)) = solved else { continue };
            let verdict = check_success(m, q, (&info, &z, &w), tolerance);
            prop_assert!(verdict.is_ok(), "{}: {:?}", candidate.name, verdict);
            prop_assert!(info.status != Status::NoSolution, "{}: there is one", candidate.name);
            prop_assert!(info.status.is_success() || !promised, "{}: {:?}", candidate.name, info);
            points.extend(info.status.is_success().then_some(z));
        }
        if let ([z, image], true) = (&points[..], is_unique) {
            let allowed = distance(m, tolerance).max(distance(image_m, tolerance));
            let same = check_same(&back(image), z, allowed);
            prop_assert!(same.is_ok(), "{}: {:?}", candidate.name, same);
        }
    }
    Ok(())
}

fn with_order(problem: impl Strategy<Value = RandomLcp>) -> impl Strategy<Value = (RandomLcp, Vec<usize>)> {
    problem.prop_flat_map(|problem| {
        let n = problem.q.len();
        (Just(problem), permutation(n))
    })
}

fn with_units(problem: impl Strategy<Value = RandomLcp>) -> impl Strategy<Value = (RandomLcp, Vec<f64>)> {
    problem.prop_flat_map(|problem| {
        let n = problem.q.len();
        (Just(problem), proptest::collection::vec(0.3..3.0, n))
    })
}

fn check_order(
    class: MatrixClass,
    RandomLcp { m, q }: &RandomLcp,
    order: &[usize],
) -> Result<(), TestCaseError> {
    let (image_m, image_q) = permuted(m, q, order);
    check_pair(class, (m, q), (&image_m, &image_q), |image| {
        let mut z = vec![0.0; image.len()];
        order.iter().zip(image).for_each(|(&i, x)| z[i] = *x);
        z
    })
}

fn check_units(class: MatrixClass, RandomLcp { m, q }: &RandomLcp, s: &[f64]) -> Result<(), TestCaseError> {
    let (image_m, image_q) = rescaled(m, q, s);
    check_pair(class, (m, q), (&image_m, &image_q), |image| image.iter().zip(s).map(|(z, s)| z * s).collect())
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn the_order_of_the_unknowns_does_not_matter_for_p_matrices((problem, order) in with_order(p_matrix(1..9))) {
        check_order(MatrixClass::PMatrix, &problem, &order)?;
    }

    #[test]
    fn nor_for_definite_ones((problem, order) in with_order(positive_definite(1..9))) {
        check_order(MatrixClass::SymmetricPositiveDefinite, &problem, &order)?;
    }

    #[test]
    fn nor_for_semidefinite_ones((problem, order) in with_order(feasible_semidefinite(1..9))) {
        check_order(MatrixClass::PositiveSemidefinite, &problem, &order)?;
    }

    #[test]
    fn the_units_do_not_matter_for_p_matrices((problem, s) in with_units(p_matrix(1..9))) {
        check_units(MatrixClass::PMatrix, &problem, &s)?;
    }

    #[test]
    fn neither_for_definite_ones((problem, s) in with_units(positive_definite(1..9))) {
        check_units(MatrixClass::SymmetricPositiveDefinite, &problem, &s)?;
    }

    #[test]
    fn neither_for_semidefinite_ones((problem, s) in with_units(feasible_semidefinite(1..9))) {
        check_units(MatrixClass::PositiveSemidefinite, &problem, &s)?;
    }
}

proptest! {
    #![proptest_config(config(400))]

    /// Small integer matrices of no special class. Most have ties, and many have no solution. No guarantee
    /// covers them, but all reports have to be correct.
    #[test]
    fn nobody_lies_about_a_general_matrix(RandomLcp { m, q } in degenerate_integers(1..6)) {
        let solvable = !enumerate_solutions(m.view(), &q).is_empty();
        let dense = Matrix::from(m.clone());
        for mut candidate in candidates() {
            let tolerance = candidate.capability().tolerance;
            let Some((info, z, w)) = solve(candidate.solver.as_mut(), &dense, &q) else { continue };
            let verdict = check_success(&m, &q, (&info, &z, &w), tolerance);
            prop_assert!(verdict.is_ok(), "{}: {:?}", candidate.name, verdict);
            prop_assert!(solvable || !info.status.is_success(), "{}: {:?}", candidate.name, info);
            prop_assert!(!solvable || info.status != Status::NoSolution, "{}: {:?}", candidate.name, info);
        }
    }

    /// Blocks of 1, 2, 1, 2, .. rows and sparse columns contain the same matrix.
    #[test]
    fn random_matrices_in_every_storage(RandomLcp { m, q } in positive_definite(1..9)) {
        let sizes: Vec<usize> = (0..q.len()).map(|_| 1).collect();
        let blocks = m.indexed_iter().map(|((i, j), x)| (i, j, Array2::from_elem((1, 1), *x)));
        let block_rows = BlockCsr::from_blocks(&sizes, &sizes, blocks.collect::<Vec<_>>()).expect("they fit");
        let columns = Csc::from_matrix((&m).into());
        for mut candidate in candidates().into_iter().filter(|c| q.len() <= c.promise.largest_size) {
            let tolerance = candidate.capability().tolerance;
            let mut points: Vec<Vec<f64>> = Vec::new();
            for matrix in [Matrix::from(m.clone()), block_rows.clone().into(), columns.clone().into()] {
                if !candidate.takes(&matrix, &q) {
                    continue;
                }
                let Some((info, z, w)) = solve(candidate.solver.as_mut(), &matrix, &q) else { continue };
                let verdict = check_success(&m, &q, (&info, &z, &w), tolerance);
                prop_assert!(verdict.is_ok(), "{}: {:?}", candidate.name, verdict);
                points.extend(info.status.is_success().then_some(z));
            }
            for z in points.iter().skip(1) {
                let same = check_same(z, &points[0], distance(&m, tolerance));
                prop_assert!(same.is_ok(), "{}: {:?}", candidate.name, same);
            }
        }
    }
}
