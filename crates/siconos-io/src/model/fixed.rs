//! Parameters that a model reads only once, because settings of the simulation or sizes depend on them.

use std::collections::BTreeSet;

use siconos_expression::{Scope, parse_number};

use super::adjustable::reads;
use super::grid::{END, START, STEP, TIMES};
use super::parameters::Parameter;
use super::scopes::Scopes;
use crate::document::{Diagnostics, Node, Value};

/// Indices of the parameters that settings of the simulation or sizes read.
#[derive(Clone, Debug, Default)]
pub(super) struct FixedParameters {
    /// Parameters that are read together with the file and cannot be set afterwards.
    pub(super) in_file: BTreeSet<usize>,
    /// Parameters that cannot change during a run. The parameters of the time grid are among them.
    pub(super) in_runs: BTreeSet<usize>,
}

/// Keys of sizes in vectors and matrices that are given by a formula or by their entries.
const SIZES: [&str; 3] = ["size", "rows", "columns"];
/// Each table with sizes has one of these keys.
const CONTENTS: [&str; 2] = ["entry", "entries"];

impl FixedParameters {
    /// Evaluates all expressions for sizes in `value`, and replaces them by the results.
    pub(super) fn insert_sizes(
        &mut self,
        value: &mut Value<'_>,
        parameters: &[Parameter],
        scopes: &Scopes,
        diagnostics: &mut Diagnostics<'_>,
    ) {
        match &mut value.node {
            Node::Array(values) => {
                values.iter_mut().for_each(|value| self.insert_sizes(value, parameters, scopes, diagnostics));
            }
            Node::Table(table) => {
                let has_sizes = CONTENTS.iter().any(|key| table.get(key).is_some());
                for entry in &mut table.entries {
                    if has_sizes && SIZES.contains(&&*entry.key) {
                        self.add(&entry.value, parameters, &scopes.parameters);
                        insert_size(&mut entry.value, scopes, diagnostics);
                    } else {
                        self.insert_sizes(&mut entry.value, parameters, scopes, diagnostics);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the parameters that `value`, which is a size or a setting, reads.
    fn add(&mut self, value: &Value<'_>, parameters: &[Parameter], scope: &Scope) {
        let read: Vec<_> =
            reads(value, scope).into_iter().filter_map(|place| owner(place, parameters)).collect();
        self.in_file.extend(&read);
        self.in_runs.extend(&read);
    }

    /// Adds the parameters that the table of the simulation reads.
    pub(super) fn add_simulation(&mut self, value: &Value<'_>, parameters: &[Parameter], scope: &Scope) {
        let Node::Table(table) = &value.node else { return };
        for entry in &table.entries {
            // The grid is computed when a model is built.
            let is_of_grid = [START, END, STEP, TIMES].iter().any(|key| key.name == entry.key);
            if is_of_grid {
                let read = reads(&entry.value, scope).into_iter();
                self.in_runs.extend(read.filter_map(|place| owner(place, parameters)));
            } else if entry.key != "kind" {
                self.add(&entry.value, parameters, scope);
            }
        }
    }
}

/// Returns the index of the parameter to which entry `place` of the vector of all parameter values belongs.
fn owner(place: usize, parameters: &[Parameter]) -> Option<usize> {
    let mut end = 0;
    parameters.iter().position(|own| {
        end += own.values.len();
        place < end
    })
}

/// Replaces `value`, which is a size, by a number if it is an expression.
fn insert_size(value: &mut Value<'_>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) {
    let Node::Text(text) = &value.node else { return };
    let number = match parse_number(&text.content, &scopes.parameters) {
        Ok(expression) => scopes.numbers().value(&expression).unwrap_or(f64::NAN),
        Err(error) => {
            diagnostics.note_in(text, 0, &error);
            return value.node = Node::Number { value: 1.0, is_whole: true };
        }
    };
    let is_whole = number.fract() == 0.0;
    if !is_whole {
        diagnostics.note(&value.span, format_args!("this is {number}; it must be a whole number"));
    }
    value.node = Node::Number { value: if is_whole { number } else { 1.0 }, is_whole: true };
}
