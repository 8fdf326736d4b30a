//! Keys of model files, with their values and meanings.
//!
//! [`tables`] returns one [`KeyTable`] for each table that a file can have, such as the table of a spring
//! law. The tables are built from the lists of keys that the readers use. The command `siconos-rs keys` and
//! the page `docs/model-files.md` show them.

mod listed;
mod names;
#[cfg(test)]
mod page;
#[cfg(test)]
mod usage;

use serde::Serialize;

pub use names::names;

use crate::document::{Form, Key};

/// Rules of files of kind `model`, which are also in the documentation of the module.
const RULES: &str = include_str!("../files.md");

/// Keys of one table of a model file.
///
/// ```
/// use siconos_io::model::keys::tables;
///
/// let tables = tables();
/// let impact = tables.iter().find(|table| table.words == ["newton_impact"]).expect("a law");
/// assert_eq!(impact.path, "laws.NAME");
/// assert!(impact.keys.iter().any(|key| key.name == "restitution" && key.is_required));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KeyTable {
    /// Kind of the file: `model`, `hybrid`, `sweeping` or `dvi`.
    pub file: &'static str,
    /// Location of the table in the file, such as `laws.NAME`. Words in capitals are names that the user
    /// chooses. The location is empty for the keys at the top of the file.
    pub path: &'static str,
    /// Values of the first key that select this table, such as `newton_impact`. Empty if the location alone
    /// determines the keys.
    pub words: Vec<&'static str>,
    /// Definition, such as the formula of a law. Empty if there is none.
    pub meaning: &'static str,
    /// Keys, in the order of the documentation.
    pub keys: Vec<KeyDescription>,
}

/// Key of a [`KeyTable`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct KeyDescription {
    /// Name of the key.
    pub name: &'static str,
    /// Form of the value, such as `number`; words are in quotes.
    pub value: String,
    /// `true` if the table must have the key.
    pub is_required: bool,
    /// Meaning of the value, with its default.
    pub meaning: &'static str,
}

/// Returns the tables of all kinds of model files, in the order of the documentation.
#[must_use]
pub fn tables() -> Vec<KeyTable> {
    listed::of_models().into_iter().chain(listed::of_hybrid()).chain(listed::of_inclusions()).collect()
}

impl KeyTable {
    /// Creates the table of a list of keys. If the value of its first key is one of several words, these
    /// words select the table, and the description of the key is the meaning of the table.
    fn of(file: &'static str, path: &'static str, keys: &[Key]) -> Self {
        let (words, meaning) = match keys.first() {
            Some(Key { name: "kind" | "family", form: Form::Word(words), says, .. }) if !path.is_empty() => {
                (words.to_vec(), *says)
            }
            _ => (Vec::new(), ""),
        };
        Self { file, path, words, meaning, keys: keys.iter().map(KeyDescription::of).collect() }
    }

    /// Replaces the definition.
    fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}

impl KeyDescription {
    fn of(key: &Key) -> Self {
        Self { name: key.name, value: in_words(key.form), is_required: key.is_needed, meaning: key.says }
    }
}

/// Describes the form of a value.
fn in_words(form: Form) -> String {
    match form {
        Form::Number => "number",
        Form::Count => "whole number",
        Form::Boolean => "`true` or `false`",
        Form::Text => "text",
        Form::Word(words) => {
            return words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
        }
        Form::Vector => "vector",
        Form::Matrix => "matrix",
        Form::Function => "function",
        Form::VectorOrFunction => "vector, or function",
        Form::MatrixOrFunction => "matrix, or function",
        Form::Moments => "three numbers, or a matrix",
        Form::Names => "name, or array of names",
        Form::Table => "table",
        Form::Settings => "word or table",
        Form::Named => "table of named values",
        Form::Tables => "array of tables",
    }
    .to_owned()
}
