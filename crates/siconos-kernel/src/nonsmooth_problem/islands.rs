//! Islands: sets of systems that move independently in a step.
//!
//! An island is a set of blocks of systems that are connected by active contacts, together with these
//! contacts. Islands do not affect each other: the result of an island is bit-identical, whatever other
//! islands the model has. When a contact enters or leaves the index set, only the islands of its systems are
//! recomputed.

use smallvec::SmallVec;

use super::table_changes::Moves;
use super::table_entries::{
    Block, BlockIndex, InteractionEntry, InteractionIndex, UnitaryEntry, UnitaryIndex,
};
use super::tables::Tables;
use crate::index::{Table, TypedIndex};
use crate::model::Partition;

/// List of indices in an island. Up to four indices are stored inline, which takes no more memory than a
/// vector. Most islands have no more.
type Places<K> = SmallVec<[TypedIndex<K>; 4]>;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Blocks of systems, in increasing order.
    pub(crate) blocks: Places<Block>,
    /// Unitary relations of the index set that act on the blocks, in increasing order.
    pub(crate) members: Places<UnitaryEntry>,
    /// Interactions of the members.
    pub(crate) interactions: Places<InteractionEntry>,
    /// `true` if all systems and relations are linear, so that one Newton iteration is exact.
    pub(crate) is_affine: bool,
    /// `true` if all systems and relations are linear and all coefficients are constant.
    pub(crate) is_constant: bool,
    /// `true` if the matrix of the problem depends on the step length.
    has_step_length: bool,
}

impl Island {
    /// Returns the step length for which a matrix of the problem that was computed for `h` is valid: `h`, or
    /// 0 if it is valid for all step lengths, or NaN if it must always be recomputed.
    pub(super) fn matrix_key(&self, h: f64) -> f64 {
        match (self.is_constant, self.has_step_length) {
            (false, _) => f64::NAN,
            (true, false) => 0.0,
            (true, true) => h,
        }
    }
}

/// Index that denotes no island.
const NONE: BlockIndex = BlockIndex::NONE;

/// Marker for a block that is not part of the present update.
const NOT_LOCAL: usize = usize::MAX;

/// Maximum number of blocks or rows of a removed island whose memory is kept for reuse.
pub(super) const LARGEST_KEPT: usize = 16;

/// Maximum number of new islands that are inserted one by one into the list of active islands.
const FEW: usize = 16;

/// Islands of a model for the current index set. The index of an island is its first block, so data stored
/// under this index does not depend on earlier islands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    islands: Table<Block, Island>,
    of_block: Table<Block, BlockIndex>,
    of_member: Table<UnitaryEntry, BlockIndex>,
    /// Islands with members, ordered by their first members.
    active: Vec<BlockIndex>,
    /// Islands that the last update removed.
    touched: Vec<BlockIndex>,
    /// Islands that the last update created.
    changed: Vec<BlockIndex>,
    /// Workspace of an update: the contents of the removed islands, local indices, and connections.
    blocks: Vec<BlockIndex>,
    members: Vec<UnitaryIndex>,
    local_of_block: Table<Block, usize>,
    partition: Partition,
}

impl Islands {
    /// Resets to one island per block, without contacts.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        for island in self.islands.iter_mut() {
            island.blocks.clear();
            island.members.clear();
            island.interactions.clear();
        }
        self.active.clear();
        self.changed.clear();
        self.of_block.clear();
        self.of_member.clear();
        self.extend(tables);
    }

    /// Adds new blocks as islands without contacts, and entries for new unitary relations.
    pub(crate) fn extend(&mut self, tables: &Tables) {
        self.of_member.resize(tables.unitary.len(), NONE);
        self.local_of_block.resize(tables.blocks.len(), NOT_LOCAL);
        self.islands.resize_with(tables.blocks.len(), Island::default);
        for list in [&mut self.active, &mut self.touched, &mut self.changed, &mut self.blocks] {
            list.reserve(tables.blocks.len().saturating_sub(list.len()));
        }
        self.members.reserve(tables.unitary.len().saturating_sub(self.members.len()));
        for block in self.of_block.end().up_to(tables.blocks.end()).iter() {
            self.islands[block].blocks.push(block);
            self.of_block.push(block);
            self.close(tables, block);
        }
    }

    /// Applies a change of the index set.
    pub(crate) fn update(&mut self, tables: &Tables, removed: &[UnitaryIndex], added: &[UnitaryIndex]) {
        self.changed.clear();
        self.touched.clear();
        for &member in removed {
            let island = std::mem::replace(&mut self.of_member[member], NONE);
            self.touch(island);
        }
        for &member in added {
            for incidence in tables.incidences_of(tables.unitary[member].interaction) {
                self.touch(self.of_block[incidence.block]);
            }
        }
        self.blocks.clear();
        self.members.clear();
        let few = self.touched.len() <= FEW;
        for &place in &self.touched {
            if few && let Some(&first) = self.islands[place].members.first() {
                let order = self.active.partition_point(|&other| self.islands[other].members[0] < first);
                self.active.remove(order);
            }
        }
        for &place in &self.touched {
            let island = &mut self.islands[place];
            self.blocks.extend(island.blocks.drain(..));
            island.interactions.clear();
            let of_member = &self.of_member;
            self.members.extend(island.members.drain(..).filter(|&member| of_member[member] != NONE));
        }
        self.members.extend_from_slice(added);
        self.blocks.sort_unstable();
        self.members.sort_unstable();
        self.connect(tables);
        for &place in &self.touched {
            let island = &mut self.islands[place];
            if island.blocks.is_empty() && island.blocks.capacity() > LARGEST_KEPT {
                *island = Island::default();
            }
        }
        if !few || self.changed.len() > FEW {
            self.active.clear();
            let islands = &self.islands;
            self.active.extend(islands.places().filter(|&place| !islands[place].members.is_empty()));
            self.active.sort_unstable_by_key(|&place| islands[place].members[0]);
            return;
        }
        for &place in &self.changed {
            let Some(&first) = self.islands[place].members.first() else { continue };
            let order = self.active.partition_point(|&other| self.islands[other].members[0] < first);
            self.active.insert(order, place);
        }
    }

    /// Updates the indices after the tables were compacted. No member of the index set may have been removed.
    pub(super) fn close_gaps(&mut self, moves: &Moves) {
        moves.unitary.close(&mut self.of_member);
        for &place in &self.active {
            let island = &mut self.islands[place];
            island.members.iter_mut().for_each(|member| *member = moves.unitary.before(*member));
            island.interactions.iter_mut().for_each(|place| *place = moves.interactions.before(*place));
        }
    }

    fn touch(&mut self, island: BlockIndex) {
        if self.local_of_block[island] == NOT_LOCAL {
            self.local_of_block[island] = 0;
            self.touched.push(island);
        }
    }

    /// Creates islands from the blocks and members of the removed islands.
    fn connect(&mut self, tables: &Tables) {
        for (local, &block) in self.blocks.iter().enumerate() {
            self.local_of_block[block] = local;
        }
        self.partition.reset(self.blocks.len());
        for &member in &self.members {
            let incidences = tables.incidences_of(tables.unitary[member].interaction);
            let local = &self.local_of_block;
            self.partition.join(incidences.iter().map(|incidence| local[incidence.block]));
        }
        for local in 0..self.blocks.len() {
            let (block, root) = (self.blocks[local], self.partition.root(local));
            let place = self.blocks[root];
            if root == local {
                self.changed.push(place);
            }
            self.islands[place].blocks.push(block);
            self.of_block[block] = place;
        }
        for &member in &self.members {
            let interaction = tables.unitary[member].interaction;
            let place = self.of_block[tables.incidences_of(interaction)[0].block];
            let island = &mut self.islands[place];
            island.members.push(member);
            if island.interactions.last() != Some(&interaction) {
                island.interactions.push(interaction);
            }
            self.of_member[member] = place;
        }
        for &block in &self.blocks {
            self.local_of_block[block] = NOT_LOCAL;
        }
        for k in 0..self.changed.len() {
            self.close(tables, self.changed[k]);
        }
    }

    /// Derives the properties of an island from its contents.
    fn close(&mut self, tables: &Tables, place: BlockIndex) {
        let island = &mut self.islands[place];
        let blocks = || island.blocks.iter().map(|&block| &tables.blocks[block]);
        let interactions =
            || island.interactions.iter().map(|&interaction| &tables.interactions[interaction]);
        island.is_affine =
            blocks().all(|block| block.is_affine) && interactions().all(|entry| entry.is_linear);
        island.is_constant = island.is_affine
            && blocks().all(|block| block.is_constant)
            && interactions().all(|entry| entry.constant);
        island.has_step_length = island.interactions.iter().any(|&place| tables.key(place, 1.0) != 0.0);
    }

    pub(crate) fn at(&self, place: BlockIndex) -> &Island {
        &self.islands[place]
    }

    /// Returns the indices of the islands that the last update removed. If the island at such an index has no
    /// blocks, the index is not used by a new island.
    pub(crate) fn touched(&self) -> &[BlockIndex] {
        &self.touched
    }

    /// Returns the islands with members, ordered by their first members.
    pub(crate) fn active(&self) -> &[BlockIndex] {
        &self.active
    }

    /// Returns the islands that the last update created.
    pub(crate) fn changed(&self) -> &[BlockIndex] {
        &self.changed
    }

    /// Returns the index of the island that contains a block of systems.
    pub(crate) fn of_block(&self, block: BlockIndex) -> BlockIndex {
        self.of_block[block]
    }

    /// Returns the index of the island of an interaction, which must be in the index set.
    pub(crate) fn of_interaction(&self, tables: &Tables, interaction: InteractionIndex) -> BlockIndex {
        self.of_block[tables.incidences_of(interaction)[0].block]
    }

    /// Returns `true` if a unitary relation is in the index set.
    pub(crate) fn has_member(&self, unitary: UnitaryIndex) -> bool {
        self.of_member.get(unitary.index()).is_some_and(|&island| island != NONE)
    }

    /// Returns the index of the island of a unitary relation, which must be in the index set.
    pub(crate) fn of_member(&self, member: UnitaryIndex) -> BlockIndex {
        self.of_member[member]
    }
}
