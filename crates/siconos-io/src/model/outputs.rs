//! Outputs of a run. The columns are expressions of the state. Each row belongs to a step or an event.

use std::ops::Range;

use siconos_kernel::ModelError;
use siconos_kernel::model::NonSmoothDynamicalSystem;
use siconos_kernel::simulation::EnergyBalance;
use siconos_kernel::state::{EventSide, State};

use super::control::Devices;
use super::energy;
use super::interactions::Interaction;
use super::scopes::{Scopes, numbered};
use super::systems::{IMPULSE, System};
use super::watched::{FORCE, GAP, Ids, Readable, VELOCITY, ValueSlot, Watched};
use crate::document::{Diagnostics, Form, Key, Node, Value, note_unknown, optional};
use crate::output::{
    self, COLUMNS, Columns, EVERY, FROM, RowMaker, SIDES, START, STATES, Selection, StandardColumn, UNTIL,
};
use crate::snapshot::Recorded;

pub(super) const KEYS: [Key; 10] = [
    START,
    optional(
        "rows",
        Form::Word(&["all", "grid"]),
        "`all` for rows at grid points and all other events, `grid` for rows at grid points only; default all",
    ),
    SIDES,
    FROM,
    UNTIL,
    EVERY,
    STATES,
    optional(
        "contacts",
        Form::Names,
        "`true` for gap, velocity, force and impulse of all contacts, or the names of some interactions; these columns follow those in `columns`; default false",
    ),
    optional(
        "energy",
        Form::Boolean,
        "`true` for the kinetic energy, the potential energy if it is known, and, in a time-stepping simulation, the work of forces, contacts, friction, joints and of the scheme since the start, whose sum is the change of the kinetic energy; default false",
    ),
    COLUMNS,
];

/// Outputs as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    pub(super) columns: Columns,
    /// Names that the expressions can read.
    readable: Readable,
    pub(super) rows: Rows,
    selection: Selection,
    /// Values of the keys `states`, `contacts` and `energy`, as written in the file.
    groups: Vec<(&'static str, Value<'static>)>,
}

/// Selection of the instants that have rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// `true` if there is a row before the first step or event.
    pub(super) has_start: bool,
    /// `true` if only events at the points of the grid have rows.
    pub(super) grid_only: bool,
    /// `true` if the state just before a jump has no row.
    pub(super) after_only: bool,
}

/// Parts of a model that outputs refer to.
pub(super) struct Described<'m> {
    pub(super) systems: &'m [System],
    pub(super) interactions: &'m [&'m Interaction],
    /// `true` for a time-stepping simulation.
    pub(super) by_steps: bool,
}

/// Reads the table of outputs.
pub(super) fn read(
    value: Option<Value<'_>>,
    model: &Described<'_>,
    readable: Readable,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Outputs> {
    let [start, rows, sides, from, until, every, states, contacts, energy, columns] = match value {
        Some(value) => {
            let span = value.span.clone();
            value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics)
        }
        None => [const { None }; 10],
    };
    let spans = [&rows, &sides].map(|value| value.as_ref().map(|value| value.span.clone()));
    let groups = [(STATES.name, &states), ("contacts", &contacts), ("energy", &energy)];
    let groups = groups.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
    let groups = groups.map(|(key, value)| (key, value.clone().moved_to(&value.span))).collect();
    let selection = Selection::read([start, from, until, every], &scopes.parameters, diagnostics);
    let grid_only =
        rows.map_or(Some(false), |rows| rows.word(diagnostics, &[("all", false), ("grid", true)]));
    let after_only = output::is_after_only(sides, diagnostics);
    for (span, is_about_events) in spans.into_iter().zip([grid_only, after_only]) {
        if let (Some(span), Some(true), true) = (span, is_about_events, model.by_steps) {
            diagnostics.note(&span, "this concerns events between points of the grid, which a simulation by time steps does not have");
        }
    }
    if let Some(columns) = &columns {
        note_two_meanings(columns, &readable, diagnostics);
    }
    let states = output::has_states(states, columns.is_some(), diagnostics)?;
    let mut standard = Vec::new();
    if states {
        standard.extend(self::states(model.systems).map(StandardColumn::of));
    }
    let kept = 1 + standard.len();
    if let Some(contacts) = contacts {
        standard.extend(contact_columns(&contacts, model, diagnostics)?);
    }
    if let Some(energy) = energy {
        standard.extend(energy_columns(&energy, model, &readable, diagnostics)?);
    }
    let columns = Columns::read(columns, standard, &readable.scope, diagnostics)?.listed_after(kept);
    let selection = selection?;
    let rows = Rows { has_start: selection.has_start, grid_only: grid_only?, after_only: after_only? };
    Some(Outputs { columns, readable, rows, selection, groups })
}

/// Returns the columns of all contacts, or of the interactions that a file names.
fn contact_columns(
    value: &Value<'_>,
    model: &Described<'_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<StandardColumn>> {
    let all = || model.interactions.iter().copied().filter(|own| own.contact_block(model.systems).is_some());
    let wanted: Vec<_> = match &value.node {
        Node::Boolean(false) => Vec::new(),
        // If an interaction has an error, it may be the contact that seems to be missing.
        Node::Boolean(true) if all().next().is_none() && diagnostics.count() > 0 => return None,
        Node::Boolean(true) if all().next().is_none() => {
            diagnostics.note(&value.span, "this model has no contacts: interactions of Lagrangian systems or bodies with a unilateral law");
            return None;
        }
        Node::Boolean(true) => all().collect(),
        Node::Text(_) | Node::Array(_) => {
            let names = value.clone().names(diagnostics)?;
            let find = |(name, span): &(String, Range<usize>)| {
                let found = all().find(|own| own.name == *name);
                if found.is_none() {
                    note_unknown(("contact", name), span, all().map(|own| &*own.name), diagnostics);
                }
                found
            };
            let found: Vec<_> = names.iter().map(find).collect();
            found.into_iter().collect::<Option<_>>()?
        }
        _ => return value.refused(diagnostics, "`true`, `false`, or names of interactions"),
    };
    let names = wanted.into_iter().flat_map(|own| {
        let block = own.contact_block(model.systems).unwrap_or(1);
        let size = own.relation.size();
        [(GAP, size / block), (VELOCITY, size), (FORCE, size), (IMPULSE, size)]
            .into_iter()
            .flat_map(|(word, count)| numbered(&format!("{}.{word}", own.name), count))
    });
    Some(names.map(StandardColumn::of).collect())
}

/// Returns the columns of the energy balance.
fn energy_columns(
    value: &Value<'_>,
    model: &Described<'_>,
    readable: &Readable,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<StandardColumn>> {
    if !value.boolean(diagnostics)? {
        return Some(Vec::new());
    }
    if model.systems.iter().all(System::is_first_order) {
        diagnostics
            .note(&value.span, "this model has no Lagrangian systems or bodies, which have a kinetic energy");
        return None;
    }
    if let Some(name) = readable.hidden_energy() {
        let message = format_args!(
            "`{name}` is the name of an energy and also a name in this model; use another name in the model"
        );
        diagnostics.note(&value.span, message);
        return None;
    }
    Some(energy::columns(model.systems, model.interactions, model.by_steps))
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
    let [_, rows, ..] = &KEYS;
    let grid = own.rows.grid_only.then(|| (rows.name, Value::of_text("grid")));
    let after = own.rows.after_only.then(|| (SIDES.name, Value::of_text("after")));
    let columns = own.columns.are_given.then(|| (COLUMNS.name, own.columns.written()));
    let rows = own.selection.written().chain(grid).chain(after);
    let table: Vec<_> = rows.chain(own.groups.iter().cloned()).chain(columns).collect();
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
    /// Reports errors in the times of the first and the last row.
    pub(super) fn check(&self, parameters: &[f64], diagnostics: &mut Diagnostics<'_>) {
        self.selection.check(self.selection.window(parameters), diagnostics);
    }

    /// Returns `true` if a column reads the work of a step.
    pub(super) fn need_balance(&self) -> bool {
        self.columns.read_any(|symbol| self.readable.is_work(symbol))
    }

    /// Creates the recorder for a built model.
    pub(super) fn recorder(&self, ids: &Ids, parameters: &[f64]) -> Recorder {
        let rows = self.columns.rows(self.selection.window(parameters));
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

    /// Returns the unit of each column; empty for a column without a unit.
    #[must_use]
    pub fn units(&self) -> &[String] {
        self.rows.units()
    }

    /// Sets the energy balance of the last step, which outputs can read.
    pub(super) fn set_balance(&mut self, balance: Option<&EnergyBalance>) {
        self.slot.balance = balance.copied();
    }

    /// Returns the row just before the event that led to `state`, or `None` if the row is skipped.
    pub(super) fn row_before(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        devices: &Devices,
    ) -> Option<&[f64]> {
        let Self { rows, watched, slot } = self;
        let values = watched.look(slot, model, state, EventSide::Before, rows.last_time(), devices);
        let at = state.at();
        rows.row_before(at.t, &[&[at.t], at.parameters().values(), values])
    }

    /// Ends an instant: adds its values to the sums, and returns its row. Returns `None` if `is_written` is
    /// `false` or the row is skipped.
    pub(super) fn end_instant(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        devices: &Devices,
        is_written: bool,
    ) -> Option<&[f64]> {
        let Self { rows, watched, slot } = self;
        let values = watched.look(slot, model, state, EventSide::After, rows.last_time(), devices);
        let at = state.at();
        rows.end_instant(at.t, &[&[at.t], at.parameters().values(), values], is_written)
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
