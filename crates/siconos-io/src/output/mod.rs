//! Table `[output]` of model files of all kinds: the columns of the table of results, and its rows.

mod columns;
mod row_maker;
mod selection;
mod synonyms;

pub(crate) use columns::{Columns, StandardColumn};
pub(crate) use row_maker::RowMaker;
pub(crate) use selection::{Selection, Window};

use crate::document::json_schema::{any_of, named, nothing, number, table};
use crate::document::{Diagnostics, Form, Key, Value, optional};

pub(crate) const START: Key =
    optional("start", Form::Boolean, "`true` for a row before the first step or event; default true");
pub(crate) const FROM: Key = optional(
    "from",
    Form::Number,
    "time of the first row, in seconds; `every` counts from this row; default: the start time",
);
pub(crate) const UNTIL: Key =
    optional("until", Form::Number, "time of the last row, in seconds; default: the end of the run");
pub(crate) const EVERY: Key = optional("every", Form::Count, "N to write only every N-th row; default 1");
pub(crate) const SIDES: Key = optional(
    "sides",
    Form::Word(&["both", "after"]),
    "`both` for rows before and after each jump of the state, `after` for rows after it only; default both",
);
pub(crate) const STATES: Key = optional(
    "states",
    Form::Boolean,
    "`true` for one column for each variable of the state, ahead of all other columns; default: `true` without `columns`, `false` with `columns`",
);
pub(crate) const COLUMNS: Key =
    optional("columns", Form::Named, "an expression for each column, or a table with the keys of a column");

/// Keys of a column that is given as a table.
pub(crate) const COLUMN: [Key; 3] = [
    optional(
        "value",
        Form::Number,
        "value of the column, a number or a condition (1 if it holds, otherwise 0)",
    ),
    optional(
        "sum",
        Form::Number,
        "instead of `value`: expression whose values at all instants so far are added up",
    ),
    optional(
        "unit",
        Form::Text,
        "unit of the values, such as `\"m\"`, for the axes of figures; default: none",
    ),
];

/// Reads the value of [`SIDES`]. Returns `true` if the state just before a jump has no row.
pub(crate) fn is_after_only(sides: Option<Value<'_>>, diagnostics: &mut Diagnostics<'_>) -> Option<bool> {
    sides.map_or(Some(false), |sides| sides.word(diagnostics, &[("both", false), ("after", true)]))
}

/// Reads the value of [`STATES`]. `has_columns` is `true` if the file has the table `columns`.
pub(crate) fn has_states(
    states: Option<Value<'_>>,
    has_columns: bool,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<bool> {
    states.map_or(Some(!has_columns), |states| states.boolean(diagnostics))
}

/// Returns the JSON Schema of the value of a key of `[output]`, if its form does not determine it. `column`
/// lists the keys of a column that is given as a table.
pub(crate) fn of_output(column: &'static [Key]) -> impl Fn(&str) -> Option<serde_json::Value> {
    move |key| (key == COLUMNS.name).then(|| named(any_of([number(), table(column, &nothing)])))
}
