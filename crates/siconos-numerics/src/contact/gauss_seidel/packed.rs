//! Copy of the rows of a Delassus matrix in colour order, so that a sweep reads memory sequentially.

use siconos_linalg::SmallMatrix;

use super::colouring::Colouring;
use super::contact_blocks::BlockRows;
use super::rows::{Blocks, row_of_blocks};

/// Rows of all contacts without their diagonal blocks, and the diagonal blocks separately.
///
/// Contacts are numbered in colour order. In each row, the blocks of contacts of earlier colours precede the
/// blocks of contacts of later colours. Contacts of one colour are not coupled.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedRows {
    /// Index of the first block of each row. The last entry is the number of blocks.
    firsts: Vec<usize>,
    /// For each row, index of the first block that belongs to a contact of a later colour.
    middles: Vec<usize>,
    /// Contact of each block. For a contact of a later colour, it is the offset from the end of the colour of
    /// the row.
    columns: Vec<u32>,
    /// Index of each block among the blocks of the matrix.
    sources: Vec<usize>,
    /// Index of each diagonal block among the blocks of the matrix, or `NONE` if it is not stored.
    diagonal_sources: Vec<usize>,
    values: Vec<f64>,
    diagonals: Vec<f64>,
}

/// Index used for a block that is not stored.
const NONE: usize = usize::MAX;

/// Maximum number of contacts whose indices fit into 32 bits.
pub(super) const MOST_CONTACTS: usize = u32::MAX as usize;

impl PackedRows {
    /// Determines the order of the blocks for a pattern with at most [`MOST_CONTACTS`] rows.
    pub(super) fn plan(&mut self, blocks: BlockRows<'_>, colouring: &Colouring) {
        self.firsts.clear();
        self.firsts.push(0);
        self.middles.clear();
        self.columns.clear();
        self.sources.clear();
        self.diagonal_sources.clear();
        for ends in colouring.starts().windows(2) {
            let (start, end) = (ends[0], ends[1]);
            for &contact in &colouring.members()[start..end] {
                let row = blocks.firsts[contact]..blocks.firsts[contact + 1];
                let columns = || row.clone().map(|block| (block, blocks.columns[block]));
                let own = columns().find(|&(_, column)| column == contact);
                self.diagonal_sources.push(own.map_or(NONE, |(block, _)| block));
                let placed = || columns().map(|(block, column)| (block, colouring.place(column)));
                for (block, place) in placed().filter(|&(_, place)| place < start) {
                    self.sources.push(block);
                    self.columns.push(place as u32);
                }
                self.middles.push(self.columns.len());
                for (block, place) in placed().filter(|&(_, place)| place >= end) {
                    self.sources.push(block);
                    self.columns.push((place - end) as u32);
                }
                self.firsts.push(self.columns.len());
            }
        }
    }

    /// Copies the entries of a matrix. Its pattern must have been passed to [`plan`](Self::plan).
    pub(super) fn fill<const D: usize>(&mut self, values: &[f64]) {
        let entries = D * D;
        self.values.resize(self.sources.len() * entries, 0.0);
        for (target, &source) in self.values.chunks_exact_mut(entries).zip(&self.sources) {
            target.copy_from_slice(&values[source * entries..(source + 1) * entries]);
        }
        self.diagonals.resize(self.diagonal_sources.len() * entries, 0.0);
        for (target, &source) in self.diagonals.chunks_exact_mut(entries).zip(&self.diagonal_sources) {
            if source == NONE {
                target.fill(0.0);
            } else {
                target.copy_from_slice(&values[source * entries..(source + 1) * entries]);
            }
        }
    }

    /// Returns the diagonal blocks, stored consecutively, each in row-major order.
    pub(super) fn diagonals(&self) -> &[f64] {
        &self.diagonals
    }

    /// Returns the diagonal block of the contact with this position in colour order.
    #[inline(always)]
    pub(super) fn diagonal<const D: usize>(&self, contact: usize) -> SmallMatrix<D> {
        let entries = &self.diagonals[contact * D * D..(contact + 1) * D * D];
        SmallMatrix(std::array::from_fn(|i| std::array::from_fn(|j| entries[i * D + j])))
    }

    /// Returns the row of a contact, without its diagonal block, times the reactions. `earlier` and `later`
    /// hold the reactions of the earlier and of the later colours.
    #[inline(always)]
    pub(super) fn product<const D: usize>(&self, contact: usize, earlier: &[f64], later: &[f64]) -> [f64; D] {
        let (first, middle, end) = (self.firsts[contact], self.middles[contact], self.firsts[contact + 1]);
        let part = |from: usize, to: usize, z| Blocks {
            columns: self.columns[from..to].iter().map(|&column| column as usize),
            values: &self.values[from * D * D..to * D * D],
            z,
        };
        row_of_blocks([part(first, middle, earlier), part(middle, end, later)])
    }
}
