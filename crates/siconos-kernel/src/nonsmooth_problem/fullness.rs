//! Number of entries in the matrices of an island, counted before the matrices are computed.

use super::islands::Island;
use super::table_entries::BlockIndex;
use super::tables::Tables;

/// Entry counts of the matrices of an island. Each system couples all rows that act on it. If many rows act
/// on one system, the Delassus matrix $H W^{-1} H^T$ is much larger than W and H.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EntryCounts {
    /// Number of entries of the Delassus matrix. Entries that couple two interactions of the same two systems
    /// are counted twice.
    pub(super) of_delassus: usize,
    /// Number of entries of H.
    pub(super) of_jacobians: usize,
    /// Number of entries of the responses $W^{-1} H^T$ of the systems to unit impulses.
    pub(super) of_responses: usize,
    /// Number of entries of W. If the number is unknown for a block of systems, its W is counted as a dense
    /// matrix.
    pub(super) of_systems: usize,
    /// `true` if the number of entries of W is known for all systems.
    pub(super) is_known: bool,
}

impl EntryCounts {
    /// Counts the entries of the matrices of an island; `on_block` is a workspace.
    pub(super) fn of(tables: &Tables, island: &Island, on_block: &mut Vec<usize>) -> Self {
        let own = |block: BlockIndex| island.blocks.binary_search(&block).ok();
        on_block.clear();
        on_block.resize(island.blocks.len(), 0);
        let mut found = Self { is_known: true, ..Self::default() };
        for &member in &island.members {
            let unitary = &tables.unitary[member];
            for incidence in tables.incidences_of(unitary.interaction) {
                own(incidence.block).into_iter().for_each(|block| on_block[block] += unitary.rows.len());
            }
            let interaction = &tables.interactions[unitary.interaction];
            // The Jacobian of the interaction contains the rows of all its contacts.
            let part = interaction.jacobian.len() * unitary.rows.len();
            found.of_jacobians += part / interaction.rows.len().max(1);
            found.of_responses += unitary.rows.len() * interaction.columns();
        }
        for &block in &island.blocks {
            let block = &tables.blocks[block];
            found.is_known &= block.entries_of_w.is_some();
            found.of_systems += block.entries_of_w.unwrap_or(block.dofs.len().pow(2));
        }
        found.of_delassus = on_block.iter().map(|rows| rows * rows).sum();
        found
    }
}
