//! The first difference between a model and the one that a record was made of.

/// What is different in a model from the one that a record was made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{which} is another: its {}", .difference.about(.part))]
pub struct StructureDifference {
    /// The model, or a system, an interaction, the relation or the law of one, by the name that it was added
    /// with, or its place in the order in which they were added.
    pub which: String,
    /// Which part of it, in the words of the equation: `kind`, `M`, `F_int`, `restitution`.
    pub part: String,
    /// How that differs.
    pub difference: PartDifference,
}

/// How a part of a model differs from that in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartDifference {
    /// Both are there, and something else: of another kind, size, or value.
    Other {
        /// What the model has.
        found: String,
        /// What the record has.
        recorded: String,
    },
    /// Both are constants with other numbers, or functions with other expressions.
    Content {
        /// `constant` or `function`.
        what: &'static str,
    },
    /// The record does not have it.
    Added {
        /// As of [`Content`](Self::Content); empty for a size or coefficient.
        what: &'static str,
    },
    /// Only the record has it.
    Missing {
        /// As of [`Added`](Self::Added).
        what: &'static str,
    },
}

impl PartDifference {
    /// The difference of a part in words.
    fn about(&self, part: &str) -> String {
        let called = |what: &str| format!("{what} {part}").trim_start().to_owned();
        match self {
            Self::Other { found, recorded } => format!("{part} is {found}, in the record {recorded}"),
            Self::Content { what } => format!("{} is not that of the record", called(what)),
            Self::Added { what } => format!("{} is there, not in the record", called(what)),
            Self::Missing { what } => format!("{} is in the record, not there", called(what)),
        }
    }
}
