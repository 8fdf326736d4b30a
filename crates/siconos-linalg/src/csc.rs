//! Compressed sparse columns: only the nonzero entries are stored, column by column.

use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::MatrixError;

/// Matrix in compressed sparse columns. Within a column the row indices increase strictly.
///
/// ```
/// use siconos_linalg::Csc;
///
/// // Entries can be in any order. Duplicates are added.
/// let a = Csc::from_triplets(2, 2, [(1, 1, 3.0), (0, 0, 2.0), (1, 0, -1.0), (0, 0, 0.5)])?;
/// assert_eq!(a.entries(), 3);
/// let mut y = [0.0; 2];
/// a.add_product(1.0, &[2.0, 1.0], &mut y);
/// assert_eq!(y, [5.0, 1.0]);
/// # Ok::<(), siconos_linalg::MatrixError>(())
/// ```
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Csc {
    rows: usize,
    /// Index of the first entry of each column, followed by the number of entries.
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    values: Vec<f64>,
}

impl Clone for Csc {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses the memory of `self`.
    fn clone_from(&mut self, source: &Self) {
        self.rows = source.rows;
        self.starts.clone_from(&source.starts);
        self.row_indices.clone_from(&source.row_indices);
        self.values.clone_from(&source.values);
    }
}

impl Default for Csc {
    /// Returns an empty matrix. Its arrays equal the arrays of a matrix that is built from no entries.
    fn default() -> Self {
        Self { rows: 0, starts: vec![0], row_indices: Vec::new(), values: Vec::new() }
    }
}

/// Entries of a matrix in compressed columns or compressed rows. Words in parentheses apply to compressed
/// rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Compressed<'a> {
    /// Index of the first entry of each column (row), followed by the number of entries.
    pub(crate) starts: &'a [usize],
    /// Row (column) index of each entry, increasing within each column (row).
    pub(crate) indices: &'a [usize],
    pub(crate) values: &'a [f64],
}

impl<'a> Compressed<'a> {
    /// Iterates over the columns (rows), each an iterator over row (column) indices and values.
    pub(crate) fn lines(self) -> impl Iterator<Item = impl Iterator<Item = (usize, f64)> + 'a> + 'a {
        let Self { starts, indices, values } = self;
        starts.windows(2).map(move |ends| {
            let line = ends[0]..ends[1];
            indices[line.clone()].iter().copied().zip(values[line].iter().copied())
        })
    }
}

/// Arrays as read from a file, before they are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    rows: usize,
    /// Number of columns, which `starts` also determines.
    columns: Option<usize>,
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    values: Vec<f64>,
}

impl TryFrom<Unchecked> for Csc {
    type Error = MatrixError;

    fn try_from(data: Unchecked) -> Result<Self, MatrixError> {
        if data.starts.is_empty() && data.rows == 0 && data.row_indices.is_empty() && data.values.is_empty() {
            return Ok(Self::default());
        }
        if data.columns.is_some_and(|columns| columns + 1 != data.starts.len()) {
            return Err(MatrixError::SparsePattern { what: "columns" });
        }
        Self::new(data.rows, data.starts, data.row_indices, data.values)
    }
}

impl Csc {
    /// Builds a matrix from the three arrays of the format. `starts` must have one entry more than there are
    /// columns.
    ///
    /// # Errors
    ///
    /// [`MatrixError::SparsePattern`] if the arrays are inconsistent, and [`MatrixError::SparseOrder`] if the
    /// row indices within a column do not increase strictly.
    pub fn new(
        rows: usize,
        starts: Vec<usize>,
        row_indices: Vec<usize>,
        values: Vec<f64>,
    ) -> Result<Self, MatrixError> {
        let wrong = |what| Err(MatrixError::SparsePattern { what });
        if values.len() != row_indices.len() {
            return wrong("values");
        }
        if starts.first() != Some(&0) || starts.last() != Some(&row_indices.len()) || !starts.is_sorted() {
            return wrong("starts");
        }
        for pair in starts.windows(2) {
            let column = &row_indices[pair[0]..pair[1]];
            if let Some(two) = column.windows(2).find(|two| two[0] >= two[1]) {
                return Err(MatrixError::SparseOrder { before: two[0], after: two[1] });
            }
            if column.last().is_some_and(|&last| last >= rows) {
                return wrong("row_indices");
            }
        }
        Ok(Self { rows, starts, row_indices, values })
    }

    /// Builds a matrix from entries (row, column, value) in any order. Duplicate entries are added.
    ///
    /// # Errors
    ///
    /// [`MatrixError::EntryPosition`] if an entry lies outside the matrix.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, MatrixError> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        if let Some(&(row, column, _)) = entries.iter().find(|&&(i, j, _)| i >= rows || j >= columns) {
            return Err(MatrixError::EntryPosition { row, column, rows, columns });
        }
        entries.sort_by_key(|&(i, j, _)| (j, i));
        let mut starts = vec![0; columns + 1];
        let (mut row_indices, mut values) =
            (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
        let mut previous = None;
        for (i, j, value) in entries {
            if previous == Some((i, j)) {
                *values.last_mut().expect("the previous entry is there") += value;
            } else {
                row_indices.push(i);
                values.push(value);
                starts[j + 1] = row_indices.len();
                previous = Some((i, j));
            }
        }
        // An empty column ends at the end of the previous column.
        for j in 0..columns {
            starts[j + 1] = starts[j + 1].max(starts[j]);
        }
        Ok(Self { rows, starts, row_indices, values })
    }

    /// Returns the arrays of the matrix.
    pub(crate) fn compressed(&self) -> Compressed<'_> {
        Compressed { starts: &self.starts, indices: &self.row_indices, values: &self.values }
    }

    /// Overwrites the matrix with the square matrix that has the given columns, reusing its memory.
    pub(crate) fn copy_square(&mut self, columns: Compressed<'_>) {
        let Compressed { starts, indices, values } = columns;
        self.rows = starts.len().saturating_sub(1);
        for (own, other) in [(&mut self.starts, starts), (&mut self.row_indices, indices)] {
            own.clear();
            own.extend_from_slice(other);
        }
        self.values.clear();
        self.values.extend_from_slice(values);
    }

    /// Overwrites the matrix with the entries of `source`, reusing its memory. `source` is traversed twice.
    pub(crate) fn copy_entries(&mut self, (rows, columns): (usize, usize), source: &impl Entries) {
        self.rows = rows;
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        source.visit(|_, j, _| self.starts[j + 1] += 1);
        for j in 0..columns {
            self.starts[j + 1] += self.starts[j];
        }
        let entries = self.starts[columns];
        self.row_indices.clear();
        self.row_indices.resize(entries, 0);
        self.values.clear();
        self.values.resize(entries, 0.0);
        let Self { starts, row_indices, values, .. } = self;
        source.visit(|i, j, value| {
            row_indices[starts[j]] = i;
            values[starts[j]] = value;
            starts[j] += 1;
        });
        // Each start has advanced to the start of the next column.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Overwrites the matrix with the transpose of `a`, reusing its memory.
    pub fn copy_transposed(&mut self, a: &Self) {
        self.copy_entries((a.columns(), a.rows()), &Transposed(a));
    }

    /// Overwrites the matrix with the rows and columns of `a` whose indices are multiples of `stride`,
    /// reusing its memory.
    pub fn copy_strided(&mut self, a: &Self, stride: usize) {
        self.begin(a.rows().div_ceil(stride));
        for j in (0..a.columns()).step_by(stride) {
            for (i, value) in a.column(j).filter(|(i, _)| i % stride == 0) {
                self.push(i / stride, value);
            }
            self.close_column();
        }
    }

    /// Empties the matrix, keeps its memory, and sets the number of rows. To fill the matrix,
    /// [`push`](Self::push) the entries of each column with increasing row indices, then call
    /// [`close_column`](Self::close_column).
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.starts.clear();
        self.starts.push(0);
        self.row_indices.clear();
        self.values.clear();
    }

    /// Appends an entry to the current column.
    #[inline]
    pub fn push(&mut self, row: usize, value: f64) {
        debug_assert!(row < self.rows, "a row of the matrix");
        self.row_indices.push(row);
        self.values.push(value);
    }

    /// Closes the current column. Later entries belong to the next column.
    pub fn close_column(&mut self) {
        self.starts.push(self.row_indices.len());
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Returns the index of the first entry of each column, followed by the number of entries.
    #[must_use]
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the row index of each entry.
    #[must_use]
    pub fn row_indices(&self) -> &[usize] {
        &self.row_indices
    }

    /// Returns the stored entries, column by column.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns a mutable view of [`values`](Self::values). The pattern cannot be changed.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Iterates over the row indices and values of one column.
    ///
    /// # Panics
    ///
    /// If column `j` does not exist.
    #[track_caller]
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[j]..self.starts[j + 1];
        self.row_indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Returns the smallest and the largest row index in a column, or `None` if the column is empty.
    pub fn ends_of_column(&self, j: usize) -> Option<(usize, usize)> {
        let rows = &self.row_indices[self.starts[j]..self.starts[j + 1]];
        rows.first().copied().zip(rows.last().copied())
    }

    /// Returns entry (i, j), which is 0 if it is not stored.
    ///
    /// # Panics
    ///
    /// If column `j` does not exist.
    #[track_caller]
    #[must_use]
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let range = self.starts[j]..self.starts[j + 1];
        match self.row_indices[range.clone()].binary_search(&i) {
            Ok(k) => self.values[range.start + k],
            Err(_) => 0.0,
        }
    }

    /// Multiplies every stored entry (i, j) by `factor(i, j)`.
    pub fn scale_entries(&mut self, factor: impl Fn(usize, usize) -> f64) {
        for j in 0..self.columns() {
            for k in self.starts[j]..self.starts[j + 1] {
                self.values[k] *= factor(self.row_indices[k], j);
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
        for (j, x_j) in x.iter().enumerate() {
            for (i, a_ij) in self.column(j) {
                y[i] += alpha * a_ij * x_j;
            }
        }
    }

    /// Returns the matrix in dense storage.
    #[must_use]
    pub fn to_dense(&self) -> Array2<f64> {
        let mut dense = Array2::zeros((self.rows(), self.columns()));
        for j in 0..self.columns() {
            for (i, value) in self.column(j) {
                dense[[i, j]] = value;
            }
        }
        dense
    }
}

/// The entries of a matrix, for [`Csc::copy_entries`].
pub(crate) trait Entries {
    /// Calls `visit` with the row, the column and the value of each entry. Within a column the row indices
    /// increase. Entries of different columns can alternate.
    fn visit(&self, visit: impl FnMut(usize, usize, f64));
}

/// The entries of the transpose.
struct Transposed<'a>(&'a Csc);

impl Entries for Transposed<'_> {
    fn visit(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for j in 0..self.0.columns() {
            self.0.column(j).for_each(|(i, value)| visit(j, i, value));
        }
    }
}
