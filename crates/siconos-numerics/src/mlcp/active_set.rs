//! Solution of a complementary basis, by one stored factorisation and one refinement step.

use ndarray::{Array2, ArrayView2};
use siconos_linalg::{BasicLu, Csc, Matrix, MatrixRef, NewtonMatrix, SingularMatrix};

use super::{MlcpProblem, MlcpRow};
use crate::box_constraints::Storage;
use crate::own_response;

/// Last factorised basis and its matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    /// Coefficient of z_i in row i and, in `b`, the coefficient of w_i. In a row with the equation w_i = 0
    /// they are 0 and 1. In a row with the equation z_i = 0 they are the mean of the factors d of the error
    /// and 0, so that all equations have the same unit.
    a: Vec<f64>,
    b: Vec<f64>,
    storage: Storage,
    newton: NewtonMatrix,
    /// Matrix of the stored factors, if there are any.
    matrix: Option<Matrix>,
    is_factored: bool,
    /// Factors for a basis with redundant equations, as for a joint that is defined twice. They yield a basic
    /// solution.
    redundant: BasicLu,
    is_redundant: bool,
    rows: Vec<usize>,
    right_hand_side: Vec<f64>,
    x: Vec<f64>,
    first: Vec<f64>,
}

impl ActiveSet {
    /// Computes the point with w_i = 0 in the equality rows and where `is_active`, and z_i = 0 elsewhere.
    /// Negative entries of complementarity rows are set to 0, so that the error of the point reveals a wrong
    /// basis. `w` is workspace.
    ///
    /// The stored factors are used if matrix and basis are the same as in the last call.
    ///
    /// # Errors
    ///
    /// If the matrix is singular ([`SingularMatrix`]); `z` is then unchanged.
    pub(super) fn point(
        &mut self,
        problem: &MlcpProblem<'_>,
        is_active: impl Fn(usize) -> bool,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        let (m, q, rows) = (problem.m(), problem.q(), problem.rows());
        let active = |i: usize| rows[i] == MlcpRow::Equality || is_active(i);
        let same_basis = self.a.len() == q.len() && (0..q.len()).all(|i| (self.b[i] == 1.0) == active(i));
        let is_known = self.is_factored && same_basis;
        if !(is_known && self.matrix.as_ref().is_some_and(|kept| equals(kept, m))) {
            self.a.clear();
            let unit = own_response::mean(m.reborrow());
            self.a.extend((0..q.len()).map(|i| if active(i) { 0.0 } else { unit }));
            self.b.clear();
            self.b.extend((0..q.len()).map(|i| if active(i) { 1.0 } else { 0.0 }));
            self.is_factored = false;
            let stored = self.storage.of(m);
            self.newton.prepare(stored, false);
            let factored = self.newton.factor(stored, &self.a, &self.b);
            self.is_redundant = match m.reborrow() {
                MatrixRef::Dense(m) if factored.is_err() || self.newton.is_near_singular() => {
                    self.factor_redundant(m, rows)
                }
                _ => false,
            };
            if !self.is_redundant {
                factored?;
            }
            self.matrix = Some(copy(self.matrix.take(), m));
            self.is_factored = true;
        }
        self.solve(m, q)?;
        // One step of refinement; z is written only if the result is finite.
        std::mem::swap(&mut self.x, &mut self.first);
        w.copy_from_slice(q);
        m.add_product(1.0, &self.first, w);
        self.solve(m, w)?;
        for (x, first) in self.x.iter_mut().zip(&self.first) {
            *x += first;
        }
        for (((z, x), row), b) in z.iter_mut().zip(&self.x).zip(rows).zip(&self.b) {
            *z = match row {
                MlcpRow::Equality => *x,
                MlcpRow::Complementarity if *b == 1.0 => x.max(0.0),
                // Sparse factors leave a rounding error instead of 0. If it is positive, the row would count
                // as active in the next call.
                MlcpRow::Complementarity => 0.0,
            };
        }
        Ok(())
    }

    /// If the basis contains several equations, factorises it until no nonzero pivot is left. Returns `true`
    /// if there are fewer pivots than rows.
    fn factor_redundant(&mut self, m: ArrayView2<'_, f64>, rows: &[MlcpRow]) -> bool {
        if rows.iter().filter(|row| **row == MlcpRow::Equality).count() < 2
            || m.iter().any(|x| !x.is_finite())
        {
            return false;
        }
        self.rows.clear();
        self.rows.extend((0..rows.len()).filter(|&i| self.b[i] == 1.0));
        let n = self.rows.len();
        let block = Array2::from_shape_fn((n, n), |(i, j)| m[[self.rows[i], self.rows[j]]]);
        self.redundant.factor(&Csc::from_matrix((&block).into())).is_ok_and(|rank| rank < n)
    }

    /// Solves with the right-hand side `-q` inside the basis and 0 outside.
    fn solve(&mut self, m: MatrixRef<'_>, q: &[f64]) -> Result<(), SingularMatrix> {
        self.x.clear();
        self.x.extend(q.iter().zip(&self.b).map(|(q, b)| -b * q));
        if self.is_redundant {
            self.right_hand_side.clear();
            self.right_hand_side.extend(self.rows.iter().map(|&i| self.x[i]));
            self.redundant.solve(&mut self.right_hand_side);
            self.rows.iter().zip(&self.right_hand_side).for_each(|(&i, x)| self.x[i] = *x);
            return Ok(());
        }
        self.newton.solve(self.storage.last(m), &mut self.x)
    }
}

/// Returns `true` if a matrix equals the stored one.
fn equals(kept: &Matrix, m: MatrixRef<'_>) -> bool {
    match (kept, m) {
        (Matrix::Dense(kept), MatrixRef::Dense(m)) => match (kept.as_slice(), m.as_slice()) {
            (Some(kept), Some(m)) => kept == m,
            _ => kept == m,
        },
        (Matrix::Diagonal(kept), MatrixRef::Diagonal(m)) => kept == m,
        (Matrix::BlockCsr(kept), MatrixRef::BlockCsr(m)) => kept == m,
        (Matrix::Csc(kept), MatrixRef::Csc(m)) => kept == m,
        _ => false,
    }
}

/// Returns an owned copy of `m`, which reuses the memory of the last copy `kept` if possible.
fn copy(kept: Option<Matrix>, m: MatrixRef<'_>) -> Matrix {
    match (kept, m) {
        (Some(Matrix::Dense(mut kept)), MatrixRef::Dense(m)) => {
            if kept.dim() != m.dim() {
                // The last problem had a different size.
                let (mut entries, _) = kept.into_raw_vec_and_offset();
                entries.resize(m.len(), 0.0);
                kept = Array2::from_shape_vec(m.raw_dim(), entries).expect("as many entries");
            }
            kept.assign(&m);
            Matrix::Dense(kept)
        }
        (Some(Matrix::Diagonal(mut kept)), MatrixRef::Diagonal(m)) if kept.len() == m.len() => {
            kept.assign(&m);
            Matrix::Diagonal(kept)
        }
        (Some(Matrix::BlockCsr(mut kept)), MatrixRef::BlockCsr(m)) => {
            kept.clone_from(m);
            Matrix::BlockCsr(kept)
        }
        (Some(Matrix::Csc(mut kept)), MatrixRef::Csc(m)) => {
            kept.clone_from(m);
            Matrix::Csc(kept)
        }
        (_, MatrixRef::Dense(m)) => Matrix::from(m.to_owned()),
        (_, MatrixRef::Diagonal(m)) => Matrix::from(m.to_owned()),
        (_, MatrixRef::BlockCsr(m)) => Matrix::from(m.clone()),
        (_, MatrixRef::Csc(m)) => Matrix::from(m.clone()),
    }
}
