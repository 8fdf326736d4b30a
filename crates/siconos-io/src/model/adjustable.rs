//! Settings whose numbers read parameters. They are read again if a parameter changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use siconos_expression::{Expression, Scope, parse_number};

use super::scopes::PARAMETERS;
use crate::document::{Node, Numbers, TreeEntry, Value, settings_or_message};

/// Settings that read at least one parameter.
#[derive(Clone, Debug)]
pub(super) struct AdjustableSettings {
    value: Value<'static>,
    /// Constants, functions and parameters.
    scope: Arc<Scope>,
    /// Indices of the parameter values that the settings read.
    reads: BTreeSet<usize>,
}

impl AdjustableSettings {
    /// Returns the settings, or `None` if no number reads a parameter.
    pub(super) fn new(value: &Value<'_>, scope: &Arc<Scope>) -> Option<Self> {
        let reads = reads(value, scope);
        let value = || value.clone().moved_to(&value.span);
        (!reads.is_empty()).then(|| Self { value: value(), scope: Arc::clone(scope), reads })
    }

    /// Reads the settings. `parameters` contains the values of all parameters.
    ///
    /// # Errors
    ///
    /// The message of the first error.
    pub(super) fn read<T: DeserializeOwned>(&self, parameters: &[f64]) -> Result<T, String> {
        settings_or_message(&self.value, Numbers::new(&self.scope, parameters))
    }

    /// Returns `true` if a parameter value that the settings read differs between `before` and `now`.
    pub(super) fn is_changed(&self, before: &[f64], now: &[f64]) -> bool {
        self.reads.iter().any(|&place| before[place].to_bits() != now[place].to_bits())
    }

    /// Returns the settings as a value of a file. Constants and functions are inserted into the expressions
    /// that read them.
    pub(super) fn written(&self) -> Value<'static> {
        let mut value = self.value.clone();
        insert(&mut value, &self.scope);
        value
    }
}

/// Returns the indices of the parameter values that the numbers in `value` read.
pub(super) fn reads(value: &Value<'_>, scope: &Scope) -> BTreeSet<usize> {
    match &value.node {
        Node::Text(text) => expression(&text.content, scope).iter().flat_map(places).collect(),
        Node::Array(values) => values.iter().flat_map(|value| reads(value, scope)).collect(),
        Node::Table(table) => table
            .entries
            .iter()
            .filter(|entry| !is_word(entry))
            .flat_map(|entry| reads(&entry.value, scope))
            .collect(),
        Node::Number { .. } | Node::Boolean(_) | Node::Nothing(_) => BTreeSet::new(),
    }
}

/// Returns `true` for the key `kind`, whose value is the name of a choice and not a number.
fn is_word(entry: &TreeEntry<'_>) -> bool {
    entry.key == "kind"
}

/// Parses a number or a numeric expression. Returns `None` if `text` is neither.
fn expression(text: &str, scope: &Scope) -> Option<Expression> {
    parse_number(text, scope).ok()
}

/// Returns the indices of the parameter values that an expression reads.
fn places(expression: &Expression) -> Vec<usize> {
    let of_parameter = |symbol: siconos_expression::Symbol| symbol.slot == PARAMETERS;
    expression.symbols().filter(|symbol| of_parameter(*symbol)).map(|symbol| symbol.index as usize).collect()
}

/// Inserts the constants and functions of the scope into all expressions in `value`.
fn insert(value: &mut Value<'static>, scope: &Scope) {
    match &mut value.node {
        Node::Text(text) => {
            if let Some(expression) = expression(&text.content, scope) {
                *value = Value::of_entry(&expression.to_string());
            }
        }
        Node::Array(values) => values.iter_mut().for_each(|value| insert(value, scope)),
        Node::Table(table) => {
            let numbers = table.entries.iter_mut().filter(|entry| !is_word(entry));
            numbers.for_each(|entry| insert(&mut entry.value, scope));
        }
        Node::Number { .. } | Node::Boolean(_) | Node::Nothing(_) => {}
    }
}
