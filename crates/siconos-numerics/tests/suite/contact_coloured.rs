//! Coloured Gauss-Seidel: results are the same to the last bit for any number of threads, after other
//! problems, and in every storage.

use std::sync::Arc;

use crate::contact_support::{Owned, pile};
use siconos_linalg::{BlockCsr, Csc, Matrix};
use siconos_numerics::contact::{
    ColouredGaussSeidel, ColouredGaussSeidelSettings, ContactLawData, LocalSolver,
};
use siconos_numerics::{CancellationToken, Solver, Status};
use siconos_testkit::allocation::count_allocations;

const CONTACTS: usize = 900;

fn coloured(threads: usize, local: LocalSolver) -> ColouredGaussSeidel {
    let settings = ColouredGaussSeidelSettings { threads, local, ..Default::default() };
    ColouredGaussSeidel::new(settings).expect("valid settings")
}

/// Returns the number of sweeps and the bits of the reactions.
#[track_caller]
fn answer(problem: &Owned, solver: &mut ColouredGaussSeidel) -> (usize, Vec<u64>) {
    let (info, r) = problem.solve(solver).expect("the data fit");
    assert_eq!(info.status, Status::Converged, "{info:?}");
    assert!(problem.measure(&r) <= 1.001e-8, "{:e}", problem.measure(&r));
    (info.iterations, r.iter().map(|r| r.to_bits()).collect())
}

/// Returns one friction coefficient per contact, starting at `first`.
fn coefficients(contacts: usize, first: f64) -> Vec<f64> {
    (0..contacts).map(|contact| first + 0.1 * (contact as f64 * 0.618).fract()).collect()
}

fn friction(contacts: usize, reach: usize, dimension: usize, seed: u64) -> Owned {
    let (w, q) = pile(contacts, reach, dimension, seed);
    Owned { w, q, law: ContactLawData::coulomb(dimension, coefficients(contacts, 0.35)) }
}

fn rolling(contacts: usize, dimension: usize) -> Owned {
    let (w, q) = pile(contacts, 3, dimension, 5);
    let law = ContactLawData::rolling(dimension, coefficients(contacts, 0.3), coefficients(contacts, 0.2));
    Owned { w, q, law }
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    for (problem, local) in [
        (friction(CONTACTS, 3, 3, 7), LocalSolver::Exact),
        (friction(CONTACTS, 3, 2, 7), LocalSolver::Exact),
        (friction(CONTACTS, 3, 3, 7), LocalSolver::ProjectionWithLocalIteration),
        (rolling(CONTACTS, 5), LocalSolver::Exact),
    ] {
        let [one, others @ ..] = [1, 2, 3, 4].map(|threads| answer(&problem, &mut coloured(threads, local)));
        for other in others {
            assert!(one == other, "the threads differ by {local:?}");
        }
    }
}

#[test]
fn a_solver_with_a_graph_behind_it_gives_the_bits_of_a_new_one() {
    let first = friction(CONTACTS, 3, 3, 7);
    let mut other_values = first.clone();
    other_values.w.scale_rows_and_columns();
    let other_pattern = friction(CONTACTS, 4, 3, 7);
    let fewer = friction(500, 3, 3, 7);

    let in_columns = Owned { w: Csc::from_matrix(first.w.view()).into(), ..first.clone() };
    let mut kept = coloured(2, LocalSolver::Exact);
    for problem in [&first, &other_values, &other_pattern, &first, &fewer, &in_columns, &other_values] {
        let new = answer(problem, &mut coloured(2, LocalSolver::Exact));
        assert!(new == answer(problem, &mut kept), "the memory of the solver is seen in the answer");
    }
}

/// Change of values without a change of the pattern.
trait Scaled {
    fn scale_rows_and_columns(&mut self);
}

impl Scaled for Matrix {
    fn scale_rows_and_columns(&mut self) {
        // One factor per contact, so that the blocks of W remain blocks of a Delassus matrix.
        let factor = |i: usize| 1.0 + 0.5 * ((i / 3) as f64 * 0.618).fract();
        let Matrix::BlockCsr(w) = self else { panic!("piles are stored in blocks") };
        w.scale_entries(|i, j| factor(i) * factor(j));
    }
}

#[test]
fn storages_give_the_same_bits() {
    let blocks = friction(40, 2, 3, 3);
    let expected = answer(&blocks, &mut ColouredGaussSeidel::default());
    let columns = Csc::from_matrix(blocks.w.view());
    for w in [Matrix::from(blocks.w.view().to_dense()), columns.into()] {
        let problem = Owned { w, ..blocks.clone() };
        assert_eq!(answer(&problem, &mut ColouredGaussSeidel::default()), expected);
    }
    // Blocks that do not match the contacts couple more of them.
    let coarse = BlockCsr::from_matrix(blocks.w.view(), 6).expect("40 contacts make 20 blocks");
    answer(&Owned { w: coarse.into(), ..blocks }, &mut ColouredGaussSeidel::default());
    let alone = Owned {
        w: Matrix::from(ndarray::Array1::from_elem(9, 2.0)),
        q: vec![-1.0, 0.3, 0.4, 1.0, 3.0, -4.0, -1.0, 3.0, -4.0],
        law: ContactLawData::coulomb(3, vec![0.5; 3]),
    };
    let (_, r) = alone.solve(&mut ColouredGaussSeidel::default()).expect("the data fit");
    let expected = [0.5, -0.15, -0.2, 0.0, 0.0, 0.0, 0.5, -0.15, 0.2];
    assert!(r.iter().zip(expected).all(|(r, e)| (r - e).abs() < 1e-15), "{r:?}");
}

#[test]
fn solving_again_allocates_nothing() {
    let (sliding, turning) = (friction(CONTACTS, 3, 3, 7), rolling(300, 5));
    let in_columns = Owned { w: Csc::from_matrix(sliding.w.view()).into(), ..sliding.clone() };
    for (problem, local) in [
        (in_columns, LocalSolver::Exact),
        (sliding.clone(), LocalSolver::Hybrid),
        (sliding, LocalSolver::Exact),
        (turning, LocalSolver::Exact),
    ] {
        for threads in [1, 2] {
            let mut solver = coloured(threads, local);
            let (mut r, mut u) = (vec![0.0; problem.q.len()], vec![0.0; problem.q.len()]);
            let mut solve = || {
                r.fill(0.0);
                let info = solver.solve(&problem.view(), &mut r, &mut u).expect("the data fit");
                assert!(info.status.is_success(), "{info:?}");
            };
            solve();
            // The queue of the thread pool allocates a block of memory for dozens of solves.
            let most = if threads == 1 { 0 } else { 1 };
            let allocations = count_allocations(solve);
            assert!(allocations <= most, "{allocations} on {threads} threads by {local:?}");
        }
    }
}

#[test]
fn a_watch_reaches_the_threads_of_a_pool() {
    let problem = friction(CONTACTS, 3, 3, 7);
    let token = Arc::new(CancellationToken::default());
    token.cancel();
    let mut solver = coloured(2, LocalSolver::Exact);
    let (info, _) = token.run(|| problem.solve(&mut solver)).expect("the data fit");
    assert_eq!((info.status, token.iterations()), (Status::MaxIterations, info.iterations));
    assert!(info.iterations <= 1, "{info:?}");
}
