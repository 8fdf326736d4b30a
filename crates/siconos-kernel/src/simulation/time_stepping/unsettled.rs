//! Which connected sets Newton's loop still works on.
//!
//! Each set has an error of its own. One that has converged is held as it is while others go on, so that what
//! a body does depends on what it is connected with, and on nothing else.

use crate::nonsmooth_problem::{InteractionEntry, Tables};

/// The sets that have not converged and what belongs to them, each list increasing.
#[derive(Clone, Debug, Default)]
pub(super) struct Unsettled {
    pub(super) sets: Vec<usize>,
    pub(super) blocks: Vec<usize>,
    /// Lagrangian interactions in the index set whose Jacobians are not constant.
    pub(super) curved: Vec<usize>,
    /// Those outside it: their Jacobians are needed at the end of the step only.
    pub(super) idle: Vec<usize>,
    /// Interactions of first-order systems.
    pub(super) first_order: Vec<usize>,
    /// Members of the index set.
    pub(super) members: Vec<usize>,
    is_settled: Vec<bool>,
    /// The interactions of the model, from which a step takes its own.
    all_curved: Vec<usize>,
    all_first_order: Vec<usize>,
    number_of_blocks: usize,
}

impl Unsettled {
    /// All sets of a model, without contacts.
    pub(super) fn new(tables: &Tables) -> Self {
        let places = |of: fn(&InteractionEntry) -> bool| {
            let entries = tables.interactions.iter().enumerate().filter(move |(_, entry)| of(entry));
            entries.map(|(place, _)| place).collect()
        };
        let mut unsettled = Self {
            all_curved: places(|entry| !entry.is_first_order() && !entry.constant),
            all_first_order: places(InteractionEntry::is_first_order),
            number_of_blocks: tables.blocks.len(),
            is_settled: vec![false; tables.sets.len()],
            ..Self::default()
        };
        unsettled.begin(tables, &[]);
        unsettled
    }

    /// Begins with all sets.
    pub(super) fn begin(&mut self, tables: &Tables, members: &[usize]) {
        self.is_settled.fill(false);
        for (list, count) in
            [(&mut self.sets, self.is_settled.len()), (&mut self.blocks, self.number_of_blocks)]
        {
            list.clear();
            list.extend(0..count);
        }
        let is_active = |place: usize| {
            let after = members.partition_point(|&member| tables.unitary[member].interaction < place);
            members.get(after).is_some_and(|&member| tables.unitary[member].interaction == place)
        };
        self.curved.clear();
        self.idle.clear();
        for &place in &self.all_curved {
            if is_active(place) { self.curved.push(place) } else { self.idle.push(place) }
        }
        self.first_order.clone_from(&self.all_first_order);
        self.members.clear();
        self.members.extend_from_slice(members);
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
        let lists = [&mut self.blocks, &mut self.curved, &mut self.first_order, &mut self.members];
        if self.sets.is_empty() {
            return lists.into_iter().for_each(Vec::clear);
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
