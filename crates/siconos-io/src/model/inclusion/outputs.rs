//! Outputs of a process.

use siconos_expression::{Expression, Name, Role, Scope, ValueKind};

use super::super::columns::{Columns, RowMaker};
use super::super::outputs::{EVERY, FROM, START};
use super::super::scopes::{FIRST, Scopes, symbol};
use super::super::values::expression;
use crate::document::{Diagnostics, Form, Key, Value, optional};

pub(in crate::model) const KEYS: [Key; 4] = [
    START,
    FROM,
    EVERY,
    optional(
        "columns",
        Form::Named,
        "an expression for each column, or `{ sum = .. }` for its sum over all instants so far; default: the variables",
    ),
];

/// Outputs as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    columns: Columns,
    /// Number of values that the expressions can read.
    count: usize,
    pub(super) has_start: bool,
    from: Option<Expression>,
    every: usize,
}

impl Outputs {
    /// Reads the table of outputs. `values` contains the names that expressions can read in addition to
    /// `step` and `h`. If the table lists no columns, the first `variables` names are the columns.
    pub(super) fn read(
        value: Option<Value<'_>>,
        values: &[String],
        variables: usize,
        scopes: &Scopes,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let scope = scope(values, &scopes.time);
        let [start, from, every, columns] = match value {
            Some(value) => {
                let span = value.span.clone();
                value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics)
            }
            None => [const { None }; 4],
        };
        let has_start = start.map_or(Some(true), |start| start.boolean(diagnostics));
        let from =
            from.map_or(Some(None), |from| expression(&from, &scopes.parameters, diagnostics).map(Some));
        let every = every.map_or(Some(1), |every| every.count(diagnostics, 1));
        let columns = Columns::read(columns, values.iter().take(variables).cloned(), &scope, diagnostics);
        let count = values.len() + OF_ROWS.len();
        Some(Self { columns: columns?, count, has_start: has_start?, from: from?, every: every? })
    }

    /// Returns the number of values that the expressions can read.
    pub(super) fn values(&self) -> usize {
        self.count
    }

    pub(super) fn rows(&self) -> RowMaker {
        let from = self.from.as_ref().map_or(f64::NEG_INFINITY, |from| from.evaluate(&[]));
        self.columns.rows(from, self.every)
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
