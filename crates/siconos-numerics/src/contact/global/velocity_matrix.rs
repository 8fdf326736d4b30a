//! The matrix of the methods in the velocities of the bodies, sparse: what contacts add to the masses.

use super::matrices::Matrices;
use crate::contact::ContactLaw;
use crate::linalg::{Csc, FactoredMatrix, MatrixRef, SingularMatrix};

/// Assembles and factorises
///
/// $$ A = M + H D H^T $$
///
/// (A = M + H D H^T) with D block-diagonal over the contacts. Two degrees of freedom are coupled where they
/// share a contact: a row per degree of freedom, fewer and emptier than the rows of $W = H^T M^{-1} H$, one
/// per contact unknown, when contacts outnumber bodies. The pattern is that of M and H whatever the values of
/// D.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityMatrix {
    matrix: Csc,
    factors: FactoredMatrix,
    /// The column that is being added up, and which of its rows are there.
    column: Vec<f64>,
    is_there: Vec<bool>,
    rows: Vec<usize>,
    product: Vec<f64>,
}

impl VelocityMatrix {
    /// Writes and factorises the matrix; `d` holds the blocks row by row, one after the other.
    pub(super) fn factor(
        &mut self,
        matrices: &Matrices,
        law: &ContactLaw<'_>,
        d: &[f64],
    ) -> Result<(), SingularMatrix> {
        let n = matrices.m.columns();
        self.column.clear();
        self.column.resize(n, 0.0);
        self.is_there.clear();
        self.is_there.resize(n, false);
        self.matrix.begin(n);
        let Self { matrix, column, is_there, rows, product, .. } = self;
        for k in 0..n {
            rows.clear();
            let mut add = |i: usize, x: f64| {
                if !is_there[i] {
                    is_there[i] = true;
                    rows.push(i);
                }
                column[i] += x;
            };
            matrices.m.column(k).for_each(|(i, x)| add(i, x));
            matrices.for_each_contact_of(law, k, d, product, |contact, reaction| {
                for (j, reaction) in law.range(contact).zip(reaction) {
                    matrices.h.column(j).for_each(|(i, x)| add(i, x * reaction));
                }
            });
            rows.sort_unstable();
            for &i in &*rows {
                matrix.push(i, std::mem::take(&mut column[i]));
                is_there[i] = false;
            }
            matrix.close_column();
        }
        self.factors.factor_sum(&[(1.0, MatrixRef::Csc(&self.matrix))])
    }

    /// Overwrites `x` with $A^{-1} x$.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.factors.solve(x);
    }
}
