//! Outputs of a process.

use siconos_expression::{Name, Role, Scope, ValueKind};

use super::super::scopes::{FIRST, Scopes, symbol};
use crate::document::{Diagnostics, Key, Value};
use crate::output::{
    self, COLUMNS, Columns, EVERY, FROM, RowMaker, START, STATES, Selection, StandardColumn, UNTIL,
};

pub(in crate::model) const KEYS: [Key; 6] = [START, FROM, UNTIL, EVERY, STATES, COLUMNS];

/// Outputs as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    columns: Columns,
    /// Number of values that the expressions can read.
    count: usize,
    selection: Selection,
}

impl Outputs {
    /// Reads the table of outputs. `values` contains the names that expressions can read in addition to
    /// `step` and `h`. The first `variables` of them are the variables of the state.
    pub(super) fn read(
        value: Option<Value<'_>>,
        values: &[String],
        variables: usize,
        scopes: &Scopes,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let scope = scope(values, &scopes.time);
        let [start, from, until, every, states, columns] = match value {
            Some(value) => {
                let span = value.span.clone();
                value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics)
            }
            None => [const { None }; 6],
        };
        let selection = Selection::read([start, from, until, every], &scopes.parameters, diagnostics);
        let states = output::has_states(states, columns.is_some(), diagnostics)?;
        let standard =
            values.iter().take(if states { variables } else { 0 }).cloned().map(StandardColumn::of);
        let columns = Columns::read(columns, standard, &scope, diagnostics);
        let count = values.len() + OF_ROWS.len();
        let selection = selection?;
        selection.check(selection.window(&[]), diagnostics);
        Some(Self { columns: columns?, count, selection })
    }

    /// Returns `true` if there is a row before the first step.
    pub(super) fn has_start(&self) -> bool {
        self.selection.has_start
    }

    /// Returns the number of values that the expressions can read.
    pub(super) fn values(&self) -> usize {
        self.count
    }

    pub(super) fn rows(&self) -> RowMaker {
        self.columns.rows(self.selection.window(&[]))
    }
}

/// Names and kinds of the values that outputs can read in addition to the values of the process.
const OF_ROWS: [(&str, ValueKind); 2] = [("step", ValueKind::Integer), ("h", ValueKind::Real)];

fn scope(values: &[String], time: &Scope) -> Scope {
    let mut scope = time.clone();
    let role = Role::Fixed("a value of the state");
    let all = values.iter().map(|name| (&**name, ValueKind::Real)).chain(OF_ROWS);
    for (place, (name, kind)) in all.enumerate() {
        // A name that is already declared keeps its meaning.
        let _first = scope.declare(name, Name { symbol: symbol(FIRST, place), kind, role });
    }
    scope
}
