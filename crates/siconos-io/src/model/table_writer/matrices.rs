//! Writer of vectors and matrices. A matrix is written in full, as a diagonal, or as a sparse matrix,
//! whichever is shortest.

use siconos_linalg::Matrix;

use crate::document::{Node, Value};
use crate::model::values::MOST_ENTRIES;

/// Writes a vector. A single entry is written without an array.
pub(in crate::model) fn vector(mut entries: Vec<Value<'static>>) -> Value<'static> {
    match entries.len() {
        1 => entries.remove(0),
        _ => Value::of_array(entries),
    }
}

/// Writes a matrix whose entries are given row by row.
pub(in crate::model) fn matrix(
    (rows, columns): (usize, usize),
    mut entries: Vec<Value<'static>>,
) -> Value<'static> {
    if (rows, columns) == (1, 1) {
        return vector(entries);
    }
    let off_diagonal = |place: usize| place / columns != place % columns;
    // A reader limits the number of entries of a matrix that is not written in full.
    let may_be_short = rows.saturating_mul(columns) <= MOST_ENTRIES;
    if may_be_short
        && rows == columns
        && entries.iter().enumerate().all(|(place, entry)| !off_diagonal(place) || is_zero(entry))
    {
        let own = entries.into_iter().enumerate().filter(|(place, _)| !off_diagonal(*place));
        return diagonal(own.map(|(_, entry)| entry));
    }
    let nonzeros = entries.iter().filter(|entry| !is_zero(entry)).count();
    // Each entry of a sparse matrix is written with two indices.
    if may_be_short && rows * columns > SMALL && 4 * nonzeros < rows * columns {
        let own = entries.into_iter().enumerate().filter(|(_, entry)| !is_zero(entry));
        return listed((rows, columns), own.map(|(place, entry)| (place / columns, place % columns, entry)));
    }
    let rows = (0..rows).map(|_| Value::of_array(entries.drain(..columns).collect::<Vec<_>>()));
    Value::of_array(rows.collect::<Vec<_>>())
}

/// Writes a matrix as rows, as a diagonal, or as stored entries, so that a reader creates the same storage
/// format.
pub(in crate::model) fn stored(own: &Matrix) -> Value<'static> {
    match own {
        Matrix::Dense(own) if own.len() == 1 => vector(own.iter().copied().map(Value::of_number).collect()),
        Matrix::Dense(own) => Value::of_array(
            own.rows().into_iter().map(|row| Value::of_array(row.iter().copied().map(Value::of_number))),
        ),
        Matrix::Diagonal(own) => diagonal(own.iter().copied().map(Value::of_number)),
        own => {
            let own = own.view();
            let mut entries = Vec::new();
            own.for_each_entry(|row, column, value| entries.push((row, column, Value::of_number(value))));
            listed((own.rows(), own.columns()), entries)
        }
    }
}

fn diagonal(entries: impl IntoIterator<Item = Value<'static>>) -> Value<'static> {
    Value::of_table([("diagonal", Value::of_array(entries))])
}

fn listed(
    (rows, columns): (usize, usize),
    entries: impl IntoIterator<Item = (usize, usize, Value<'static>)>,
) -> Value<'static> {
    let entry =
        |(row, column, value)| Value::of_array([Value::of_count(row), Value::of_count(column), value]);
    Value::of_table([
        ("rows", Value::of_count(rows)),
        ("columns", Value::of_count(columns)),
        ("entries", Value::of_array(entries.into_iter().map(entry))),
    ])
}

/// A matrix with at most this many entries is never written as a sparse matrix.
const SMALL: usize = 16;

/// Returns `true` if a value is +0, which is the value of omitted entries. -0 must be written.
fn is_zero(value: &Value<'_>) -> bool {
    matches!(value.node, Node::Number { value, .. } if value.to_bits() == 0)
}

#[cfg(test)]
mod tests {
    use super::matrix;
    use crate::document::{Node, Value};

    fn numbers(entries: &[f64]) -> Vec<Value<'static>> {
        entries.iter().map(|entry| Value::of_number(*entry)).collect()
    }

    #[test]
    fn the_shortest_form_is_taken() {
        let is_table = |value: Value<'_>| matches!(value.node, Node::Table(_));
        assert!(is_table(matrix((2, 2), numbers(&[1.0, 0.0, 0.0, 2.0]))), "diagonal");
        assert!(!is_table(matrix((2, 2), numbers(&[1.0, -0.0, 0.0, 2.0]))), "-0 is no zero");
        let mut sparse = vec![0.0; 30];
        sparse[7] = 3.0;
        assert!(is_table(matrix((5, 6), numbers(&sparse))), "sparse");
        assert!(!is_table(matrix((2, 3), numbers(&sparse[..6]))), "small");
    }
}
