//! Errors in the assembly and the factorisation of matrices.

/// Inconsistent data for a matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The shape of a block differs from its shape in the partition.
    #[error(
        "block ({block_row}, {block_column}) must be {expected_rows} x {expected_columns}, not {rows} x {columns}"
    )]
    BlockShape {
        /// Index of the block row.
        block_row: usize,
        /// Index of the block column.
        block_column: usize,
        /// Number of rows of the block in the partition.
        expected_rows: usize,
        /// Number of columns of the block in the partition.
        expected_columns: usize,
        /// Number of rows of the given block.
        rows: usize,
        /// Number of columns of the given block.
        columns: usize,
    },
    /// A block lies outside the partition, or is given twice.
    #[error(
        "block ({block_row}, {block_column}) is outside the {block_rows} x {block_columns} blocks, or given twice"
    )]
    BlockPosition {
        /// Index of the block row.
        block_row: usize,
        /// Index of the block column.
        block_column: usize,
        /// Number of block rows of the partition.
        block_rows: usize,
        /// Number of block columns of the partition.
        block_columns: usize,
    },
    /// An entry of a sparse matrix lies outside the matrix.
    #[error("entry ({row}, {column}) is outside the {rows} x {columns} matrix")]
    EntryPosition {
        /// Row index of the entry.
        row: usize,
        /// Column index of the entry.
        column: usize,
        /// Number of rows of the matrix.
        rows: usize,
        /// Number of columns of the matrix.
        columns: usize,
    },
    /// The index arrays of a sparse matrix are inconsistent.
    #[error("`{what}` of a sparse matrix is inconsistent with its other arrays")]
    SparsePattern {
        /// Name of the array.
        what: &'static str,
    },
    /// The row indices within a column of a sparse matrix do not increase.
    #[error("the row indices in each column of a sparse matrix must increase; {after} follows {before}")]
    SparseOrder {
        /// A row index.
        before: usize,
        /// The next row index in the same column.
        after: usize,
    },
    /// The index arrays of a block matrix, as read from a file, are inconsistent.
    #[error("`{what}` of a block matrix is inconsistent with its other arrays")]
    BlockPattern {
        /// Name of the array.
        what: &'static str,
    },
}

/// Matrix that is singular to working precision.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SingularMatrix {
    /// Elimination found no pivot in a column.
    #[error("pivot {pivot:e} in column {column}")]
    Pivot {
        /// Column, counted from 0 in the order of elimination.
        column: usize,
        /// Largest available pivot in the column.
        pivot: f64,
    },
    /// The factorisation succeeded, but the estimated condition number shows that the factors are dominated
    /// by rounding errors.
    ///
    /// The message omits the estimate, because its digits are rounding errors that differ between processors.
    #[error("the reciprocal condition number is at rounding level")]
    Condition {
        /// Estimate of $1 / (\lVert A \rVert_1 \lVert A^{-1} \rVert_1)$.
        reciprocal: f64,
    },
}
