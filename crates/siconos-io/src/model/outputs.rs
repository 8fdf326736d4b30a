//! What a run writes: columns of expressions of the state, one row for each step or event.

use siconos_expression::{Expression, Scope, Tape};
use siconos_kernel::error::ModelError;
use siconos_kernel::state::{Side, State};

use super::control::Devices;
use super::scopes::{Scopes, T};
use super::systems::System;
use super::values::expression;
use super::watched::{Ids, Readable, Watched};
use crate::document::{Entry, Faults, Form, Key, Node, Value, optional};
use crate::snapshot::Recorded;
use crate::trajectory::{TableErrorKind, check_name};

pub(super) const KEYS: [Key; 6] = [
    optional("start", Form::Boolean, "whether there is a row before the first step or event; default true"),
    optional(
        "rows",
        Form::Word(&["all", "grid"]),
        "at all events, or at the points of the grid only; default all",
    ),
    optional("sides", Form::Word(&["both", "after"]), "of events that the state jumps at; default both"),
    optional(
        "from",
        Form::Number,
        "rows before this time, in seconds, are left out, and not counted by `every`",
    ),
    optional("every", Form::Count, "each so many rows are kept; default 1"),
    optional("columns", Form::Named, "an expression for each column; default the state of all systems"),
];

/// What is kept of a run.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    pub(super) names: Vec<String>,
    columns: Vec<Column>,
    /// Whether the file says which columns there are.
    has_columns: bool,
    /// What the expressions may read.
    readable: Readable,
    pub(super) rows: Rows,
    /// The time before which there are none, for values of the parameters.
    from: Option<Expression>,
}

/// Which rows are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// Whether there is one before the first step or event.
    pub(super) has_start: bool,
    /// Whether events between the points of the grid have none.
    pub(super) grid_only: bool,
    /// Whether the side before a jump has none.
    pub(super) after_only: bool,
    /// Each so many are kept.
    pub(super) every: usize,
}

#[derive(Clone, Debug)]
struct Column {
    value: Expression,
    /// Whether it is the sum over all rows so far.
    is_sum: bool,
}

/// Reads the table of outputs.
pub(super) fn read(
    value: Option<Value<'_>>,
    systems: &[System],
    readable: Readable,
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<Outputs> {
    let scope = &readable.scope;
    let [start, rows, sides, from, every, columns] = match value {
        Some(value) => {
            let span = value.span.clone();
            value.table(faults)?.keyed(&KEYS, &span, faults)
        }
        None => [const { None }; 6],
    };
    let has_start = start.map_or(Some(true), |start| start.boolean(faults));
    let grid_only = rows.map_or(Some(false), |rows| rows.word(faults, &[("all", false), ("grid", true)]));
    let after_only =
        sides.map_or(Some(false), |sides| sides.word(faults, &[("both", false), ("after", true)]));
    let from = from.map_or(Some(None), |from| expression(&from, &scopes.parameters, faults).map(Some));
    let every = every.map_or(Some(1), |every| every.count(faults, 1));
    let has_columns = columns.is_some();
    let named = match columns {
        Some(columns) => given(columns, scope, faults),
        None => states(systems, scope),
    };
    let (names, columns) = named?;
    let rows = Rows { has_start: has_start?, grid_only: grid_only?, after_only: after_only?, every: every? };
    Some(Outputs { names, columns, has_columns, readable, rows, from: from? })
}

type Columns = (Vec<String>, Vec<Column>);

/// The columns of a file, behind that of the time.
fn given(columns: Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Columns> {
    let mut read = Some(time_alone(scope)?);
    for Entry { key, key_span, value } in columns.table(faults)?.entries {
        if let Some(message) = unfit(&key) {
            faults.note(&key_span, message);
        }
        let column = match &value.node {
            Node::Table(_) => sum(value, scope, faults),
            _ => expression(&value, scope, faults).map(|value| Column { value, is_sum: false }),
        };
        read = read.zip(column).map(|((mut names, mut columns), column)| {
            names.push(key.into_owned());
            columns.push(column);
            (names, columns)
        });
    }
    read
}

/// Why a name cannot head a column of a table.
fn unfit(name: &str) -> Option<String> {
    if name == T {
        return Some(format!("`{T}` is the first column of every table"));
    }
    match check_name(name).err()? {
        TableErrorKind::NumericName { .. } => {
            Some(format!("`{name}` reads as a number and cannot head a column"))
        }
        _ => Some("the name of a column has no blanks at its ends, and no line break".to_owned()),
    }
}

/// The sum over all rows so far: `{ sum = ".." }`.
fn sum(value: Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Column> {
    let span = value.span.clone();
    let [sum] = value.table(faults)?.fields(faults, ["sum"]);
    let sum = faults.required(sum, "sum", &span)?;
    let value = expression(&sum, scope, faults)?;
    Some(Column { value, is_sum: true })
}

fn time_alone(scope: &Scope) -> Option<Columns> {
    Some((vec![T.to_owned()], vec![column_of(T, scope)?]))
}

/// The column of a name that is declared.
fn column_of(name: &str, scope: &Scope) -> Option<Column> {
    let value = siconos_expression::parse_number(name, scope).ok()?;
    Some(Column { value, is_sum: false })
}

/// The positions and velocities, or states, of all systems.
fn states(systems: &[System], scope: &Scope) -> Option<Columns> {
    let (mut names, mut columns) = time_alone(scope)?;
    for system in systems {
        let coordinates = &system.coordinates;
        for own in coordinates.names.iter().chain(&coordinates.velocities) {
            let name = format!("{}.{own}", system.name);
            columns.push(column_of(&name, scope)?);
            names.push(name);
        }
    }
    Some((names, columns))
}

/// Writes the table of outputs; nothing where all of them are the usual ones.
pub(super) fn write(own: &Outputs) -> Option<Value<'static>> {
    let [start, rows, sides, from, every, columns] = &KEYS;
    let mut table = Vec::new();
    let mut put = |key: &Key, value| table.push((key.name, value));
    if !own.rows.has_start {
        put(start, Value::of_boolean(false));
    }
    if own.rows.grid_only {
        put(rows, Value::of_text("grid"));
    }
    if own.rows.after_only {
        put(sides, Value::of_text("after"));
    }
    if let Some(own) = &own.from {
        put(from, Value::of_entry(&own.to_string()));
    }
    if own.rows.every != 1 {
        put(every, Value::of_count(own.rows.every));
    }
    if own.has_columns {
        let column = |(name, column): (&String, &Column)| {
            let value = Value::of_entry(&column.value.to_string());
            (name.clone(), if column.is_sum { Value::of_table([("sum", value)]) } else { value })
        };
        // The first one is the time.
        put(columns, Value::of_table(own.names.iter().zip(&own.columns).skip(1).map(column)));
    }
    (!table.is_empty()).then(|| Value::of_table(table))
}

/// Outputs of a model whose systems and interactions have ids: what computes a row.
#[derive(Debug)]
pub struct Recorder {
    names: Vec<String>,
    tape: Tape,
    is_sum: Vec<bool>,
    watched: Watched,
    row: Vec<f64>,
    recorded: Recorded,
    /// Rows before it are left out \[s\].
    from: f64,
}

impl Outputs {
    /// For a model with these ids, in the order of the file.
    pub(super) fn recorder(&self, ids: &Ids, parameters: &[f64]) -> Recorder {
        let expressions: Vec<_> = self.columns.iter().map(|column| &column.value).collect();
        let tape = Tape::compile(&expressions);
        Recorder {
            names: self.names.clone(),
            watched: Watched::new(&tape, &self.readable, ids),
            is_sum: self.columns.iter().map(|column| column.is_sum).collect(),
            row: vec![0.0; self.columns.len()],
            recorded: Recorded { sums: vec![0.0; self.columns.len()], t: f64::NAN, ..Recorded::default() },
            from: self.from.as_ref().map_or(f64::NEG_INFINITY, |from| from.evaluate(&[&[], parameters])),
            tape,
        }
    }
}

impl Recorder {
    /// The names of the columns, that of the time `t` first.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The next row, of a state at one side of its event; nothing where it is not one of each so many that
    /// are kept.
    pub(super) fn next_row(
        &mut self,
        state: &State,
        side: Side,
        every: usize,
        devices: &Devices,
    ) -> Option<&[f64]> {
        if state.t < self.from {
            self.recorded.t = state.t;
            return None;
        }
        let values = self.watched.look(state, (side, self.recorded.t), devices);
        let at = state.at();
        self.tape.evaluate(&[&[at.t], at.parameters().values(), values], &mut self.row);
        let recorded = &mut self.recorded;
        for ((value, sum), is_sum) in self.row.iter_mut().zip(&mut recorded.sums).zip(&self.is_sum) {
            if *is_sum {
                *sum += *value;
                *value = *sum;
            }
        }
        recorded.t = at.t;
        let is_kept = recorded.candidates.is_multiple_of(every as u64);
        recorded.candidates += 1;
        recorded.rows += u64::from(is_kept);
        is_kept.then_some(&self.row)
    }

    /// How far it has come.
    pub(super) fn recorded(&self, is_begun: bool) -> Recorded {
        Recorded { is_begun, ..self.recorded.clone() }
    }

    /// How many rows it has handed on.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.recorded.rows
    }

    /// The last row.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        &self.row
    }

    /// Goes on from where it was.
    pub(super) fn resume(&mut self, recorded: &Recorded) -> Result<(), ModelError> {
        if recorded.is_begun || !recorded.sums.is_empty() {
            let (recorded, found) = (recorded.sums.len(), self.row.len());
            if recorded != found {
                return Err(ModelError::OtherCount { what: "columns", recorded, found });
            }
        }
        let sums = std::mem::take(&mut self.recorded.sums);
        self.recorded = recorded.clone();
        if self.recorded.sums.is_empty() {
            self.recorded.sums = sums;
            self.recorded.sums.fill(0.0);
        }
        Ok(())
    }
}
