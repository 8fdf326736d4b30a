//! Cost model of steps in velocity space.

use siconos_linalg::MatrixRef;
use siconos_linalg::cost::dense_factorisation;

use crate::contact::bodies::{BodiesProblem, Mass};
use crate::contact::{ContactLaw, DelassusProblem};

/// Cost of a sparse LU factorisation in nested dissection order, divided by the square of the number of
/// coupled entries. The constant was fitted to measured times for walls and piles of 1000 to 10 000 contacts.
const FILL: f64 = 0.02;

/// Cost of the remaining operations of a step with a factorisation, divided by the number of coupled entries.
/// Fitted like [`FILL`].
const PASSES: f64 = 1200.0;

/// Cost of an ADMM iteration that reuses its factors, divided by the number of coupled entries.
const PASSES_OF_ADMM: f64 = 100.0;

/// Returns `true` if $W = H^T M^{-1} H$ up to the relative error `part`. The two sides are compared by the
/// velocities that they assign to one test vector of impulses.
pub(super) fn are_of_w(bodies: &BodiesProblem<'_>, problem: &DelassusProblem<'_>, part: f64) -> bool {
    let (m, h, law, n) = (bodies.m(), bodies.h(), problem.law(), problem.size());
    let mut impulses = vec![0.0; n];
    // Rolling moments and rolling velocities are omitted, because their units differ.
    let rows = || (0..law.blocks()).flat_map(|block| law.rows_of_velocity(block));
    rows().for_each(|row| impulses[row] = 1.0 + (row % 7) as f64 / 8.0);
    let (mut of_w, mut of_bodies) = (vec![0.0; n], vec![0.0; n]);
    let (mut v, mut mass) = (vec![0.0; m.rows()], Mass::default());
    h.add_product(1.0, &impulses, &mut v);
    if mass.factor(m).is_err() {
        return false;
    }
    mass.solve(&mut v);
    h.add_transposed_product(1.0, &v, &mut of_bodies);
    problem.w().add_product(1.0, &impulses, &mut of_w);
    let size = rows().map(|row| of_w[row].powi(2)).sum::<f64>().sqrt();
    let difference = rows().map(|row| (of_w[row] - of_bodies[row]).powi(2)).sum::<f64>().sqrt();
    difference <= part * size
}

/// Operation counts of steps in velocity space.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepCosts {
    /// Number of operations of a step with a factorisation.
    pub(super) factorising: f64,
    /// Number of operations of an ADMM iteration that reuses its factors.
    pub(super) alternating: f64,
}

impl StepCosts {
    pub(super) fn of(problem: &BodiesProblem<'_>) -> Self {
        let law = problem.law();
        let factored = coupled_entries(problem, pairs_of_bodies(problem.h(), &law));
        let written = coupled_entries(problem, law.blocks());
        let factorising = FILL * factored * factored + PASSES * written;
        // The dense matrix is assembled from the products of the entries of each column of H. A contact is
        // assumed to have three columns.
        let dense = dense_factorisation(problem.degrees_of_freedom()) + 12.0 * written;
        Self { factorising: factorising.min(dense), alternating: PASSES_OF_ADMM * written }
    }
}

/// Returns the number of entries of M plus the number of entries that couple bodies through contacts. A
/// contact couples all degrees of freedom in which its columns of H have entries. Half of these couplings are
/// between its two bodies.
fn coupled_entries(problem: &BodiesProblem<'_>, contacts: usize) -> f64 {
    let (m, h) = (problem.m(), problem.h());
    let per_column = h.non_zeros() as f64 / h.columns().max(1) as f64;
    m.non_zeros() as f64 + 0.5 * contacts as f64 * per_column * per_column
}

/// Returns the number of pairs of bodies in contact. Consecutive contacts with entries in the same rows of H
/// count as one pair, because the contacts of a face are usually consecutive and couple the same degrees of
/// freedom.
fn pairs_of_bodies(h: MatrixRef<'_>, law: &ContactLaw<'_>) -> usize {
    let MatrixRef::Csc(h) = h else { return law.blocks() };
    let (mut pairs, mut before) = (0, None);
    for block in 0..law.blocks() {
        let ends = law.range(block).filter_map(|j| h.ends_of_column(j));
        let touched = ends.reduce(|(a, b), (first, last)| (a.min(first), b.max(last)));
        pairs += usize::from(touched != before);
        before = touched;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use siconos_linalg::{Csc, Matrix};

    use super::*;

    /// Four contacts of a face cost little more than one contact, because the factorised matrix is the same.
    /// The cost does not depend on the storage of the mass matrix.
    #[test]
    fn a_step_costs_what_is_factorised() {
        let (bodies, faces) = (200, 199);
        let step = |contacts: usize, m: &Matrix| {
            let entries = (0..faces * contacts).flat_map(|contact| {
                let first = 6 * (contact / contacts);
                (0..3).flat_map(move |k| (first..first + 12).map(move |row| (row, 3 * contact + k, 1.0)))
            });
            let h = Csc::from_triplets(6 * bodies, 3 * faces * contacts, entries).expect("inside");
            let mu = vec![0.5; faces * contacts];
            let law = ContactLaw::Coulomb { dimension: 3, mu: &mu };
            let q = vec![0.0; h.columns()];
            StepCosts::of(&BodiesProblem::new(m.view(), MatrixRef::from(&h), &q, law)).factorising
        };
        let diagonal = Matrix::from(ndarray::Array1::ones(6 * bodies));
        let dense = Matrix::from(Array2::<f64>::eye(6 * bodies));
        assert_eq!(step(4, &diagonal), step(4, &dense));
        let (one, four) = (step(1, &diagonal), step(4, &diagonal));
        assert!(one < four && four < 4.0 * one, "{one:e}, {four:e}");
    }
}
