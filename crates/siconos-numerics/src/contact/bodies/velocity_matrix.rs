//! Sparse matrix of the methods in velocity space, which is the mass matrix plus the terms of the contacts.

use ndarray::Array2;
use siconos_linalg::{
    BorderedLu, Csc, DenseLu, SingularMatrix, SparseCholesky, is_sparse, multiplications_per_entry,
    units_of_diagonal,
};

use super::matrices::Matrices;
use crate::contact::ContactLaw;

/// Assembly and factorisation of the matrix
///
/// $$ A = M + H D H^T $$
///
/// (plain text: A = M + H D H^T), where D is block-diagonal with one block per contact. Two degrees of
/// freedom are coupled if they share a contact. A has one row per degree of freedom, and $W = H^T M^{-1} H$
/// has one row per contact unknown. If there are more contact unknowns than degrees of freedom, A is smaller
/// and sparser than W. The pattern of A depends on M and H, not on the values of D.
///
/// The factorisation is Cholesky if M and D are symmetric and the rounded matrix is positive definite, and LU
/// otherwise. Small or full matrices are factorised by dense LU. Nearly singular matrices are accepted,
/// because the matrices of interior-point methods become nearly singular towards the end of a solve, and this
/// does not harm the result (Wright 1999, "Ill-conditioning and computational error in interior methods").
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityMatrix {
    /// Matrix for which the current factors were computed, or `None` if no factors exist.
    factored: Option<Csc>,
    /// Matrix that is being assembled.
    next: Csc,
    /// Number of multiplications of a factorisation divided by the number of entries. The value is cached for
    /// the current pattern.
    multiplications: Option<f64>,
    /// Assembled matrix, scaled to the units of the factors.
    matrix: Csc,
    kind: FactorKind,
    cholesky: SparseCholesky,
    lu: BorderedLu,
    dense: DenseLu,
    dense_entries: Array2<f64>,
    /// Units of the rows and of the columns of the sparse factors. They are powers of two.
    units: (Vec<f64>, Vec<f64>),
    /// Column that is being assembled.
    column: Vec<f64>,
    /// `true` for each row in which `column` has an entry.
    is_there: Vec<bool>,
    rows: Vec<usize>,
    product: Vec<f64>,
    /// Residual of a solution, for iterative refinement.
    rest: Vec<f64>,
    #[cfg(test)]
    factorisations: usize,
}

/// Type of the current factors.
#[derive(Clone, Copy, Debug, Default)]
enum FactorKind {
    Cholesky,
    Lu,
    #[default]
    Dense,
}

impl VelocityMatrix {
    /// Assembles and factorises the matrix. `d` holds the blocks of D consecutively, each in row-major order.
    /// If the matrix equals the previous matrix, its factors are reused. In ADMM, the matrix stays the same
    /// as long as the contacts do not change.
    pub(super) fn factor(
        &mut self,
        matrices: &Matrices,
        law: &ContactLaw<'_>,
        d: &[f64],
        is_symmetric: bool,
    ) -> Result<(), SingularMatrix> {
        self.assemble(matrices, law, d);
        if self.factored.as_ref() == Some(&self.next) {
            return Ok(());
        }
        let mut before = self.factored.take().unwrap_or_default();
        if before.starts() != self.next.starts() || before.row_indices() != self.next.row_indices() {
            self.multiplications = None;
        }
        std::mem::swap(&mut before, &mut self.next);
        self.matrix.clone_from(&before);
        #[cfg(test)]
        {
            self.factorisations += 1;
        }
        self.factor_as_it_is(is_symmetric && matrices.is_symmetric())?;
        self.factored = Some(before);
        Ok(())
    }

    fn is_sparse(&self) -> bool {
        !matches!(self.kind, FactorKind::Dense)
    }

    /// Returns the number of multiplications of the most recent factorisation, divided by the number of
    /// entries on and above the diagonal. Returns 0 if the factors are dense, because a solve with a small
    /// matrix takes hardly less time than its factorisation.
    pub(super) fn multiplications_per_entry(&mut self) -> f64 {
        let Self {
            factored: Some(matrix), multiplications, kind: FactorKind::Cholesky | FactorKind::Lu, ..
        } = self
        else {
            return 0.0;
        };
        *multiplications.get_or_insert_with(|| multiplications_per_entry(matrix))
    }

    fn factor_as_it_is(&mut self, is_symmetric: bool) -> Result<(), SingularMatrix> {
        let n = self.matrix.columns();
        if !is_sparse(n, self.matrix.entries()) {
            self.kind = FactorKind::Dense;
            if self.dense_entries.dim() != (n, n) {
                self.dense_entries = Array2::zeros((n, n));
            }
            self.dense_entries.fill(0.0);
            for j in 0..n {
                self.matrix.column(j).for_each(|(i, x)| self.dense_entries[[i, j]] = x);
            }
            return self.dense.factor_in_any_units(self.dense_entries.view());
        }
        let (rows, columns) = &mut self.units;
        units_of_diagonal(&self.matrix, (&mut *rows, &mut *columns));
        self.matrix.scale_entries(|i, j| rows[i] * columns[j]);
        if is_symmetric && self.cholesky.factor(&self.matrix).is_ok() {
            self.kind = FactorKind::Cholesky;
            return Ok(());
        }
        self.kind = FactorKind::Lu;
        self.lu.group_columns();
        self.lu.factor(&self.matrix)
    }

    fn assemble(&mut self, matrices: &Matrices, law: &ContactLaw<'_>, d: &[f64]) {
        let n = matrices.m.columns();
        self.column.clear();
        self.column.resize(n, 0.0);
        self.is_there.clear();
        self.is_there.resize(n, false);
        self.next.begin(n);
        let Self { next: matrix, column, is_there, rows, product, .. } = self;
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
    }

    /// Replaces `x` by $A^{-1} x$.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.solve_with(x, false);
    }

    /// Replaces `x` by $A^{-1} x$. One step of iterative refinement reduces rounding errors. The matrices of
    /// interior-point methods need the refinement near the end of a solve, where it is worth the time of a
    /// second solve (Golub and Van Loan 2013, section 3.5.3).
    pub(super) fn solve_refined(&mut self, x: &mut [f64]) {
        self.solve_with(x, true);
    }

    fn solve_with(&mut self, x: &mut [f64], is_refined: bool) {
        if !self.is_sparse() {
            return self.dense.solve(x);
        }
        x.iter_mut().zip(&self.units.0).for_each(|(x, unit)| *x *= unit);
        let mut rest = std::mem::take(&mut self.rest);
        if is_refined {
            rest.clear();
            rest.extend_from_slice(x);
        }
        self.solve_in_units(x);
        if is_refined {
            for (j, x) in x.iter().enumerate() {
                self.matrix.column(j).for_each(|(i, a)| rest[i] -= a * x);
            }
            self.solve_in_units(&mut rest);
            x.iter_mut().zip(&rest).for_each(|(x, correction)| *x += correction);
        }
        self.rest = rest;
        x.iter_mut().zip(&self.units.1).for_each(|(x, unit)| *x *= unit);
    }

    fn solve_in_units(&mut self, x: &mut [f64]) {
        if matches!(self.kind, FactorKind::Cholesky) {
            self.cholesky.solve(x);
        } else {
            self.lu.solve(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2};

    use super::super::BodiesProblem;
    use super::*;

    /// Row of bodies, with one contact of three unknowns and one contact of two unknowns between neighbours.
    /// M couples degrees of freedom, and no block of D is a multiple of the identity.
    #[test]
    fn the_factors_are_those_of_the_dense_sum() {
        const BODIES: usize = 12;
        let (n, size) = (3 * BODIES, 5 * (BODIES - 1));
        let number = |i: usize, j: usize| ((7 * i + 13 * j) as f64).sin();
        let m = Array2::from_shape_fn((n, n), |(i, j)| match i.abs_diff(j) {
            0 => 2.0 + number(i, i),
            _ if i / 3 == j / 3 => 0.25 * number(i + j, i + j),
            _ => 0.0,
        });
        let touches = |i: usize, j: usize| (j / 5..=j / 5 + 1).contains(&(i / 3));
        let h = Array2::from_shape_fn((n, size), |(i, j)| if touches(i, j) { number(i, j) } else { 0.0 });
        let starts: Vec<usize> =
            (0..BODIES - 1).flat_map(|k| [5 * k, 5 * k + 3]).chain(std::iter::once(size)).collect();
        let tau = vec![1.0; starts.len() - 1];
        let law = ContactLaw::SecondOrder { starts: &starts, tau: &tau };
        let (mut blocks, mut d) = (Vec::new(), Array2::zeros((size, size)));
        for range in starts.windows(2).map(|pair| pair[0]..pair[1]) {
            for i in range.clone() {
                for j in range.clone() {
                    d[[i, j]] = if i == j { 3.0 } else { 0.5 * number(i + j, i + j) };
                    blocks.push(d[[i, j]]);
                }
            }
        }
        let q = vec![0.0; size];
        let problem = BodiesProblem::new((&m).into(), (&h).into(), &q, law);
        let mut matrices = Matrices::default();
        matrices.prepare(&problem);
        let mut factors = VelocityMatrix::default();
        factors.factor(&matrices, &law, &blocks, false).expect("regular");
        let expected = Array1::from_shape_fn(n, |i| (i as f64).cos());
        let right = (&m + &h.dot(&d).dot(&h.t())).dot(&expected).to_vec();
        let mut x = right.clone();
        factors.solve(&mut x);
        assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10), "{x:?}");
        // Factorise another matrix, then a matrix that is not finite, then the first matrix twice. The second
        // of these two calls reuses the factors.
        let doubled: Vec<f64> = blocks.iter().map(|x| 2.0 * x).collect();
        let broken = vec![f64::NAN; blocks.len()];
        assert!(factors.factor(&matrices, &law, &doubled, false).is_ok());
        assert!(factors.factor(&matrices, &law, &broken, false).is_err());
        for _ in 0..2 {
            factors.factor(&matrices, &law, &blocks, false).expect("regular");
            let mut again = right.clone();
            factors.solve(&mut again);
            assert_eq!(again, x);
        }
        assert_eq!(factors.factorisations, 4);
    }
}
