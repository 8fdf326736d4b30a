//! Properties of a matrix that are cheap to check.

use siconos_linalg::{DenseCholesky, MatrixRef};

/// Properties of a matrix on which the choice of a method depends.
///
/// A missing property does not exclude a method: a matrix without any of these properties can still be a
/// P-matrix.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::MatrixProperties;
/// use siconos_linalg::MatrixRef;
///
/// let m = array![[3.0, 1.0], [-1.0, 2.0]];
/// let facts = MatrixProperties::of(MatrixRef::from(&m));
/// assert!(facts.positive_diagonal && facts.diagonally_dominant && !facts.symmetric);
/// assert!(facts.has_definite_symmetric_part(MatrixRef::from(&m)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixProperties {
    /// $M = M^T$ up to rounding.
    pub symmetric: bool,
    /// Every $M_{ii} > 0$. This is necessary for a P-matrix.
    pub positive_diagonal: bool,
    /// Every $M_{ii} \ge 0$. This is necessary for a positive semidefinite or copositive matrix.
    pub nonnegative_diagonal: bool,
    /// Every $M_{ii}$ exceeds the sum of the magnitudes of the other entries of its row. This is sufficient
    /// for a P-matrix (Cottle, Pang, Stone 1992, 3.3).
    pub diagonally_dominant: bool,
    /// Every $M_{ij} \le 0$ for $i \ne j$ (a Z-matrix). If the diagonal is positive as well,
    /// [`NewtonMin`](super::NewtonMin) is equivalent to policy iteration, and its iterates approach the
    /// solution monotonically.
    pub nonpositive_off_diagonal: bool,
}

impl MatrixProperties {
    /// Examines a square matrix in three passes over its entries.
    #[must_use]
    pub fn of(m: MatrixRef<'_>) -> Self {
        let n = m.rows();
        let mut diagonal = vec![0.0; n];
        m.copy_diagonal(&mut diagonal);
        let mut row_sums = vec![0.0; n];
        m.add_absolute_product(&vec![1.0; n], &mut row_sums);
        let mut nonpositive_off_diagonal = true;
        m.for_each_entry(|i, j, x| nonpositive_off_diagonal &= i == j || x <= 0.0);
        Self {
            nonpositive_off_diagonal,
            symmetric: m.is_symmetric(),
            positive_diagonal: diagonal.iter().all(|&d| d > 0.0),
            nonnegative_diagonal: diagonal.iter().all(|&d| d >= 0.0),
            diagonally_dominant: diagonal.iter().zip(&row_sums).all(|(&d, &sum)| d > sum - d.abs()),
        }
    }

    /// Returns `true` if $(M + M^T) / 2$ is positive definite to working precision, by a Cholesky
    /// factorisation. This is sufficient for a P-matrix (Cottle, Pang, Stone 1992, 3.1). Only dense matrices
    /// are tested; `false` is not conclusive.
    #[must_use]
    pub fn has_definite_symmetric_part(&self, m: MatrixRef<'_>) -> bool {
        let MatrixRef::Dense(a) = m else { return false };
        if !self.positive_diagonal {
            return false;
        }
        let n = a.nrows();
        let mut cholesky = DenseCholesky::default();
        let entries = cholesky.entries_mut(n);
        for j in 0..n {
            for i in j..n {
                entries[j * n + i] = 0.5 * (a[[i, j]] + a[[j, i]]);
            }
        }
        cholesky.factor().is_ok()
    }
}
