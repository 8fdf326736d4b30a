//! Lists of the keys that the tables in a model file can have. The reader, the JSON schema and the
//! documentation of a table are derived from its list.

use std::ops::Range;

use super::value::note_unknown_key;
use super::{Diagnostics, Node, Table, TreeEntry, Value};

/// Key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) is_needed: bool,
    pub(crate) form: Form,
    /// Description for the documentation.
    pub(crate) says: &'static str,
}

/// Form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A number or an expression.
    Number,
    /// A non-negative integer.
    Count,
    Boolean,
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An array of numbers and expressions, or a single number or expression.
    Vector,
    /// An array of rows, `{ diagonal = [..] }`, or a list of entries.
    Matrix,
    /// Name of a function of the program that builds the model.
    Function,
    /// A vector or a function.
    VectorOrFunction,
    /// A matrix or a function.
    MatrixOrFunction,
    /// One moment of inertia, three moments, or a matrix.
    Moments,
    /// An array of names.
    Names,
    /// A table whose keys are in a separate list.
    Table,
    /// Settings that are deserialised to a Rust type: a table, or the name of an enum variant.
    Settings,
    /// A table whose keys are arbitrary names and whose values are tables.
    Named,
    /// An array of tables, whose keys are in a separate list.
    Tables,
}

impl Form {
    /// Returns `true` if the value is one of the words of this form.
    pub(crate) fn has_word(self, value: &Value<'_>) -> bool {
        match (self, &value.node) {
            (Self::Word(words), Node::Text(text)) => words.contains(&&*text.content),
            _ => false,
        }
    }
}

/// Creates a required key.
pub(crate) const fn needed(name: &'static str, form: Form, says: &'static str) -> Key {
    Key { name, is_needed: true, form, says }
}

/// Creates an optional key.
pub(crate) const fn optional(name: &'static str, form: Form, says: &'static str) -> Key {
    Key { name, is_needed: false, form, says }
}

impl<'s> Table<'s> {
    /// Returns the values of `keys`, in the order of `keys`. Unknown keys and missing required keys give
    /// diagnostics.
    pub(crate) fn keyed<const N: usize>(
        self,
        keys: &'static [Key; N],
        span: &Range<usize>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> [Option<Value<'s>>; N] {
        self.check_keys(keys, span, diagnostics);
        let mut fields = [const { None }; N];
        for TreeEntry { key, value, .. } in self.entries {
            if let Some(place) = keys.iter().position(|known| known.name == key) {
                fields[place] = Some(value);
            }
        }
        fields
    }

    /// Adds diagnostics for keys that are not in `keys`, and for missing required keys.
    pub(crate) fn check_keys(&self, keys: &[Key], span: &Range<usize>, diagnostics: &mut Diagnostics<'_>) {
        let known: Vec<_> = keys.iter().map(|key| key.name).collect();
        for entry in self.entries.iter().filter(|entry| !known.contains(&&*entry.key)) {
            note_unknown_key(&entry.key, &entry.key_span, &known, diagnostics);
        }
        for key in keys.iter().filter(|key| key.is_needed && self.get(key.name).is_none()) {
            diagnostics.note(span, format_args!("the key `{}` is missing", key.name));
        }
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<'s>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }
}
