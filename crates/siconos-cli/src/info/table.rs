//! Summary of a table: its number of rows, and the range of each column.

use std::path::Path;

use serde_json::{Value, json};
use siconos_io::trajectory::{ColumnSummary, TableSummary};

use crate::answer::{Answer, number};
use crate::tables;

/// Summarises a table row by row, so that the memory does not depend on the number of rows.
pub(super) fn info(path: &Path) -> Result<Answer, String> {
    let mut reader = tables::open(path).map_err(|error| error.to_string())?;
    let mut summary = TableSummary::new(reader.head().columns().len());
    let failure = loop {
        match reader.next_row() {
            Ok(Some(row)) => summary.push_row(row),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    let mut info = Answer::new("table");
    // A file that a run is writing usually ends within a row.
    info.remark = match (failure, reader.ends_within_row()) {
        (Some(error), false) => return Err(error.to_string()),
        (Some(error), true) => Some(format!("{error}; showing the complete rows")),
        (None, true) => {
            let message = "the last line has no line break, so digits of its last number can be missing";
            Some(format!("{}: {message}", path.display()))
        }
        (None, false) => None,
    };
    info.add("rows", summary.rows(), summary.rows());
    let columns = reader.head().columns().iter().zip(summary.columns());
    info.list("columns", columns.map(|(name, column)| in_words(name, *column)));
    let warnings: Vec<Value> = info.remark.iter().map(|remark| remark.as_str().into()).collect();
    info.add_for_programs("warnings", warnings);
    Ok(info)
}

/// Returns the summary of a column for people and for programs.
fn in_words(name: &str, column: ColumnSummary) -> (String, Value) {
    let ColumnSummary { first, last, minimum, maximum, nan, infinite } = column;
    let mut shown = match (minimum, maximum) {
        (Some(minimum), Some(maximum)) => format!("{name}: {minimum:?} .. {maximum:?}"),
        _ => format!("{name}: no numbers"),
    };
    if nan > 0 {
        shown += &format!(", {nan} NaN");
    }
    if infinite > 0 {
        shown += &format!(", {infinite} infinite");
    }
    let value = json!({
        "name": name,
        "first": first.map(number),
        "last": last.map(number),
        "minimum": minimum.map(number),
        "maximum": maximum.map(number),
        "nan": nan,
        "infinite": infinite,
    });
    (shown, value)
}
