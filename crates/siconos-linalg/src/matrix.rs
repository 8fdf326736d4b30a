//! Matrix in any of the supported storage formats, owned ([`Matrix`]) or borrowed ([`MatrixRef`]).

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2};
use serde::{Deserialize, Serialize};

use super::triangular_factors::LARGEST_OWN_LU;
use super::{BlockCsr, Csc};

/// Owned matrix. No storage format is converted silently: each solver documents which storage formats it
/// accepts.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::Matrix;
///
/// let mass = Matrix::from(array![1.0, 1.0, 0.4]);   // a vector is a diagonal matrix
/// assert_eq!((mass.rows(), mass.columns()), (3, 3));
/// let mut y = [0.0; 3];
/// mass.add_product(2.0, &[1.0, 2.0, 5.0], &mut y);
/// assert_eq!(y, [2.0, 4.0, 4.0]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Matrix {
    /// All entries, stored row by row.
    Dense(Array2<f64>),
    /// The diagonal of a square matrix.
    Diagonal(Array1<f64>),
    /// Block compressed rows.
    BlockCsr(BlockCsr),
    /// Compressed sparse columns.
    Csc(Csc),
}

/// Borrowed [`Matrix`].
#[derive(Clone, Copy, Debug)]
pub enum MatrixRef<'a> {
    /// All entries.
    Dense(ArrayView2<'a, f64>),
    /// The diagonal of a square matrix.
    Diagonal(ArrayView1<'a, f64>),
    /// Block compressed rows.
    BlockCsr(&'a BlockCsr),
    /// Compressed sparse columns.
    Csc(&'a Csc),
}

/// Matrix without rows and columns, which allocates no memory.
impl Default for Matrix {
    fn default() -> Self {
        Self::Diagonal(Array1::default(0))
    }
}

impl From<Array2<f64>> for Matrix {
    fn from(a: Array2<f64>) -> Self {
        // Column-major input (for example a transposed array) is copied, so that every row is contiguous.
        Self::Dense(if a.is_standard_layout() { a } else { a.as_standard_layout().into_owned() })
    }
}

impl From<Array1<f64>> for Matrix {
    fn from(diagonal: Array1<f64>) -> Self {
        Self::Diagonal(diagonal)
    }
}

impl From<BlockCsr> for Matrix {
    fn from(a: BlockCsr) -> Self {
        Self::BlockCsr(a)
    }
}

impl From<Csc> for Matrix {
    fn from(a: Csc) -> Self {
        Self::Csc(a)
    }
}

impl<'a> From<&'a Csc> for MatrixRef<'a> {
    fn from(a: &'a Csc) -> Self {
        Self::Csc(a)
    }
}

impl<'a> From<ArrayView2<'a, f64>> for MatrixRef<'a> {
    fn from(a: ArrayView2<'a, f64>) -> Self {
        Self::Dense(a)
    }
}

impl<'a> From<&'a Array2<f64>> for MatrixRef<'a> {
    fn from(a: &'a Array2<f64>) -> Self {
        Self::Dense(a.view())
    }
}

impl<'a> From<&'a BlockCsr> for MatrixRef<'a> {
    fn from(a: &'a BlockCsr) -> Self {
        Self::BlockCsr(a)
    }
}

impl<'a> From<&'a Matrix> for MatrixRef<'a> {
    fn from(a: &'a Matrix) -> Self {
        a.view()
    }
}

impl Matrix {
    /// Returns a borrowed view.
    #[must_use]
    pub fn view(&self) -> MatrixRef<'_> {
        match self {
            Self::Dense(a) => MatrixRef::Dense(a.view()),
            Self::Diagonal(d) => MatrixRef::Diagonal(d.view()),
            Self::BlockCsr(a) => MatrixRef::BlockCsr(a),
            Self::Csc(a) => MatrixRef::Csc(a),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.view().rows()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.view().columns()
    }

    /// Multiplies every stored entry (i, j) by `factor(i, j)`.
    pub fn scale_entries(&mut self, factor: impl Fn(usize, usize) -> f64) {
        match self {
            Self::Dense(a) => a.indexed_iter_mut().for_each(|((i, j), x)| *x *= factor(i, j)),
            Self::Diagonal(d) => d.iter_mut().enumerate().for_each(|(i, x)| *x *= factor(i, i)),
            Self::BlockCsr(a) => a.scale_entries(factor),
            Self::Csc(a) => a.scale_entries(factor),
        }
    }
}

/// Returns `true` if sparse storage is faster for a square matrix with the given numbers of columns and of
/// nonzero entries.
pub fn is_sparse(columns: usize, entries: usize) -> bool {
    /// Fraction of nonzero entries above which dense storage is faster.
    const WELL_FILLED: f64 = 0.2;
    columns > LARGEST_OWN_LU && entries as f64 <= WELL_FILLED * (columns * columns) as f64
}

impl MatrixRef<'_> {
    /// Copies the matrix to `target`. The memory of `target` is reused if it has the same storage.
    pub fn copy_to(&self, target: &mut Matrix) {
        match (self, &mut *target) {
            (Self::Dense(a), Matrix::Dense(target)) => {
                let mut entries = std::mem::take(target).into_raw_vec_and_offset().0;
                entries.clear();
                entries.extend(a);
                // The number of entries always matches the shape.
                *target = Array2::from_shape_vec(a.dim(), entries).unwrap_or_default();
            }
            (Self::BlockCsr(a), Matrix::BlockCsr(target)) => target.copy_from(a),
            (Self::Csc(a), Matrix::Csc(target)) => target.clone_from(a),
            (Self::Diagonal(a), Matrix::Diagonal(target)) if a.len() == target.len() => target.assign(a),
            (Self::Dense(a), target) => *target = a.to_owned().into(),
            (Self::Diagonal(a), target) => *target = a.to_owned().into(),
            (Self::BlockCsr(a), target) => *target = Matrix::from((*a).clone()),
            (Self::Csc(a), target) => *target = Matrix::from((*a).clone()),
        }
    }

    /// Returns this matrix with a shorter lifetime. The compiler does not shorten the lifetimes of `ndarray`
    /// views implicitly.
    pub fn reborrow(&self) -> MatrixRef<'_> {
        match self {
            Self::Dense(a) => MatrixRef::Dense(a.view()),
            Self::Diagonal(d) => MatrixRef::Diagonal(d.view()),
            Self::BlockCsr(a) => MatrixRef::BlockCsr(a),
            Self::Csc(a) => MatrixRef::Csc(a),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(a) => a.nrows(),
            Self::Diagonal(d) => d.len(),
            Self::BlockCsr(a) => a.rows(),
            Self::Csc(a) => a.rows(),
        }
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        match self {
            Self::Dense(a) => a.ncols(),
            Self::Diagonal(d) => d.len(),
            Self::BlockCsr(a) => a.columns(),
            Self::Csc(a) => a.columns(),
        }
    }

    /// Returns the number of stored entries.
    #[must_use]
    pub fn stored_entries(&self) -> usize {
        match self {
            Self::Dense(a) => a.len(),
            Self::Diagonal(d) => d.len(),
            Self::BlockCsr(a) => a.values().len(),
            Self::Csc(a) => a.entries(),
        }
    }

    /// Returns the number of nonzero entries of a dense matrix, or the number of stored entries in any other
    /// storage.
    pub fn non_zeros(&self) -> usize {
        match self {
            Self::Dense(a) => a.iter().filter(|x| **x != 0.0).count(),
            other => other.stored_entries(),
        }
    }

    /// Returns the name of the storage, for use in messages.
    #[must_use]
    pub fn storage(&self) -> &'static str {
        match self {
            Self::Dense(_) => "a dense matrix",
            Self::Diagonal(_) => "a diagonal matrix",
            Self::BlockCsr(_) => "a block compressed-row matrix",
            Self::Csc(_) => "a sparse column matrix",
        }
    }

    /// Returns the first entry that is not finite: its index in storage order, and its value.
    #[must_use]
    pub fn first_non_finite(&self) -> Option<(usize, f64)> {
        fn find<'a>(entries: impl Iterator<Item = &'a f64>) -> Option<(usize, f64)> {
            entries.copied().enumerate().find(|(_, x)| !x.is_finite())
        }
        match self {
            Self::Dense(a) => find(a.iter()),
            Self::Diagonal(d) => find(d.iter()),
            Self::BlockCsr(a) => find(a.values().iter()),
            Self::Csc(a) => find(a.values().iter()),
        }
    }

    /// Writes the diagonal of a square matrix to `d`.
    ///
    /// # Panics
    ///
    /// If the length of `d` differs from the number of rows.
    #[track_caller]
    pub fn copy_diagonal(&self, d: &mut [f64]) {
        assert_eq!(d.len(), self.rows(), "one entry per row");
        self.for_each_diagonal(|i, x| d[i] = x);
    }

    /// Calls `visit` with the row, the column and the value of every stored entry, including zeros of a dense
    /// matrix. Sparse column matrices are visited column by column, all others row by row.
    pub fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match self {
            Self::Dense(a) => a.indexed_iter().for_each(|((i, j), x)| visit(i, j, *x)),
            Self::Diagonal(d) => d.iter().enumerate().for_each(|(i, x)| visit(i, i, *x)),
            Self::BlockCsr(a) => {
                if let Some(matrix) = a.compressed_rows() {
                    for (i, row) in matrix.lines().enumerate() {
                        row.for_each(|(j, x)| visit(i, j, x));
                    }
                    return;
                }
                for row in (0..a.block_rows()).map(|row| a.block_row(row)) {
                    let first = row.rows().start;
                    for (columns, block) in row.blocks() {
                        block.indexed_iter().for_each(|((i, j), x)| visit(first + i, columns.start + j, *x));
                    }
                }
            }
            Self::Csc(a) => {
                for j in 0..a.columns() {
                    a.column(j).for_each(|(i, x)| visit(i, j, x));
                }
            }
        }
    }

    /// Calls `visit` with i and $M_{ii}$ for every row of a square matrix, in order.
    pub fn for_each_diagonal(&self, mut visit: impl FnMut(usize, f64)) {
        match self {
            Self::Dense(a) => match a.as_slice() {
                Some(entries) => {
                    entries.iter().step_by(a.ncols() + 1).enumerate().for_each(|(i, x)| visit(i, *x));
                }
                None => a.diag().iter().enumerate().for_each(|(i, x)| visit(i, *x)),
            },
            Self::Diagonal(a) => a.iter().enumerate().for_each(|(i, x)| visit(i, *x)),
            Self::BlockCsr(a) => {
                if let Some(matrix) = a.compressed_rows() {
                    for (i, mut row) in matrix.lines().enumerate() {
                        visit(i, row.find(|(j, _)| *j == i).map_or(0.0, |(_, x)| x));
                    }
                    return;
                }
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    let first = row.rows().start;
                    for i in row.rows() {
                        let mut blocks = row.blocks();
                        let own = blocks.find(|(columns, _)| columns.contains(&i));
                        visit(i, own.map_or(0.0, |(columns, block)| block[[i - first, i - columns.start]]));
                    }
                }
            }
            Self::Csc(a) => (0..a.columns()).for_each(|i| visit(i, a.get(i, i))),
        }
    }

    /// Returns the mean magnitude of the nonzero entries, or 0 if there are none.
    pub fn mean_magnitude(&self) -> f64 {
        fn mean<'a>(entries: impl Iterator<Item = &'a f64>) -> f64 {
            let (sum, count) = entries
                .filter(|x| **x != 0.0)
                .fold((0.0, 0_usize), |(sum, count), x| (sum + x.abs(), count + 1));
            if count == 0 { 0.0 } else { sum / count as f64 }
        }
        match self {
            Self::Dense(a) => mean(a.iter()),
            Self::Diagonal(d) => mean(d.iter()),
            Self::BlockCsr(a) => mean(a.values().iter()),
            Self::Csc(a) => mean(a.values().iter()),
        }
    }

    /// Writes all entries, row by row, to `entries`, whose memory is reused.
    pub fn copy_dense(&self, entries: &mut Vec<f64>) {
        let columns = self.columns();
        entries.clear();
        entries.resize(self.rows() * columns, 0.0);
        match self {
            Self::Dense(a) => entries.iter_mut().zip(a).for_each(|(x, a)| *x = *a),
            Self::Diagonal(d) => d.iter().enumerate().for_each(|(i, d)| entries[i * columns + i] = *d),
            Self::BlockCsr(a) => {
                for block_row in 0..a.block_rows() {
                    let row = a.block_row(block_row);
                    for (range, block) in row.blocks() {
                        for (i, values) in row.rows().zip(block.rows()) {
                            let target = &mut entries[i * columns..][range.clone()];
                            target.iter_mut().zip(values).for_each(|(x, a)| *x = *a);
                        }
                    }
                }
            }
            Self::Csc(a) => {
                for j in 0..columns {
                    a.column(j).for_each(|(i, value)| entries[i * columns + j] = value);
                }
            }
        }
    }

    /// Overwrites all entries of the dense matrix `out`, which has the same shape, with the entries of this
    /// matrix.
    ///
    /// # Panics
    ///
    /// If the shapes differ.
    #[track_caller]
    pub fn write_dense(&self, out: &mut ArrayViewMut2<'_, f64>) {
        if let Self::Dense(a) = self {
            return out.assign(a);
        }
        assert_eq!((self.rows(), self.columns()), out.dim(), "rows and columns of both");
        out.fill(0.0);
        self.for_each_entry(|i, j, x| out[[i, j]] = x);
    }

    /// Returns an owned dense copy.
    #[must_use]
    pub fn to_dense(&self) -> Array2<f64> {
        match self {
            Self::Dense(a) => a.as_standard_layout().into_owned(),
            Self::Diagonal(d) => Array2::from_diag(d),
            Self::BlockCsr(a) => a.to_dense(),
            Self::Csc(a) => a.to_dense(),
        }
    }
}
