//! LU factorisation of a dense matrix by faer, in memory that is kept.
//!
//! Beside [`DenseLu`](super::DenseLu), which goes to LAPACK above a size: this one allocates nothing once it
//! has seen a matrix of that size, and runs on one thread whatever the library of LAPACK is told. It
//! estimates no condition number.

use faer::dyn_stack::StackReq;
use faer::linalg::lu::partial_pivoting::{factor, solve};
use faer::{Conj, MatMut, MatRef, Par};

use super::scratch::Scratch;
use super::{SingularMatrix, first_non_finite};
use crate::cost::dense_factorisation;
use crate::operations;

/// $P A = L U$ with partial pivoting (Golub and Van Loan 2013, section 3.4).
#[derive(Clone, Default)]
pub(super) struct PivotedLu {
    n: usize,
    /// Column by column.
    entries: Vec<f64>,
    column_sizes: Vec<f64>,
    rows: Vec<usize>,
    places: Vec<usize>,
    scratch: Scratch,
}

impl std::fmt::Debug for PivotedLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PivotedLu").field("n", &self.n).finish_non_exhaustive()
    }
}

impl PivotedLu {
    /// Sets the size and lends the memory of the matrix: entry (i, j) is at `j * n + i`. What was there
    /// before is left.
    pub(super) fn entries_mut(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        if self.entries.len() < n * n {
            self.entries.resize(n * n, 0.0);
        }
        &mut self.entries[..n * n]
    }

    /// Factorises what was written to [`entries_mut`](Self::entries_mut).
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] when an entry is not finite, or a pivot is not above `n` times the machine
    /// precision times the largest entry of its column.
    pub(super) fn factor(&mut self) -> Result<(), SingularMatrix> {
        let n = self.n;
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
            self.scratch.for_size(n, || need(n)),
            Default::default(),
        );
        for (column, size) in self.column_sizes.iter().enumerate() {
            let pivot = self.entries[column * n + column];
            if pivot.is_nan() || pivot.abs() <= n as f64 * f64::EPSILON * size {
                return Err(SingularMatrix::Pivot { column, pivot });
            }
        }
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let n = self.n;
        if n == 0 {
            return;
        }
        operations::count(|| 2.0 * (n * n) as f64);
        let factors = MatRef::from_column_major_slice(&self.entries[..n * n], n, n);
        let rows = faer::perm::PermRef::new_checked(&self.rows, &self.places, n);
        let b = MatMut::from_column_major_slice_mut(b, n, 1);
        solve::solve_in_place_with_conj(
            factors,
            factors,
            rows,
            Conj::No,
            b,
            Par::Seq,
            self.scratch.for_size(n, || need(n)),
        );
    }
}

/// The memory for both, with a matrix of n columns.
fn need(n: usize) -> StackReq {
    factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default())
        .or(solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq))
}
