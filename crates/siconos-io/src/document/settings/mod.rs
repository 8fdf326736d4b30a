//! Settings that know themselves how they are read (by serde), out of a tree with places.
//!
//! A choice with settings, an enum whose variants hold a struct each, is a table that names the variant by
//! its key `kind`, `{ kind = "moreau_jean", theta = 0.5 }`, or the name alone where all settings have their
//! defaults. What a variant holds that is no struct stands under `value`, `{ kind = "rho_infinity", value =
//! 0.8 }`. Names are those of the types in the code: `moreau_jean` is `MoreauJean`.

mod choice;
mod reader;
mod wrong;

use std::ops::Range;

use serde::de::DeserializeOwned;
use siconos_expression::Scope;

use super::{Entry, Faults, Node, Value};
use reader::Reader;
use wrong::{What, Wrong};

/// The key that names a variant.
const KIND: &str = "kind";

/// The one choice that is told by the form of its value: a number for all, an array with one for each
/// ([`Tolerance`](siconos_ode::Tolerance)).
pub(super) const BY_FORM: &str = "Tolerance";

/// The key of what a variant holds, where that has no keys of its own.
pub(crate) const VALUE: &str = "value";

/// Reads a value as a `T`; nothing where it is at fault, which is noted. Numbers may be expressions of
/// constants.
pub(crate) fn settings<T: DeserializeOwned>(
    value: &Value<'_>,
    constants: &Scope,
    faults: &mut Faults<'_>,
) -> Option<T> {
    let wrong = match T::deserialize(Reader { value, constants }) {
        Ok(settings) => return Some(settings),
        Err(wrong) => wrong,
    };
    // What is at fault is taken out, until there is nothing left to complain about.
    let (mut rest, mut next, mut taken) = (value.clone(), Some(wrong), Vec::new());
    for _ in 0..MOST_FAULTS {
        let Some(Wrong { span, what }) = next else { break };
        let span = span.unwrap_or_else(|| value.span.clone());
        match &what {
            What::Missing(key) if taken.iter().any(|taken| taken == key) => break,
            What::Text(kind) => faults.note_kind(&span, kind),
            What::Missing(_) | What::Other(_) => faults.note(&span, &what),
        }
        match take_out(&mut rest, &span) {
            Some(key) => taken.push(key),
            None => break,
        }
        next = T::deserialize(Reader { value: &rest, constants }).err();
    }
    None
}

/// Reads settings as [`settings`]; their defaults if the file does not have them.
pub(crate) fn settings_or_default<T: DeserializeOwned + Default>(
    value: Option<Value<'_>>,
    constants: &Scope,
    faults: &mut Faults<'_>,
) -> Option<T> {
    value.map_or_else(|| Some(T::default()), |value| settings(&value, constants, faults))
}

/// So many faults are told of one table of settings.
const MOST_FAULTS: usize = 20;

/// Takes the innermost entry of a table out in which some bytes are, and tells its key.
fn take_out(value: &mut Value<'_>, span: &Range<usize>) -> Option<String> {
    let holds = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    match &mut value.node {
        Node::Array(values) => take_out(values.iter_mut().find(|value| holds(&value.span))?, span),
        Node::Table(table) => {
            let is_there = |entry: &Entry<'_>| holds(&entry.key_span) || holds(&entry.value.span);
            let place = table.entries.iter().position(is_there)?;
            let inner = take_out(&mut table.entries[place].value, span);
            inner.or_else(|| Some(table.entries.remove(place).key.into_owned()))
        }
        _ => None,
    }
}
/// The name of a type or variant as files write it.
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

/// Whether a name of the code is what a file calls so.
fn is_called(name: &str, word: &str) -> bool {
    name == word || snake_case(name) == word
}
