//! Cholesky factorisation of a dense symmetric matrix by faer, with a workspace that is reused.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{MatMut, MatRef, Par};

use super::SingularMatrix;
use super::scratch::Scratch;
use crate::cost::dense_factorisation;
use crate::operations;

/// Factorisation $A = L L^T$ of a symmetric positive definite matrix (Golub and Van Loan 2013, section 4.2).
///
/// ```
/// use siconos_linalg::DenseCholesky;
///
/// let mut cholesky = DenseCholesky::default();
/// cholesky.entries_mut(2).copy_from_slice(&[4.0, 2.0, 2.0, 5.0]);
/// cholesky.factor()?;
/// let mut x = [8.0, 12.0];
/// cholesky.solve(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::SingularMatrix>(())
/// ```
#[derive(Clone, Default)]
pub struct DenseCholesky {
    n: usize,
    /// Matrix column by column. The lower triangle contains L after [`DenseCholesky::factor`].
    entries: Vec<f64>,
    /// Diagonal before the factorisation.
    diagonal: Vec<f64>,
    scratch: Scratch,
    /// `true` if the stored factor is the factor of twice the matrix.
    is_doubled: bool,
}

impl std::fmt::Debug for DenseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseCholesky").field("n", &self.n).finish_non_exhaustive()
    }
}

/// Maximum number of unknowns for which a simple loop is used. Above it, the blocked factorisation of faer is
/// faster.
const LARGEST_OWN: usize = 16;

impl DenseCholesky {
    /// Returns the number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Sets the size and returns the storage of the matrix, which the caller fills: entry (i, j) is at
    /// `j * n + i`. Only entries with i >= j are read by [`factor`](Self::factor). The previous contents are
    /// not cleared.
    pub fn entries_mut(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        if self.entries.len() < n * n {
            self.entries.resize(n * n, 0.0);
        }
        &mut self.entries[..n * n]
    }

    /// Factorises the matrix written to [`entries_mut`](Self::entries_mut).
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if a pivot is at most `n` times the machine precision times its diagonal entry. The
    /// matrix is then not positive definite to working precision.
    pub fn factor(&mut self) -> Result<(), SingularMatrix> {
        let n = self.n;
        operations::count(|| 0.5 * dense_factorisation(n));
        let entries = &mut self.entries[..n * n];
        // The square roots of x and 4^k x have the same mantissa, but the square root of 2 x has a different
        // mantissa. If the exponent is odd, the matrix is doubled. The factors of a matrix and of its
        // multiples by powers of two then have the same mantissas.
        let largest = (0..n).fold(0.0_f64, |a, j| a.max(entries[j * n + j]));
        self.is_doubled = has_odd_exponent(largest);
        if self.is_doubled {
            entries.iter_mut().for_each(|x| *x *= 2.0);
        }
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|j| entries[j * n + j]));
        if n <= LARGEST_OWN {
            factor_by_hand(entries, n)?;
        } else {
            let need = || llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default());
            let matrix = MatMut::from_column_major_slice_mut(entries, n, n);
            let stack = self.scratch.for_size(n, need);
            if let Err(llt::factor::LltError::NonPositivePivot { index }) = llt::factor::cholesky_in_place(
                matrix,
                Default::default(),
                Par::Seq,
                stack,
                Default::default(),
            ) {
                return Err(SingularMatrix::Pivot { column: index, pivot: 0.0 });
            }
        }
        // A pivot that is not above the rounding errors of its diagonal entry is meaningless. A NaN fails the
        // comparison.
        let rounding = n as f64 * f64::EPSILON;
        for (j, diagonal) in self.diagonal.iter().enumerate() {
            let pivot = entries[j * n + j].powi(2);
            if pivot.is_nan() || pivot <= rounding * diagonal {
                return Err(SingularMatrix::Pivot { column: j, pivot });
            }
        }
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$.
    ///
    /// # Panics
    ///
    /// If the length of `b` differs from [`size`](Self::size).
    #[track_caller]
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        assert_eq!(b.len(), n, "the length of the right-hand side must be the number of rows");
        operations::count(|| 2.0 * (n * n) as f64);
        let entries = &self.entries[..n * n];
        if n <= LARGEST_OWN {
            solve_by_hand(entries, n, b);
        } else {
            let lower = MatRef::from_column_major_slice(entries, n, n);
            let b = MatMut::from_column_major_slice_mut(b, n, 1);
            let mut nothing = MemBuffer::new(llt::solve::solve_in_place_scratch::<f64>(n, 1, Par::Seq));
            llt::solve::solve_in_place(lower, b, Par::Seq, MemStack::new(&mut nothing));
        }
        if self.is_doubled {
            b.iter_mut().for_each(|x| *x *= 2.0);
        }
    }
}

fn has_odd_exponent(x: f64) -> bool {
    const BIAS: u64 = 1023;
    (x.to_bits() >> 52) % 2 != BIAS % 2
}

fn factor_by_hand(a: &mut [f64], n: usize) -> Result<(), SingularMatrix> {
    for j in 0..n {
        let (before, from_j) = a.split_at_mut(j * n);
        let column = &mut from_j[j..n];
        for k in 0..j {
            let left = &before[k * n + j..(k + 1) * n];
            let factor = left[0];
            for (x, l) in column.iter_mut().zip(left) {
                *x -= factor * l;
            }
        }
        let pivot = column[0];
        if pivot.is_nan() || pivot <= 0.0 {
            return Err(SingularMatrix::Pivot { column: j, pivot });
        }
        let root = pivot.sqrt();
        column.iter_mut().for_each(|x| *x /= root);
    }
    Ok(())
}

fn solve_by_hand(l: &[f64], n: usize, b: &mut [f64]) {
    for j in 0..n {
        let column = &l[j * n + j..(j + 1) * n];
        let (head, tail) = b[j..].split_at_mut(1);
        head[0] /= column[0];
        for (x, l) in tail.iter_mut().zip(&column[1..]) {
            *x -= head[0] * l;
        }
    }
    for j in (0..n).rev() {
        let column = &l[j * n + j..(j + 1) * n];
        let sum = super::dot(&column[1..], &b[j + 1..]);
        b[j] = (b[j] - sum) / column[0];
    }
}
