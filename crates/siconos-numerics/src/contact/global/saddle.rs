//! The matrix of the methods that never form W: velocities and reactions side by side, sparse.

use crate::contact::ContactLaw;
use crate::linalg::{Csc, MatrixRef, SingularMatrix, SparseLu};

use super::GlobalProblem;

/// Assembles and factorises
///
/// $$ \begin{pmatrix} S M & -S H \cr G H^T & B \end{pmatrix} $$
///
/// (rows S M, -S H and G H^T, B) with a diagonal S and with G and B block-diagonal over the contacts. All
/// places of a contact block are kept whatever their values, so that the symbolic part of the factorisation
/// serves every iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Saddle {
    pub(super) m: Csc,
    pub(super) h: Csc,
    h_rows: Csc,
    /// Block of each column of H.
    block_of: Vec<usize>,
    /// Where the entries of each contact block begin in G and B.
    pub(super) firsts: Vec<usize>,
    matrix: Csc,
    lu: SparseLu,
    sum: Vec<f64>,
}

impl Saddle {
    /// Takes the matrices of a problem.
    pub(super) fn prepare(&mut self, problem: &GlobalProblem<'_>) {
        self.m.copy_from(problem.m(), |_, _| false);
        self.h.copy_from(problem.h(), |_, _| false);
        self.h_rows.copy_transposed(&self.h);
        let law = problem.law();
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

    /// Writes the matrix; `g` and `b` hold the blocks row by row, one after the other.
    pub(super) fn assemble(&mut self, law: &ContactLaw<'_>, s: &[f64], g: &[f64], b: &[f64]) {
        let (n, contacts) = (self.m.columns(), self.h.columns());
        self.matrix.begin(n + contacts);
        for k in 0..n {
            self.m.column(k).for_each(|(i, x)| self.matrix.push(i, s[i] * x));
            let range = self.h_rows.starts()[k]..self.h_rows.starts()[k + 1];
            let (columns, values) = (&self.h_rows.row_indices()[range.clone()], &self.h_rows.values()[range]);
            let mut next = 0;
            while next < columns.len() {
                let block = self.block_of[columns[next]];
                let rows = law.range(block);
                let g = &g[self.firsts[block]..self.firsts[block + 1]];
                self.sum.clear();
                self.sum.resize(rows.len(), 0.0);
                while next < columns.len() && self.block_of[columns[next]] == block {
                    let l = columns[next] - rows.start;
                    for (sum, row) in self.sum.iter_mut().zip(g.chunks_exact(rows.len())) {
                        *sum += row[l] * values[next];
                    }
                    next += 1;
                }
                rows.zip(&self.sum).for_each(|(i, x)| self.matrix.push(n + i, *x));
            }
            self.matrix.close_column();
        }
        for j in 0..contacts {
            self.h.column(j).for_each(|(i, x)| self.matrix.push(i, -s[i] * x));
            let block = self.block_of[j];
            let rows = law.range(block);
            let (l, first, d) = (j - rows.start, self.firsts[block], rows.len());
            rows.enumerate().for_each(|(k, i)| self.matrix.push(n + i, b[first + k * d + l]));
            self.matrix.close_column();
        }
    }

    /// Factorises what was assembled.
    pub(super) fn factor(&mut self) -> Result<(), SingularMatrix> {
        self.lu.factor(&self.matrix)
    }

    /// Overwrites `x` with the solution; entries that are not finite tell that the matrix was singular.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }

    /// $y \leftarrow A^T x$ with the matrix that was assembled.
    pub(super) fn transposed_product(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        MatrixRef::from(&self.matrix).add_transposed_product(1.0, x, y);
    }
}

/// The size of each contact's mass, $\rho_i = d / \mathrm{tr}(H_i^T \mathrm{diag}(M)^{-1} H_i)$, and the
/// inverse root of the mass of each row: what makes the parts of a residual comparable, as roots of energies.
pub(super) fn scales(
    saddle: &Saddle,
    law: &ContactLaw<'_>,
    rho: &mut Vec<f64>,
    inverse_roots: &mut Vec<f64>,
) {
    let n = saddle.m.columns();
    inverse_roots.clear();
    // A row without mass of its own counts with its largest entry.
    inverse_roots.extend((0..n).map(|i| {
        let diagonal = saddle.m.get(i, i);
        let mass = if diagonal > 0.0 {
            diagonal
        } else {
            saddle.m.column(i).fold(0.0_f64, |a, (_, x)| a.max(x.abs()))
        };
        if mass > 0.0 && mass.is_finite() { 1.0 / mass.sqrt() } else { 1.0 }
    }));
    rho.clear();
    rho.extend((0..law.blocks()).map(|block| {
        let range = law.range(block);
        let d = range.len() as f64;
        let trace: f64 =
            range.flat_map(|j| saddle.h.column(j)).map(|(i, x)| (x * inverse_roots[i]).powi(2)).sum();
        if trace > 0.0 && trace.is_finite() { d / trace } else { 1.0 }
    }));
}
