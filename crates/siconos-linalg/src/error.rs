//! Errors of matrices: of their assembly from parts, and of their factorisation.

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

/// A matrix that is singular to working precision.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SingularMatrix {
    /// Elimination found no pivot in a column.
    #[error("pivot {pivot:e} in column {column}")]
    Pivot {
        /// The column, counted from 0 in the order of elimination.
        column: usize,
        /// The best pivot there.
        pivot: f64,
    },
    /// The factorisation succeeded, but the estimate of the condition number shows that the factors are
    /// noise.
    ///
    /// The message omits the estimate: its digits are rounding, and differ between processors.
    #[error("the reciprocal condition number is of the size of rounding")]
    Condition {
        /// An estimate of $1 / (\lVert A \rVert_1 \lVert A^{-1} \rVert_1)$.
        reciprocal: f64,
    },
}
