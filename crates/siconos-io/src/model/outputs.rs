//! Outputs of a run. The columns are expressions of the state. Each row belongs to a step or an event.

use std::ops::Range;

use siconos_expression::Expression;
use siconos_kernel::ModelError;
use siconos_kernel::state::{EventSide, State};

use super::columns::{Columns, RowMaker};
use super::control::Devices;
use super::scopes::Scopes;
use super::systems::System;
use super::values::expression;
use super::watched::{Ids, Readable, ValueSlot, Watched};
use crate::document::{Diagnostics, Form, Key, Node, Value, optional};
use crate::snapshot::Recorded;

pub(super) const START: Key =
    optional("start", Form::Boolean, "`true` for a row before the first step or event; default true");
pub(super) const FROM: Key = optional(
    "from",
    Form::Number,
    "time of the first row, in seconds; `every` counts from this row; default: the start time",
);
pub(super) const EVERY: Key = optional("every", Form::Count, "N to write only every N-th row; default 1");

pub(super) const KEYS: [Key; 6] = [
    START,
    optional(
        "rows",
        Form::Word(&["all", "grid"]),
        "`all` for rows at grid points and all other events, `grid` for rows at grid points only; default all",
    ),
    optional(
        "sides",
        Form::Word(&["both", "after"]),
        "`both` for rows before and after each jump of the state, `after` for rows after it only; default both",
    ),
    FROM,
    EVERY,
    optional(
        "columns",
        Form::Named,
        "an expression for each column, or `{ sum = .. }` for its sum over all instants so far; default: the state of \
         all systems",
    ),
];

/// Outputs as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    pub(super) columns: Columns,
    /// Names that the expressions can read.
    readable: Readable,
    pub(super) rows: Rows,
    /// Time of the first row \[s\], as an expression of the parameters, with its location.
    from: Option<(Expression, Range<usize>)>,
}

/// Selection of the rows that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// `true` if there is a row before the first step or event.
    pub(super) has_start: bool,
    /// `true` if only events at the points of the grid have rows.
    pub(super) grid_only: bool,
    /// `true` if the state just before a jump has no row.
    pub(super) after_only: bool,
    /// Every `every`-th row is written.
    pub(super) every: usize,
}

/// Reads the table of outputs.
pub(super) fn read(
    value: Option<Value<'_>>,
    systems: &[System],
    readable: Readable,
    scopes: &Scopes,
    by_steps: bool,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Outputs> {
    let [start, rows, sides, from, every, columns] = match value {
        Some(value) => {
            let span = value.span.clone();
            value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics)
        }
        None => [const { None }; 6],
    };
    let spans = [&rows, &sides].map(|value| value.as_ref().map(|value| value.span.clone()));
    let has_start = start.map_or(Some(true), |start| start.boolean(diagnostics));
    let grid_only =
        rows.map_or(Some(false), |rows| rows.word(diagnostics, &[("all", false), ("grid", true)]));
    let after_only =
        sides.map_or(Some(false), |sides| sides.word(diagnostics, &[("both", false), ("after", true)]));
    for (span, is_about_events) in spans.into_iter().zip([grid_only, after_only]) {
        if let (Some(span), Some(true), true) = (span, is_about_events, by_steps) {
            diagnostics.note(&span, "this concerns events between points of the grid, which a simulation by time steps does not have");
        }
    }
    let from = from.map_or(Some(None), |from| {
        expression(&from, &scopes.parameters, diagnostics).map(|own| Some((own, from.span)))
    });
    let every = every.map_or(Some(1), |every| every.count(diagnostics, 1));
    if let Some(columns) = &columns {
        note_two_meanings(columns, &readable, diagnostics);
    }
    let columns = Columns::read(columns, states(systems), &readable.scope, diagnostics)?;
    let rows = Rows { has_start: has_start?, grid_only: grid_only?, after_only: after_only?, every: every? };
    Some(Outputs { columns, readable, rows, from: from? })
}

/// Reports expressions that read an ambiguous name.
fn note_two_meanings(value: &Value<'_>, readable: &Readable, diagnostics: &mut Diagnostics<'_>) {
    match &value.node {
        Node::Table(columns) => {
            columns.entries.iter().for_each(|entry| note_two_meanings(&entry.value, readable, diagnostics));
        }
        Node::Text(text) => {
            if let Some(name) = readable.two_meanings(&text.content) {
                let message = format_args!(
                    "`{name}` is a value of every row and also a name in this model; use another name in the model to \
                     read it here"
                );
                diagnostics.note(&value.span, message);
            }
        }
        _ => (),
    }
}

/// Returns the names of the state of each system: positions and velocities, or first-order states.
fn states(systems: &[System]) -> impl Iterator<Item = String> {
    systems.iter().flat_map(|system| {
        let coordinates = &system.coordinates;
        let all = coordinates.names.iter().chain(&coordinates.velocities);
        all.map(|own| format!("{}.{own}", system.name))
    })
}

/// Writes the table of outputs. Returns `None` if all outputs have their default values.
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
    if let Some((own, _)) = &own.from {
        put(from, Value::of_entry(&own.to_string()));
    }
    if own.rows.every != 1 {
        put(every, Value::of_count(own.rows.every));
    }
    if own.columns.are_given {
        put(columns, own.columns.written());
    }
    (!table.is_empty()).then(|| Value::of_table(table))
}

/// Recorder of the outputs of a run. It computes rows from the state.
#[derive(Debug)]
pub struct Recorder {
    rows: RowMaker,
    watched: Watched,
    slot: ValueSlot,
}

impl Outputs {
    fn from(&self, parameters: &[f64]) -> Option<f64> {
        self.from.as_ref().map(|(from, _)| from.evaluate(&[&[], parameters]))
    }

    /// Reports an error if the time of the first row is not finite.
    pub(super) fn check(&self, parameters: &[f64], diagnostics: &mut Diagnostics<'_>) {
        if let (Some(from), Some((_, span))) = (self.from(parameters), &self.from)
            && !from.is_finite()
        {
            diagnostics.note(span, format_args!("this is {from}; it must be finite"));
        }
    }

    /// Creates the recorder for a built model.
    pub(super) fn recorder(&self, ids: &Ids, parameters: &[f64]) -> Recorder {
        let from = self.from(parameters).unwrap_or(f64::NEG_INFINITY);
        let rows = self.columns.rows(from, self.rows.every);
        let slot = ValueSlot::new(&self.readable, ids);
        Recorder { watched: Watched::new(&rows.tape, &self.readable), slot, rows }
    }
}

impl Recorder {
    /// Returns the names of the columns; the first column is the time `t`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        self.rows.names()
    }

    /// Returns the row just before the event that led to `state`, or `None` if the row is skipped.
    pub(super) fn row_before(&mut self, state: &State, devices: &Devices) -> Option<&[f64]> {
        let Self { rows, watched, slot } = self;
        let values = watched.look(slot, state, EventSide::Before, rows.last_time(), devices);
        let at = state.at();
        rows.row_before(at.t, [at.parameters().values(), values])
    }

    /// Ends an instant: adds its values to the sums, and returns its row. Returns `None` if `is_written` is
    /// `false` or the row is skipped.
    pub(super) fn end_instant(
        &mut self,
        state: &State,
        devices: &Devices,
        is_written: bool,
    ) -> Option<&[f64]> {
        let Self { rows, watched, slot } = self;
        let values = watched.look(slot, state, EventSide::After, rows.last_time(), devices);
        let at = state.at();
        rows.end_instant(at.t, [at.parameters().values(), values], is_written)
    }

    /// Returns the progress of the outputs.
    pub(super) fn recorded(&self, is_begun: bool) -> Recorded {
        self.rows.recorded(is_begun)
    }

    /// Returns the number of rows written so far.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows.count()
    }

    /// Returns the row that was computed last, even if it was not written.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        self.rows.last_row()
    }

    /// Restores the recorded progress.
    pub(super) fn resume(&mut self, recorded: &Recorded) -> Result<(), ModelError> {
        self.rows.resume(recorded)
    }
}
