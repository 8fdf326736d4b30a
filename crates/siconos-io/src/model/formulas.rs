//! Vectors and matrices by a formula of the place: `{ size = 3, entry = "2 * i" }`, and
//! `{ rows = 3, columns = 3, entry = "if i == j then 2 else 0" }`, with places from 0.

use std::ops::Range;

use siconos_expression::{Expression, FunctionDefinition, FunctionErrorKind, Scope, parse_number};

use super::registered::SIZE;
use super::values::{Grid, expression, number_as_expression};
use crate::document::{Faults, Node, Table, Value};

/// The key of the formula.
const ENTRY: &str = "entry";

/// What a formula is called while it is inserted place by place.
const FORMULA: &str = "entry_of_this_formula";

/// Whether a table has a formula.
pub(super) fn is_formula(table: &Table<'_>) -> bool {
    table.get(ENTRY).is_some()
}

/// How many entries a vector has by its table, as far as that can be seen.
pub(super) fn length(table: &Table<'_>) -> Option<usize> {
    match table.get(SIZE).map(|size| &size.node) {
        Some(Node::Number { value, is_whole: true }) if *value >= 1.0 => Some(*value as usize),
        _ => None,
    }
}

/// How many entries a table of a formula has, and that in words.
pub(super) fn announced(table: &Table<'_>) -> Option<(usize, String)> {
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

/// A vector of `{ size, entry }`; the formula reads the place as `i`.
pub(super) fn vector(
    table: &Table<'_>,
    span: &Range<usize>,
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Vec<Expression>> {
    let [size, entry] = table.clone().fields(faults, [SIZE, ENTRY]);
    let size = faults.required(size, SIZE, span).and_then(|size| size.count(faults, 1));
    let places = (0..size?).map(|i| vec![i]);
    entries(&entry?, &["i"], (size?, places), scope, faults)
}

/// A matrix of `{ rows, columns, entry }`; the formula reads row and column as `i` and `j`.
pub(super) fn matrix(
    table: &Table<'_>,
    span: &Range<usize>,
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Grid> {
    let [rows, columns, entry] = table.clone().fields(faults, ["rows", "columns", ENTRY]);
    let mut size = |value: Option<Value<'_>>, key| faults.required(value, key, span)?.count(faults, 1);
    let (rows, columns) = (size(rows, "rows"), size(columns, "columns"));
    let (rows, columns) = rows.zip(columns)?;
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| vec![i, j]));
    let entries = entries(&entry?, &["i", "j"], (rows.saturating_mul(columns), places), scope, faults)?;
    Some(Grid { rows, columns, entries })
}

fn entries(
    value: &Value<'_>,
    names: &[&str],
    (count, places): (usize, impl Iterator<Item = Vec<usize>>),
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Vec<Expression>> {
    let Node::Text(text) = &value.node else {
        let one = expression(value, scope, faults)?;
        return Some(vec![one; count]);
    };
    let mut scope = scope.clone();
    let definition = FunctionDefinition::new(FORMULA, names.iter().copied(), &*text.content);
    if let Err(errors) = scope.declare_functions(&[definition]) {
        for error in errors.0 {
            match error.kind {
                FunctionErrorKind::Text(error) => faults.note_in(text, 0, &error),
                FunctionErrorKind::Argument { error, .. } => {
                    faults.note(&value.span, format_args!("{error}; a formula calls its places so"));
                }
                other => faults.note(&value.span, other),
            }
        }
        return None;
    }
    let entry = |place: Vec<usize>| {
        let numbers = place.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let inserted = match parse_number(&format!("{FORMULA}({numbers})"), &scope) {
            Ok(inserted) => inserted,
            Err(error) => {
                faults.note_in(text, 0, &error);
                return None;
            }
        };
        match inserted.constant() {
            None => faults.spend(inserted.size(), &value.span).then_some(inserted),
            Some(number) if number.is_finite() => number_as_expression(number),
            Some(number) => {
                let at = if place.len() == 1 { "place" } else { "row and column" };
                let message = format!("the entry of {at} {numbers} is {number}; it must be finite");
                faults.note(&value.span, message);
                None
            }
        }
    };
    places.map(entry).collect()
}
