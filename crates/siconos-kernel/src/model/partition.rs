//! Disjoint sets (union-find).

/// Partition of the indices 0, 1, .., n - 1 into disjoint sets. Initially, each index has its own set.
/// Joining sets takes almost constant time: the smaller root becomes the parent, and paths are halved.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// Parent of each index. The root of a set is its smallest member. A root is its own parent.
    parent: Vec<usize>,
}

impl Partition {
    /// Creates the partition of n indices into sets of one index each.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n).collect() }
    }

    /// Resets to n sets of one index each and reuses the allocation.
    pub(crate) fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n);
    }

    /// Joins all sets that contain these indices, which must be below n.
    pub fn join(&mut self, members: impl IntoIterator<Item = usize>) {
        let mut joined = None;
        for member in members {
            let root = self.root(member);
            let first = *joined.get_or_insert(root);
            let (low, high) = (first.min(root), first.max(root));
            self.parent[high] = low;
            joined = Some(low);
        }
    }

    /// Returns the smallest member of the set that contains the index `member`, which must be below n.
    pub fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// Returns, for each index, the set to which it belongs. Sets are numbered in the order of their smallest
    /// members.
    pub(crate) fn parts(mut self) -> DisjointSets {
        let mut part_of = vec![0; self.parent.len()];
        let mut count = 0;
        for member in 0..self.parent.len() {
            let root = self.root(member);
            part_of[member] = if root == member { count } else { part_of[root] };
            count += usize::from(root == member);
        }
        DisjointSets { part_of, count }
    }
}

/// Complete partition: the set to which each index belongs, and the number of sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DisjointSets {
    pub(crate) part_of: Vec<usize>,
    pub(crate) count: usize,
}

impl DisjointSets {
    /// Returns two lists. The first contains the indices sorted by set, and increasing within each set. The
    /// second contains the start of each set in the first list, followed by the total number of indices.
    pub(crate) fn members(&self) -> (Vec<usize>, Vec<usize>) {
        let mut starts = vec![0; self.count + 1];
        self.part_of.iter().for_each(|&part| starts[part + 1] += 1);
        for part in 0..self.count {
            starts[part + 1] += starts[part];
        }
        let (mut next, mut members) = (starts.clone(), vec![0; self.part_of.len()]);
        for (member, &part) in self.part_of.iter().enumerate() {
            members[next[part]] = member;
            next[part] += 1;
        }
        (members, starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_the_order_of_their_first_members() {
        let mut partition = Partition::new(7);
        partition.join([5, 3]);
        partition.join([6, 1, 5]);
        partition.join([4]);
        partition.join([]);
        let parts = partition.parts();
        assert_eq!((&parts.part_of[..], parts.count), (&[0, 1, 2, 1, 3, 1, 1][..], 4));
        assert_eq!(parts.members(), (vec![0, 1, 3, 5, 6, 2, 4], vec![0, 1, 5, 6, 7]));
        assert_eq!(Partition::new(0).parts().members(), (vec![], vec![0]));
    }
}
