//! Which connected sets Newton's loop still works on.
//!
//! Each set has an error of its own. One that has converged is held as it is while others go on, so that what a body does
//! depends on what it is connected with, and on nothing else.

use crate::nonsmooth_problem::Tables;

/// The sets that have not converged and what belongs to them, each list increasing.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsettled {
    pub(super) sets: Vec<usize>,
    pub(super) blocks: Vec<usize>,
    /// Lagrangian interactions whose Jacobians are not constant.
    pub(super) curved: Vec<usize>,
    /// Interactions of first-order systems.
    pub(super) first_order: Vec<usize>,
    /// Members of the index set.
    pub(super) members: Vec<usize>,
    is_settled: Vec<bool>,
}

impl Unsettled {
    /// Begins with all sets.
    pub(super) fn begin(&mut self, tables: &Tables, members: &[usize]) {
        let Self { sets, blocks, curved, first_order, members: unsettled, is_settled } = self;
        sets.clear();
        sets.extend(0..tables.sets.len());
        blocks.clear();
        blocks.extend(0..tables.blocks.len());
        curved.clear();
        first_order.clear();
        for (place, entry) in tables.interactions.iter().enumerate() {
            match entry.is_first_order() {
                true => first_order.push(place),
                false if !entry.constant => curved.push(place),
                false => {}
            }
        }
        unsettled.clear();
        unsettled.extend_from_slice(members);
        is_settled.clear();
        is_settled.resize(tables.sets.len(), false);
    }

    /// Takes out the sets that have converged.
    pub(super) fn settle(&mut self, tables: &Tables, has_converged: impl Fn(usize) -> bool) {
        let before = self.sets.len();
        let is_settled = &mut self.is_settled;
        self.sets.retain(|&set| {
            is_settled[set] = has_converged(set);
            !is_settled[set]
        });
        if self.sets.len() == before {
            return;
        }
        let goes_on = |place: &usize| !is_settled[tables.interactions[*place].set];
        self.blocks.retain(|&block| !is_settled[tables.blocks[block].set]);
        self.curved.retain(goes_on);
        self.first_order.retain(goes_on);
        self.members.retain(|&place| goes_on(&tables.unitary[place].interaction));
    }

    /// Whether a set is held.
    pub(super) fn is_settled(&self, set: usize) -> bool {
        self.is_settled[set]
    }
}
