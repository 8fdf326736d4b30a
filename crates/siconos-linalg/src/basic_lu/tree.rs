//! Groups of pivots that share a front in a sparse elimination, and the tree of the fronts.

use super::super::Csc;
use super::super::elimination::Elimination;

/// Fronts of an elimination. Each front is a fundamental supernode: a set of consecutive columns of L whose
/// entries below the set are in the same rows (Liu, Ng, Peyton 1993, "On finding supernodes for sparse matrix
/// computations"). The fronts are reused as long as the pattern of the matrix does not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pattern: Elimination,
    /// First position of each front in the order of elimination, followed by the number of positions.
    starts: Vec<usize>,
    /// Children of each front as a linked list. `first_child` holds the first child of each front, and
    /// `next_sibling` the next child of the same parent.
    first_child: Vec<Option<usize>>,
    next_sibling: Vec<Option<usize>>,
    is_root: Vec<bool>,
}

impl Tree {
    /// Computes the fronts of a matrix with a symmetric pattern.
    pub(super) fn lay_out(&mut self, a: &Csc) {
        if self.pattern.lay_out_whole(a) && !self.starts.is_empty() {
            return;
        }
        let n = self.pattern.size();
        self.starts.clear();
        let mut front_of = Vec::with_capacity(n);
        for k in 0..n {
            if k == 0 || !self.continues(k) {
                self.starts.push(k);
            }
            front_of.push(self.starts.len() - 1);
        }
        self.starts.push(n);
        let fronts = self.fronts();
        for list in [&mut self.first_child, &mut self.next_sibling] {
            list.clear();
            list.resize(fronts, None);
        }
        self.is_root.clear();
        self.is_root.resize(fronts, true);
        // The fronts are visited in reverse, so that each list is in increasing order.
        for front in (0..fronts).rev() {
            if let Some(&above) = self.pattern.column(self.starts[front + 1] - 1).first() {
                let parent = front_of[above];
                self.next_sibling[front] = self.first_child[parent].replace(front);
                self.is_root[front] = false;
            }
        }
    }

    /// Returns `true` if row k is the first row below the diagonal with an entry in column k - 1 of L, and
    /// columns k - 1 and k have entries in the same rows below row k.
    fn continues(&self, k: usize) -> bool {
        let before = self.pattern.column(k - 1);
        before.first() == Some(&k) && before.len() == self.pattern.column(k).len() + 1
    }

    pub(super) fn fronts(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the rows (and unknowns) that are to be eliminated in a front.
    pub(super) fn own(&self, front: usize) -> &[usize] {
        &self.pattern.order()[self.starts[front]..self.starts[front + 1]]
    }

    /// Returns the rows (and unknowns) of later fronts that this front changes.
    pub(super) fn changed(&self, front: usize) -> impl Iterator<Item = usize> {
        let last = self.pattern.column(self.starts[front + 1] - 1);
        last.iter().map(|&place| self.pattern.order()[place])
    }

    /// Returns `true` if a row belongs to this front or to a later one.
    pub(super) fn is_left(&self, front: usize, row: usize) -> bool {
        self.pattern.place_of(row) >= self.starts[front]
    }

    /// Returns `true` if a front has no parent.
    pub(super) fn is_root(&self, front: usize) -> bool {
        self.is_root[front]
    }

    /// Returns the children of a front.
    pub(super) fn children(&self, front: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first_child[front], |&child| self.next_sibling[child])
    }
}
