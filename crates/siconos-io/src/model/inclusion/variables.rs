//! Variables of a process with their initial values: `x = 1`, or `q = [0, 1]`, read as `q[0]` and `q[1]`.

use siconos_expression::{Role, Scope};

use super::super::scopes::{T, declare};
use super::super::values::{evaluated, vector};
use crate::document::{Diagnostics, Node, Table, TreeEntry, check_plain};

/// All variables of a table, in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    /// Name of each component.
    pub(super) names: Vec<String>,
    pub(super) initial: Vec<f64>,
}

impl Variables {
    /// Reads a table of variables. Initial values can read the names in `constants`. It is an error if a
    /// variable has a name in `taken`.
    pub(super) fn read(
        table: Table<'_>,
        taken: &[String],
        constants: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Self {
        let mut read = Self { names: Vec::new(), initial: Vec::new() };
        let mut known = constants.clone();
        // Names that cannot be declared have been reported where they are defined.
        let _told = declare(&mut known, taken, 0, u32::MAX, Role::State);
        for TreeEntry { key, key_span, value } in table.entries {
            let own = key.into_owned();
            let entries = vector(&value, constants, diagnostics);
            let indexed = |count: usize| (0..count).map(|index| format!("{own}[{index}]")).collect();
            let names = match (&value.node, &entries) {
                (Node::Array(values), _) => indexed(values.len()),
                // A formula with several entries.
                (Node::Table(_), Some(entries)) => indexed(entries.len()),
                _ => vec![own.clone()],
            };
            if own == T {
                diagnostics.note(&key_span, format_args!("`{T}` is the time and cannot be a variable"));
            } else if !check_plain(&own, &key_span, diagnostics) {
                diagnostics.excuse(&own);
            } else if let Err((_, error)) = declare(&mut known, &names, 0, u32::MAX, Role::State) {
                diagnostics.note(&key_span, error);
                diagnostics.excuse(&own);
            }
            if names.is_empty() {
                diagnostics.note(&value.span, format_args!("the variable `{own}` has no values"));
                diagnostics.excuse(&own);
            }
            let values = entries.map_or_else(|| vec![0.0; names.len()], |entries| evaluated(&entries, &[]));
            if let Some(wrong) = values.iter().find(|value| !value.is_finite()) {
                diagnostics.note(&value.span, format_args!("this is {wrong}; it must be finite"));
            }
            read.names.extend(names);
            read.initial.extend(values);
        }
        read
    }

    /// Returns the names with their initial values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.names.iter().map(String::as_str).zip(self.initial.iter().copied())
    }

    /// Returns the number of components.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Declares the components as entries of an argument slot. Names that cannot be declared have been
    /// reported.
    pub(super) fn declare(&self, scope: &mut Scope, slot: u32) {
        for (place, name) in self.names.iter().enumerate() {
            let symbol = super::super::scopes::symbol(slot, place);
            let _told = scope.declare(name, super::super::scopes::name(symbol, Role::State));
        }
    }
}
