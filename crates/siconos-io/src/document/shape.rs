//! Which keys a table has: the one list by which it is read, from which its schema and the table of its page
//! are made.

use std::ops::Range;

use super::value::note_unknown_key;
use super::{Entry, Faults, Node, Table, Value};

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) is_needed: bool,
    pub(crate) form: Form,
    /// What it is, in the words of a page.
    pub(crate) says: &'static str,
}

/// What a value may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A number, or an expression that is one.
    Number,
    /// A whole number, not below 0.
    Count,
    Boolean,
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// An array of numbers and expressions, or one alone.
    Vector,
    /// An array of rows, `{ diagonal = [..] }`, or a list of entries.
    Matrix,
    /// A function of the program that builds the model, by its name.
    Function,
    /// A vector, or such a function.
    VectorOrFunction,
    /// A matrix, or such a function.
    MatrixOrFunction,
    /// A moment of inertia, three of them, or a matrix.
    Moments,
    /// An array of names.
    Names,
    /// A table with keys of its own, described elsewhere.
    Table,
    /// Settings of a type of the code: a table, or the name of a choice.
    Settings,
    /// Tables under names that the file chooses.
    Named,
    /// An array of tables with keys of their own.
    Tables,
}

impl Form {
    /// Whether a value is one of its words.
    pub(crate) fn has_word(self, value: &Value<'_>) -> bool {
        match (self, &value.node) {
            (Self::Word(words), Node::Text(text)) => words.contains(&&*text.content),
            _ => false,
        }
    }
}

/// A key that has to be there.
pub(crate) const fn needed(name: &'static str, form: Form, says: &'static str) -> Key {
    Key { name, is_needed: true, form, says }
}

/// A key that may be left out.
pub(crate) const fn optional(name: &'static str, form: Form, says: &'static str) -> Key {
    Key { name, is_needed: false, form, says }
}

impl<'s> Table<'s> {
    /// The values of the keys, in the order of the list. Other keys are faults, and keys that are needed and
    /// not there, for which the table is at fault.
    pub(crate) fn keyed<const N: usize>(
        self,
        keys: &'static [Key; N],
        span: &Range<usize>,
        faults: &mut Faults<'_>,
    ) -> [Option<Value<'s>>; N] {
        self.check_keys(keys, span, faults);
        let mut fields = [const { None }; N];
        for Entry { key, value, .. } in self.entries {
            if let Some(place) = keys.iter().position(|known| known.name == key) {
                fields[place] = Some(value);
            }
        }
        fields
    }

    /// Notes keys that are not in the list, and keys that are needed and not there.
    pub(crate) fn check_keys(&self, keys: &[Key], span: &Range<usize>, faults: &mut Faults<'_>) {
        let known: Vec<_> = keys.iter().map(|key| key.name).collect();
        for entry in self.entries.iter().filter(|entry| !known.contains(&&*entry.key)) {
            note_unknown_key(&entry.key, &entry.key_span, &known, faults);
        }
        for key in keys.iter().filter(|key| key.is_needed && self.get(key.name).is_none()) {
            faults.note(span, format_args!("the key `{}` is missing", key.name));
        }
    }

    /// The value of a key, left where it is.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<'s>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }
}
