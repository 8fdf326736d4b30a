//! Islands that have not converged in the Newton iteration.
//!
//! Each island has its own error. A converged island is frozen while the loop continues for the other
//! islands, so that the motion of a body depends only on the systems in its island.

use crate::index::Table;
use crate::nonsmooth_problem::{Block, BlockIndex, InteractionIndex, Islands, Tables, UnitaryIndex};

/// Islands that have not converged, with their blocks, their interactions, and their members of the index
/// set. Each list is in increasing order.
#[derive(Clone, Debug, Default)]
pub(super) struct UnconvergedIslands {
    pub(super) islands: Vec<BlockIndex>,
    pub(super) blocks: Vec<BlockIndex>,
    /// Lagrangian interactions in the index set with Jacobians that are not constant.
    pub(super) curved: Vec<InteractionIndex>,
    /// Interactions outside the index set with Jacobians that are not constant. They are evaluated only at
    /// the end of the step.
    pub(super) idle: Vec<InteractionIndex>,
    /// Joints whose Jacobians are evaluated at the extrapolated midpoint of the step.
    pub(super) extrapolated: Vec<InteractionIndex>,
    /// Interactions of first-order systems.
    pub(super) first_order: Vec<InteractionIndex>,
    /// Members of the index set.
    pub(super) members: Vec<UnitaryIndex>,
    is_settled: Table<Block, bool>,
    /// `true` if the model has changed since the last step.
    is_stale: bool,
    /// All blocks of the model. Each step starts from this list.
    all_blocks: Vec<BlockIndex>,
    /// Blocks whose accelerations are not constant.
    pub(super) unsteady: Vec<BlockIndex>,
    /// All Lagrangian interactions of the model with Jacobians that are not constant.
    all_curved: Vec<InteractionIndex>,
    /// All interactions of first-order systems of the model.
    all_first_order: Vec<InteractionIndex>,
}

impl UnconvergedIslands {
    /// Records that the model has changed since the last step.
    pub(super) fn expect_change(&mut self) {
        self.is_stale = true;
    }

    /// Collects all blocks and interactions after a change of the model.
    pub(super) fn look_at(&mut self, tables: &Tables) {
        if !self.is_stale {
            return;
        }
        [&mut self.all_blocks, &mut self.unsteady].into_iter().for_each(Vec::clear);
        [&mut self.all_curved, &mut self.all_first_order].into_iter().for_each(Vec::clear);
        self.all_blocks.extend(tables.blocks.places().filter(|&block| !tables.blocks[block].is_gone()));
        let is_unsteady = |block: &BlockIndex| !tables.blocks[*block].is_steady;
        self.unsteady.extend(self.all_blocks.iter().copied().filter(is_unsteady));
        for (place, entry) in tables.interactions.entries() {
            if entry.is_first_order() {
                self.all_first_order.push(place);
            } else if !(entry.constant || entry.is_detected()) {
                self.all_curved.push(place);
            }
        }
    }

    /// Starts with all islands of the model, after [`look_at`](Self::look_at).
    pub(super) fn begin(&mut self, tables: &Tables, islands: &Islands, members: &[UnitaryIndex]) {
        self.is_stale = false;
        self.is_settled.clear();
        self.is_settled.resize(tables.blocks.len(), false);
        copy(&self.all_blocks, &mut self.blocks);
        self.islands.clear();
        self.islands.extend(self.blocks.iter().copied().filter(|&block| islands.of_block(block) == block));
        let is_active = |place: InteractionIndex| {
            let after = members.partition_point(|&member| tables.unitary[member].interaction < place);
            members.get(after).is_some_and(|&member| tables.unitary[member].interaction == place)
        };
        self.curved.clear();
        self.idle.clear();
        for &place in &self.all_curved {
            if is_active(place) && !self.is_extrapolated(place) {
                self.curved.push(place);
            } else {
                self.idle.push(place);
            }
        }
        copy(&self.all_first_order, &mut self.first_order);
        self.take_members(members);
    }

    /// Requests that the Jacobians of joints are evaluated at the extrapolated midpoint of the step, starting
    /// with the next [`begin`](Self::begin).
    pub(super) fn extrapolate(&mut self, joints: impl Iterator<Item = InteractionIndex>) {
        self.extrapolated.extend(joints);
        self.extrapolated.sort_unstable();
        self.extrapolated.dedup();
    }

    /// Returns `true` if the Jacobian of a joint is evaluated at the extrapolated midpoint of the step.
    pub(super) fn is_extrapolated(&self, place: InteractionIndex) -> bool {
        self.extrapolated.binary_search(&place).is_ok()
    }

    /// Replaces the list of members of the index set. Used for affine models, in which no island is frozen.
    pub(super) fn take_members(&mut self, members: &[UnitaryIndex]) {
        copy(members, &mut self.members);
    }

    /// Returns `true` if the model has changed since the last [`begin`](Self::begin).
    pub(super) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Removes the islands that have converged.
    pub(super) fn freeze(
        &mut self,
        tables: &Tables,
        islands: &Islands,
        has_converged: impl Fn(BlockIndex) -> bool,
    ) {
        let before = self.islands.len();
        let is_settled = &mut self.is_settled;
        self.islands.retain(|&island| {
            is_settled[island] = has_converged(island);
            !is_settled[island]
        });
        if self.islands.len() == before {
            return;
        }
        if self.islands.is_empty() {
            self.blocks.clear();
            self.members.clear();
            return [&mut self.curved, &mut self.first_order].into_iter().for_each(Vec::clear);
        }
        let goes_on = |place: &InteractionIndex| !is_settled[islands.of_interaction(tables, *place)];
        self.blocks.retain(|&block| !is_settled[islands.of_block(block)]);
        self.curved.retain(goes_on);
        self.first_order.retain(goes_on);
        self.members.retain(|&member| !is_settled[islands.of_member(member)]);
    }

    /// Returns `true` if an island is frozen.
    pub(super) fn is_settled(&self, island: BlockIndex) -> bool {
        self.is_settled[island]
    }
}

fn copy<T: Copy>(from: &[T], to: &mut Vec<T>) {
    to.clear();
    to.extend_from_slice(from);
}
