//! Sets of systems that interactions connect: nothing in one set acts on another.
//!
//! The interactions are those of I_0, whether their contacts are closed or not. So the sets follow from the
//! structure of the model alone: they are found once, when the tables are made, and no step pays for them.
//! Sets of closed contacts only would be smaller, and would have to be found anew whenever a contact opens or
//! closes; what one set is spared by that, another body that it may touch later, is measured per degree of
//! freedom anyway.

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
    // The root of a tree is its smallest block.
    let mut parent: Vec<usize> = (0..blocks).collect();
    for ends in interactions {
        for &end in ends {
            let (a, b) = (root(&mut parent, ends[0]), root(&mut parent, end));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut sets: Vec<ConnectedSet> = Vec::new();
    let mut set_of_block = vec![0; blocks];
    for block in 0..blocks {
        let first = root(&mut parent, block);
        if first == block {
            set_of_block[block] = sets.len();
            sets.push(ConnectedSet::default());
        } else {
            set_of_block[block] = set_of_block[first];
        }
        sets[set_of_block[block]].blocks.push(block);
    }
    for (place, ends) in interactions.iter().enumerate() {
        if let Some(&end) = ends.first() {
            sets[set_of_block[end]].interactions.push(place);
        }
    }
    sets
}

/// The root of a block, with the path to it halved on the way.
fn root(parent: &mut [usize], mut block: usize) -> usize {
    while parent[block] != block {
        parent[block] = parent[parent[block]];
        block = parent[block];
    }
    block
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
