//! Rows of a Delassus matrix, grouped by contact, for sweeps.

use siconos_linalg::{BlockCsr, Csc, MatrixRef, SmallMatrix};

use crate::engine::nsgs::SweepRows;

/// Data that a sweep needs in addition to the matrix. They are prepared once per problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactRows {
    /// Transpose of the matrix, if the matrix is stored by columns or in blocks other than the contact
    /// blocks.
    transposed: Csc,
    /// Diagonal blocks, stored consecutively, each in row-major order.
    diagonal: Vec<f64>,
    /// `true` if the matrix is stored in blocks, and these are the blocks of the contacts.
    blocks_fit: bool,
}

/// Rows of a matrix with the storage `S`, and its diagonal blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsOf<'a, S> {
    storage: S,
    diagonal: &'a [f64],
}

impl ContactRows {
    /// Prepares the data for a matrix whose contacts have `D` rows each. Must be called before the first
    /// sweep.
    pub(crate) fn prepare<const D: usize>(&mut self, m: MatrixRef<'_>) {
        self.diagonal.clear();
        self.diagonal.resize(m.rows() * D, 0.0);
        self.blocks_fit = false;
        match m {
            MatrixRef::Dense(a) => {
                for i in 0..m.rows() {
                    let first = i - i % D;
                    (0..D).for_each(|k| self.diagonal[i * D + k] = a[[i, first + k]]);
                }
            }
            MatrixRef::Diagonal(d) => {
                for (i, &d) in d.iter().enumerate() {
                    self.diagonal[i * D + i % D] = d;
                }
            }
            MatrixRef::BlockCsr(a) if has_blocks_of(a, D) => {
                self.blocks_fit = true;
                let (firsts, columns) = (a.first_blocks(), a.block_columns());
                for (i, target) in self.diagonal.chunks_exact_mut(D * D).enumerate() {
                    if let Ok(k) = columns[firsts[i]..firsts[i + 1]].binary_search(&i) {
                        let first = (firsts[i] + k) * D * D;
                        target.copy_from_slice(&a.values()[first..first + D * D]);
                    }
                }
            }
            MatrixRef::BlockCsr(_) => {
                self.transposed.copy_transposed(&Csc::from_matrix(m));
                self.gather_transposed::<D>();
            }
            MatrixRef::Csc(a) => {
                self.transposed.copy_transposed(a);
                self.gather_transposed::<D>();
            }
        }
    }

    fn gather_transposed<const D: usize>(&mut self) {
        for i in 0..self.transposed.columns() {
            let first = i - i % D;
            for (j, value) in self.transposed.column(i).filter(|(j, _)| (first..first + D).contains(j)) {
                self.diagonal[i * D + j - first] = value;
            }
        }
    }

    /// Returns the diagonal block of a contact.
    pub(crate) fn diagonal<const D: usize>(&self, contact: usize) -> SmallMatrix<D> {
        block_of(&self.diagonal, contact)
    }

    /// Runs `work` on the rows of the matrix. The data must have been prepared for this matrix.
    pub(crate) fn with<const D: usize, R>(&self, m: MatrixRef<'_>, work: impl RowWork<D, Result = R>) -> R {
        let diagonal = &self.diagonal;
        match m {
            MatrixRef::Dense(storage) => work.run(&RowsOf { storage, diagonal }),
            MatrixRef::BlockCsr(storage) if self.blocks_fit => work.run(&RowsOf { storage, diagonal }),
            MatrixRef::Diagonal(storage) => work.run(&RowsOf { storage, diagonal }),
            MatrixRef::Csc(_) | MatrixRef::BlockCsr(_) => {
                work.run(&RowsOf { storage: &self.transposed, diagonal })
            }
        }
    }

    /// Returns the diagonal blocks, stored consecutively, each in row-major order.
    pub(crate) fn diagonals(&self) -> &[f64] {
        &self.diagonal
    }
}

/// Returns `true` if all blocks are `d x d`. The condition is that all row and column starts are multiples of
/// `d`.
pub(super) fn has_blocks_of(a: &BlockCsr, d: usize) -> bool {
    let fits = |starts: &[usize]| starts.iter().enumerate().all(|(i, &start)| start == i * d);
    fits(a.row_starts()) && fits(a.column_starts())
}

/// Operation on the rows of a matrix whose storage is known at compile time.
pub(crate) trait RowWork<const D: usize> {
    /// Result of the operation.
    type Result;
    /// Performs the operation.
    fn run(self, rows: &impl SweepRows<D>) -> Self::Result;
}

fn block_of<const D: usize>(diagonal: &[f64], contact: usize) -> SmallMatrix<D> {
    let entries = &diagonal[contact * D * D..(contact + 1) * D * D];
    SmallMatrix(std::array::from_fn(|i| std::array::from_fn(|j| entries[i * D + j])))
}

impl<const D: usize> SweepRows<D> for RowsOf<'_, ndarray::ArrayView2<'_, f64>> {
    fn blocks(&self) -> usize {
        self.storage.nrows() / D
    }

    #[inline]
    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D] {
        SweepRows::<D>::row_product(&self.storage, block, z)
    }

    #[inline]
    fn diagonal(&self, block: usize) -> SmallMatrix<D> {
        block_of(self.diagonal, block)
    }
}

impl<const D: usize> SweepRows<D> for RowsOf<'_, ndarray::ArrayView1<'_, f64>> {
    fn blocks(&self) -> usize {
        self.storage.len() / D
    }

    #[inline]
    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D] {
        std::array::from_fn(|k| self.storage[block * D + k] * z[block * D + k])
    }

    #[inline]
    fn diagonal(&self, block: usize) -> SmallMatrix<D> {
        block_of(self.diagonal, block)
    }
}

impl<const D: usize> SweepRows<D> for RowsOf<'_, &BlockCsr> {
    fn blocks(&self) -> usize {
        self.storage.block_rows()
    }

    #[inline]
    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D] {
        let firsts = self.storage.first_blocks();
        let (first, end) = (firsts[block], firsts[block + 1]);
        let columns = &self.storage.block_columns()[first..end];
        let values = &self.storage.values()[first * D * D..end * D * D];
        row_of_blocks([Blocks { columns: columns.iter().copied(), values, z }])
    }

    #[inline]
    fn diagonal(&self, block: usize) -> SmallMatrix<D> {
        block_of(self.diagonal, block)
    }
}

/// Square blocks of one row, and the vector z by which they are multiplied.
pub(super) struct Blocks<'a, Columns> {
    /// Block column of each block.
    pub(super) columns: Columns,
    pub(super) values: &'a [f64],
    pub(super) z: &'a [f64],
}

/// Returns the sum of all blocks in `parts`, each multiplied by its range of z. A block has `D` rows.
#[inline(always)]
pub(super) fn row_of_blocks<const D: usize, const PARTS: usize, Columns: Iterator<Item = usize>>(
    parts: [Blocks<'_, Columns>; PARTS],
) -> [f64; D] {
    match D {
        2 => widen(products::<2, 4, PARTS, _>(parts)),
        3 => widen(products::<3, 9, PARTS, _>(parts)),
        5 => widen(products::<5, 25, PARTS, _>(parts)),
        _ => [f64::NAN; D],
    }
}

/// Computes [`row_of_blocks`] with a separate sum for each entry of a block, so that the additions are
/// independent and can be vectorised.
#[inline(always)]
fn products<const D: usize, const ENTRIES: usize, const PARTS: usize, Columns: Iterator<Item = usize>>(
    parts: [Blocks<'_, Columns>; PARTS],
) -> [f64; D] {
    let mut sums = [0.0; ENTRIES];
    for Blocks { columns, values, z } in parts {
        let (blocks, parts) = (values.as_chunks::<ENTRIES>().0, z.as_chunks::<D>().0);
        for (column, block) in columns.zip(blocks) {
            let z = &parts[column];
            for k in 0..ENTRIES {
                sums[k] += block[k] * z[k % D];
            }
        }
    }
    let mut product = [0.0; D];
    for (k, sum) in sums.iter().enumerate() {
        product[k / D] += sum;
    }
    product
}

/// Copies an array of length `FROM` to an array of length `TO`. The two lengths must be equal.
#[inline(always)]
fn widen<const FROM: usize, const TO: usize>(x: [f64; FROM]) -> [f64; TO] {
    let mut y = [0.0; TO];
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x);
    y
}

impl<const D: usize> SweepRows<D> for RowsOf<'_, &Csc> {
    fn blocks(&self) -> usize {
        self.storage.columns() / D
    }

    #[inline]
    fn row_product(&self, block: usize, z: &[f64]) -> [f64; D] {
        std::array::from_fn(|k| self.storage.column(block * D + k).map(|(j, a)| a * z[j]).sum())
    }

    #[inline]
    fn diagonal(&self, block: usize) -> SmallMatrix<D> {
        block_of(self.diagonal, block)
    }
}
