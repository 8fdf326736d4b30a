//! Piles in both forms, and how they are solved.

use siconos_numerics::contact::{Contact, ContactProblem, GlobalContact};
use siconos_numerics::{SolveInfo, Solver};
use siconos_testkit::contact::KnownGlobal;

/// What a solver says of a problem, and r.
pub(crate) fn solved(
    solver: &mut impl SolverOfContacts,
    problem: &ContactProblem<'_>,
) -> (SolveInfo, Vec<f64>) {
    let n = problem.size();
    let (mut r, mut u) = (vec![0.0; n], vec![0.0; n]);
    let info = solver.solve(problem, &mut r, &mut u).expect("the data fit");
    (info, r)
}

/// A solver of local problems.
pub(crate) trait SolverOfContacts: Solver<Class = Contact> {}
impl<S: Solver<Class = Contact>> SolverOfContacts for S {}

/// r, v, and what a solver says of a pile in global form.
pub(crate) fn solved_in_velocities(
    solver: &mut dyn Solver<Class = GlobalContact>,
    pile: &KnownGlobal,
) -> (SolveInfo, Vec<f64>, Vec<f64>) {
    let data = pile.data();
    let n = pile.h.columns();
    let (mut z, mut u) = (vec![0.0; n + pile.f.len()], vec![0.0; n]);
    let info = solver.solve(&data.view(), &mut z, &mut u).expect("the data fit");
    let v = z.split_off(n);
    (info, z, v)
}
