//! Table `[output]` of a hybrid model.

use siconos_expression::Scope;
use siconos_hybrid::{HybridSystem, VariableType};

use super::names::Names;
use super::settings::POSITIVE;
use super::slots::DISCRETE;
use crate::document::{Diagnostics, Form, Key, Value, optional};
use crate::output::{
    self, COLUMNS, Columns, EVERY, FROM, RowMaker, SIDES, START, STATES, Selection, StandardColumn, UNTIL,
};

pub(crate) const KEYS: [Key; 8] = [
    START,
    optional(
        "step",
        Form::Number,
        "time between rows, in seconds, counted from the initial time; events and the end have rows as well; default: a row at each step of the integration",
    ),
    SIDES,
    FROM,
    UNTIL,
    EVERY,
    STATES,
    COLUMNS,
];

/// Keys of a column that is given as a table. A column of a hybrid model cannot be a sum.
pub(crate) const COLUMN: [Key; 2] = [output::COLUMN[0], output::COLUMN[2]];

/// Outputs as described in the file.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    columns: Columns,
    selection: Selection,
    /// Time between rows \[s\]; `None` for a row at each step of the integration.
    pub(super) step: Option<f64>,
    /// `true` if the values just before an event have no row.
    pub(super) after_only: bool,
}

impl Outputs {
    /// Reads the table of outputs. `constants` contains the names that times can read, and `end` is the end
    /// of the run if the file gives it.
    pub(super) fn read(
        value: Option<Value<'_>>,
        names: &Names,
        constants: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let span = value.as_ref().map_or(0..0, |value| value.span.clone());
        let [start, step, sides, from, until, every, states, columns] = match value {
            Some(value) => value.table(diagnostics)?.keyed(&KEYS, &span, diagnostics),
            None => [const { None }; 8],
        };
        let selection = Selection::read([start, from, until, every], constants, diagnostics);
        let step = step.map_or(Some(None), |step| {
            let length = step.constant(constants, diagnostics)?;
            let holds = (POSITIVE.holds)(length);
            if !holds {
                let message = format_args!("this is {length}; it must be {}", POSITIVE.in_words);
                diagnostics.note(&step.span, message);
            }
            holds.then_some(Some(length))
        });
        let after_only = output::is_after_only(sides, diagnostics);
        let states = output::has_states(states, columns.is_some(), diagnostics)?;
        let standard = names.variables().filter(|_| states).map(|name| StandardColumn::of(name.to_owned()));
        let of_columns = columns.as_ref().map_or_else(|| span.clone(), |columns| columns.span.clone());
        let columns = Columns::read(columns, standard, names.with_values(), diagnostics)?;
        if columns.have_sums() {
            let instead = "a hybrid system has no sums; use a discrete variable that events change";
            diagnostics.note(&of_columns, instead);
            return None;
        }
        Some(Self { columns, selection: selection?, step: step?, after_only: after_only? })
    }

    /// Returns `true` if there is a row at the initial time.
    pub(super) fn has_start(&self) -> bool {
        self.selection.has_start
    }

    /// Creates the computation of rows for a run in this direction of time, 1 or -1.
    pub(super) fn rows(&self, sign: f64) -> RowMaker {
        let mut window = self.selection.window(&[]);
        window.sign = sign;
        self.columns.rows(window)
    }

    /// Reports errors in the times of the first and the last row of a run in this direction of time.
    pub(super) fn check(&self, sign: f64, diagnostics: &mut Diagnostics<'_>) {
        let mut window = self.selection.window(&[]);
        window.sign = sign;
        self.selection.check(window, diagnostics);
    }

    /// Returns the types of the columns. A column that is not the value of a discrete variable is a float.
    pub(super) fn types(&self, system: &HybridSystem) -> Vec<VariableType> {
        let discrete: Vec<_> = system.discrete_variables().map(|(_, kind)| kind).collect();
        let variables = self.columns.variables();
        variables
            .map(|symbol| {
                let symbol = symbol.filter(|symbol| symbol.slot == DISCRETE);
                let kind = symbol.and_then(|symbol| discrete.get(symbol.index as usize).copied());
                kind.unwrap_or(VariableType::Float)
            })
            .collect()
    }
}
