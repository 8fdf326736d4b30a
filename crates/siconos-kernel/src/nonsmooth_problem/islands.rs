//! Islands: parts of the model that move by themselves in a step.
//!
//! An island is a set of blocks of systems that active contacts connect, with these contacts. What happens in
//! one changes no bit of what happens in another. Islands follow the index set: where a contact opens or
//! closes, the islands that it touches are found anew, and no other.

use smallvec::SmallVec;

use super::table_changes::Moves;
use super::table_entries::{
    Block, BlockPlace, InteractionEntry, InteractionPlace, UnitaryEntry, UnitaryPlace,
};
use super::tables::Tables;
use crate::index::{Place, Table};
use crate::model::Partition;

/// Places of an island. Most islands have few of a kind, which lie in the island itself: four take no more
/// memory than a vector.
type Places<K> = SmallVec<[Place<K>; 4]>;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Its blocks of systems, increasing.
    pub(crate) blocks: Places<Block>,
    /// The unitary relations of the index set that act on them, increasing.
    pub(crate) members: Places<UnitaryEntry>,
    /// The interactions of these.
    pub(crate) interactions: Places<InteractionEntry>,
    /// Whether systems and relations are linear, so that one Newton iteration is exact.
    pub(crate) is_affine: bool,
    /// Whether the coefficients are constant as well.
    pub(crate) is_constant: bool,
    /// Whether the matrix of its problem depends on the step length.
    has_step_length: bool,
}

impl Island {
    /// The step length for which the matrix of its problem is known once it has been computed for `h`: 0 for
    /// all, NaN for none.
    pub(super) fn matrix_key(&self, h: f64) -> f64 {
        match (self.is_constant, self.has_step_length) {
            (false, _) => f64::NAN,
            (true, false) => 0.0,
            (true, true) => h,
        }
    }
}

/// No island.
const NONE: BlockPlace = BlockPlace::NOWHERE;

/// Of a block that is not looked at.
const NOT_LOCAL: usize = usize::MAX;

/// Islands of up to so many blocks, or rows, leave their memory to the next at their place.
pub(super) const LARGEST_KEPT: usize = 16;

/// Up to so many new islands are put into their order one by one.
const FEW: usize = 16;

/// The islands of a model under the present index set. The place of each is its first block, so that what is
/// kept at a place does not depend on the islands that there were before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    islands: Table<Block, Island>,
    of_block: Table<Block, BlockPlace>,
    of_member: Table<UnitaryEntry, BlockPlace>,
    /// The islands with members, in the order of their first ones.
    active: Vec<BlockPlace>,
    /// The islands that the last update took apart, and those that it made.
    touched: Vec<BlockPlace>,
    changed: Vec<BlockPlace>,
    /// The memory of an update: what is in these islands, where among them, and the connections.
    blocks: Vec<BlockPlace>,
    members: Vec<UnitaryPlace>,
    local_of_block: Table<Block, usize>,
    partition: Partition,
}

impl Islands {
    /// Begins with every block by itself, without contacts.
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

    /// Takes in blocks and unitary relations that are new, as islands without contacts.
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

    /// Follows a change of the index set.
    pub(crate) fn update(&mut self, tables: &Tables, removed: &[UnitaryPlace], added: &[UnitaryPlace]) {
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

    /// Follows the tables where gaps have been closed that nothing of the index set has left.
    pub(super) fn close_gaps(&mut self, moves: &Moves) {
        moves.unitary.close(&mut self.of_member);
        for &place in &self.active {
            let island = &mut self.islands[place];
            island.members.iter_mut().for_each(|member| *member = moves.unitary.before(*member));
            island.interactions.iter_mut().for_each(|place| *place = moves.interactions.before(*place));
        }
    }

    fn touch(&mut self, island: BlockPlace) {
        if self.local_of_block[island] == NOT_LOCAL {
            self.local_of_block[island] = 0;
            self.touched.push(island);
        }
    }

    /// Makes islands of the blocks and members that are taken apart.
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

    /// Notes what follows from the parts of an island.
    fn close(&mut self, tables: &Tables, place: BlockPlace) {
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

    pub(crate) fn at(&self, place: BlockPlace) -> &Island {
        &self.islands[place]
    }

    /// The islands that the last update took apart; where their places have no blocks, no other has them.
    pub(crate) fn touched(&self) -> &[BlockPlace] {
        &self.touched
    }

    /// The islands with members, in the order of their first ones.
    pub(crate) fn active(&self) -> &[BlockPlace] {
        &self.active
    }

    /// The islands that the last update made.
    pub(crate) fn changed(&self) -> &[BlockPlace] {
        &self.changed
    }

    /// The island of a block of systems.
    pub(crate) fn of_block(&self, block: BlockPlace) -> BlockPlace {
        self.of_block[block]
    }

    /// The island of an interaction in the index set.
    pub(crate) fn of_interaction(&self, tables: &Tables, interaction: InteractionPlace) -> BlockPlace {
        self.of_block[tables.incidences_of(interaction)[0].block]
    }

    /// Whether a unitary relation is in the index set.
    pub(crate) fn has_member(&self, unitary: UnitaryPlace) -> bool {
        self.of_member.get(unitary.index()).is_some_and(|&island| island != NONE)
    }

    /// The island of a unitary relation in the index set.
    pub(crate) fn of_member(&self, member: UnitaryPlace) -> BlockPlace {
        self.of_member[member]
    }
}
