//! Vectors and matrices given by a formula in terms of the indices: `{ size = 3, entry = "2 * i" }`, and
//! `{ rows = 3, columns = 3, entry = "if i == j then 2 else 0" }`. Indices start at 0.

use std::ops::Range;

use siconos_expression::{Expression, ParseError, Role, Scope, ScopeError, Tape, parse_number};

use super::entries::Grid;
use crate::document::{Diagnostics, Node, Table, Value, expression, number_as_expression};
use crate::model::registry::SIZE;
use crate::model::scopes::{name, symbol};

/// Key of the formula.
const ENTRY: &str = "entry";

/// Argument slot of the indices.
const PLACE: u32 = 5;

/// Name under which a formula is declared as a function of the indices.
const FORMULA: &str = "entry_of_this_formula";

/// Number of evaluated operations that count as one stored operation towards the limit for a file. A formula
/// that reads only the indices is evaluated when the file is read, so it need not be stored for each entry.
const EVALUATED: usize = 32;

/// Returns `true` if a table contains a formula.
pub(super) fn is_formula(table: &Table<'_>) -> bool {
    table.get(ENTRY).is_some()
}

/// Returns the number of entries of a vector, if its table determines it.
pub(super) fn length(table: &Table<'_>) -> Option<usize> {
    match table.get(SIZE).map(|size| &size.node) {
        Some(Node::Number { value, is_whole: true }) if *value >= 1.0 => Some(*value as usize),
        _ => None,
    }
}

/// Returns the number of entries of a table with a formula, and a description for messages.
pub(in crate::model) fn announced(table: &Table<'_>) -> Option<(usize, String)> {
    let count = |key: &str| match table.get(key)?.node {
        Node::Number { value, is_whole: true } if value >= 1.0 => Some(value as usize),
        _ => None,
    };
    table.get(ENTRY)?;
    let count = match (count(SIZE), count("rows").zip(count("columns"))) {
        (Some(size), _) => size,
        (None, shape) => shape.map(|(rows, columns)| rows.saturating_mul(columns))?,
    };
    Some((count, format!("{count} entries of a formula")))
}

/// Reads a vector of `{ size, entry }`. The formula reads the index as `i`.
pub(super) fn vector(
    table: &Table<'_>,
    span: &Range<usize>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let [size, entry] = table.clone().fields(diagnostics, [SIZE, ENTRY]);
    let size = diagnostics.required(size, SIZE, span).and_then(|size| size.count(diagnostics, 1));
    let places = (0..size?).map(|i| vec![i]);
    entries(&entry?, &["i"], size?, places, scope, diagnostics)
}

/// Reads a matrix of `{ rows, columns, entry }`. The formula reads the indices of row and column as `i` and
/// `j`.
pub(super) fn matrix(
    table: &Table<'_>,
    span: &Range<usize>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Grid> {
    let [rows, columns, entry] = table.clone().fields(diagnostics, ["rows", "columns", ENTRY]);
    let mut size =
        |value: Option<Value<'_>>, key| diagnostics.required(value, key, span)?.count(diagnostics, 1);
    let (rows, columns) = (size(rows, "rows"), size(columns, "columns"));
    let (rows, columns) = rows.zip(columns)?;
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| vec![i, j]));
    let entries = entries(&entry?, &["i", "j"], rows.saturating_mul(columns), places, scope, diagnostics)?;
    Some(Grid { rows, columns, entries })
}

fn entries(
    value: &Value<'_>,
    names: &[&str],
    count: usize,
    places: impl Iterator<Item = Vec<usize>>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<Expression>> {
    let Node::Text(text) = &value.node else {
        let one = expression(value, scope, diagnostics)?;
        return Some(vec![one; count]);
    };
    let formula = match of_places(&text.content, names, scope) {
        Ok(formula) => formula,
        Err(error) => {
            match error {
                Wrong::Name(error) => {
                    diagnostics
                        .note(&value.span, format_args!("{error}; a formula uses this name for an index"));
                }
                Wrong::Text(error) => diagnostics.note_in(text, 0, &error),
            }
            return None;
        }
    };
    let place_only = formula.symbols().all(|symbol| symbol.slot == PLACE);
    let weight = if place_only { EVALUATED } else { 1 };
    if !diagnostics.spend(formula.size().saturating_mul(count).div_ceil(weight), &value.span) {
        return None;
    }
    if !place_only {
        let inserted = inserted(&text.content, names, places, scope);
        if inserted.is_none() {
            diagnostics
                .note(&value.span, format_args!("a function of this file must not be called `{FORMULA}`"));
        }
        return inserted;
    }
    let tape = Tape::compile(&[&formula]);
    let entry = |place: Vec<usize>| {
        let at: Vec<_> = place.iter().map(|place| *place as f64).collect();
        let mut number = [0.0];
        tape.evaluate(&[&[], &[], &[], &[], &[], &at], &mut number);
        let [number] = number;
        if number.is_finite() {
            return number_as_expression(number);
        }
        let shown = place.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let at = if place.len() == 1 { "index" } else { "row and column" };
        diagnostics
            .note(&value.span, format_args!("the entry at {at} {shown} is {number}; it must be finite"));
        None
    };
    places.map(entry).collect()
}

/// Error of a formula.
enum Wrong {
    Name(ScopeError),
    Text(ParseError),
}

/// Parses a formula as a function of the indices.
fn of_places(text: &str, names: &[&str], scope: &Scope) -> Result<Expression, Wrong> {
    let mut scope = scope.clone();
    for (place, own) in names.iter().enumerate() {
        let meaning = name(symbol(PLACE, place), Role::Fixed("an index"));
        scope.declare(own, meaning).map_err(Wrong::Name)?;
    }
    parse_number(text, &scope).map_err(Wrong::Text)
}

/// Returns the entries of a formula that also reads other names, with the indices inserted as numbers.
fn inserted(
    text: &str,
    names: &[&str],
    places: impl Iterator<Item = Vec<usize>>,
    scope: &Scope,
) -> Option<Vec<Expression>> {
    let mut scope = scope.clone();
    // All other errors have been reported.
    scope.declare_function(FORMULA, names, text).ok()?;
    let entry = |place: Vec<usize>| {
        let numbers = place.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        parse_number(&format!("{FORMULA}({numbers})"), &scope).ok()
    };
    places.map(entry).collect()
}
