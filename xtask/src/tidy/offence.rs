//! Violation of a rule, with its position.

use std::fmt;

/// Violation. It is displayed as `path:line: text`, which editors and terminals turn into a link.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Offence {
    /// Path from the root of the tree, with forward slashes.
    pub(super) path: String,
    /// Line number, from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

impl Offence {
    pub(super) fn new(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, text: text.into() }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.text)
    }
}
