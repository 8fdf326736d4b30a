//! Results of the enumeration for one basis, and of the whole search.

use crate::info::Status;

/// Result for one basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BasisResult {
    /// The basis holds no solution.
    None,
    /// The basis holds the solution in `z` and `w`.
    Solution(Status, Basis),
    /// Undecided because of rounding.
    Undecided,
}

/// Regularity of the matrix of a basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    Regular,
    Singular,
}

/// Solution found during the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    pub(super) status: Status,
    pub(super) basis: Basis,
}

/// Extent of a search over the bases.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchResult {
    /// Number of visited bases. `undecided` is the number of visited bases that rounding left undecided.
    pub(super) bases: usize,
    pub(super) undecided: usize,
    /// `true` if all bases were visited.
    pub(super) is_exhaustive: bool,
}
