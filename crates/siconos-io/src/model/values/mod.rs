//! Vectors and matrices whose entries are numbers or expressions.

mod entries;
pub(super) mod formulas;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ndarray::{Array1, Array2};
use siconos_expression::{Expression, Scope};
use siconos_linalg::{Csc, Matrix};

use super::registry::FUNCTION;
use crate::document::{Diagnostics, Node, Table, Value};
pub(super) use crate::document::{expression, number_as_expression};
pub(super) use entries::{Grid, evaluated, is_constant};

/// Reads a vector. A single number or expression is a vector with one entry.
pub(super) fn vector(
    value: &Value<'_>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let read: Vec<_> = match &value.node {
        Node::Array(values) => {
            values.iter().map(|entry| expression(of_column(entry, value), scope, diagnostics)).collect()
        }
        Node::Table(table) if formulas::is_formula(table) => {
            return formulas::vector(table, &value.span, scope, diagnostics);
        }
        _ => vec![expression(value, scope, diagnostics)],
    };
    read.into_iter().collect()
}

/// An array file with one number in each row can be read as a vector. If `entry` is a row of this kind,
/// returns its number, otherwise `entry`. All values from the array file have the location of `whole`.
pub(super) fn of_column<'v, 's>(entry: &'v Value<'s>, whole: &Value<'s>) -> &'v Value<'s> {
    match &entry.node {
        Node::Array(row) if entry.span == whole.span && row.len() == 1 => &row[0],
        _ => entry,
    }
}

/// Reads a vector. If `size` is given, it is an error if the vector has a different length.
pub(super) fn sized(
    value: &Value<'_>,
    size: impl Into<Option<usize>>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let entries = vector(value, scope, diagnostics);
    let found = length(value)?;
    match size.into() {
        Some(size) if size != found => {
            let s = |count: usize| if count == 1 { "" } else { "s" };
            let message = format!("this has {found} number{}; it must have {size}", s(found));
            diagnostics.note(&value.span, message);
            None
        }
        _ => entries,
    }
}

/// Reads an axis: three numbers that are not all 0.
pub(super) fn direction(
    value: &Value<'_>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let axis = sized(value, 3, scope, diagnostics)?;
    if axis.iter().all(|entry| entry.constant() == Some(0.0)) {
        diagnostics.note(&value.span, "this axis must have a nonzero length");
        return None;
    }
    Some(axis)
}

/// Returns the length of a vector in a file, or `None` if the value is not a vector.
pub(super) fn length(value: &Value<'_>) -> Option<usize> {
    match &value.node {
        Node::Array(values) => Some(values.len()),
        Node::Number { .. } | Node::Text(_) => Some(1),
        Node::Table(table) if formulas::is_formula(table) => formulas::length(table),
        _ => None,
    }
}

/// Returns the number of rows of a matrix in a file, if the value determines it.
pub(super) fn row_count(value: &Value<'_>) -> Option<usize> {
    let Node::Table(table) = &value.node else { return length(value) };
    match (table.get("diagonal"), table.get("rows").map(|rows| &rows.node)) {
        (Some(diagonal), _) => length(diagonal),
        (None, Some(Node::Number { value, is_whole: true })) if *value >= 1.0 => Some(*value as usize),
        _ => None,
    }
}

/// Matrix in the storage format that the file gives: dense, diagonal or sparse. The kernel keeps this format.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) rows: usize,
    columns: usize,
    storage: Storage,
    /// Stored entries.
    entries: Vec<Expression>,
}

/// Storage format of a matrix in a file.
#[derive(Clone, Debug)]
enum Storage {
    /// All entries, row by row.
    Rows,
    Diagonal,
    /// Entries with these indices; all others are 0.
    Listed(Vec<(usize, usize)>),
}

impl Stored {
    /// Returns the matrix for these parameters, or `None` if an entry reads a name that is not a parameter.
    pub(super) fn values(&self, parameters: &[f64]) -> Option<Matrix> {
        let values = is_constant(&self.entries).then(|| evaluated(&self.entries, parameters))?;
        let (rows, columns) = (self.rows, self.columns);
        match &self.storage {
            Storage::Rows => Array2::from_shape_vec((rows, columns), values).ok().map(Matrix::from),
            Storage::Diagonal => Some(Array1::from(values).into()),
            Storage::Listed(places) => {
                let entries = places.iter().zip(values).map(|(&(row, column), value)| (row, column, value));
                Csc::from_triplets(rows, columns, entries).ok().map(Matrix::from)
            }
        }
    }

    /// Returns the nonzero entries with their rows and columns, or `None` if an entry depends on more than
    /// parameters or the matrix is not symmetric as written.
    pub(super) fn symmetric_entries(&self) -> Option<Vec<(usize, usize, &Expression)>> {
        let place = |index: usize| match &self.storage {
            Storage::Rows => (index / self.columns, index % self.columns),
            Storage::Diagonal => (index, index),
            Storage::Listed(places) => places[index],
        };
        let entries = self.entries.iter().enumerate().map(|(index, entry)| (place(index), entry));
        let entries: BTreeMap<_, _> = entries.filter(|(_, entry)| entry.constant() != Some(0.0)).collect();
        let has_twin = |((row, column), entry): (&(usize, usize), &&Expression)| {
            entries.get(&(*column, *row)).is_some_and(|twin| twin == entry)
        };
        let is_symmetric = is_constant(&self.entries) && entries.iter().all(has_twin);
        is_symmetric.then(|| entries.into_iter().map(|((row, column), entry)| (row, column, entry)).collect())
    }
}

/// Matrix as written in a file.
#[derive(Clone, Debug)]
struct Written {
    rows: usize,
    columns: usize,
    storage: Storage,
    /// `None` if an entry has an error.
    entries: Option<Vec<Expression>>,
}

impl Written {
    /// Returns the dense matrix. Reports an error and returns `None` if it has too many entries.
    fn in_full(self, span: &Range<usize>, diagnostics: &mut Diagnostics<'_>) -> Option<Self> {
        let Self { rows, columns, storage, entries } = self;
        let places = match storage {
            Storage::Rows => return Some(Self { rows, columns, storage, entries }),
            Storage::Diagonal => (0..rows).map(|place| (place, place)).collect(),
            Storage::Listed(places) => places,
        };
        let mut all = zeros((rows, columns), span, diagnostics)?;
        let entries = entries.map(|entries| {
            for ((row, column), entry) in places.into_iter().zip(entries) {
                all[row * columns + column] = entry;
            }
            all
        });
        Some(Self { rows, columns, storage: Storage::Rows, entries })
    }
}

/// Reads a matrix of the given shape. An unknown number of rows or columns is `None`.
///
/// The matrix is written as an array of rows; as `{ diagonal = [..] }`; as a single number, for one row and
/// one column; by a formula, `{ rows = .., columns = .., entry = "i + j" }`; or as a sparse matrix,
/// `{ rows = .., columns = .., entries = [[i, j, value], ..] }`. Indices start at 0.
pub(super) fn matrix(
    value: &Value<'_>,
    shape: (Option<usize>, Option<usize>),
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Grid> {
    let written = as_written(value, scope, diagnostics)?.in_full(&value.span, diagnostics)?;
    let Written { rows, columns, entries, .. } = of_shape(written, shape, &value.span, diagnostics)?;
    Some(Grid { rows, columns, entries: entries? })
}

/// Reads a matrix like [`matrix`], but keeps the storage format that the file gives.
pub(super) fn stored(
    value: &Value<'_>,
    shape: (Option<usize>, Option<usize>),
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Stored> {
    let written = as_written(value, scope, diagnostics)?;
    let Written { rows, columns, storage, entries } = of_shape(written, shape, &value.span, diagnostics)?;
    if matches!(storage, Storage::Listed(_)) && !diagnostics.announce(rows.max(columns), MOST_ENTRIES) {
        note_too_many((rows, columns), &value.span, diagnostics);
        return None;
    }
    Some(Stored { rows, columns, storage, entries: entries? })
}

fn as_written(value: &Value<'_>, scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<Written> {
    match &value.node {
        Node::Array(rows) => of_rows(rows, scope, diagnostics),
        Node::Table(table) if formulas::is_formula(table) => {
            let Grid { rows, columns, entries } = formulas::matrix(table, &value.span, scope, diagnostics)?;
            Some(Written { rows, columns, storage: Storage::Rows, entries: Some(entries) })
        }
        Node::Table(table) => of_table(table, &value.span, scope, diagnostics),
        _ => {
            let entry = expression(value, scope, diagnostics);
            length(value)?;
            let entries = entry.map(|entry| vec![entry]);
            Some(Written { rows: 1, columns: 1, storage: Storage::Rows, entries })
        }
    }
}

fn of_shape(
    written: Written,
    shape: (Option<usize>, Option<usize>),
    span: &Range<usize>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Written> {
    let (rows, columns) = (written.rows, written.columns);
    let fits = |wanted: Option<usize>, found: usize| wanted.is_none_or(|wanted| wanted == found);
    if fits(shape.0, rows) && fits(shape.1, columns) {
        return Some(written);
    }
    let shown = |size: Option<usize>| size.map_or_else(|| "any number".to_owned(), |size| size.to_string());
    let (wanted_rows, wanted_columns) = (shown(shape.0), shown(shape.1));
    let message = format!("this matrix is {rows} x {columns}; it must be {wanted_rows} x {wanted_columns}");
    diagnostics.note(span, message);
    None
}

/// Reads rows of equal length.
fn of_rows(rows: &[Value<'_>], scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<Written> {
    let mut columns = None;
    let (mut entries, mut is_matrix) = (Some(Vec::new()), true);
    for row in rows {
        let Node::Array(values) = &row.node else {
            let _none: Option<()> = row.refused(diagnostics, "a row of the matrix, an array");
            is_matrix = false;
            continue;
        };
        let wanted = *columns.get_or_insert(values.len());
        if wanted != values.len() {
            let found = values.len();
            let entries = if found == 1 { "entry" } else { "entries" };
            diagnostics.note(
                &row.span,
                format_args!("this row has {found} {entries}, but the first row has {wanted}"),
            );
            is_matrix = false;
        }
        for value in values {
            let entry = expression(value, scope, diagnostics);
            entries = pushed(entries, entry);
        }
    }
    let (rows, columns) = (rows.len(), columns.unwrap_or_default());
    is_matrix.then_some(Written { rows, columns, storage: Storage::Rows, entries })
}

/// Appends an entry to a list. Returns `None` if this entry or a previous one has an error.
fn pushed(entries: Option<Vec<Expression>>, entry: Option<Expression>) -> Option<Vec<Expression>> {
    let (mut entries, entry) = entries.zip(entry)?;
    entries.push(entry);
    Some(entries)
}

fn of_table(
    table: &Table<'_>,
    span: &Range<usize>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Written> {
    if table.get(FUNCTION).is_some() {
        diagnostics.note(span, "a function of the program is not allowed here: the kernel requires numbers");
        return None;
    }
    if table.get("diagonal").is_some() {
        let [diagonal] = table.clone().fields(diagnostics, ["diagonal"]);
        let diagonal = diagonal?;
        let (entries, size) = (vector(&diagonal, scope, diagnostics), length(&diagonal)?);
        return Some(Written { rows: size, columns: size, storage: Storage::Diagonal, entries });
    }
    let [rows, columns, listed] = table.clone().fields(diagnostics, ["rows", "columns", "entries"]);
    let mut size =
        |value: Option<Value<'_>>, key| diagnostics.required(value, key, span)?.count(diagnostics, 1);
    let (rows, columns) = (size(rows, "rows"), size(columns, "columns"));
    let listed = diagnostics.required(listed, "entries", span)?;
    let Node::Array(listed) = &listed.node else { return listed.refused(diagnostics, "an array of entries") };
    let read: Vec<_> = listed.iter().map(|value| entry(value, (rows, columns), scope, diagnostics)).collect();
    let (rows, columns) = (rows?, columns?);
    let mut known = BTreeSet::new();
    let (mut places, mut entries) = (Vec::new(), Some(Vec::new()));
    for (value, read) in listed.iter().zip(read) {
        let Some((row, column, entry)) = read else {
            entries = None;
            continue;
        };
        if !known.insert((row, column)) {
            diagnostics
                .note(&value.span, format_args!("the entry in row {row}, column {column} appears twice"));
        }
        places.push((row, column));
        entries = pushed(entries, Some(entry));
    }
    Some(Written { rows, columns, storage: Storage::Listed(places), entries })
}

/// Reads an entry `[row, column, value]`.
fn entry(
    value: &Value<'_>,
    (rows, columns): (Option<usize>, Option<usize>),
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(usize, usize, Expression)> {
    let Node::Array(parts) = &value.node else {
        return value.refused(diagnostics, "an entry `[row, column, value]`");
    };
    let [row, column, entry] = &parts[..] else {
        let found = parts.len();
        diagnostics.note(
            &value.span,
            format_args!("an entry must be `[row, column, value]`; this has {found} parts"),
        );
        return None;
    };
    let (row, column) = (index(row, rows, diagnostics), index(column, columns, diagnostics));
    let entry = expression(entry, scope, diagnostics);
    Some((row?, column?, entry?))
}

/// Returns a matrix of zeros.
fn zeros(
    (rows, columns): (usize, usize),
    span: &Range<usize>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let zero = number_as_expression(0.0)?;
    let size = rows.saturating_mul(columns);
    if diagnostics.announce(size, MOST_ENTRIES) {
        return Some(vec![zero; size]);
    }
    note_too_many((rows, columns), span, diagnostics);
    None
}

fn note_too_many((rows, columns): (usize, usize), span: &Range<usize>, diagnostics: &mut Diagnostics<'_>) {
    let message = format!(
        "{rows} x {columns} entries are too many; the matrices of a file that are not written row by row may have \
         {MOST_ENTRIES} entries in total"
    );
    diagnostics.note(span, message);
}

/// Reads a size that the file gives without listing the entries. Reports an error if the sum of these sizes
/// exceeds [`MOST_ENTRIES`].
pub(super) fn announced(value: &Value<'_>, least: usize, diagnostics: &mut Diagnostics<'_>) -> Option<usize> {
    let size = value.count(diagnostics, least)?;
    if diagnostics.announce(size, MOST_ENTRIES) {
        return Some(size);
    }
    let message = format!(
        "{size} entries are too many; the arrays of a file that are not written out may have {MOST_ENTRIES} entries in total"
    );
    diagnostics.note(&value.span, message);
    None
}

/// Maximum total number of entries that a file can define without listing them. The limit is needed because
/// all of these entries are stored.
pub(super) const MOST_ENTRIES: usize = 1_000_000;

/// Reads an index that starts at 0. If `count` is known, the index must be less than `count`.
fn index(value: &Value<'_>, count: Option<usize>, diagnostics: &mut Diagnostics<'_>) -> Option<usize> {
    let place = value.count(diagnostics, 0)?;
    match count {
        Some(count) if place >= count => {
            diagnostics
                .note(&value.span, format_args!("this is {place}; indices are from 0 to {}", count - 1));
            None
        }
        _ => Some(place),
    }
}
