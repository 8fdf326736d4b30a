//! Values to be written: numbers, strings, and any type that implements serde's `Serialize`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use siconos_expression::Scope;

use super::print::{PrintError, print};
use super::serialize::serialized;
use super::tree::Syntax;
use super::{Diagnostics, Node, Table, Text, TreeEntry, Value, settings};

/// Creates a value without a position in a file.
fn value(node: Node<'static>) -> Value<'static> {
    Value { span: 0..0, node }
}

impl Value<'static> {
    pub(crate) fn of_text(text: impl Into<String>) -> Self {
        value(Node::Text(Text::apart(text.into(), 0..0)))
    }

    /// Creates a number if `text` is a finite number, otherwise a string.
    pub(crate) fn of_entry(text: &str) -> Self {
        let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        match text.parse::<f64>() {
            Ok(number) if is_number && number.is_finite() => Self::of_number(number),
            _ => Self::of_text(text),
        }
    }

    pub(crate) fn of_number(number: f64) -> Self {
        value(Node::Number { value: number, is_whole: false })
    }

    pub(crate) fn of_count(count: usize) -> Self {
        value(Node::Number { value: count as f64, is_whole: true })
    }

    pub(crate) fn of_boolean(boolean: bool) -> Self {
        value(Node::Boolean(boolean))
    }

    pub(crate) fn of_array(values: impl IntoIterator<Item = Self>) -> Self {
        value(Node::Array(values.into_iter().collect()))
    }

    pub(crate) fn of_table<K: Into<String>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        let entry = |(key, value): (K, Self)| TreeEntry { key: key.into().into(), key_span: 0..0, value };
        value(Node::Table(Table { entries: entries.into_iter().map(entry).collect() }))
    }

    /// Converts settings to a value from which [`settings`] reads `own` back. Returns `None` if this is not
    /// possible. Entries that are equal to the entries of the default settings `usual` are omitted, unless
    /// `own` could then not be read back.
    pub(crate) fn of_settings<T: Serialize + DeserializeOwned + PartialEq>(
        own: &T,
        usual: Option<&T>,
    ) -> Option<Self> {
        let full = serialized(own)?;
        let short = usual.and_then(serialized).map(|usual| full.clone().without(&usual));
        let reads_back = |value: &Self| {
            let mut aside = Diagnostics::new("", "");
            settings(value, &Scope::new(), &mut aside).is_some_and(|read: T| read == *own)
        };
        short.into_iter().chain([full]).find(reads_back)
    }

    /// Removes the entries that are equal to entries of `usual`, except `kind`, the name of an enum variant.
    fn without(mut self, usual: &Self) -> Self {
        if let (Node::Table(own), Node::Table(usual)) = (&mut self.node, &usual.node) {
            let is_usual = |entry: &TreeEntry<'static>| {
                usual.get(&entry.key).is_some_and(|other| shown(other) == shown(&entry.value))
            };
            own.entries.retain(|entry| entry.key == "kind" || !is_usual(entry));
        }
        self
    }

    /// Inserts an entry before all other entries of a table. A string that is the name of an enum variant is
    /// first converted to a table with the key `kind`.
    pub(crate) fn with_first(self, key: &'static str, first: Self) -> Self {
        let entries = match self.node {
            Node::Table(table) => table.entries,
            node => vec![TreeEntry { key: "kind".into(), key_span: 0..0, value: value(node) }],
        };
        let first = TreeEntry { key: key.into(), key_span: 0..0, value: first };
        value(Node::Table(Table { entries: [first].into_iter().chain(entries).collect() }))
    }

    /// Replaces a table whose only key is `kind`, the name of an enum variant, by this name.
    pub(crate) fn short(self) -> Self {
        match self.node {
            Node::Table(mut table) if table.entries.len() == 1 && table.entries[0].key == "kind" => {
                table.entries.remove(0).value
            }
            node => value(node),
        }
    }
}

/// Returns a value on one line, for comparison.
fn shown(value: &Value<'static>) -> Result<String, PrintError> {
    let entry = TreeEntry { key: "v".into(), key_span: 0..0, value: value.clone() };
    print(&Table { entries: vec![entry] }, Syntax::Toml)
}

/// Returns a document as TOML.
pub(crate) fn toml(root: &Table<'static>) -> Result<String, PrintError> {
    print(root, Syntax::Toml)
}

#[cfg(test)]
mod tests {
    use super::{Node, Value};

    #[test]
    fn only_numbers_are_numbers() {
        assert!(matches!(Value::of_entry("-1e-6").node, Node::Number { .. }));
        for text in ["inf", "nan", "-inf", "-g", "1 / 3"] {
            assert!(matches!(Value::of_entry(text).node, Node::Text(_)), "{text}");
        }
    }
}
