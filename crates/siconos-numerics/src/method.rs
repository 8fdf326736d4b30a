//! What a table of methods says of one of them.

use serde::Serialize;

/// A method of a problem class in the words of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MethodDescription {
    /// The name on command lines and in tables, in lower case with hyphens: `projected-gauss-seidel`.
    pub name: &'static str,
    /// What Siconos calls it, empty when it has nothing of the kind.
    pub siconos: &'static str,
    /// For which matrices (maps, sets) it is known to reach a solution.
    pub guarantee: &'static str,
    /// The storages that it takes.
    pub storage: &'static str,
    /// Author, year, section.
    pub reference: &'static str,
}
