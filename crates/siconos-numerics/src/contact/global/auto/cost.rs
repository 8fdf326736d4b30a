//! What is tried, and what it costs.

use siconos_linalg::cost::{dense_factorisation, sparse_factorisation};

use super::super::{
    GlobalInteriorPointSettings, GlobalNewtonSettings, GlobalProblem, proximal_factorisations,
};
use crate::contact::cost::OF_CONTACT;

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Quick,
    /// So many.
    Sweeps(usize),
    Newton,
    InteriorPoint,
    Admm,
    ProximalPoint,
    Thorough,
}

/// What the methods cost on one problem, in operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    entries: f64,
    /// Of the matrix of velocities and reactions together.
    pub(super) factorisation: f64,
    /// Of a sweep in the velocities.
    sweep: f64,
    /// Unknowns of contacts.
    unknowns: usize,
}

/// Passes over the entries in a step of ADMM.
const PASSES: f64 = 20.0;

impl Cost {
    pub(super) fn of(problem: &GlobalProblem<'_>) -> Self {
        let contacts =
            (0..problem.law().blocks()).map(|i| problem.law().range(i).len().pow(2)).sum::<usize>();
        let entries = (problem.m().stored_entries() + 2 * problem.h().stored_entries() + contacts) as f64;
        let dense = dense_factorisation(problem.degrees_of_freedom() + problem.size());
        let factorisation = sparse_factorisation(entries).min(dense);
        let sweep = 4.0 * problem.h().stored_entries() as f64 + OF_CONTACT * problem.law().blocks() as f64;
        Self { entries, factorisation, sweep, unknowns: problem.size() }
    }

    /// The cost of one iteration of a step, and how many it wants. The local method has a limit and an
    /// account of its own.
    pub(super) fn of_step(self, step: Step, max_iterations: usize) -> (f64, usize) {
        match step {
            Step::Quick | Step::Thorough => (self.entries, max_iterations),
            Step::Sweeps(most) => (self.sweep, most),
            Step::Newton => (self.factorisation, GlobalNewtonSettings::default().max_iterations),
            Step::InteriorPoint => {
                (self.factorisation, GlobalInteriorPointSettings::default().max_iterations)
            }
            Step::Admm => (PASSES * self.entries, max_iterations),
            Step::ProximalPoint => (self.factorisation, proximal_factorisations(self.unknowns)),
        }
    }
}
