//! First difference between a model and a record.

/// First difference between a model and the model from which a record was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{which} does not match the record: its {}", .difference.about(.part))]
pub struct StructureDifference {
    /// Object that differs: the model, a system, an interaction, or the relation or law of an interaction.
    /// The object is identified by its name or, if it has no name, by its index in insertion order.
    pub which: String,
    /// Name of the part that differs, such as `kind`, `M`, `F_int` or `restitution`.
    pub part: String,
    /// Kind of difference.
    pub difference: PartDifference,
}

/// Kind of difference between a part of a model and the corresponding part of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartDifference {
    /// The part has a different kind, size or value.
    Other {
        /// Value in the model.
        found: String,
        /// Value in the record.
        recorded: String,
    },
    /// Both parts are constants with different values, or functions with different expressions.
    Content {
        /// `constant` or `function`.
        what: &'static str,
    },
    /// The part is in the model but not in the record.
    Added {
        /// `constant` or `function`; empty for a size or coefficient.
        what: &'static str,
    },
    /// The part is in the record but not in the model.
    Missing {
        /// `constant` or `function`; empty for a size or coefficient.
        what: &'static str,
    },
}

impl PartDifference {
    /// Describes the difference in words.
    fn about(&self, part: &str) -> String {
        let called = |what: &str| format!("{what} {part}").trim_start().to_owned();
        match self {
            Self::Other { found, recorded } => format!("{part} is {found}, but {recorded} in the record"),
            Self::Content { what } => format!("{} is different", called(what)),
            Self::Added { what } => format!("{} is not in the record", called(what)),
            Self::Missing { what } => format!("{} is only in the record", called(what)),
        }
    }
}
