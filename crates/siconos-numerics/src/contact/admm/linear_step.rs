//! Linear step of ADMM, which solves with the matrix W + rho I. The matrix is factorised once for each rho.

use siconos_linalg::{Csc, MatrixRef, NewtonMatrix, SingularMatrix, SparseCholesky, first_non_finite};

/// Factorisation of $W + \rho I$. The Cholesky factorisation is used if W is symmetric. The LU factorisation
/// is used if W is not symmetric or if the Cholesky factorisation fails. The factors are sparse if W is
/// sparse.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearStep {
    newton: NewtonMatrix,
    cholesky: SparseCholesky,
    /// Copy of W with all diagonal entries stored. It is used if W is sparse and symmetric.
    matrix: Csc,
    /// Positions of the diagonal entries in the values of `matrix`.
    places: Vec<usize>,
    diagonal: Vec<f64>,
    rho: Vec<f64>,
    ones: Vec<f64>,
    uses_cholesky: bool,
    is_newton_prepared: bool,
    symmetric: bool,
}

impl LinearStep {
    /// Prepares the factorisation for the matrix of a problem. Must be called once per problem.
    pub(super) fn prepare(&mut self, w: MatrixRef<'_>) {
        self.symmetric = w.is_symmetric();
        self.is_newton_prepared = false;
        self.uses_cholesky = self.symmetric && matches!(w, MatrixRef::BlockCsr(_) | MatrixRef::Csc(_));
        self.ones.clear();
        self.ones.resize(w.rows(), 1.0);
        if self.uses_cholesky {
            self.matrix.copy_from(w, |_, _| false);
            add_missing_diagonal(&mut self.matrix);
            self.places.clear();
            self.diagonal.clear();
            for j in 0..self.matrix.columns() {
                let range = self.matrix.starts()[j]..self.matrix.starts()[j + 1];
                let place = range.start + self.matrix.row_indices()[range].partition_point(|&i| i < j);
                self.places.push(place);
                self.diagonal.push(self.matrix.values()[place]);
            }
        }
    }

    /// Factorises $W + \rho I$ for this $\rho$.
    pub(super) fn factor(&mut self, w: MatrixRef<'_>, rho: f64) -> Result<(), SingularMatrix> {
        if self.uses_cholesky {
            for (place, diagonal) in self.places.iter().zip(&self.diagonal) {
                self.matrix.values_mut()[*place] = diagonal + rho;
            }
            if self.cholesky.factor(&self.matrix).is_ok() {
                return Ok(());
            }
            self.uses_cholesky = false;
        }
        if !self.is_newton_prepared {
            self.newton.prepare(w, self.symmetric);
            self.is_newton_prepared = true;
        }
        self.rho.clear();
        self.rho.resize(w.rows(), rho);
        self.newton.factor(w, &self.rho, &self.ones)
    }

    /// Overwrites `x` with $(W + \rho I)^{-1} x$.
    pub(super) fn solve(&mut self, w: MatrixRef<'_>, x: &mut [f64]) -> Result<(), SingularMatrix> {
        if !self.uses_cholesky {
            return self.newton.solve(w, x);
        }
        self.cholesky.solve(x);
        match first_non_finite(x) {
            None => Ok(()),
            Some(column) => Err(SingularMatrix::Pivot { column, pivot: 0.0 }),
        }
    }
}

fn add_missing_diagonal(a: &mut Csc) {
    let n = a.columns();
    if (0..n).all(|j| a.column(j).any(|(i, _)| i == j)) {
        return;
    }
    let entries = (0..n).flat_map(|j| a.column(j).map(move |(i, x)| (i, j, x)).chain([(j, j, 0.0)]));
    *a = Csc::from_triplets(n, n, entries).unwrap_or_default();
}
