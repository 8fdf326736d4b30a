//! What a run writes: columns of expressions of the state, one row for each step or event.

use siconos_expression::{Expression, Kind, Name, Role, Scope, Tape};
use siconos_kernel::error::ModelError;
use siconos_kernel::model::{DynamicalSystemId, InteractionId};
use siconos_kernel::state::{Level, Side, State};

use super::interactions::Interaction;
use super::scopes::{FIRST, Scopes, T, numbered, symbol};
use super::systems::System;
use super::values::expression;
use crate::document::{Entry, Faults, Form, Key, Node, Value, optional};
use crate::snapshot::Recorded;

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
    /// Where the values are that the expressions may read.
    sources: Vec<Source>,
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

/// A value of a state, by the place of its system or interaction in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Position(usize, usize),
    Velocity(usize, usize),
    FirstOrder(usize, usize),
    Impulse(usize, usize),
    Acceleration(usize, usize),
    Y(usize, Level, usize),
    Lambda(usize, Level, usize),
    /// 1 after an event and in steps, 0 before an event.
    After,
    /// The number of steps so far.
    Step,
    /// How long the last step was \[s\]; 0 in the first row.
    StepLength,
}

/// Names of what every row has.
const OF_ROWS: [(&str, Source, Kind); 3] = [
    ("after", Source::After, Kind::Boolean),
    ("step", Source::Step, Kind::Integer),
    ("h", Source::StepLength, Kind::Real),
];

/// Reads the table of outputs.
pub(super) fn read(
    value: Option<Value<'_>>,
    systems: &[System],
    interactions: &[&Interaction],
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<Outputs> {
    let (scope, sources) = scope(systems, interactions, &scopes.time);
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
        Some(columns) => given(columns, &scope, faults),
        None => states(systems, &scope),
    };
    let (names, columns) = named?;
    let rows = Rows { has_start: has_start?, grid_only: grid_only?, after_only: after_only?, every: every? };
    Some(Outputs { names, columns, has_columns, sources, rows, from: from? })
}

/// All that an output may read: `ball.q`, `ball.q'`, `ball.impulse`, `floor.y`, `floor.lambda`, ..
fn scope(systems: &[System], interactions: &[&Interaction], time: &Scope) -> (Scope, Vec<Source>) {
    let mut names = Declared { scope: time.clone(), sources: Vec::new() };
    for (word, source, kind) in OF_ROWS {
        names.add(word, source, kind);
    }
    for (place, system) in systems.iter().enumerate() {
        let coordinates = &system.coordinates;
        let called = |own: &String| format!("{}.{own}", system.name);
        let names_of = |own: &[String]| own.iter().map(called).collect::<Vec<_>>();
        let is_first_order = coordinates.velocities.is_empty();
        names.add_all(&names_of(&coordinates.names), |index| match is_first_order {
            true => Source::FirstOrder(place, index),
            false => Source::Position(place, index),
        });
        let velocities = names_of(&coordinates.velocities);
        names.add_all(&velocities, |index| Source::Velocity(place, index));
        let accelerations: Vec<_> = velocities.iter().map(|name| format!("{name}'")).collect();
        names.add_all(&accelerations, |index| Source::Acceleration(place, index));
        let size = if is_first_order { coordinates.names.len() } else { velocities.len() };
        let impulses = numbered(&format!("{}.impulse", system.name), size);
        names.add_all(&impulses, |index| Source::Impulse(place, index));
    }
    for (place, interaction) in interactions.iter().enumerate() {
        let size = interaction.relation.size();
        let called = |word: &str| numbered(&format!("{}.{word}", interaction.name), size);
        for (primes, level) in [(0, Level::Position), (1, Level::Velocity), (2, Level::Acceleration)] {
            let y: Vec<_> = called("y").iter().map(|y| format!("{y}{}", "'".repeat(primes))).collect();
            names.add_all(&y, |index| Source::Y(place, level, index));
        }
        for (word, level) in
            [("lambda", Level::Position), ("impulse", Level::Velocity), ("force", Level::Acceleration)]
        {
            names.add_all(&called(word), |index| Source::Lambda(place, level, index));
        }
    }
    (names.scope, names.sources)
}

struct Declared {
    scope: Scope,
    sources: Vec<Source>,
}

impl Declared {
    fn add(&mut self, name: &str, source: Source, kind: Kind) {
        let symbol = symbol(FIRST, self.sources.len());
        self.sources.push(source);
        // A parameter of this name stays what it is.
        let _first =
            self.scope.declare(name, Name { symbol, kind, role: Role::Fixed("a value of the state") });
    }

    fn add_all(&mut self, names: &[String], source: impl Fn(usize) -> Source) {
        for (index, name) in names.iter().enumerate() {
            self.add(name, source(index), Kind::Real);
        }
    }
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
    if name.is_empty() || name.trim() != name || name.contains(['\n', '\r']) {
        return Some("the name of a column has no blanks at its ends, and no line break".to_owned());
    }
    name.parse::<f64>().is_ok().then(|| format!("`{name}` reads as a number and cannot head a column"))
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
    /// Only what is read: which place of the bank, and what it is.
    read: Vec<(usize, Source)>,
    systems: Vec<DynamicalSystemId>,
    interactions: Vec<InteractionId>,
    values: Vec<f64>,
    row: Vec<f64>,
    recorded: Recorded,
    /// Rows before it are left out \[s\].
    from: f64,
}

impl Outputs {
    /// For a model with these ids, in the order of the file.
    pub(super) fn recorder(
        &self,
        systems: Vec<DynamicalSystemId>,
        interactions: Vec<InteractionId>,
        parameters: &[f64],
    ) -> Recorder {
        let expressions: Vec<_> = self.columns.iter().map(|column| &column.value).collect();
        let tape = Tape::compile(&expressions);
        let read = tape.symbols().iter().filter(|symbol| symbol.bank == FIRST).filter_map(|symbol| {
            let place = symbol.index as usize;
            Some((place, *self.sources.get(place)?))
        });
        Recorder {
            names: self.names.clone(),
            read: read.collect(),
            is_sum: self.columns.iter().map(|column| column.is_sum).collect(),
            systems,
            interactions,
            values: vec![0.0; self.sources.len()],
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
    pub(super) fn next_row(&mut self, state: &State, side: Side, every: usize) -> Option<&[f64]> {
        if state.t < self.from {
            self.recorded.t = state.t;
            return None;
        }
        for (place, source) in &self.read {
            self.values[*place] = self.value(*source, state, side);
        }
        let at = state.at();
        self.tape.evaluate(&[&[at.t], at.parameters().values(), &self.values], &mut self.row);
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

    fn value(&self, source: Source, state: &State, side: Side) -> f64 {
        match source {
            Source::Position(system, index) => state.q(self.systems[system])[index],
            Source::Velocity(system, index) => state.v_at(side, self.systems[system])[index],
            Source::FirstOrder(system, index) => state.x_at(side, self.systems[system])[index],
            Source::Impulse(system, index) => state.impulse(self.systems[system])[index],
            Source::Acceleration(system, index) => state.acceleration(self.systems[system])[index],
            Source::Y(interaction, level, index) => state.y(self.interactions[interaction], level)[index],
            Source::Lambda(interaction, level, index) => {
                state.lambda(self.interactions[interaction], level)[index]
            }
            Source::After => f64::from(side == Side::After),
            Source::Step => state.step() as f64,
            // There is no step before the first row.
            Source::StepLength if self.recorded.t.is_nan() => 0.0,
            Source::StepLength => state.t - self.recorded.t,
        }
    }
}
