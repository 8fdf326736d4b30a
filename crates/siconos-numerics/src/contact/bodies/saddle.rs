//! Sparse matrix of the semismooth Newton method whose unknowns are the velocities and the reactions
//! together.

use siconos_linalg::{BorderedLu, Csc, MatrixRef, SingularMatrix};

use crate::contact::ContactLaw;

use super::matrices::Matrices;

/// Assembly and factorisation of the matrix
///
/// $$ \begin{pmatrix} S M & -S H \cr G H^T & B \end{pmatrix} $$
///
/// with the rows (S M, -S H) and (G H^T, B), where S is diagonal, and G and B are block-diagonal with one
/// block per contact. All entries of these blocks are stored, including zeros, so that all iterations share
/// the symbolic factorisation.
#[derive(Clone, Debug, Default)]
pub(super) struct Saddle {
    pub(super) matrices: Matrices,
    matrix: Csc,
    lu: BorderedLu,
    product: Vec<f64>,
}

impl Saddle {
    /// Assembles the matrix. `g` and `b` hold the blocks consecutively, each in row-major order.
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

    /// Factorises the assembled matrix.
    pub(super) fn factor(&mut self) -> Result<(), SingularMatrix> {
        self.lu.factor(&self.matrix)
    }

    /// Solves in place: `x` holds the right-hand side on entry and the solution on return. If the solution is
    /// not finite, the matrix is singular.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }

    /// Computes $y \leftarrow A^T x$ with the assembled matrix.
    pub(super) fn transposed_product(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        MatrixRef::from(&self.matrix).add_transposed_product(1.0, x, y);
    }
}
