//! Block compressed rows: a matrix divided into rectangular blocks, of which only the nonzero blocks are
//! stored.
//!
//! The Delassus matrix of many contacts has this form: one block row per contact, one block per pair of
//! contacts that share a body. Cost and memory grow with the couplings, not with the square of the number of
//! contacts.

use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use super::csc::Compressed;
use crate::MatrixError;

/// Block compressed-row matrix with a partition of its rows and of its columns. The blocks are stored row by
/// row.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::BlockCsr;
///
/// let blocks = vec![(0, 0, array![[2.0]]), (0, 1, array![[1.0, 0.0]]), (1, 1, array![[3.0, 0.0], [0.0, 4.0]])];
/// let a = BlockCsr::from_blocks(&[1, 2], &[1, 2], blocks)?;
/// let mut y = [0.0; 3];
/// a.add_product(1.0, &[1.0, 1.0, 1.0], &mut y);
/// assert_eq!(y, [3.0, 3.0, 4.0]);
/// # Ok::<(), siconos_linalg::MatrixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct BlockCsr {
    /// First row of each block row, followed by the number of rows; likewise for columns.
    row_starts: Vec<usize>,
    column_starts: Vec<usize>,
    /// First block of each block row, followed by the number of blocks.
    first_block: Vec<usize>,
    block_columns: Vec<usize>,
    /// Index of the first entry of each block.
    first_value: Vec<usize>,
    values: Vec<f64>,
    /// `true` if every block has one row and one column.
    #[serde(skip)]
    is_scalar: bool,
}

impl Default for BlockCsr {
    /// Returns an empty matrix. Its arrays equal the arrays of a matrix that is built from no blocks.
    fn default() -> Self {
        Self {
            row_starts: vec![0],
            column_starts: vec![0],
            first_block: vec![0],
            block_columns: Vec::new(),
            first_value: Vec::new(),
            values: Vec::new(),
            is_scalar: true,
        }
    }
}

/// Arrays as read from a file, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    row_starts: Vec<usize>,
    column_starts: Vec<usize>,
    first_block: Vec<usize>,
    block_columns: Vec<usize>,
    first_value: Vec<usize>,
    values: Vec<f64>,
}

impl TryFrom<Unchecked> for BlockCsr {
    type Error = MatrixError;

    /// Rebuilds the arrays from the partition and the positions of the blocks, and checks that they agree
    /// with the arrays in the file.
    fn try_from(data: Unchecked) -> Result<Self, MatrixError> {
        let wrong = |what| MatrixError::BlockPattern { what };
        let mut matrix = Self::default();
        if data.row_starts.is_empty() && data.values.is_empty() {
            return Ok(matrix);
        }
        matrix.begin(sizes(&data.column_starts).ok_or(wrong("column_starts"))?);
        let row_sizes = sizes(&data.row_starts).ok_or(wrong("row_starts"))?;
        let block_counts = sizes(&data.first_block).ok_or(wrong("first_block"))?;
        if block_counts.len() != row_sizes.len() {
            return Err(wrong("first_block"));
        }
        let mut columns = data.block_columns.iter().copied();
        for (rows, count) in row_sizes.into_iter().zip(block_counts) {
            matrix.push_block_row(rows);
            let mut least = 0;
            for column in columns.by_ref().take(count) {
                if column < least || column + 1 >= matrix.column_starts.len() {
                    return Err(wrong("block_columns"));
                }
                least = column + 1;
                // The number of entries is checked before memory is allocated, because a file can declare
                // more entries than fit into memory.
                let width = matrix.column_starts[column + 1] - matrix.column_starts[column];
                let left = data.values.len() - matrix.values.len();
                if rows.checked_mul(width).is_none_or(|entries| entries > left) {
                    return Err(wrong("values"));
                }
                matrix.push_block(column);
            }
        }
        if matrix.block_columns != data.block_columns || matrix.first_block != data.first_block {
            Err(wrong("block_columns"))
        } else if matrix.first_value != data.first_value {
            Err(wrong("first_value"))
        } else if matrix.values.len() != data.values.len() {
            Err(wrong("values"))
        } else {
            Ok(Self { values: data.values, ..matrix })
        }
    }
}

/// Returns the differences of an array of starts, or `None` if the array does not start with 0 or decreases.
fn sizes(starts: &[usize]) -> Option<Vec<usize>> {
    let (&first, _) = starts.split_first()?;
    let differences: Option<Vec<usize>> =
        starts.windows(2).map(|pair| pair[1].checked_sub(pair[0])).collect();
    differences.filter(|_| first == 0)
}

/// Row of blocks, see [`BlockCsr::block_row`].
#[derive(Clone, Copy, Debug)]
pub struct BlockRow<'a> {
    matrix: &'a BlockCsr,
    block_row: usize,
}

impl BlockCsr {
    /// Builds a matrix from blocks in any order.
    ///
    /// # Errors
    ///
    /// [`MatrixError::BlockPosition`] if a block lies outside the partition or is given twice,
    /// [`MatrixError::BlockShape`] if a block has the wrong shape.
    pub fn from_blocks(
        row_sizes: &[usize],
        column_sizes: &[usize],
        mut blocks: Vec<(usize, usize, Array2<f64>)>,
    ) -> Result<Self, MatrixError> {
        blocks.sort_by_key(|&(i, j, _)| (i, j));
        let (block_rows, block_columns) = (row_sizes.len(), column_sizes.len());
        let mut matrix = Self::default();
        matrix.begin(column_sizes.iter().copied());
        let mut next = 0;
        for (block_row, &rows) in row_sizes.iter().enumerate() {
            matrix.push_block_row(rows);
            let mut previous = None;
            while let Some((i, j, block)) = blocks.get(next).filter(|b| b.0 == block_row) {
                if *j >= block_columns || previous == Some(*j) {
                    return Err(MatrixError::BlockPosition {
                        block_row: *i,
                        block_column: *j,
                        block_rows,
                        block_columns,
                    });
                }
                if block.dim() != (rows, column_sizes[*j]) {
                    return Err(MatrixError::BlockShape {
                        block_row: *i,
                        block_column: *j,
                        expected_rows: rows,
                        expected_columns: column_sizes[*j],
                        rows: block.nrows(),
                        columns: block.ncols(),
                    });
                }
                for (target, value) in matrix.push_block(*j).iter_mut().zip(block) {
                    *target = *value;
                }
                previous = Some(*j);
                next += 1;
            }
        }
        match blocks.get(next) {
            None => Ok(matrix),
            Some(&(block_row, block_column, _)) => {
                Err(MatrixError::BlockPosition { block_row, block_column, block_rows, block_columns })
            }
        }
    }

    /// Empties the matrix, keeps its memory, and sets its column partition.
    ///
    /// To fill the matrix, call [`push_block_row`](Self::push_block_row) for each block row, and then
    /// [`push_block`](Self::push_block) for each block in the row, in order of increasing column.
    pub fn begin(&mut self, column_sizes: impl IntoIterator<Item = usize>) {
        self.row_starts.clear();
        self.row_starts.push(0);
        self.column_starts.clear();
        self.column_starts.push(0);
        self.is_scalar = true;
        let mut end = 0;
        for size in column_sizes {
            self.is_scalar &= size == 1;
            end += size;
            self.column_starts.push(end);
        }
        self.first_block.clear();
        self.first_block.push(0);
        self.block_columns.clear();
        self.first_value.clear();
        self.values.clear();
    }

    /// Appends an empty block row of `rows` rows.
    pub fn push_block_row(&mut self, rows: usize) {
        self.is_scalar &= rows == 1;
        self.row_starts.push(self.rows() + rows);
        self.first_block.push(self.block_columns.len());
    }

    /// Appends a block of zeros to the last block row, and returns its entries, stored row by row.
    ///
    /// # Panics
    ///
    /// If the matrix has no block row yet, or if the block column does not exist.
    #[track_caller]
    pub fn push_block(&mut self, block_column: usize) -> &mut [f64] {
        let block_row = self.row_starts.len() - 2;
        let rows = self.row_starts[block_row + 1] - self.row_starts[block_row];
        let columns = self.column_starts[block_column + 1] - self.column_starts[block_column];
        let first = self.values.len();
        self.block_columns.push(block_column);
        self.first_value.push(first);
        self.first_block[block_row + 1] = self.block_columns.len();
        self.values.resize(first + rows * columns, 0.0);
        &mut self.values[first..]
    }

    /// Overwrites the matrix with a copy of another one, reusing its memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.row_starts.clone_from(&other.row_starts);
        self.column_starts.clone_from(&other.column_starts);
        self.first_block.clone_from(&other.first_block);
        self.block_columns.clone_from(&other.block_columns);
        self.first_value.clone_from(&other.first_value);
        self.values.clone_from(&other.values);
        self.is_scalar = other.is_scalar;
    }

    /// Returns the matrix as compressed sparse rows if every block is 1 x 1, otherwise `None`. For such
    /// blocks, a loop over blocks would cost more than the arithmetic.
    #[inline]
    pub(crate) fn compressed_rows(&self) -> Option<Compressed<'_>> {
        let Self { first_block: starts, block_columns: indices, values, .. } = self;
        self.is_scalar.then_some(Compressed { starts, indices, values })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.row_starts.last().copied().unwrap_or(0)
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.column_starts.last().copied().unwrap_or(0)
    }

    /// Returns the number of block rows.
    #[must_use]
    pub fn block_rows(&self) -> usize {
        self.row_starts.len().saturating_sub(1)
    }

    /// Returns the number of stored blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.block_columns.len()
    }

    /// Returns the index of the first row of each block row, followed by the number of rows.
    #[must_use]
    pub fn row_starts(&self) -> &[usize] {
        &self.row_starts
    }

    /// Returns the index of the first column of each block column, followed by the number of columns.
    #[must_use]
    pub fn column_starts(&self) -> &[usize] {
        &self.column_starts
    }

    /// Returns the index of the first block of each block row, followed by the number of blocks.
    #[must_use]
    pub fn first_blocks(&self) -> &[usize] {
        &self.first_block
    }

    /// Returns the block column of each stored block, in row order.
    #[must_use]
    pub fn block_columns(&self) -> &[usize] {
        &self.block_columns
    }

    /// Returns the stored entries, block by block. The entries of a block are stored row by row.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns a mutable view of [`values`](Self::values). The pattern cannot be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Returns a mutable view of the entries of stored block `k`, counted from 0 in row order.
    #[track_caller]
    pub fn block_mut(&mut self, k: usize) -> &mut [f64] {
        let end = self.first_value.get(k + 1).copied().unwrap_or(self.values.len());
        &mut self.values[self.first_value[k]..end]
    }

    /// Returns a view of the block row with the given index.
    ///
    /// # Panics
    ///
    /// If the block row does not exist.
    #[track_caller]
    #[must_use]
    pub fn block_row(&self, block_row: usize) -> BlockRow<'_> {
        assert!(block_row < self.block_rows(), "block row {block_row} of {}", self.block_rows());
        BlockRow { matrix: self, block_row }
    }

    /// Multiplies every stored entry (i, j) by `factor(i, j)`.
    pub fn scale_entries(&mut self, factor: impl Fn(usize, usize) -> f64) {
        if self.is_scalar {
            for (i, ends) in self.first_block.windows(2).enumerate() {
                let row = ends[0]..ends[1];
                let entries = self.values[row.clone()].iter_mut().zip(&self.block_columns[row]);
                entries.for_each(|(x, &j)| *x *= factor(i, j));
            }
            return;
        }
        for (block_row, rows) in self.row_starts.windows(2).enumerate() {
            for k in self.first_block[block_row]..self.first_block[block_row + 1] {
                let column = self.block_columns[k];
                let columns = self.column_starts[column]..self.column_starts[column + 1];
                let places = (rows[0]..rows[1]).flat_map(|i| columns.clone().map(move |j| (i, j)));
                let values = self.values[self.first_value[k]..].iter_mut();
                places.zip(values).for_each(|((i, j), x)| *x *= factor(i, j));
            }
        }
    }

    /// Computes $y \leftarrow y + \alpha A x$.
    ///
    /// # Panics
    ///
    /// If the length of `x` differs from the number of columns, or the length of `y` from the number of rows.
    #[track_caller]
    pub fn add_product(&self, alpha: f64, x: &[f64], y: &mut [f64]) {
        assert_eq!((y.len(), x.len()), (self.rows(), self.columns()), "lengths of y and x");
        if let Some(matrix) = self.compressed_rows() {
            for (y, row) in y.iter_mut().zip(matrix.lines()) {
                *y = row.fold(*y, |sum, (j, a)| sum + alpha * (a * x[j]));
            }
            return;
        }
        for (block_row, rows) in self.row_starts.windows(2).enumerate() {
            let y = &mut y[rows[0]..rows[1]];
            for k in self.first_block[block_row]..self.first_block[block_row + 1] {
                let column = self.block_columns[k];
                let x = &x[self.column_starts[column]..self.column_starts[column + 1]];
                let entries = &self.values[self.first_value[k]..][..y.len() * x.len()];
                // The usual block sizes of contacts are compiled separately, with loops of constant length.
                match (y.len(), x.len()) {
                    (2, 2) => add_fixed::<2>(alpha, entries, x, y),
                    (3, 3) => add_fixed::<3>(alpha, entries, x, y),
                    _ => add_block_product(alpha, entries, x, y),
                }
            }
        }
    }

    /// Returns the matrix in dense storage.
    #[must_use]
    pub fn to_dense(&self) -> Array2<f64> {
        let mut dense = Array2::zeros((self.rows(), self.columns()));
        for block_row in 0..self.block_rows() {
            let row = self.block_row(block_row);
            for (columns, block) in row.blocks() {
                dense.slice_mut(ndarray::s![row.rows(), columns]).assign(&block);
            }
        }
        dense
    }
}

/// Calls [`add_block_product`] for a block of `D` rows and columns, with loops of constant length.
#[inline(always)]
fn add_fixed<const D: usize>(alpha: f64, entries: &[f64], x: &[f64], y: &mut [f64]) {
    if let (Some(x), Some(y)) = (x.first_chunk::<D>(), y.first_chunk_mut::<D>()) {
        add_block_product(alpha, entries, x, y);
    }
}

/// Computes $y \leftarrow y + \alpha A x$ with a block stored row by row.
#[inline(always)]
fn add_block_product(alpha: f64, entries: &[f64], x: &[f64], y: &mut [f64]) {
    for (y, row) in y.iter_mut().zip(entries.chunks_exact(x.len().max(1))) {
        *y += alpha * row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

impl<'a> BlockRow<'a> {
    /// Returns the range of the rows of this block row.
    #[must_use]
    pub fn rows(self) -> std::ops::Range<usize> {
        self.matrix.row_starts[self.block_row]..self.matrix.row_starts[self.block_row + 1]
    }

    /// Iterates over the blocks that contain the row `row`, counted from the first row of this block row.
    /// Each item is the range of columns of a block, and the entries of the block in this row.
    ///
    /// For small blocks, this iterator is faster than products with views of whole blocks.
    pub fn line(self, row: usize) -> impl Iterator<Item = (std::ops::Range<usize>, &'a [f64])> {
        let matrix = self.matrix;
        (matrix.first_block[self.block_row]..matrix.first_block[self.block_row + 1]).map(move |k| {
            let j = matrix.block_columns[k];
            let columns = matrix.column_starts[j]..matrix.column_starts[j + 1];
            let first = matrix.first_value[k] + row * columns.len();
            let entries = &matrix.values[first..first + columns.len()];
            (columns, entries)
        })
    }

    /// Iterates over the stored blocks. Each item is the range of columns of a block, and a view of its
    /// entries.
    pub fn blocks(self) -> impl Iterator<Item = (std::ops::Range<usize>, ArrayView2<'a, f64>)> {
        let matrix = self.matrix;
        let rows = self.rows().len();
        (matrix.first_block[self.block_row]..matrix.first_block[self.block_row + 1]).map(move |k| {
            let j = matrix.block_columns[k];
            let columns = matrix.column_starts[j]..matrix.column_starts[j + 1];
            let first = matrix.first_value[k];
            let entries = &matrix.values[first..first + rows * columns.len()];
            let block = ArrayView2::from_shape((rows, columns.len()), entries);
            (columns, block.expect("as many entries were taken as the block has"))
        })
    }
}
