//! Linear system of an ADMM step: $(M + \sigma I + A^T R A) x = b$ with $R = \mathrm{diag}(\rho)$.

use siconos_linalg::{Csc, DenseCholesky, MatrixRef, SingularMatrix, SparseLu};

/// Factorised linear system.
///
/// If $M$ is dense, the sum is factorised by Cholesky. In other storage formats, the quasidefinite matrix
/// $\begin{pmatrix} M + \sigma I & A^T \cr A & -R^{-1} \end{pmatrix}$ is factorised by sparse LU, which
/// avoids the fill-in of the product $A^T A$ (Stellato et al. 2020, section 3.1). If $\rho$ changes, the
/// sparsity pattern stays the same and the symbolic factorisation is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct AdmmSystem {
    cholesky: DenseCholesky,
    sparse: SparseLu,
    is_dense: bool,
    /// M by columns, if it is not dense.
    columns: Csc,
    /// Transpose of A; empty if A is the identity.
    rows: Csc,
    right_hand_side: Vec<f64>,
}

impl AdmmSystem {
    /// Stores the matrices. If `a` is `None`, A is the identity.
    pub(super) fn prepare(&mut self, m: MatrixRef<'_>, a: Option<MatrixRef<'_>>) {
        self.is_dense = matches!(m, MatrixRef::Dense(_));
        if !self.is_dense {
            self.columns = Csc::from_matrix(m);
        }
        self.rows = Csc::default();
        if let Some(a) = a {
            self.rows.copy_transposed(&Csc::from_matrix(a));
        }
    }

    /// Factorises for a new $\rho$.
    pub(super) fn factor(
        &mut self,
        m: MatrixRef<'_>,
        a: Option<MatrixRef<'_>>,
        sigma: f64,
        rho: &[f64],
    ) -> Result<(), SingularMatrix> {
        let n = m.rows();
        if let MatrixRef::Dense(m) = m {
            let entries = self.cholesky.entries_mut(n);
            for j in 0..n {
                for i in j..n {
                    entries[j * n + i] = 0.5 * (m[[i, j]] + m[[j, i]]);
                }
                entries[j * n + j] += sigma + if a.is_none() { rho[j] } else { 0.0 };
            }
            for (k, rho) in rho.iter().enumerate().filter(|_| a.is_some()) {
                for (j, a_j) in self.rows.column(k) {
                    for (i, a_i) in self.rows.column(k).filter(|(i, _)| *i >= j) {
                        entries[j * n + i] += rho * a_i * a_j;
                    }
                }
            }
            return self.cholesky.factor();
        }
        let of_m = (0..n).flat_map(|j| self.columns.column(j).map(move |(i, x)| (i, j, x)));
        let matrix = if a.is_some() {
            let of_a = (0..rho.len()).flat_map(|k| {
                let entries = self.rows.column(k).flat_map(move |(j, x)| [(n + k, j, x), (j, n + k, x)]);
                entries.chain([(n + k, n + k, -1.0 / rho[k])])
            });
            let diagonal = (0..n).map(|j| (j, j, sigma));
            Csc::from_triplets(n + rho.len(), n + rho.len(), of_m.chain(diagonal).chain(of_a))
        } else {
            Csc::from_triplets(n, n, of_m.chain((0..n).map(|j| (j, j, sigma + rho[j]))))
        };
        self.sparse.factor(&matrix.unwrap_or_default())
    }

    /// Overwrites `b` with the solution.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        if self.is_dense {
            self.cholesky.solve(b);
            return;
        }
        self.right_hand_side.clear();
        self.right_hand_side.extend_from_slice(b);
        self.right_hand_side.resize(self.sparse.size(), 0.0);
        self.sparse.solve(&mut self.right_hand_side);
        b.copy_from_slice(&self.right_hand_side[..b.len()]);
    }
}
