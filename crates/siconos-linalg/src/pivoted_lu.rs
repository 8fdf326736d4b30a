//! LU factorisation of a dense matrix by faer, with a workspace that is reused.
//!
//! [`DenseLu`](super::DenseLu) calls LAPACK for large matrices. This factorisation always runs on one thread,
//! and allocates no memory after the first matrix of a given size. It does not estimate the condition number.

use faer::linalg::lu::partial_pivoting::factor;
use faer::linalg::triangular_solve;
use faer::{MatMut, MatRef, Par};

use super::scratch::Scratch;
use super::{SingularMatrix, first_non_finite};
use crate::cost::dense_factorisation;
use crate::operations;

/// Factorisation $P A = L U$ with partial pivoting (Golub and Van Loan 2013, section 3.4).
#[derive(Clone, Default)]
pub(super) struct PivotedLu {
    n: usize,
    /// Entries of the matrix, column by column, overwritten by its factors.
    entries: Vec<f64>,
    column_sizes: Vec<f64>,
    /// Row of the matrix for each position in the factors.
    rows: Vec<usize>,
    /// Position in the factors for each row of the matrix.
    places: Vec<usize>,
    /// For each k in increasing order, the row with which row k is exchanged.
    exchanges: Vec<usize>,
    scratch: Scratch,
}

impl std::fmt::Debug for PivotedLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PivotedLu").field("n", &self.n).finish_non_exhaustive()
    }
}

impl PivotedLu {
    /// Sets the size and returns the storage of the matrix, which the caller fills: entry (i, j) is at
    /// `j * n + i`. The previous contents are not cleared.
    pub(super) fn entries_mut(&mut self, n: usize) -> &mut [f64] {
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
    /// [`SingularMatrix`] if an entry is not finite, or if a pivot is at most `n` times the machine precision
    /// times the largest entry of its column.
    pub(super) fn factor(&mut self) -> Result<(), SingularMatrix> {
        let n = self.n;
        self.exchanges.clear();
        if n == 0 {
            return Ok(());
        }
        operations::count(|| dense_factorisation(n));
        let entries = &mut self.entries[..n * n];
        if let Some(k) = first_non_finite(entries) {
            return Err(SingularMatrix::Pivot { column: k / n, pivot: entries[k] });
        }
        self.column_sizes.clear();
        self.column_sizes.extend(entries.chunks_exact(n).map(super::largest_magnitude));
        for indices in [&mut self.rows, &mut self.places] {
            indices.clear();
            indices.resize(n, 0);
        }
        let matrix = MatMut::from_column_major_slice_mut(entries, n, n);
        factor::lu_in_place(
            matrix,
            &mut self.rows,
            &mut self.places,
            Par::Seq,
            self.scratch.for_size(n, || {
                factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default())
            }),
            Default::default(),
        );
        for (column, size) in self.column_sizes.iter().enumerate() {
            let pivot = self.entries[column * n + column];
            if pivot.is_nan() || pivot.abs() <= n as f64 * f64::EPSILON * size {
                return Err(SingularMatrix::Pivot { column, pivot });
            }
        }
        self.find_exchanges();
        Ok(())
    }

    /// Converts the permutation to a sequence of row exchanges, which can be applied in place.
    fn find_exchanges(&mut self) {
        let Self { rows, places, exchanges, .. } = self;
        // `exchanges[p]` for p >= k is the row at position p after the first k exchanges; `places` is its
        // inverse.
        exchanges.extend(0..self.n);
        places.copy_from_slice(exchanges);
        for (k, &row) in rows.iter().enumerate() {
            let (place, moved) = (places[row], exchanges[k]);
            (exchanges[place], places[moved]) = (moved, place);
            exchanges[k] = place;
        }
    }

    /// Returns the number of unknowns of the last matrix.
    #[cfg(any(test, not(feature = "openblas")))]
    pub(super) fn size(&self) -> usize {
        self.n
    }

    /// Overwrites `b` with $A^{-1} b$.
    pub(super) fn solve(&self, b: &mut [f64]) {
        operations::count(|| 2.0 * (self.n * self.n) as f64);
        self.substitute(b);
    }

    /// Overwrites `b` with $A^{-1} b$ without counting the operations. It is used to estimate the condition
    /// number, whose cost is included in the factorisation.
    pub(super) fn substitute(&self, b: &mut [f64]) {
        self.exchanges.iter().enumerate().for_each(|(k, &row)| b.swap(k, row));
        let (factors, mut b) = (self.factors(), MatMut::from_column_major_slice_mut(b, self.n, 1));
        triangular_solve::solve_unit_lower_triangular_in_place(factors, b.as_mut(), Par::Seq);
        triangular_solve::solve_upper_triangular_in_place(factors, b, Par::Seq);
    }

    /// Overwrites `b` with $A^{-T} b$, without counting the operations.
    #[cfg(any(test, not(feature = "openblas")))]
    pub(super) fn solve_transposed(&self, b: &mut [f64]) {
        let (factors, mut x) =
            (self.factors().transpose(), MatMut::from_column_major_slice_mut(b, self.n, 1));
        triangular_solve::solve_lower_triangular_in_place(factors, x.as_mut(), Par::Seq);
        triangular_solve::solve_unit_upper_triangular_in_place(factors, x, Par::Seq);
        self.exchanges.iter().enumerate().rev().for_each(|(k, &row)| b.swap(k, row));
    }

    fn factors(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.entries[..self.n * self.n], self.n, self.n)
    }
}
