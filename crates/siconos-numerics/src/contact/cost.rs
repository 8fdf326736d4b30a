//! Cost model of contact methods. Costs are numbers of operations, counted as in [`effort`](crate::effort).

use siconos_linalg::cost::{factorisation, product};

use super::problem::Form;
use super::{ContactLaw, ContactProblem, DelassusProblem};

/// Number of operations to evaluate the law of one contact, which is a projection with its derivatives or, in
/// sweeps with Coulomb's law, the solution of the one-contact problem.
pub(super) const OF_CONTACT: f64 = 200.0;

/// Number of operations to solve a single contact iteratively. All laws except Coulomb's law need iterations.
const OF_ITERATED_CONTACT: f64 = 4000.0;

/// Operation count of the fixed work in a step with a factorisation. It does not depend on the size of the
/// problem.
const OF_BEGINNING: f64 = 15_000.0;

/// Returns the number of operations to evaluate $u = W r + q$ and the law of every contact.
pub(super) fn of_evaluation(problem: &DelassusProblem<'_>) -> f64 {
    product(problem.w()) + OF_CONTACT * problem.law().blocks() as f64
}

/// Returns the number of operations of a step with a factorisation. The line search is not included.
pub(super) fn of_step(problem: &DelassusProblem<'_>) -> f64 {
    OF_BEGINNING + factorisation(problem.w()) + OF_CONTACT * problem.law().blocks() as f64
}

/// Returns the number of operations of a sweep over all contacts.
pub(super) fn of_sweep(problem: &ContactProblem<'_>) -> f64 {
    let law = problem.law();
    let of_contact = match law {
        ContactLaw::Coulomb { .. } => OF_CONTACT,
        _ => OF_ITERATED_CONTACT,
    };
    let of_rows = match problem.form() {
        Form::Delassus(problem) => product(problem.w()),
        Form::Bodies(problem) => 2.0 * product(problem.h()),
    };
    of_rows + of_contact * law.blocks() as f64
}
