//! Couplings of the unitary relations of an island through common systems. They determine the sparsity
//! pattern of the matrix of the island.

use ndarray::Array2;
use siconos_linalg::BlockCsr;

use super::class::FrictionForm;
use super::delassus::Blocks;
use super::table_entries::{Block, UnitaryIndex};
use super::tables::Tables;
use crate::index::{RowIndex, Table};

/// Coupling graph of a set of unitary relations, the members. It corresponds to the linked-interaction map of
/// the developers' notes of Siconos, section 2.1.1, which is defined for interactions.
#[derive(Clone, Debug, Default)]
pub(super) struct Couplings {
    members: Vec<UnitaryIndex>,
    /// Index of the first row of each member in the matrix; the last entry is the number of rows.
    starts: Vec<usize>,
    /// For each row of the matrix, the index of this row in the model.
    rows: Vec<RowIndex>,
    /// For each member, the index in `partners` at which its partners start; the last entry is the length of
    /// `partners`.
    first: Vec<usize>,
    /// Partners of each member, that is, the members that are coupled with it, in increasing order. Each
    /// member is a partner of itself.
    partners: Vec<usize>,
}

/// Members that act on each block of systems. Empty except while couplings are determined.
#[derive(Clone, Debug, Default)]
pub(super) struct ByBlock {
    lists: Table<Block, Vec<usize>>,
}

impl Couplings {
    /// Sets the members, which must be in increasing order, and their rows. Discards the couplings.
    pub(super) fn lay_out_rows(&mut self, tables: &Tables, members: &[UnitaryIndex], posing: FrictionForm) {
        self.members.clear();
        self.members.extend_from_slice(members);
        self.starts.clear();
        self.rows.clear();
        for &member in members {
            self.starts.push(self.rows.len());
            self.rows.extend(tables.unknowns(member, posing).rows.iter());
        }
        self.starts.push(self.rows.len());
        self.first.clear();
        self.partners.clear();
    }

    /// Returns `true` if the couplings among the members have been determined.
    pub(super) fn are_known(&self) -> bool {
        !self.first.is_empty()
    }

    /// Determines the couplings among the members.
    pub(super) fn couple(&mut self, tables: &Tables, by_block: &mut ByBlock) {
        let Self { members, first, partners, .. } = self;
        first.push(0);
        if members.len() == 1 {
            partners.push(0);
            first.push(1);
            return;
        }
        let lists = &mut by_block.lists;
        let count = lists.len().max(tables.blocks.len());
        lists.resize_with(count, Vec::new);
        let blocks = |member: UnitaryIndex| {
            let incidences = tables.incidences_of(tables.unitary[member].interaction);
            incidences.iter().map(|incidence| incidence.block)
        };
        for (local, &member) in members.iter().enumerate() {
            blocks(member).for_each(|block| lists[block].push(local));
        }
        for &member in &*members {
            let start = partners.len();
            blocks(member).for_each(|block| partners.extend_from_slice(&lists[block]));
            if blocks(member).len() > 1 {
                partners[start..].sort_unstable();
                let mut end = start;
                for k in start..partners.len() {
                    if end == start || partners[end - 1] != partners[k] {
                        partners[end] = partners[k];
                        end += 1;
                    }
                }
                partners.truncate(end);
            }
            first.push(partners.len());
        }
        for &member in &*members {
            blocks(member).for_each(|block| lists[block].clear());
        }
    }

    /// Sets the rows of a matrix that is not assembled from unitary relations.
    pub(super) fn lay_out_matrix(&mut self, n: usize) {
        self.members.clear();
        self.rows.clear();
        self.rows.extend((0..n).map(RowIndex::new));
    }

    pub(super) fn members(&self) -> &[UnitaryIndex] {
        &self.members
    }

    /// Returns the member that contains a row of the matrix, if there are members.
    pub(super) fn member_of(&self, row: usize) -> Option<UnitaryIndex> {
        let after = self.starts.partition_point(|&start| start <= row);
        self.members.get(after.checked_sub(1)?).copied()
    }

    /// Returns, for each row of the matrix, the index of this row in the model.
    pub(super) fn rows(&self) -> &[RowIndex] {
        &self.rows
    }

    /// Returns the number of rows of each member.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.starts.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// Returns the fraction of the entries of the matrix that can be nonzero.
    pub(super) fn fill(&self) -> f64 {
        let size = |member: usize| self.starts[member + 1] - self.starts[member];
        let of_member = |member: usize| -> usize {
            let partners = &self.partners[self.first[member]..self.first[member + 1]];
            size(member) * partners.iter().map(|&partner| size(partner)).sum::<usize>()
        };
        let entries: usize = (0..self.members.len()).map(of_member).sum();
        entries as f64 / (self.rows.len() * self.rows.len()) as f64
    }

    /// Calls `visit` with each pair of coupled members.
    fn for_each(&self, mut visit: impl FnMut(usize, usize)) {
        for (member, ends) in self.first.windows(2).enumerate() {
            self.partners[ends[0]..ends[1]].iter().for_each(|&partner| visit(member, partner));
        }
    }

    /// Writes all entries of the matrix, row by row. The memory of the previous matrix is reused.
    pub(super) fn write_dense(&self, blocks: Blocks<'_>, matrix: &mut Array2<f64>) {
        let n = self.rows.len();
        if matrix.dim() == (n, n) {
            matrix.fill(0.0);
        } else {
            let (mut entries, _) = std::mem::take(matrix).into_raw_vec_and_offset();
            entries.clear();
            entries.resize(n * n, 0.0);
            *matrix = Array2::from_shape_vec((n, n), entries).unwrap_or_default();
        }
        let Some(entries) = matrix.as_slice_mut() else { return };
        self.for_each(|a, b| {
            let columns = self.starts[b]..self.starts[b + 1];
            for row in self.starts[a]..self.starts[a + 1] {
                let target = &mut entries[row * n..][columns.clone()];
                for (target, column) in target.iter_mut().zip(&self.rows[columns.clone()]) {
                    *target = blocks.entry(self.rows[row], *column);
                }
            }
        });
    }

    /// Writes the blocks that can be nonzero. `is_laid_out` is `true` if the sparsity pattern has not changed
    /// since the previous call.
    pub(super) fn write_blocks(&self, blocks: Blocks<'_>, matrix: &mut BlockCsr, is_laid_out: bool) {
        if !is_laid_out {
            matrix.begin(self.sizes());
            let mut open = None;
            self.for_each(|a, b| {
                if open != Some(a) {
                    matrix.push_block_row(self.starts[a + 1] - self.starts[a]);
                    open = Some(a);
                }
                matrix.push_block(b);
            });
        }
        let mut k = 0;
        self.for_each(|a, b| {
            let (rows, columns) = (self.starts[a]..self.starts[a + 1], self.starts[b]..self.starts[b + 1]);
            let targets = matrix.block_mut(k).chunks_exact_mut(columns.len());
            for (row, targets) in self.rows[rows].iter().zip(targets) {
                for (target, column) in targets.iter_mut().zip(&self.rows[columns.clone()]) {
                    *target = blocks.entry(*row, *column);
                }
            }
            k += 1;
        });
    }
}
