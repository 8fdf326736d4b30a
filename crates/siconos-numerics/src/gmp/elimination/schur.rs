//! Schur complement of the equalities of a problem.

use ndarray::Array2;
use siconos_linalg::MatrixRef;

use super::factors::EqualityFactors;
use super::parts::EqualityPartition;
use crate::error::SolverError;
use crate::gmp::{GenericMechanicalProblem, error_of_point};

/// Factorised block of all equalities of a problem, with which their unknowns are eliminated.
#[derive(Debug, Default)]
pub(in crate::gmp) struct SchurReduction {
    pub(in crate::gmp) parts: EqualityPartition,
    pub(super) factors: EqualityFactors,
    response: Vec<f64>,
}

impl SchurReduction {
    /// Factorises the block of the equalities.
    pub(in crate::gmp) fn factor(&mut self, problem: &GenericMechanicalProblem) -> Result<(), SolverError> {
        self.parts.cut(problem);
        self.factors.factor(&self.parts.ee)
    }

    /// Returns the reduced problem of the other laws: the Schur complement S and the vector
    /// $q_i - M_{ie} M_{ee}^{-1} q_e$.
    pub(in crate::gmp) fn reduce(&mut self, problem: &GenericMechanicalProblem) -> (Array2<f64>, Vec<f64>) {
        let Self { parts, factors, response, .. } = self;
        let ie = MatrixRef::Csc(&parts.ie);
        let mut q = parts.of_others(problem.q());
        parts.of_equalities(problem.q(), response);
        factors.respond_freely(response);
        ie.add_product(-1.0, response, &mut q);
        // Row j of this array is column j of the Schur complement; the array is transposed at the end.
        let mut schur = Array2::zeros((q.len(), q.len()));
        for (j, mut column) in schur.rows_mut().into_iter().enumerate() {
            let Some(column) = column.as_slice_mut() else { continue };
            parts.ii.column(j).for_each(|(i, value)| column[i] = value);
            if parts.ei.column(j).any(|(_, value)| value != 0.0) {
                response.fill(0.0);
                parts.ei.column(j).for_each(|(i, value)| response[i] = value);
                factors.respond_to_law(response);
                ie.add_product(-1.0, response, column);
            }
        }
        (schur.reversed_axes(), q)
    }

    /// Writes all unknowns to `z`, given the unknowns `z_i` of the other laws.
    pub(in crate::gmp) fn recover(&mut self, problem: &GenericMechanicalProblem, z_i: &[f64], z: &mut [f64]) {
        let Self { parts, factors, response, .. } = self;
        parts.of_equalities(problem.q(), response);
        MatrixRef::Csc(&parts.ei).add_product(1.0, z_i, response);
        factors.respond(response);
        parts.others.iter().zip(z_i).for_each(|(&i, x)| z[i] = *x);
        parts.equalities.iter().zip(&*response).for_each(|(&i, x)| z[i] = -x);
    }

    /// Takes one step of iterative refinement of the unknowns of the equalities, and undoes it if it
    /// increases the error. Returns the error.
    pub(super) fn refine(&mut self, problem: &GenericMechanicalProblem, z: &mut [f64], w: &mut [f64]) -> f64 {
        let Self { parts, factors, response, .. } = self;
        let before = error_of_point(problem, z, w);
        parts.of_equalities(w, response);
        factors.respond(response);
        let mut unrefined = Vec::new();
        parts.of_equalities(z, &mut unrefined);
        parts.equalities.iter().zip(&*response).for_each(|(&i, x)| z[i] -= x);
        let error = error_of_point(problem, z, w);
        if error <= before {
            return error;
        }
        parts.equalities.iter().zip(&unrefined).for_each(|(&i, x)| z[i] = *x);
        error_of_point(problem, z, w)
    }
}
