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
    /// Of W.
    pub(super) of_systems: usize,
}

impl Fullness {
    pub(super) fn of(tables: &Tables, island: &Island) -> Self {
        let own = |block: BlockPlace| island.blocks.binary_search(&block).ok();
        let mut on_block = vec![0_usize; island.blocks.len()];
        let mut found = Self::default();
        for &member in &island.members {
            let unitary = &tables.unitary[member];
            for incidence in tables.incidences_of(unitary.interaction) {
                own(incidence.block).into_iter().for_each(|block| on_block[block] += unitary.rows.len());
            }
            let jacobian = &tables.interactions[unitary.interaction].jacobian;
            found.of_jacobians = found.of_jacobians.saturating_add(jacobian.len());
        }
        for &block in &island.blocks {
            found.of_systems = found.of_systems.saturating_add(tables.blocks[block].entries_of_w);
        }
        found.of_delassus = on_block.iter().map(|rows| rows * rows).sum();
        found
    }
}
