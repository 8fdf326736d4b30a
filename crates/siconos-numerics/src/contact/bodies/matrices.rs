//! Sparse copies of M and H for methods that do not form W.

use siconos_linalg::{Csc, MatrixRef};

use super::BodiesProblem;
use crate::contact::ContactLaw;

/// Copies of M by columns and of H by columns and by rows, and the contact of each column of H.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrices {
    pub(super) m: Csc,
    pub(super) h: Csc,
    h_rows: Csc,
    /// Contact of each column of H.
    block_of: Vec<usize>,
    /// `true` if M is symmetric.
    is_symmetric: bool,
    /// Index of the first entry of each contact in arrays of square blocks. The last element is the total
    /// number of entries.
    firsts: Vec<usize>,
}

impl Matrices {
    /// Copies the matrices of a problem.
    pub(super) fn prepare(&mut self, problem: &BodiesProblem<'_>) {
        self.m.copy_from(problem.m(), |_, _| false);
        self.h.copy_from(problem.h(), |_, _| false);
        self.lay_out(&problem.law());
    }

    /// Prepares the other fields after M and H have been written. The columns of H must correspond to the
    /// unknowns of the law.
    pub(super) fn lay_out(&mut self, law: &ContactLaw<'_>) {
        self.h_rows.copy_transposed(&self.h);
        self.is_symmetric = MatrixRef::from(&self.m).is_symmetric();
        self.block_of.clear();
        self.firsts.clear();
        let mut first = 0;
        for block in 0..law.blocks() {
            let d = law.range(block).len();
            self.block_of.extend(std::iter::repeat_n(block, d));
            self.firsts.push(first);
            first += d * d;
        }
        self.firsts.push(first);
    }

    /// Returns `true` if M is symmetric.
    pub(super) fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Returns the square block of a contact, in row-major order, from an array of blocks.
    pub(super) fn block<'a>(&self, blocks: &'a [f64], contact: usize) -> &'a [f64] {
        &blocks[self.firsts[contact]..self.firsts[contact + 1]]
    }

    /// Returns the contact to which a column of H belongs.
    pub(super) fn contact_of(&self, column: usize) -> usize {
        self.block_of[column]
    }

    /// Calls `visit` for each contact c that acts on the degree of freedom k, in ascending order. The
    /// arguments are c and the product $G_c H_c^T e_k$, where $G_c$ is the block of contact c in `g`.
    pub(super) fn for_each_contact_of(
        &self,
        law: &ContactLaw<'_>,
        freedom: usize,
        g: &[f64],
        product: &mut Vec<f64>,
        mut visit: impl FnMut(usize, &[f64]),
    ) {
        let range = self.h_rows.starts()[freedom]..self.h_rows.starts()[freedom + 1];
        let (columns, values) = (&self.h_rows.row_indices()[range.clone()], &self.h_rows.values()[range]);
        let mut next = 0;
        while next < columns.len() {
            let contact = self.block_of[columns[next]];
            let rows = law.range(contact);
            let g = self.block(g, contact);
            product.clear();
            product.resize(rows.len(), 0.0);
            while next < columns.len() && self.block_of[columns[next]] == contact {
                let l = columns[next] - rows.start;
                for (sum, row) in product.iter_mut().zip(g.chunks_exact(rows.len())) {
                    *sum += row[l] * values[next];
                }
                next += 1;
            }
            visit(contact, product);
        }
    }

    /// Writes the inverse square root of the mass of each degree of freedom. The mass is the diagonal entry
    /// of M, or the largest magnitude in its column if the diagonal entry is not positive. If the column is
    /// zero, the result is 1.
    pub(super) fn inverse_roots(&self, inverse_roots: &mut Vec<f64>) {
        let n = self.m.columns();
        inverse_roots.clear();
        inverse_roots.extend((0..n).map(|i| {
            let diagonal = self.m.get(i, i);
            let mass = if diagonal > 0.0 {
                diagonal
            } else {
                self.m.column(i).fold(0.0_f64, |a, (_, x)| a.max(x.abs()))
            };
            if mass > 0.0 && mass.is_finite() { 1.0 / mass.sqrt() } else { 1.0 }
        }));
    }

    /// Writes the effective mass of each contact,
    /// $\rho_i = d / \mathrm{tr}(H_i^T \mathrm{diag}(M)^{-1} H_i)$, where d is the number of rows of the
    /// contact. Also writes the inverse square root of the mass of each degree of freedom. Both scale the
    /// components of a residual to square roots of energies, so that the components can be compared.
    pub(super) fn masses(&self, law: &ContactLaw<'_>, rho: &mut Vec<f64>, inverse_roots: &mut Vec<f64>) {
        self.inverse_roots(inverse_roots);
        rho.clear();
        rho.extend((0..law.blocks()).map(|block| {
            let range = law.range(block);
            let d = range.len() as f64;
            let trace: f64 =
                range.flat_map(|j| self.h.column(j)).map(|(i, x)| (x * inverse_roots[i]).powi(2)).sum();
            if trace > 0.0 && trace.is_finite() { d / trace } else { 1.0 }
        }));
    }
}
