//! What a table says of a method.

use serde::Serialize;

use super::Guarantee;

/// A method of a problem class in the words of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MethodDescription {
    /// The name on command lines and in tables, in lower case with hyphens: `projected-gauss-seidel`.
    pub name: &'static str,
    /// What Siconos calls it, empty when it has nothing of the kind.
    pub siconos: &'static str,
    /// For which data it is known to reach a solution.
    pub guarantee: Guarantee,
    /// The storages that it takes.
    pub storage: &'static str,
    /// Author, year, section.
    pub reference: &'static str,
}
