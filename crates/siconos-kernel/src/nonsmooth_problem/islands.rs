//! Islands: parts of the model that move by themselves in a step.
//!
//! An island is a set of blocks of systems that active contacts connect, with these contacts. What happens in
//! one changes no bit of what happens in another. Islands follow the index set: where a contact opens or
//! closes, the islands that it touches are found anew, and no other.

use smallvec::SmallVec;

use super::table_changes::Moves;
use super::tables::Tables;
use crate::model::Partition;

/// Places of an island. Most islands have one or two of a kind, which lie in the island itself.
type Places = SmallVec<[usize; 2]>;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Its blocks of systems, increasing.
    pub(crate) blocks: Places,
    /// The unitary relations of the index set that act on them, increasing.
    pub(crate) members: Places,
    /// The interactions of these.
    pub(crate) interactions: Places,
    /// Whether systems and relations are linear, so that one Newton iteration is exact.
    pub(crate) is_affine: bool,
    /// Whether the coefficients are constant as well.
    pub(crate) is_constant: bool,
    /// Whether the matrix of its problem depends on the step length.
    pub(crate) has_step_length: bool,
}

/// No island.
const NONE: usize = usize::MAX;

/// Islands of up to so many blocks, or rows, leave their memory to the next at their place.
pub(super) const LARGEST_KEPT: usize = 16;

/// Up to so many new islands are put into their order one by one.
const FEW: usize = 16;

/// The islands of a model under the present index set. The place of each is its first block, so that what is
/// kept at a place does not depend on the islands that there were before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    islands: Vec<Island>,
    of_block: Vec<usize>,
    of_member: Vec<usize>,
    /// The islands with members, in the order of their first ones.
    active: Vec<usize>,
    /// The islands that the last update took apart, and those that it made.
    touched: Vec<usize>,
    changed: Vec<usize>,
    /// The memory of an update: what is in these islands, and the connections.
    blocks: Vec<usize>,
    members: Vec<usize>,
    local_of_block: Vec<usize>,
    partition: Partition,
}

impl Islands {
    /// Begins with every block by itself, without contacts.
    pub(crate) fn begin(&mut self, tables: &Tables) {
        for island in &mut self.islands {
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
        self.local_of_block.resize(tables.blocks.len(), NONE);
        self.islands.resize_with(tables.blocks.len(), Island::default);
        for list in [&mut self.active, &mut self.touched, &mut self.changed, &mut self.blocks] {
            list.reserve(tables.blocks.len().saturating_sub(list.len()));
        }
        self.members.reserve(tables.unitary.len().saturating_sub(self.members.len()));
        for block in self.of_block.len()..tables.blocks.len() {
            self.islands[block].blocks.push(block);
            self.of_block.push(block);
            self.close(tables, block);
        }
    }

    /// Follows a change of the index set.
    pub(crate) fn update(&mut self, tables: &Tables, removed: &[usize], added: &[usize]) {
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
            self.active.extend((0..islands.len()).filter(|&place| !islands[place].members.is_empty()));
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

    fn touch(&mut self, island: usize) {
        if self.local_of_block[island] == NONE {
            self.local_of_block[island] = island;
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
            self.local_of_block[block] = NONE;
        }
        for k in 0..self.changed.len() {
            self.close(tables, self.changed[k]);
        }
    }

    /// Notes what follows from the parts of an island.
    fn close(&mut self, tables: &Tables, place: usize) {
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

    pub(crate) fn at(&self, place: usize) -> &Island {
        &self.islands[place]
    }

    /// The islands that the last update took apart; where their places have no blocks, no other has them.
    pub(crate) fn touched(&self) -> &[usize] {
        &self.touched
    }

    /// The islands with members, in the order of their first ones.
    pub(crate) fn active(&self) -> &[usize] {
        &self.active
    }

    /// The islands that the last update made.
    pub(crate) fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// The island of a block of systems.
    pub(crate) fn of_block(&self, block: usize) -> usize {
        self.of_block[block]
    }

    /// The island of an interaction in the index set.
    pub(crate) fn of_interaction(&self, tables: &Tables, interaction: usize) -> usize {
        self.of_block[tables.incidences_of(interaction)[0].block]
    }

    /// Whether a unitary relation is in the index set.
    pub(crate) fn has_member(&self, unitary: usize) -> bool {
        self.of_member.get(unitary).is_some_and(|&island| island != NONE)
    }

    /// The island of a unitary relation in the index set.
    pub(crate) fn of_member(&self, member: usize) -> usize {
        self.of_member[member]
    }
}
