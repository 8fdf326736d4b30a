//! Blocks of a Delassus matrix, one per pair of coupled contacts, for a matrix in any storage.

use siconos_linalg::{Csc, MatrixRef};

use super::rows::has_blocks_of;

/// Stored blocks of a matrix, ordered by block rows. Within a block row, the block columns are in ascending
/// order.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockRows<'a> {
    /// Index of the first block of each contact. The last entry is the number of blocks.
    pub(super) firsts: &'a [usize],
    /// Block column of each block, which is the index of a contact.
    pub(super) columns: &'a [usize],
    /// Entries of all blocks, stored consecutively, each block in row-major order.
    pub(super) values: &'a [f64],
}

/// Workspace to gather the blocks of a matrix that is not stored in the blocks of the contacts.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactBlocks {
    transposed: Csc,
    list: BlockList,
}

/// Blocks gathered so far, in the layout of [`BlockRows`].
#[derive(Clone, Debug, Default)]
struct BlockList {
    firsts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl ContactBlocks {
    /// Returns the blocks for contacts with `D` rows each. Zeros of a dense matrix are omitted. Zeros that a
    /// sparse matrix stores are kept.
    pub(super) fn of<'a, const D: usize>(&'a mut self, m: &'a MatrixRef<'_>) -> BlockRows<'a> {
        let contacts = m.rows() / D;
        let Self { transposed, list } = self;
        list.begin();
        match *m {
            MatrixRef::BlockCsr(a) if has_blocks_of(a, D) => {
                return BlockRows {
                    firsts: a.first_blocks(),
                    columns: a.block_columns(),
                    values: a.values(),
                };
            }
            MatrixRef::Dense(ref a) => {
                for first in (0..contacts).map(|contact| contact * D) {
                    let entry = |(k, j)| (k, j, a[[first + k, j]]);
                    let places = || (0..D).flat_map(|k| (0..a.ncols()).map(move |j| (k, j)));
                    list.push_row::<D, _>(|| places().map(entry).filter(|&(_, _, a)| a != 0.0));
                }
            }
            MatrixRef::Diagonal(ref a) => {
                for first in (0..contacts).map(|contact| contact * D) {
                    list.push_row::<D, _>(|| (0..D).map(|k| (k, first + k, a[first + k])));
                }
            }
            MatrixRef::BlockCsr(_) => {
                transposed.copy_transposed(&Csc::from_matrix(m.reborrow()));
                list.push_rows::<D>(transposed);
            }
            MatrixRef::Csc(a) => {
                transposed.copy_transposed(a);
                list.push_rows::<D>(transposed);
            }
        }
        BlockRows { firsts: &list.firsts, columns: &list.columns, values: &list.values }
    }
}

impl BlockList {
    fn begin(&mut self) {
        self.firsts.clear();
        self.firsts.push(0);
        self.columns.clear();
        self.values.clear();
    }

    /// Appends all rows of the matrix whose transpose is `transposed`.
    fn push_rows<const D: usize>(&mut self, transposed: &Csc) {
        for first in (0..transposed.columns() / D).map(|contact| contact * D) {
            let row = |k| transposed.column(first + k).map(move |(j, a)| (k, j, a));
            self.push_row::<D, _>(|| (0..D).flat_map(row));
        }
    }

    /// Appends the rows of the next contact. Each entry is given by its row inside the block, its column in
    /// the matrix, and its value.
    fn push_row<const D: usize, Entries: Iterator<Item = (usize, usize, f64)>>(
        &mut self,
        entries: impl Fn() -> Entries,
    ) {
        let first = self.columns.len();
        self.columns.extend(entries().map(|(_, j, _)| j / D));
        self.columns[first..].sort_unstable();
        let mut end = first;
        for k in first..self.columns.len() {
            if end == first || self.columns[end - 1] != self.columns[k] {
                self.columns[end] = self.columns[k];
                end += 1;
            }
        }
        self.columns.truncate(end);
        self.firsts.push(end);
        self.values.resize(end * D * D, 0.0);
        for (k, j, a) in entries() {
            let block = first + self.columns[first..].partition_point(|&column| column < j / D);
            self.values[(block * D + k) * D + j % D] = a;
        }
    }
}
