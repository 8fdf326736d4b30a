//! Which of many things belong together, by pairs of them that do.

/// A partition of the numbers 0, 1, .. n - 1, at first into single ones; two parts become one at a cost that
/// hardly grows with their size (union by the smaller number, with paths halved on the way).
#[derive(Clone, Debug, Default)]
pub(crate) struct Partition {
    /// The smallest member of a part is its root, and its own parent.
    parent: Vec<usize>,
}

impl Partition {
    pub(crate) fn new(n: usize) -> Self {
        Self { parent: (0..n).collect() }
    }

    /// Begins anew, in the memory of before.
    pub(crate) fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n);
    }

    /// Makes one part of all parts that these numbers are in.
    pub(crate) fn join(&mut self, members: impl IntoIterator<Item = usize>) {
        let mut joined = None;
        for member in members {
            let root = self.root(member);
            let first = *joined.get_or_insert(root);
            let (low, high) = (first.min(root), first.max(root));
            self.parent[high] = low;
            joined = Some(low);
        }
    }

    /// The smallest number that is in one part with this one.
    pub(crate) fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    /// The part of every number; parts are counted in the order of their smallest members.
    pub(crate) fn parts(mut self) -> Parts {
        let mut part_of = vec![0; self.parent.len()];
        let mut count = 0;
        for member in 0..self.parent.len() {
            let root = self.root(member);
            part_of[member] = if root == member { count } else { part_of[root] };
            count += usize::from(root == member);
        }
        Parts { part_of, count }
    }
}

/// A partition that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) part_of: Vec<usize>,
    pub(crate) count: usize,
}

impl Parts {
    /// The numbers part by part, increasing in each; and where each part begins, with their number at the
    /// end.
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
