//! What enumeration says of one basis.

use crate::info::Status;

/// What is known of a basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It holds no solution.
    None,
    /// It holds the one in `z`, `w`.
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
    /// Bases visited so far.
    pub(super) bases: usize,
    pub(super) status: Status,
    pub(super) basis: Basis,
}
