//! Errors of matrices that are assembled from parts.

/// Inconsistent parts of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The shape of a block differs from its place in the partition.
    #[error(
        "block ({block_row}, {block_column}) must be {expected_rows} x {expected_columns}, it is {rows} x {columns}"
    )]
    BlockShape {
        /// Block row.
        block_row: usize,
        /// Block column.
        block_column: usize,
        /// Rows that fit the partition.
        expected_rows: usize,
        /// Columns that fit the partition.
        expected_columns: usize,
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },
    /// A block matrix was given a block outside its partition, or twice.
    #[error(
        "block ({block_row}, {block_column}) is outside the {block_rows} x {block_columns} blocks, or given twice"
    )]
    BlockPosition {
        /// Block row.
        block_row: usize,
        /// Block column.
        block_column: usize,
        /// Block rows of the partition.
        block_rows: usize,
        /// Block columns of the partition.
        block_columns: usize,
    },
    /// An entry of a sparse matrix lies outside of it.
    #[error("entry ({row}, {column}) is outside the {rows} x {columns} matrix")]
    EntryPosition {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns: usize,
    },
    /// The index arrays of a sparse matrix contradict each other.
    #[error("`{what}` of a sparse matrix does not fit its other arrays")]
    SparsePattern {
        /// The array.
        what: &'static str,
    },
    /// The index arrays of a block matrix, as read from a file, contradict each other.
    #[error("`{what}` of a block matrix does not fit its other arrays")]
    BlockPattern {
        /// The array.
        what: &'static str,
    },
}
