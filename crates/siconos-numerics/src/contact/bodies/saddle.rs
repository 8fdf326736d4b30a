//! The matrix of Newton's method: velocities and reactions side by side, sparse.

use siconos_linalg::{BorderedLu, Csc, MatrixRef, SingularMatrix};

use crate::contact::ContactLaw;

use super::matrices::Matrices;

/// Assembles and factorises
///
/// $$ \begin{pmatrix} S M & -S H \cr G H^T & B \end{pmatrix} $$
///
/// (rows S M, -S H and G H^T, B) with a diagonal S and with G and B block-diagonal over the contacts. All
/// places of a contact block are kept whatever their values, so that the symbolic part of the factorisation
/// serves every iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct Saddle {
    pub(super) matrices: Matrices,
    matrix: Csc,
    lu: BorderedLu,
    product: Vec<f64>,
}

impl Saddle {
    /// Writes the matrix; `g` and `b` hold the blocks row by row, one after the other.
    pub(super) fn assemble(&mut self, law: &ContactLaw<'_>, s: &[f64], g: &[f64], b: &[f64]) {
        let Self { matrices, matrix, product, .. } = self;
        let (n, contacts) = (matrices.m.columns(), matrices.h.columns());
        matrix.begin(n + contacts);
        for k in 0..n {
            matrices.m.column(k).for_each(|(i, x)| matrix.push(i, s[i] * x));
            matrices.for_each_contact_of(law, k, g, product, |contact, entries| {
                law.range(contact).zip(entries).for_each(|(i, x)| matrix.push(n + i, *x));
            });
            matrix.close_column();
        }
        for j in 0..contacts {
            matrices.h.column(j).for_each(|(i, x)| matrix.push(i, -s[i] * x));
            let contact = matrices.contact_of(j);
            let rows = law.range(contact);
            let (l, b, d) = (j - rows.start, matrices.block(b, contact), rows.len());
            rows.enumerate().for_each(|(k, i)| matrix.push(n + i, b[k * d + l]));
            matrix.close_column();
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
