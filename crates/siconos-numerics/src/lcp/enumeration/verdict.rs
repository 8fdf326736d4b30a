//! What enumeration says of one basis.

use crate::info::Status;

/// What is known of a basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No solution is in it.
    None,
    /// The solution in `z`, `w` is.
    Solution(Status, Basis),
    /// Rounding does not let it say.
    Undecided,
}

/// Whether the matrix of a basis is regular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis {
    Regular,
    Singular,
}

/// A solution in passing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    pub(super) status: Status,
    pub(super) basis: Basis,
}

/// How far a walk over the bases has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    /// Those visited, and those of them of which nothing can be said.
    pub(super) bases: usize,
    pub(super) undecided: usize,
    /// Whether these are all.
    pub(super) is_exhaustive: bool,
}
