//! Meanings of keys whose names follow from Rust types: laws and settings.

pub(super) mod laws;
pub(super) mod settings;
#[cfg(test)]
mod types;

use crate::document::Key;

/// Keys of one variant of a type whose keys are read by serde. The first key, `kind`, is not listed.
pub(super) struct Variant {
    /// Value of the key `kind`; `None` if the type is not a choice.
    pub(super) word: Option<&'static str>,
    /// Definition.
    pub(super) says: &'static str,
    pub(super) keys: &'static [Key],
}

/// Creates a variant of a choice.
const fn variant(word: &'static str, says: &'static str, keys: &'static [Key]) -> Variant {
    Variant { word: Some(word), says, keys }
}

/// Creates the keys of a type that is not a choice.
const fn plain(keys: &'static [Key]) -> [Variant; 1] {
    [Variant { word: None, says: "", keys }]
}
