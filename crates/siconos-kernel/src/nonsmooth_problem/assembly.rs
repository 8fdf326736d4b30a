//! Assembly of the matrices of one-step problems from the Delassus blocks of their members.

use siconos_numerics::linalg::BlockCsr;

use super::delassus::Delassus;
use super::tables::Tables;

/// Where each unitary relation lies in the problem of its connected set, if it is in one.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    places: Vec<Option<Place>>,
}

/// The place of a unitary relation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) block: usize,
    pub(super) first_row: usize,
}

impl Places {
    /// Takes all unitary relations out.
    pub(super) fn clear(&mut self, tables: &Tables) {
        self.places.clear();
        self.places.resize(tables.unitary.len(), None);
    }

    /// Puts members into one problem, one after the other; returns the number of its rows.
    pub(super) fn put_all(&mut self, tables: &Tables, members: &[usize]) -> usize {
        self.clear(tables);
        members.iter().enumerate().fold(0, |first_row, (block, &member)| {
            self.put(member, Place { block, first_row });
            first_row + tables.unitary[member].rows.len()
        })
    }

    pub(super) fn put(&mut self, unitary: usize, place: Place) {
        self.places[unitary] = Some(place);
    }
}

/// Writes the full matrix of so many rows, row by row.
pub(super) fn fill_dense(
    tables: &Tables,
    delassus: &Delassus,
    (members, n): (&[usize], usize),
    places: &Places,
    dense: &mut Vec<f64>,
) {
    dense.clear();
    dense.resize(n * n, 0.0);
    let mut first_row = 0;
    for &a in members {
        let rows = tables.unitary[a].rows.len();
        for (b, block) in delassus.couplings(a) {
            let Some(place) = places.places[b] else { continue };
            let columns = tables.unitary[b].rows.len();
            for (row, entries) in block.chunks_exact(columns).enumerate() {
                let start = (first_row + row) * n + place.first_row;
                dense[start..start + columns].copy_from_slice(entries);
            }
        }
        first_row += rows;
    }
}

/// Overwrites the blocks that [`lay_out_blocks`] laid out for the same members.
pub(super) fn refill_blocks(delassus: &Delassus, members: &[usize], places: &Places, blocks: &mut BlockCsr) {
    let present = |&(b, _): &(usize, &[f64])| places.places[b].is_some();
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
            if let Some(place) = places.places[b] {
                blocks.push_block(place.block).copy_from_slice(block);
            }
        }
    }
}
