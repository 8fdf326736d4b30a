//! Which pivots of a sparse elimination share a front, and to which front each hands on what it leaves.

use super::super::Csc;
use super::super::elimination::Elimination;

/// The fronts of an elimination: sets of columns of L with the same entries below (fundamental supernodes;
/// Liu, Ng, Peyton 1993, "On finding supernodes for sparse matrix computations"), kept while the pattern of
/// the matrix stays.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pattern: Elimination,
    /// The first place of each front in the order of elimination, and the number of places at the end.
    starts: Vec<usize>,
    /// The fronts that hand on to each, as lists: the first of them, and the next that hands on to the same.
    first_child: Vec<Option<usize>>,
    next_sibling: Vec<Option<usize>>,
    is_root: Vec<bool>,
}

impl Tree {
    /// Finds the fronts of a matrix with a symmetric pattern.
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
        // Backwards, so that each list comes out in order.
        for front in (0..fronts).rev() {
            if let Some(&above) = self.pattern.column(self.starts[front + 1] - 1).first() {
                let parent = front_of[above];
                self.next_sibling[front] = self.first_child[parent].replace(front);
                self.is_root[front] = false;
            }
        }
    }

    /// Whether a column of L has the entries of the one before, but for its own.
    fn continues(&self, k: usize) -> bool {
        let before = self.pattern.column(k - 1);
        before.first() == Some(&k) && before.len() == self.pattern.column(k).len() + 1
    }

    pub(super) fn fronts(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows, and unknowns, that are to be eliminated in a front.
    pub(super) fn own(&self, front: usize) -> &[usize] {
        &self.pattern.order()[self.starts[front]..self.starts[front + 1]]
    }

    /// The rows, and unknowns, of later fronts that it changes.
    pub(super) fn changed(&self, front: usize) -> impl Iterator<Item = usize> {
        let last = self.pattern.column(self.starts[front + 1] - 1);
        last.iter().map(|&place| self.pattern.order()[place])
    }

    /// Whether a row belongs to this front or a later one, and not to one before.
    pub(super) fn is_left(&self, front: usize, row: usize) -> bool {
        self.pattern.place_of(row) >= self.starts[front]
    }

    /// Whether it hands on to none.
    pub(super) fn is_root(&self, front: usize) -> bool {
        self.is_root[front]
    }

    /// The fronts that hand on to it.
    pub(super) fn children(&self, front: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first_child[front], |&child| self.next_sibling[child])
    }
}
