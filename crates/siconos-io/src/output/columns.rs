//! Columns of a table of results, given by expressions.

use std::ops::Range;

use siconos_expression::{Expression, ParseErrorKind, Scope, Symbol, Tape, parse_expression};

use super::row_maker::TableHead;
use super::{COLUMN, RowMaker, Window, synonyms};
use crate::document::{Diagnostics, Node, T, Text, TreeEntry, Value, number_as_expression};
use crate::trajectory::{TableErrorKind, check_name};

/// Columns of a table; the first one is the time.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    columns: Vec<Column>,
    /// Indices of the columns that the file lists by name.
    listed: Range<usize>,
    /// `true` if the file has the table `columns`.
    pub(crate) are_given: bool,
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    value: Expression,
    /// `true` if the column is the sum of the expression over all instants so far.
    is_sum: bool,
    /// Unit of the values; empty if it is not given.
    unit: String,
}

/// Column that is not listed in the file by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StandardColumn {
    pub(crate) name: String,
    /// Expression of the value.
    pub(crate) value: String,
    /// `true` if the column is the sum of the value over all instants so far.
    pub(crate) is_sum: bool,
}

impl StandardColumn {
    /// Returns the column with the value of a declared name.
    pub(crate) fn of(name: String) -> Self {
        Self { value: name.clone(), name, is_sum: false }
    }
}

impl Columns {
    /// Reads the table of columns. The time and the columns in `standard` are the first columns.
    pub(crate) fn read(
        value: Option<Value<'_>>,
        standard: impl IntoIterator<Item = StandardColumn>,
        scope: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let time = StandardColumn::of(T.to_owned());
        let standard = std::iter::once(time).chain(standard).map(|own| Column::standard(own, scope));
        let mut columns = standard.collect::<Option<Vec<_>>>();
        let count = columns.as_ref().map_or(0, Vec::len);
        let are_given = value.is_some();
        let entries = match value {
            Some(value) => value.table(diagnostics)?.entries,
            None => Vec::new(),
        };
        for TreeEntry { key, key_span, value } in entries {
            let taken = columns.iter().flatten().take(count).any(|own| own.name == key);
            if let Some(message) = unfit(&key, taken) {
                diagnostics.note(&key_span, message);
            }
            let column = Column::read(key.into_owned(), value, scope, diagnostics);
            columns = columns.zip(column).map(|(mut columns, column)| {
                columns.push(column);
                columns
            });
        }
        columns.map(|columns| Self { listed: count..columns.len(), columns, are_given })
    }

    /// Moves the columns that the file lists by name ahead of all standard columns but the first `kept` ones.
    pub(crate) fn listed_after(mut self, kept: usize) -> Self {
        let count = self.listed.len();
        self.columns[kept..].rotate_right(count);
        Self { listed: kept..kept + count, ..self }
    }

    /// Returns the table of columns for a model file, without the standard columns.
    pub(crate) fn written(&self) -> Value<'static> {
        let [value, sum, unit] = &COLUMN;
        let written = |column: &Column| {
            let own = Value::of_entry(&column.value.to_string());
            let own_unit = (!column.unit.is_empty()).then(|| (unit.name, Value::of_text(&column.unit)));
            let table =
                |key: &'static str| Value::of_table([(key, own.clone())].into_iter().chain(own_unit.clone()));
            match (column.is_sum, &own_unit) {
                (true, _) => table(sum.name),
                (false, Some(_)) => table(value.name),
                (false, None) => own.clone(),
            }
        };
        let listed = &self.columns[self.listed.clone()];
        Value::of_table(listed.iter().map(|column| (column.name.clone(), written(column))))
    }

    /// Returns `true` if the value of a column reads a symbol for which `is_wanted` returns `true`.
    pub(crate) fn read_any(&self, is_wanted: impl Fn(Symbol) -> bool) -> bool {
        self.columns.iter().any(|column| column.value.symbols().any(&is_wanted))
    }

    /// Returns `true` if a column is a sum.
    pub(crate) fn have_sums(&self) -> bool {
        self.columns.iter().any(|column| column.is_sum)
    }

    /// Returns the symbol that each column reads, or `None` for a column that is not the value of one name.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Option<Symbol>> {
        self.columns.iter().map(|column| column.value.variable().filter(|_| !column.is_sum))
    }

    /// Returns the names and the units of the columns.
    fn head(&self) -> TableHead {
        let names = self.columns.iter().map(|column| column.name.clone()).collect();
        let units = self.columns.iter().map(|column| column.unit.clone()).collect();
        TableHead { names, units }
    }

    /// Creates the computation of the rows in a window.
    pub(crate) fn rows(&self, window: Window) -> RowMaker {
        let expressions: Vec<_> = self.columns.iter().map(|column| &column.value).collect();
        let is_sum = self.columns.iter().map(|column| column.is_sum).collect();
        RowMaker::new(self.head(), Tape::compile(&expressions), is_sum, window)
    }
}

impl Column {
    /// Returns a standard column, or `None` if its value reads a name that is not declared, because an error
    /// in its declaration has been reported.
    fn standard(own: StandardColumn, scope: &Scope) -> Option<Self> {
        let value = parse_expression(&own.value, scope).ok()?;
        Some(Self { name: own.name, value, is_sum: own.is_sum, unit: String::new() })
    }

    /// Reads a column: an expression, or a table with the keys in [`COLUMN`].
    fn read(
        name: String,
        value: Value<'_>,
        scope: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        if !matches!(value.node, Node::Table(_)) {
            let value = number_or_condition(&value, scope, diagnostics)?;
            return Some(Self { name, value, is_sum: false, unit: String::new() });
        }
        let span = value.span.clone();
        let [value, sum, unit] = value.table(diagnostics)?.keyed(&COLUMN, &span, diagnostics);
        let unit = unit.map_or_else(|| Some(String::new()), |unit| unit_of(&unit, diagnostics));
        if let (Some(_), Some(sum)) = (&value, &sum) {
            diagnostics.note(&sum.span, "a column has either `value` or `sum`; remove one of them");
            return None;
        }
        let is_sum = sum.is_some();
        let value = diagnostics.required(value.or(sum), "value", &span)?;
        let value = number_or_condition(&value, scope, diagnostics);
        Some(Self { name, value: value?, is_sum, unit: unit? })
    }
}

/// Reads a unit, which must fit in a line of text.
fn unit_of(unit: &Value<'_>, diagnostics: &mut Diagnostics<'_>) -> Option<String> {
    let span = unit.span.clone();
    let Text { content, .. } = unit.clone().text(diagnostics)?;
    if content.trim().is_empty() || content.contains(char::is_control) {
        diagnostics.note(&span, "a unit must be a text of one line, such as \"m\"");
        return None;
    }
    Some(content.trim().to_owned())
}

/// Reads the value of a column. An unknown name that other programs use is reported with the name to use
/// instead.
fn number_or_condition(
    value: &Value<'_>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Expression> {
    let text = match &value.node {
        Node::Number { value: number, .. } if number.is_finite() => return number_as_expression(*number),
        Node::Text(text) => text,
        _ => return value.refused(diagnostics, "a number or an expression"),
    };
    match parse_expression(&text.content, scope) {
        Ok(expression) => match expression.constant().filter(|number| !number.is_finite()) {
            Some(number) => {
                diagnostics.note(&value.span, format_args!("this is {number}; it must be finite"));
                None
            }
            None => diagnostics.spend(expression.size(), &value.span).then_some(expression),
        },
        Err(mut error) => {
            if let ParseErrorKind::UnknownName { name, nearest, .. } = &mut error.kind
                && let Some(meant) = synonyms::meant(name, scope)
            {
                *nearest = Some(meant.to_owned());
            }
            diagnostics.note_in(text, 0, &error);
            None
        }
    }
}

/// Returns an error message if a name cannot be the name of a column. `is_taken` is `true` if a standard
/// column has this name.
fn unfit(name: &str, is_taken: bool) -> Option<String> {
    if name == T {
        return Some(format!("`{T}` is the first column of every table"));
    }
    if is_taken {
        return Some(format!(
            "the table already has a column `{name}`, which another key of `[output]` adds; use another name"
        ));
    }
    match check_name(name).err()? {
        TableErrorKind::NumericName { .. } => {
            Some(format!("`{name}` can be read as a number and cannot be the name of a column"))
        }
        _ => Some(
            "the name of a column must not begin or end with a blank, or contain a line break".to_owned(),
        ),
    }
}
