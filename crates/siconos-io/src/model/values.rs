//! Vectors and matrices whose entries are numbers or expressions.

use std::ops::Range;

use ndarray::Array2;
use siconos_expression::{Expression, Scope, parse_number};

use super::scopes::PARAMETERS;
use crate::document::{Faults, Node, Table, Value};

/// Expressions in rows and columns, row by row.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) entries: Vec<Expression>,
}

impl Grid {
    /// A column.
    pub(super) fn column(entries: Vec<Expression>) -> Self {
        Self { rows: entries.len(), columns: 1, entries }
    }

    /// All entries, row by row.
    pub(super) fn as_slice(&self) -> &[Expression] {
        &self.entries
    }

    /// Whether no entry reads anything but parameters.
    pub(super) fn is_constant(&self) -> bool {
        is_constant(&self.entries)
    }

    /// Its values for these of the parameters, where it reads nothing else.
    pub(super) fn values(&self, parameters: &[f64]) -> Option<Array2<f64>> {
        let values = self.is_constant().then(|| evaluated(&self.entries, parameters))?;
        Array2::from_shape_vec((self.rows, self.columns), values).ok()
    }
}

/// Whether expressions read nothing but parameters.
pub(super) fn is_constant(entries: &[Expression]) -> bool {
    entries.iter().all(|entry| entry.symbols().all(|symbol| symbol.bank == PARAMETERS))
}

/// The values of expressions that read nothing but parameters.
pub(super) fn evaluated(entries: &[Expression], parameters: &[f64]) -> Vec<f64> {
    entries.iter().map(|entry| entry.evaluate(&[&[], parameters])).collect()
}

/// A finite number, or an expression of the names of a scope.
pub(super) fn expression(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Expression> {
    match &value.node {
        Node::Number { value: number, .. } if number.is_finite() => number_as_expression(*number),
        Node::Number { value: number, .. } => {
            faults.note(&value.span, format_args!("this is {number}; it must be finite"));
            None
        }
        Node::Text(text) => match parse_number(&text.content, scope) {
            Ok(expression) => faults.count_operations(&value.span, expression.size()).then_some(expression),
            Err(error) => {
                faults.note_in(text, 0, &error);
                None
            }
        },
        _ => value.refused(faults, "a number or an expression"),
    }
}

/// A number reads the same from how Rust prints it.
pub(super) fn number_as_expression(number: f64) -> Option<Expression> {
    parse_number(&format!("{number:?}"), &Scope::new()).ok()
}

/// An array of numbers and expressions, or one alone, which is an array of one.
pub(super) fn vector(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Vec<Expression>> {
    let read: Vec<_> = match &value.node {
        Node::Array(values) => values.iter().map(|value| expression(value, scope, faults)).collect(),
        _ => vec![expression(value, scope, faults)],
    };
    read.into_iter().collect()
}

/// A vector of a size.
pub(super) fn sized(
    value: &Value<'_>,
    size: usize,
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Vec<Expression>> {
    let entries = vector(value, scope, faults)?;
    if entries.len() == size {
        return Some(entries);
    }
    let (found, s) = (entries.len(), if size == 1 { "" } else { "s" });
    faults.note(&value.span, format_args!("this has {found} entries; it must have {size} number{s}"));
    None
}

/// A matrix of a shape. Nothing is known of a number of rows or columns that is not given.
///
/// Written as an array of rows; as `{ diagonal = [..] }`; as a number alone, for one row and one column; or
/// sparse, as `{ rows = .., columns = .., entries = [[i, j, value], ..] }` with places from 0.
pub(super) fn matrix(
    value: &Value<'_>,
    shape: (Option<usize>, Option<usize>),
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Grid> {
    let grid = match &value.node {
        Node::Array(rows) => of_rows(rows, scope, faults)?,
        Node::Table(table) => of_table(table, &value.span, scope, faults)?,
        _ => Grid::column(vec![expression(value, scope, faults)?]),
    };
    let fits = |wanted: Option<usize>, found: usize| wanted.is_none_or(|wanted| wanted == found);
    if fits(shape.0, grid.rows) && fits(shape.1, grid.columns) {
        return Some(grid);
    }
    let shown = |size: Option<usize>| size.map_or_else(|| "any number".to_owned(), |size| size.to_string());
    let message = format!(
        "this matrix is {} x {}; it must be {} x {}",
        grid.rows,
        grid.columns,
        shown(shape.0),
        shown(shape.1)
    );
    faults.note(&value.span, message);
    None
}

/// Rows of one length.
fn of_rows(rows: &[Value<'_>], scope: &Scope, faults: &mut Faults<'_>) -> Option<Grid> {
    let mut columns = None;
    let mut entries = Some(Vec::new());
    for row in rows {
        let Node::Array(values) = &row.node else {
            return row.refused(faults, "a row of the matrix, an array");
        };
        let wanted = *columns.get_or_insert(values.len());
        if wanted != values.len() {
            let found = values.len();
            faults.note(&row.span, format_args!("this row has {found} entries, the first one {wanted}"));
            entries = None;
        }
        for value in values {
            let entry = expression(value, scope, faults);
            entries = entries.zip(entry).map(|(mut entries, entry)| {
                entries.push(entry);
                entries
            });
        }
    }
    Some(Grid { rows: rows.len(), columns: columns.unwrap_or_default(), entries: entries? })
}

fn of_table(table: &Table<'_>, span: &Range<usize>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Grid> {
    let zero = number_as_expression(0.0)?;
    if table.entries.iter().any(|entry| entry.key == "diagonal") {
        let [diagonal] = table.clone().fields(faults, ["diagonal"]);
        let diagonal = vector(&diagonal?, scope, faults)?;
        let size = diagonal.len();
        let mut entries = vec![zero; size * size];
        for (place, entry) in diagonal.into_iter().enumerate() {
            entries[place * (size + 1)] = entry;
        }
        return Some(Grid { rows: size, columns: size, entries });
    }
    let [rows, columns, listed] = table.clone().fields(faults, ["rows", "columns", "entries"]);
    let rows = faults.required(rows, "rows", span);
    let columns = faults.required(columns, "columns", span);
    let listed = faults.required(listed, "entries", span);
    let (rows, columns, listed) = (rows?.count(faults, 1)?, columns?.count(faults, 1)?, listed?);
    let Some(size) = rows.checked_mul(columns).filter(|size| *size <= MOST_ENTRIES) else {
        faults.note(span, format_args!("{rows} x {columns} is more than {MOST_ENTRIES} entries"));
        return None;
    };
    let Node::Array(listed) = &listed.node else { return listed.refused(faults, "an array of entries") };
    let mut entries = vec![zero; size];
    for value in listed {
        let Node::Array(parts) = &value.node else {
            return value.refused(faults, "an entry `[row, column, value]`");
        };
        let [row, column, entry] = &parts[..] else {
            faults.note(&value.span, "an entry is `[row, column, value]`");
            return None;
        };
        let (row, column) = (index(row, rows, faults)?, index(column, columns, faults)?);
        entries[row * columns + column] = expression(entry, scope, faults)?;
    }
    Some(Grid { rows, columns, entries })
}

/// So many entries of a matrix are kept one by one.
const MOST_ENTRIES: usize = 1_000_000;

/// A place, from 0, below a number of them.
fn index(value: &Value<'_>, count: usize, faults: &mut Faults<'_>) -> Option<usize> {
    let place = value.count(faults, 0)?;
    if place < count {
        return Some(place);
    }
    faults.note(&value.span, format_args!("this is {place}; places are from 0 to {}", count - 1));
    None
}
