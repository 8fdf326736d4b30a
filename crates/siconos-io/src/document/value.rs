//! Typed getters for values. If a value has the wrong type, a getter adds a diagnostic.

use std::fmt;
use std::ops::Range;

use siconos_expression::{did_you_mean, nearest, parse_number};

use super::{Diagnostics, Node, Numbers, Table, Text, TreeEntry, Value};

/// Condition on a number, and the words that follow "it must be" in messages.
#[derive(Clone, Copy)]
pub(crate) struct Condition {
    pub(crate) holds: fn(f64) -> bool,
    pub(crate) in_words: &'static str,
}

impl<'s> Value<'s> {
    pub(crate) fn refused<T>(
        &self,
        diagnostics: &mut Diagnostics<'_>,
        expected: impl fmt::Display,
    ) -> Option<T> {
        let found = self.node.kind();
        diagnostics.note(&self.span, format_args!("expected {expected}, found {found}"));
        None
    }

    pub(crate) fn table(self, diagnostics: &mut Diagnostics<'_>) -> Option<Table<'s>> {
        match self.node {
            Node::Table(table) => Some(table),
            _ => self.refused(diagnostics, "a table"),
        }
    }

    /// Removes a key from a table. Returns `None` if `self` is not a table, otherwise the value if the key
    /// exists.
    pub(crate) fn take(&mut self, key: &str, diagnostics: &mut Diagnostics<'_>) -> Option<Option<Value<'s>>> {
        let Node::Table(table) = &mut self.node else { return self.refused(diagnostics, "a table") };
        let place = table.entries.iter().position(|entry| entry.key == key);
        Some(place.map(|place| table.entries.remove(place).value))
    }

    /// Adds entries to a table. They replace existing entries with the same keys.
    pub(crate) fn with_entries(mut self, entries: impl IntoIterator<Item = TreeEntry<'s>>) -> Self {
        if let Node::Table(table) = &mut self.node {
            for entry in entries {
                table.entries.retain(|own| own.key != entry.key);
                table.entries.push(entry);
            }
        }
        self
    }

    /// Returns the elements of an array of tables.
    pub(crate) fn tables(self, diagnostics: &mut Diagnostics<'_>) -> Vec<Value<'s>> {
        match self.node {
            Node::Array(values) => values,
            _ => self.refused(diagnostics, "an array of tables").unwrap_or_default(),
        }
    }

    pub(crate) fn text(self, diagnostics: &mut Diagnostics<'_>) -> Option<Text<'s>> {
        match self.node {
            Node::Text(text) => Some(text),
            _ => self.refused(diagnostics, "a string"),
        }
    }

    /// Returns the strings of an array, or a single string, each with its position in the text.
    pub(crate) fn names(&self, diagnostics: &mut Diagnostics<'_>) -> Option<Vec<(String, Range<usize>)>> {
        let one = |value: &Self, diagnostics: &mut Diagnostics<'_>| match &value.node {
            Node::Text(text) => Some((text.content.clone().into_owned(), value.span.clone())),
            _ => value.refused(diagnostics, "a name, as a string"),
        };
        match &self.node {
            Node::Array(values) => values.iter().map(|value| one(value, diagnostics)).collect(),
            _ => Some(vec![one(self, diagnostics)?]),
        }
    }

    pub(crate) fn boolean(&self, diagnostics: &mut Diagnostics<'_>) -> Option<bool> {
        match self.node {
            Node::Boolean(boolean) => Some(boolean),
            _ => self.refused(diagnostics, "true or false"),
        }
    }

    pub(crate) fn number(&self, diagnostics: &mut Diagnostics<'_>, condition: Condition) -> Option<f64> {
        match self.node {
            Node::Number { value, .. } if (condition.holds)(value) => Some(value),
            Node::Number { value, .. } => {
                let must_be = condition.in_words;
                diagnostics.note(&self.span, format_args!("this is {value:?}; it must be {must_be}"));
                None
            }
            _ => self.refused(diagnostics, "a number"),
        }
    }

    /// Returns an integer that is at least `least`.
    pub(crate) fn count(&self, diagnostics: &mut Diagnostics<'_>, least: usize) -> Option<usize> {
        match self.node {
            // Doubles above 2^53 do not represent every integer.
            Node::Number { value, is_whole: true } if value >= least as f64 && value <= 2.0_f64.powi(53) => {
                Some(value as usize)
            }
            Node::Number { value, is_whole } => {
                // A number such as 100.0 is a floating-point number, not a count.
                let (shown, written) = match is_whole {
                    true => (value.to_string(), ""),
                    false if value.fract() == 0.0 => {
                        (format!("{value:?}"), ", written without a decimal point")
                    }
                    false => (format!("{value:?}"), ""),
                };
                let range = format!("a whole number from {least} up to 2^53{written}");
                diagnostics.note(&self.span, format!("this is {shown}; it must be {range}"));
                None
            }
            _ => self.refused(diagnostics, "a whole number"),
        }
    }

    /// Returns a whole number of at least `least`, or the value of an expression of constants and parameters.
    pub(crate) fn count_with<'n>(
        &self,
        numbers: impl Into<Numbers<'n>>,
        diagnostics: &mut Diagnostics<'_>,
        least: usize,
    ) -> Option<usize> {
        let Node::Text(_) = &self.node else { return self.count(diagnostics, least) };
        let value = self.constant(numbers, diagnostics)?;
        let number = Node::Number { value, is_whole: value.fract() == 0.0 };
        Value { span: self.span.clone(), node: number }.count(diagnostics, least)
    }

    /// Returns a finite number, or the value of an expression of constants and parameters.
    pub(crate) fn constant<'n>(
        &self,
        numbers: impl Into<Numbers<'n>>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<f64> {
        let numbers = numbers.into();
        let value = match &self.node {
            Node::Number { value, .. } => *value,
            Node::Text(text) => match parse_number(&text.content, numbers.scope) {
                Ok(expression) => numbers.value(&expression)?,
                Err(error) => {
                    diagnostics.note_in(text, 0, &error);
                    return None;
                }
            },
            _ => return self.refused(diagnostics, "a number or an expression of constants"),
        };
        if value.is_finite() {
            return Some(value);
        }
        diagnostics.note(&self.span, format_args!("this is {value}; it must be finite"));
        None
    }

    /// Returns the value that `words` assigns to the word in the file. A word that is not in `words` gives a
    /// diagnostic.
    pub(crate) fn word<T: Copy>(&self, diagnostics: &mut Diagnostics<'_>, words: &[(&str, T)]) -> Option<T> {
        let all = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let Node::Text(text) = &self.node else {
            return self.refused(diagnostics, format_args!("one of {all}"));
        };
        let found = words.iter().find(|(word, _)| *word == text.content);
        if found.is_none() {
            let known = words.iter().map(|(word, _)| *word);
            let suggestion = suggestion(&text.content, known);
            diagnostics.note(
                &self.span,
                format_args!("expected one of {all}, found `{}`{suggestion}", text.content),
            );
        }
        found.map(|(_, meaning)| *meaning)
    }
}

impl<'s> Table<'s> {
    /// Returns the values of `keys`, in the order of `keys`. Each other key in the table gives a diagnostic.
    pub(crate) fn fields<const N: usize>(
        self,
        diagnostics: &mut Diagnostics<'_>,
        keys: [&str; N],
    ) -> [Option<Value<'s>>; N] {
        let mut fields = [const { None }; N];
        for TreeEntry { key, key_span, value } in self.entries {
            match keys.iter().position(|known| *known == key) {
                Some(place) => fields[place] = Some(value),
                None => note_unknown_key(&key, &key_span, &keys, diagnostics),
            }
        }
        fields
    }
}

/// Returns a boolean value, or `false` if the file does not have the key.
pub(crate) fn flag(value: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>) -> Option<bool> {
    value.map_or(Some(false), |value| value.boolean(diagnostics))
}

/// Returns the table of a key. If the file does not have the key, the table is empty.
pub(crate) fn optional_table<'s>(value: Option<Value<'s>>, diagnostics: &mut Diagnostics<'_>) -> Table<'s> {
    value.and_then(|value| value.table(diagnostics)).unwrap_or_default()
}

/// Returns the string value of a key, if the file has the key.
pub(crate) fn optional_text(value: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>) -> Option<String> {
    value.and_then(|value| value.text(diagnostics)).map(|text| text.content.into_owned())
}

/// Version of the format of model files that is read and written.
pub(crate) const FORMAT: usize = 1;

/// Returns `false` if the value of the key `format` is a version number that this program does not read.
pub(crate) fn is_format(format: &Value<'_>, diagnostics: &mut Diagnostics<'_>) -> bool {
    match format.count(diagnostics, 1) {
        Some(version) if version != FORMAT => {
            let message = format_args!("this is format {version}; this program reads format {FORMAT}");
            diagnostics.note(&format.span, message);
            false
        }
        _ => true,
    }
}

/// Adds a diagnostic for an unknown key. It contains no suggestion if there are already many diagnostics.
pub(crate) fn note_unknown_key(
    key: &str,
    span: &Range<usize>,
    known: &[&str],
    diagnostics: &mut Diagnostics<'_>,
) {
    match diagnostics.is_worth_a_search() {
        true => diagnostics.note(span, unknown_key(key, known)),
        false => diagnostics.note(span, format_args!("unknown key `{key}`")),
    }
}

/// Returns the message for an unknown key. It suggests the most similar known key, or lists all known keys.
pub(crate) fn unknown_key(key: &str, known: &[&str]) -> String {
    let all = || known.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", ");
    let right = match (nearest(key, known.iter().copied()), known) {
        (Some(near), _) => did_you_mean(Some(&near)),
        (None, []) => "; there are no keys here".to_owned(),
        (None, [only]) => format!("; the only key here is `{only}`"),
        (None, _) => format!("; the keys here are {}", all()),
    };
    format!("unknown key `{key}`{right}")
}

/// Returns a suggestion of the most similar known word, to be appended to a message.
pub(crate) fn suggestion<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> String {
    did_you_mean(nearest(word, known).as_deref())
}
