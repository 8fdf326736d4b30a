//! Sets of systems that interactions connect: nothing in one set acts on another.
//!
//! The interactions are those of I_0, whether their contacts are closed or not. So the sets follow from the
//! structure of the model alone: they are found once, when the tables are made, and no step pays for them.
//! Sets of closed contacts only would be smaller, and would have to be found anew whenever a contact opens or
//! closes; what one set is spared by that, another body that it may touch later, is measured per degree of
//! freedom anyway.

use crate::model::Partition;

/// One set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConnectedSet {
    /// Its blocks of systems, increasing.
    pub(crate) blocks: Vec<usize>,
    /// The interactions among them, increasing.
    pub(crate) interactions: Vec<usize>,
}

/// The sets of so many blocks that interactions, given by the blocks that they act on, connect; in the order
/// of their first blocks.
pub(super) fn connected_sets(blocks: usize, interactions: &[Vec<usize>]) -> Vec<ConnectedSet> {
    let mut partition = Partition::new(blocks);
    interactions.iter().for_each(|ends| partition.join(ends.iter().copied()));
    let parts = partition.parts();
    let mut sets = vec![ConnectedSet::default(); parts.count];
    for (block, &set) in parts.part_of.iter().enumerate() {
        sets[set].blocks.push(block);
    }
    for (place, ends) in interactions.iter().enumerate() {
        if let Some(&end) = ends.first() {
            sets[parts.part_of[end]].interactions.push(place);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_interactions_connect_is_one_set() {
        let sets = connected_sets(6, &[vec![4, 2], vec![1], vec![0, 5, 4], vec![1]]);
        let expected: [(&[usize], &[usize]); 3] = [(&[0, 2, 4, 5], &[0, 2]), (&[1], &[1, 3]), (&[3], &[])];
        for (set, (blocks, interactions)) in sets.iter().zip(expected) {
            assert_eq!((&set.blocks[..], &set.interactions[..]), (blocks, interactions));
        }
        assert_eq!(sets.len(), 3);
    }
}
