//! Settings that are deserialised by serde from a tree with text positions.
//!
//! A choice with settings is an enum in which each variant holds a struct. In a file it is a table that names
//! the variant under the key `kind`, as in `{ kind = "moreau_jean", theta = 0.5 }`. If all settings have
//! their defaults, the name alone is enough. Content that is not a struct is under the key `value`, as in
//! `{ kind = "rho_infinity", value = 0.8 }`. Names are derived from the types in the code: `moreau_jean` is
//! `MoreauJean`.

mod choice;
mod reader;
mod wrong;

use std::ops::Range;

use serde::de::DeserializeOwned;

use super::{Diagnostics, Node, Numbers, TreeEntry, Value};
use reader::Reader;
use wrong::{What, Wrong};

/// Key that names a variant.
const KIND: &str = "kind";

/// Name of the only enum whose variant is selected by the form of the value. The value is a number for all
/// entries, or an array with one number for each entry ([`Tolerance`](siconos_ode::Tolerance)).
pub(super) const BY_FORM: &str = "Tolerance";

/// Key of the content of a variant that is not a struct.
pub(crate) const VALUE: &str = "value";

/// Reads a value as a `T`; returns `None` and adds diagnostics if it is invalid. Numbers can be expressions
/// of constants and parameters.
pub(crate) fn settings<'n, T: DeserializeOwned>(
    value: &Value<'_>,
    numbers: impl Into<Numbers<'n>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<T> {
    let numbers = numbers.into();
    let wrong = match T::deserialize(Reader { value, numbers }) {
        Ok(settings) => return Some(settings),
        Err(wrong) => wrong,
    };
    // Reading stops at the first invalid entry. This entry is removed, and reading is repeated to find the
    // others.
    let (mut rest, mut next, mut taken) = (value.clone(), Some(wrong), Vec::new());
    for _ in 0..MOST_FAULTS {
        let Some(Wrong { span, what }) = next else { break };
        let span = span.unwrap_or_else(|| value.span.clone());
        match &what {
            What::Missing(key) if taken.iter().any(|taken| taken == key) => break,
            What::Text(kind) => diagnostics.note_kind(&span, kind),
            What::Missing(_) | What::Other(_) => diagnostics.note(&span, &what),
        }
        match take_out(&mut rest, &span) {
            Some(key) => taken.push(key),
            None => break,
        }
        next = T::deserialize(Reader { value: &rest, numbers }).err();
    }
    None
}

/// Reads a value as a `T`; returns a message if it is invalid.
pub(crate) fn settings_or_message<T: DeserializeOwned>(
    value: &Value<'_>,
    numbers: Numbers<'_>,
) -> Result<T, String> {
    T::deserialize(Reader { value, numbers }).map_err(|wrong| wrong.to_string())
}

/// Reads settings as [`settings`] does; returns the defaults if the file has no settings.
pub(crate) fn settings_or_default<'n, T: DeserializeOwned + Default>(
    value: Option<Value<'_>>,
    numbers: impl Into<Numbers<'n>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<T> {
    value.map_or_else(|| Some(T::default()), |value| settings(&value, numbers, diagnostics))
}

/// Maximum number of diagnostics for one table of settings.
const MOST_FAULTS: usize = 20;

/// Removes the innermost table entry whose range of bytes in the text contains `span`, and returns its key.
fn take_out(value: &mut Value<'_>, span: &Range<usize>) -> Option<String> {
    let holds = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    match &mut value.node {
        Node::Array(values) => take_out(values.iter_mut().find(|value| holds(&value.span))?, span),
        Node::Table(table) => {
            let is_there = |entry: &TreeEntry<'_>| holds(&entry.key_span) || holds(&entry.value.span);
            let place = table.entries.iter().position(is_there)?;
            let inner = take_out(&mut table.entries[place].value, span);
            inner.or_else(|| Some(table.entries.remove(place).key.into_owned()))
        }
        _ => None,
    }
}
/// Returns the name of a type or a variant as written in files.
pub(crate) fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Returns `true` if `word` in a file denotes the type or variant `name` in the code.
fn is_called(name: &str, word: &str) -> bool {
    name == word || snake_case(name) == word
}
