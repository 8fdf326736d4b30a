//! Assembly of the matrix of a one-step problem from the Delassus blocks of its index set.

use siconos_numerics::linalg::BlockCsr;

use super::delassus::Delassus;
use super::tables::Tables;

/// Marks a unitary relation that is not in the problem.
const ABSENT: usize = usize::MAX;

/// Where each unitary relation lies in the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Block number in the problem, by place in the table.
    block: Vec<usize>,
    /// First row in the problem, by block number, and the size of the problem at the end.
    first_row: Vec<usize>,
}

impl Places {
    pub(super) fn update(&mut self, tables: &Tables, members: &[usize]) {
        self.block.clear();
        self.block.resize(tables.unitary.len(), ABSENT);
        self.first_row.clear();
        self.first_row.push(0);
        let mut end = 0;
        for (block, &place) in members.iter().enumerate() {
            self.block[place] = block;
            end += tables.unitary[place].rows.len();
            self.first_row.push(end);
        }
    }

    /// The number of rows of the problem.
    pub(super) fn size(&self) -> usize {
        self.first_row.last().copied().unwrap_or(0)
    }
}

/// Writes the full matrix, row by row.
pub(super) fn fill_dense(
    tables: &Tables,
    delassus: &Delassus,
    members: &[usize],
    places: &Places,
    dense: &mut Vec<f64>,
) {
    let n = places.size();
    dense.clear();
    dense.resize(n * n, 0.0);
    for (block_row, &a) in members.iter().enumerate() {
        for (b, block) in delassus.couplings(a) {
            let block_column = places.block[b];
            if block_column == ABSENT {
                continue;
            }
            let columns = tables.unitary[b].rows.len();
            for (row, entries) in block.chunks_exact(columns).enumerate() {
                let start = (places.first_row[block_row] + row) * n + places.first_row[block_column];
                dense[start..start + columns].copy_from_slice(entries);
            }
        }
    }
}

/// Overwrites the blocks that [`lay_out_blocks`] laid out for the same members.
pub(super) fn refill_blocks(delassus: &Delassus, members: &[usize], places: &Places, blocks: &mut BlockCsr) {
    let present = |&(b, _): &(usize, &[f64])| places.block[b] != ABSENT;
    let values = members.iter().flat_map(|&a| delassus.couplings(a).filter(present));
    for (k, (_, block)) in values.enumerate() {
        blocks.block_mut(k).copy_from_slice(block);
    }
}

/// Lays out the couplings only, and writes them.
pub(super) fn lay_out_blocks(
    tables: &Tables,
    delassus: &Delassus,
    members: &[usize],
    places: &Places,
    blocks: &mut BlockCsr,
) {
    blocks.begin(members.iter().map(|&place| tables.unitary[place].rows.len()));
    for &a in members {
        blocks.push_block_row(tables.unitary[a].rows.len());
        for (b, block) in delassus.couplings(a) {
            if places.block[b] != ABSENT {
                blocks.push_block(places.block[b]).copy_from_slice(block);
            }
        }
    }
}
