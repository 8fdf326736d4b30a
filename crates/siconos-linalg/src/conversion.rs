//! Conversion from any storage to compressed sparse columns, and to square blocks of equal size.

use std::collections::BTreeMap;

use ndarray::Array2;

use super::csc::Entries;
use super::{BlockCsr, Csc, Matrix, MatrixRef, is_sparse};
use crate::MatrixError;

impl Matrix {
    /// Returns a sparse copy of a dense matrix that has more than 24 columns and in which at most a fifth of
    /// the entries are nonzero. Products with the copy are faster. Returns `None` for all other matrices.
    #[must_use]
    pub fn sparse_copy(&self) -> Option<Csc> {
        let is_sparse = matches!(self, Self::Dense(_)) && is_sparse(self.columns(), self.view().non_zeros());
        is_sparse.then(|| Csc::from_matrix(self.view()))
    }
}

impl Csc {
    /// Copies a matrix from any storage, without the zeros of a dense matrix.
    #[must_use]
    pub fn from_matrix(m: MatrixRef<'_>) -> Self {
        let mut csc = Self::default();
        csc.copy_from(m, |_, _| false);
        csc
    }

    /// Overwrites the matrix with `m`, reusing its memory. Zeros of a dense matrix are left out, except at
    /// positions for which `keep(row, column)` returns `true`. Stored zeros of block matrices and sparse
    /// matrices are kept, so the pattern does not depend on the values.
    pub fn copy_from(&mut self, m: MatrixRef<'_>, keep: impl Fn(usize, usize) -> bool) {
        if let MatrixRef::Csc(a) = m {
            return self.clone_from(a);
        }
        self.copy_entries((m.rows(), m.columns()), &Kept { m, keep });
    }
}

/// Entries to be stored: all entries of a matrix, except the zeros of a dense matrix that need not be kept.
struct Kept<'a, K> {
    m: MatrixRef<'a>,
    keep: K,
}

impl<K: Fn(usize, usize) -> bool> Entries for Kept<'_, K> {
    fn visit(&self, mut visit: impl FnMut(usize, usize, f64)) {
        let is_dense = matches!(self.m, MatrixRef::Dense(_));
        self.m.for_each_entry(|i, j, value| {
            if !is_dense || value != 0.0 || (self.keep)(i, j) {
                visit(i, j, value);
            }
        });
    }
}

impl BlockCsr {
    /// Divides a matrix into blocks of `block` rows and columns, and stores the blocks that have entries.
    ///
    /// A zero of a dense matrix is not an entry. Every stored element of a sparse matrix is an entry, even if
    /// its value is 0, so the pattern does not depend on the values. The cost is proportional to the number
    /// of stored elements.
    ///
    /// # Errors
    ///
    /// [`MatrixError::BlockShape`] if the number of rows or columns is not a multiple of `block`. The error
    /// contains the numbers of remaining rows and columns.
    ///
    /// ```
    /// use siconos_linalg::{BlockCsr, Csc};
    ///
    /// let a = Csc::from_triplets(4, 4, [(0, 1, 2.0), (3, 0, 1.0), (3, 3, 5.0)])?;
    /// let blocks = BlockCsr::from_matrix((&a).into(), 2)?;
    /// assert_eq!(blocks.block_columns(), [0, 0, 1]);
    /// assert_eq!(blocks.values(), [0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
    /// # Ok::<(), siconos_linalg::MatrixError>(())
    /// ```
    pub fn from_matrix(m: MatrixRef<'_>, block: usize) -> Result<Self, MatrixError> {
        let (rows, columns) = (m.rows(), m.columns());
        // With a block size of 0, all rows and columns are left over.
        let left_over = |size: usize| size.checked_rem(block).unwrap_or(size);
        if left_over(rows) != 0 || left_over(columns) != 0 {
            let last = |size: usize| size.checked_div(block).unwrap_or(0);
            return Err(MatrixError::BlockShape {
                block_row: last(rows),
                block_column: last(columns),
                expected_rows: block,
                expected_columns: block,
                rows: left_over(rows),
                columns: left_over(columns),
            });
        }
        // The map is sorted in the order in which blocks are stored.
        let mut blocks: BTreeMap<(usize, usize), Array2<f64>> = BTreeMap::new();
        let entries = Csc::from_matrix(m);
        for j in 0..columns {
            for (i, value) in entries.column(j) {
                let place = (i / block, j / block);
                let entries = blocks.entry(place).or_insert_with(|| Array2::zeros((block, block)));
                entries[[i % block, j % block]] = value;
            }
        }
        let sizes = |size: usize| vec![block; size.checked_div(block).unwrap_or(0)];
        let blocks = blocks.into_iter().map(|((i, j), entries)| (i, j, entries)).collect();
        Self::from_blocks(&sizes(rows), &sizes(columns), blocks)
    }
}
