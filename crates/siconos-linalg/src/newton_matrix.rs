//! Matrix of Newton's method: diag(a) + diag(b) M.

use ndarray::{ArrayView1, ArrayView2};

use super::principal_ldl::PrincipalLdl;
use super::symmetry::has_mirrored_entries;
use super::{Csc, DenseCholesky, DenseLu, MatrixRef, SingularMatrix, SparseLu, first_non_finite, square};

/// Factorisation of $\mathrm{diag}(a) + \mathrm{diag}(b) M$, in plain text diag(a) + diag(b) M, for $M$ in
/// any storage.
///
/// The generalised Jacobian of a complementarity function, applied to the pairs $(z_i, (M z + q)_i)$, has
/// this form; $a_i$ and $b_i$ are the derivatives of the function. The matrix of an interior-point step has
/// this form as well. The principal block of a complementary basis has this form with each $b_i$ equal to 0
/// or 1.
///
/// - Dense $M$: rows with $b_i = 0$ are eliminated first, so only the block of the active rows ($b_i \ne 0$)
///   is factorised. Cholesky is used if $M$ is declared symmetric and $a \ge 0$, $b > 0$ in the active rows.
///   Otherwise, or if Cholesky fails, LU is used.
/// - Block rows and sparse columns: under the same conditions, the block of active rows is factorised by
///   $L D L^T$, and the factors are updated when rows enter or leave the block. Otherwise the whole matrix is
///   factorised by sparse LU, whose symbolic factorisation is reused as long as the pattern does not change.
/// - Diagonal $M$: one division per row.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::{MatrixRef, NewtonMatrix};
///
/// let m = array![[4.0, 1.0], [1.0, 2.0]];
/// let mut newton = NewtonMatrix::default();
/// newton.prepare(MatrixRef::from(&m), true);
/// // Row 0 of M, and the equation z_1 = 5.
/// newton.factor(MatrixRef::from(&m), &[0.0, 1.0], &[1.0, 0.0])?;
/// let mut x = [9.0, 5.0];
/// newton.solve(MatrixRef::from(&m), &mut x)?;
/// assert!((x[0] - 1.0).abs() < 1e-15 && x[1] == 5.0);
/// # Ok::<(), siconos_linalg::SingularMatrix>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NewtonMatrix {
    symmetric: bool,
    a: Vec<f64>,
    b: Vec<f64>,
    factors: Factors,
    /// Rows with nonzero `b`. Used for dense storage.
    active: Vec<usize>,
    block: Vec<f64>,
    right_hand_side: Vec<f64>,
    lu: DenseLu,
    cholesky: DenseCholesky,
    /// Copy of the symmetric sparse matrix, with its rows and columns in the original order. Column j is also
    /// row j.
    lines: Csc,
    ldl: PrincipalLdl,
    /// `true` if `ldl` was prepared for the matrix in `lines`.
    has_ldl: bool,
    /// Values to be added to the diagonal of the matrix in `lines`: a divided by b for each row, infinite if
    /// b is 0.
    added: Vec<f64>,
    /// `matrix` is M with all positions on its diagonal. `scaled` is the matrix to be factorised by LU, with
    /// the same pattern. Both are empty until they are needed.
    matrix: Csc,
    scaled: Csc,
    sparse: SparseLu,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Factors {
    #[default]
    None,
    Cholesky,
    Lu,
    SparseLdl,
    SparseLu,
    /// The matrix is diagonal, and `block` holds its diagonal.
    Diagonal,
}

impl NewtonMatrix {
    /// Prepares for a new $M$. It must be called once per problem, before [`factor`](Self::factor). The
    /// caller sets `symmetric` to allow Cholesky, see [`MatrixRef::is_symmetric`].
    pub fn prepare(&mut self, m: MatrixRef<'_>, symmetric: bool) {
        self.take(m, Some(symmetric));
    }

    /// Prepares for a new $M$ like [`prepare`](Self::prepare), but determines from the entries whether $M$ is
    /// symmetric. Returns `true` if the matrix is sparse and equal to the previous one; the previous factors
    /// are then kept.
    pub fn prepare_by_entries(&mut self, m: MatrixRef<'_>) -> bool {
        self.take(m, None)
    }

    /// Returns `true` if the matrix was declared or found to be symmetric.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// Returns `true` if the last matrix was factorised by dense LU and may be singular up to rounding.
    pub fn is_near_singular(&self) -> bool {
        self.factors == Factors::Lu && self.lu.is_near_singular()
    }

    fn take(&mut self, m: MatrixRef<'_>, symmetric: Option<bool>) -> bool {
        self.factors = Factors::None;
        self.scaled.begin(0);
        let lines = match m {
            _ if symmetric == Some(false) => {
                (self.symmetric, self.has_ldl) = (false, false);
                return false;
            }
            MatrixRef::Dense(_) | MatrixRef::Diagonal(_) => {
                self.symmetric = symmetric.unwrap_or_else(|| m.is_symmetric());
                self.has_ldl = false;
                return false;
            }
            MatrixRef::Csc(m) => m.compressed(),
            MatrixRef::BlockCsr(blocks) => match blocks.compressed_rows() {
                Some(rows) => rows,
                None => {
                    self.matrix.copy_from(m, |_, _| false);
                    self.matrix.compressed()
                }
            },
        };
        // An equal matrix has equal factors, so the factors are kept.
        if self.has_ldl && self.lines.compressed() == lines {
            return true;
        }
        self.symmetric = symmetric.unwrap_or_else(|| has_mirrored_entries(lines));
        self.has_ldl = self.symmetric && {
            self.lines.copy_square(lines);
            self.ldl.begin(&self.lines)
        };
        false
    }

    /// Factorises the matrix.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the factorisation detects that the matrix is singular to working precision.
    ///
    /// # Panics
    ///
    /// If the length of `a` or `b` differs from the number of rows of `m`.
    #[track_caller]
    pub fn factor(&mut self, m: MatrixRef<'_>, a: &[f64], b: &[f64]) -> Result<(), SingularMatrix> {
        assert_eq!((a.len(), b.len()), (m.rows(), m.rows()), "one a and one b per row");
        self.factors = Factors::None;
        self.a.clear();
        self.a.extend_from_slice(a);
        self.b.clear();
        self.b.extend_from_slice(b);
        match m {
            MatrixRef::Dense(m) => self.factor_dense(m),
            MatrixRef::Diagonal(d) => self.factor_diagonal(d),
            MatrixRef::BlockCsr(_) | MatrixRef::Csc(_) => self.factor_sparse(m),
        }
    }

    /// Overwrites the right-hand side `x` with the solution.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the solution is not finite.
    ///
    /// # Panics
    ///
    /// If the length of `x` differs from the number of rows, or if no matrix was factorised.
    #[track_caller]
    pub fn solve(&mut self, m: MatrixRef<'_>, x: &mut [f64]) -> Result<(), SingularMatrix> {
        assert_eq!(x.len(), self.a.len(), "one entry per row");
        match m {
            MatrixRef::Dense(m) => self.solve_dense(m, x),
            MatrixRef::Diagonal(_) => {
                assert!(self.factors == Factors::Diagonal, "no matrix was factorised");
                x.iter_mut().zip(&self.block).for_each(|(x, d)| *x /= d);
            }
            MatrixRef::BlockCsr(_) | MatrixRef::Csc(_) => self.solve_sparse(x),
        }
        match first_non_finite(x) {
            None => Ok(()),
            Some(column) => Err(SingularMatrix::Pivot { column, pivot: 0.0 }),
        }
    }

    fn factor_dense(&mut self, m: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        let (a, b) = (&self.a, &self.b);
        self.active.clear();
        self.active.extend((0..b.len()).filter(|&i| b[i] != 0.0));
        if let Some(column) = (0..b.len()).find(|&i| b[i] == 0.0 && a[i] == 0.0) {
            return Err(SingularMatrix::Pivot { column, pivot: 0.0 });
        }
        let k = self.active.len();
        if self.symmetric && self.active.iter().all(|&i| b[i] > 0.0 && a[i] >= 0.0) {
            let entries = self.cholesky.entries_mut(k);
            for (l, (column, &j)) in entries.chunks_exact_mut(k.max(1)).zip(&self.active).enumerate() {
                // M is symmetric and rows are contiguous, so row j is used as column j. Only entries on and
                // below the diagonal are read.
                gather(m, j, &self.active[l..], &mut column[l..]);
            }
            for (l, &i) in self.active.iter().enumerate() {
                entries[l * k + l] += a[i] / b[i];
            }
            if self.cholesky.factor().is_ok() {
                self.factors = Factors::Cholesky;
                return Ok(());
            }
        }
        self.block.clear();
        self.block.resize(k * k, 0.0);
        for (l, (row, &i)) in self.block.chunks_exact_mut(k.max(1)).zip(&self.active).enumerate() {
            gather(m, i, &self.active, row);
            row.iter_mut().for_each(|x| *x *= b[i]);
            row[l] += a[i];
        }
        self.lu.factor(square(&self.block, k))?;
        self.factors = Factors::Lu;
        Ok(())
    }

    fn solve_dense(&mut self, m: ArrayView2<'_, f64>, x: &mut [f64]) {
        let (a, b) = (&self.a, &self.b);
        assert!(self.factors != Factors::None, "no matrix was factorised");
        let mut coupled = false;
        for i in 0..x.len() {
            if b[i] == 0.0 {
                x[i] /= a[i];
                coupled |= x[i] != 0.0;
            }
        }
        self.right_hand_side.clear();
        for &i in &self.active {
            let mut r = x[i];
            if coupled {
                let row = m.row(i);
                let known = row.iter().zip(&*x).zip(b).filter(|(_, b)| **b == 0.0);
                r -= b[i] * known.map(|((m, x), _)| m * x).sum::<f64>();
            }
            self.right_hand_side.push(if self.factors == Factors::Cholesky { r / b[i] } else { r });
        }
        match self.factors {
            Factors::Cholesky => self.cholesky.solve(&mut self.right_hand_side),
            _ => self.lu.solve(&mut self.right_hand_side),
        }
        for (&i, &solved) in self.active.iter().zip(&self.right_hand_side) {
            x[i] = solved;
        }
    }

    fn factor_diagonal(&mut self, d: ArrayView1<'_, f64>) -> Result<(), SingularMatrix> {
        self.block.clear();
        self.block.extend(self.a.iter().zip(&self.b).zip(d).map(|((a, b), d)| a + b * d));
        if let Some(column) = self.block.iter().position(|d| *d == 0.0 || !d.is_finite()) {
            return Err(SingularMatrix::Pivot { column, pivot: self.block[column] });
        }
        self.factors = Factors::Diagonal;
        Ok(())
    }

    fn factor_sparse(&mut self, m: MatrixRef<'_>) -> Result<(), SingularMatrix> {
        if self.has_ldl && self.a.iter().zip(&self.b).all(|(a, b)| *a >= 0.0 && *b >= 0.0) {
            self.added.clear();
            self.added.extend(self.a.iter().zip(&self.b).map(|(a, b)| a / b));
            if let Some(column) = first_nan(&self.added) {
                return Err(SingularMatrix::Pivot { column, pivot: 0.0 });
            }
            if self.ldl.factor(&self.lines, &self.added).is_ok() {
                self.factors = Factors::SparseLdl;
                return Ok(());
            }
        }
        if self.scaled.columns() != self.b.len() {
            // Missing diagonal entries are added once, so that the pattern of the factorised matrix stays
            // constant.
            self.scaled.copy_from(m, |_, _| false);
            add_diagonal(&self.scaled, &mut self.matrix);
            self.scaled.copy_square(self.matrix.compressed());
        }
        let mut k = 0;
        for j in 0..self.matrix.columns() {
            let entries = self.matrix.starts()[j + 1] - self.matrix.starts()[j];
            for _ in 0..entries {
                let i = self.matrix.row_indices()[k];
                let diagonal = if i == j { self.a[i] } else { 0.0 };
                self.scaled.values_mut()[k] = self.b[i] * self.matrix.values()[k] + diagonal;
                k += 1;
            }
        }
        self.sparse.factor(&self.scaled)?;
        self.factors = Factors::SparseLu;
        Ok(())
    }

    fn solve_sparse(&mut self, x: &mut [f64]) {
        if self.factors != Factors::SparseLdl {
            return self.sparse.solve(x);
        }
        let mut is_coupled = false;
        for (x, ((a, b), added)) in x.iter_mut().zip(self.a.iter().zip(&self.b).zip(&self.added)) {
            let is_alone = *added == f64::INFINITY;
            *x /= if is_alone { a } else { b };
            is_coupled |= is_alone && *x != 0.0;
        }
        if is_coupled {
            for j in (0..x.len()).filter(|&j| self.added[j] == f64::INFINITY) {
                let known = x[j];
                for (i, m) in self.lines.column(j).filter(|(i, _)| self.added[*i] < f64::INFINITY) {
                    x[i] -= m * known;
                }
            }
        }
        self.ldl.solve(x);
    }
}

fn first_nan(x: &[f64]) -> Option<usize> {
    x.iter().position(|x| x.is_nan())
}

/// Copies the entries of row `i` in the given columns to `into`.
fn gather(m: ArrayView2<'_, f64>, i: usize, columns: &[usize], into: &mut [f64]) {
    let row = m.row(i);
    match row.as_slice() {
        Some(row) => into.iter_mut().zip(columns).for_each(|(x, &j)| *x = row[j]),
        None => into.iter_mut().zip(columns).for_each(|(x, &j)| *x = row[j]),
    }
}

/// Copies a square matrix and adds the missing diagonal positions.
fn add_diagonal(from: &Csc, to: &mut Csc) {
    let complete = (0..from.columns()).all(|j| from.column(j).any(|(i, _)| i == j));
    if complete {
        return to.copy_square(from.compressed());
    }
    let entries =
        (0..from.columns()).flat_map(|j| from.column(j).map(move |(i, x)| (i, j, x)).chain([(j, j, 0.0)]));
    *to = Csc::from_triplets(from.rows(), from.columns(), entries).unwrap_or_default();
}
