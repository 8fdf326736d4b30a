//! What the pieces cost of which methods are made, in operations as [`effort`](crate::effort) counts them.

use siconos_linalg::cost::{factorisation, product};

use super::problem::Form;
use super::{ContactLaw, ContactProblem, DelassusProblem};

/// Operations of the law of one contact: a projection with its derivatives, or the solution of one alone with
/// Coulomb's law.
pub(super) const OF_CONTACT: f64 = 200.0;

/// Operations of the solution of one contact alone with another law, by iterations.
const OF_ITERATED_CONTACT: f64 = 4000.0;

/// What a step that factorises takes before its size matters, as many operations as that time is worth.
const OF_BEGINNING: f64 = 15_000.0;

/// $u = W r + q$ and the law of every contact.
pub(super) fn of_evaluation(problem: &DelassusProblem<'_>) -> f64 {
    product(problem.w()) + OF_CONTACT * problem.law().blocks() as f64
}

/// A step that factorises, without the trials of its line search.
pub(super) fn of_step(problem: &DelassusProblem<'_>) -> f64 {
    OF_BEGINNING + factorisation(problem.w()) + OF_CONTACT * problem.law().blocks() as f64
}

/// A sweep over all contacts.
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
