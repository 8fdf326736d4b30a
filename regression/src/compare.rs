//! Comparison of two tables within tolerances.

use std::ops::Range;

use serde::Serialize;
use siconos_io::trajectory::Table;

use crate::manifest::Column;

/// Tolerance `|a - b| <= absolute + relative * max(|a|, |b|)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Tolerance {
    pub(crate) absolute: f64,
    pub(crate) relative: f64,
}

impl Tolerance {
    /// Returns the allowed difference of two numbers. The relative part is ignored for an infinity, because
    /// it would allow any difference.
    pub(crate) fn allowed(self, a: f64, b: f64) -> f64 {
        let size = a.abs().max(b.abs());
        self.absolute + if size.is_finite() { self.relative * size } else { 0.0 }
    }
}

/// Returns the difference of two numbers; infinities of the same sign have the difference 0.
pub(crate) fn difference(a: f64, b: f64) -> f64 {
    if a == b { 0.0 } else { (a - b).abs() }
}

/// Result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Comparison {
    /// Compared rows.
    pub(crate) rows: Range<usize>,
    pub(crate) columns: Vec<ColumnOutcome>,
    /// First row with a difference above its tolerance, with the worst column of this row.
    pub(crate) first_offence: Option<Offence>,
}

/// Result of a comparison of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ColumnOutcome {
    pub(crate) name: String,
    pub(crate) reference_column: String,
    pub(crate) tolerance: Tolerance,
    pub(crate) reason: String,
    pub(crate) max_difference: f64,
    /// First row with the largest difference, and the allowed difference in it.
    pub(crate) row: usize,
    pub(crate) allowed: f64,
    /// Largest ratio of a difference to the allowed difference; at most 1 in a column that passes.
    pub(crate) max_ratio: f64,
}

/// Number whose difference exceeds the tolerance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Offence {
    pub(crate) row: usize,
    /// Value of the column `t` of the result in this row, if there is one.
    pub(crate) time: Option<f64>,
    pub(crate) column: String,
    pub(crate) value: f64,
    pub(crate) reference: f64,
    pub(crate) difference: f64,
    pub(crate) allowed: f64,
}

/// One of the two tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Result,
    Reference,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Result => "result",
            Self::Reference => "reference",
        })
    }
}

/// Reason why two tables cannot be compared number by number.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Incomparable {
    #[error("the result has {result} rows, but the reference has {reference}")]
    RowCount { result: usize, reference: usize },
    #[error("rows {} to {} are to be compared, but there are only {available}", rows.start, rows.end)]
    Rows { rows: Range<usize>, available: usize },
    #[error("both tables are empty, so the comparison proves nothing")]
    NoRow,
    #[error("the {side} has no column {column:?}; it has {}", available.join(", "))]
    NoColumn { side: Side, column: String, available: Vec<String> },
    #[error("the {side} is not a number in row {row}, column {column:?}")]
    NotANumber { side: Side, row: usize, column: String },
}

/// Compares `result` with `reference` in `columns` and `rows` (`None` for all rows).
///
/// The tables are incomparable if there is a NaN anywhere in the result, or in a compared column of the
/// reference.
pub(crate) fn compare(
    result: &Table,
    reference: &Table,
    columns: &[Column],
    rows: Option<Range<usize>>,
) -> Result<Comparison, Incomparable> {
    if result.len() != reference.len() {
        return Err(Incomparable::RowCount { result: result.len(), reference: reference.len() });
    }
    let rows = rows.unwrap_or(0..result.len());
    if rows.end > result.len() {
        return Err(Incomparable::Rows { rows, available: result.len() });
    }
    if rows.is_empty() {
        return Err(Incomparable::NoRow);
    }
    for name in result.columns() {
        let values = column_of(result, Side::Result, name)?;
        refuse_nan(&values, Side::Result, name)?;
    }

    let time: Option<Vec<f64>> = result.column("t").map(Iterator::collect);
    let mut outcomes = Vec::with_capacity(columns.len());
    let mut first_offence: Option<(Offence, f64)> = None;
    for column in columns {
        let values = column_of(result, Side::Result, &column.name)?;
        let references = column_of(reference, Side::Reference, &column.reference_column)?;
        refuse_nan(&references, Side::Reference, &column.reference_column)?;

        let mut outcome = ColumnOutcome {
            name: column.name.clone(),
            reference_column: column.reference_column.clone(),
            tolerance: column.tolerance,
            reason: column.reason.clone(),
            max_difference: -1.0,
            row: rows.start,
            allowed: column.tolerance.absolute,
            max_ratio: 0.0,
        };
        for row in rows.clone() {
            let (value, reference) = (values[row], references[row]);
            let difference = difference(value, reference);
            let allowed = column.tolerance.allowed(value, reference);
            if difference > outcome.max_difference {
                (outcome.max_difference, outcome.row, outcome.allowed) = (difference, row, allowed);
            }
            let ratio = if difference == 0.0 { 0.0 } else { difference / allowed };
            outcome.max_ratio = outcome.max_ratio.max(ratio);

            let comes_first = first_offence
                .as_ref()
                .is_none_or(|(first, worst)| row < first.row || (row == first.row && ratio > *worst));
            if difference > allowed && comes_first {
                let time = time.as_ref().map(|time| time[row]);
                let column = column.name.clone();
                let offence = Offence { row, time, column, value, reference, difference, allowed };
                first_offence = Some((offence, ratio));
            }
        }
        outcome.max_difference = outcome.max_difference.max(0.0);
        outcomes.push(outcome);
    }
    Ok(Comparison { rows, columns: outcomes, first_offence: first_offence.map(|(offence, _)| offence) })
}

fn column_of(table: &Table, side: Side, name: &str) -> Result<Vec<f64>, Incomparable> {
    table.column(name).map(Iterator::collect).ok_or_else(|| Incomparable::NoColumn {
        side,
        column: name.to_owned(),
        available: table.columns().to_vec(),
    })
}

fn refuse_nan(values: &[f64], side: Side, name: &str) -> Result<(), Incomparable> {
    match values.iter().position(|value| value.is_nan()) {
        None => Ok(()),
        Some(row) => Err(Incomparable::NotANumber { side, row, column: name.to_owned() }),
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
