//! How full the Delassus matrix of an island would be, before anything of it is computed.

use super::islands::Island;
use super::table_entries::BlockPlace;
use super::tables::Tables;

/// Entries of the matrices behind the problem of an island. Each system couples all rows that act on it with
/// each other: where many act on one, the Delassus matrix $H W^{-1} H^T$ is far larger than W and H.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fullness {
    /// Of the Delassus matrix; those between two interactions of the same two systems count twice.
    pub(super) of_delassus: usize,
    /// Of H.
    pub(super) of_jacobians: usize,
    /// Of the responses $W^{-1} H^T$, by which impulses move the systems.
    pub(super) of_responses: usize,
    /// Of W, all of a system where it is not said how many.
    pub(super) of_systems: usize,
    /// Whether it is said of all of them.
    pub(super) is_known: bool,
}

impl Fullness {
    /// Of an island; `on_block` is memory.
    pub(super) fn of(tables: &Tables, island: &Island, on_block: &mut Vec<usize>) -> Self {
        let own = |block: BlockPlace| island.blocks.binary_search(&block).ok();
        on_block.clear();
        on_block.resize(island.blocks.len(), 0);
        let mut found = Self { is_known: true, ..Self::default() };
        for &member in &island.members {
            let unitary = &tables.unitary[member];
            for incidence in tables.incidences_of(unitary.interaction) {
                own(incidence.block).into_iter().for_each(|block| on_block[block] += unitary.rows.len());
            }
            let interaction = &tables.interactions[unitary.interaction];
            // The Jacobian is that of all contacts of the interaction.
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
