//! Columns of an output table, given by expressions, and computation of its rows.

use siconos_expression::{Expression, Scope, Tape, parse_number};
use siconos_kernel::ModelError;

use super::scopes::T;
use super::values::expression;
use crate::document::{Diagnostics, Node, TreeEntry, Value};
use crate::snapshot::Recorded;
use crate::trajectory::{TableErrorKind, check_name};

/// Columns of a table; the first one is the time.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    columns: Vec<Column>,
    /// `true` if the file lists the columns.
    pub(super) are_given: bool,
}

#[derive(Clone, Debug)]
struct Column {
    value: Expression,
    /// `true` if the column is the sum of the expression over all instants so far.
    is_sum: bool,
}

impl Columns {
    /// Reads the table of columns. If the file has none, the columns are the values with the names in
    /// `usual`.
    pub(super) fn read(
        value: Option<Value<'_>>,
        usual: impl IntoIterator<Item = String>,
        scope: &Scope,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let mut read = Some(Self { names: Vec::new(), columns: Vec::new(), are_given: value.is_some() });
        let mut push = |name: String, column: Option<Column>| {
            read = read.take().zip(column).map(|(mut read, column)| {
                read.names.push(name);
                read.columns.push(column);
                read
            });
        };
        push(T.to_owned(), column_of(T, scope));
        let Some(value) = value else {
            usual.into_iter().for_each(|name| {
                let column = column_of(&name, scope);
                push(name, column);
            });
            return read;
        };
        for TreeEntry { key, key_span, value } in value.table(diagnostics)?.entries {
            if let Some(message) = unfit(&key) {
                diagnostics.note(&key_span, message);
            }
            let column = match &value.node {
                Node::Table(_) => sum(value, scope, diagnostics),
                _ => expression(&value, scope, diagnostics).map(|value| Column { value, is_sum: false }),
            };
            push(key.into_owned(), column);
        }
        read
    }

    /// Returns the table of columns for a model file. The column of the time is omitted.
    pub(super) fn written(&self) -> Value<'static> {
        let column = |(name, column): (&String, &Column)| {
            let value = Value::of_entry(&column.value.to_string());
            (name.clone(), if column.is_sum { Value::of_table([("sum", value)]) } else { value })
        };
        Value::of_table(self.names.iter().zip(&self.columns).skip(1).map(column))
    }

    /// Creates a [`RowMaker`] that skips rows before the time `from` \[s\] and keeps every `every`-th row
    /// after it.
    pub(super) fn rows(&self, from: f64, every: usize) -> RowMaker {
        let expressions: Vec<_> = self.columns.iter().map(|column| &column.value).collect();
        RowMaker {
            names: self.names.clone(),
            tape: Tape::compile(&expressions),
            is_sum: self.columns.iter().map(|column| column.is_sum).collect(),
            row: vec![0.0; self.columns.len()],
            recorded: Recorded { sums: vec![0.0; self.columns.len()], t: f64::NAN, ..Recorded::default() },
            from,
            every: every as u64,
        }
    }
}

/// Returns an error message if a name cannot be the name of a column.
fn unfit(name: &str) -> Option<String> {
    if name == T {
        return Some(format!("`{T}` is the first column of every table"));
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

/// Reads a column `{ sum = ".." }`, which sums an expression over all instants so far.
fn sum(value: Value<'_>, scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<Column> {
    let span = value.span.clone();
    let [sum] = value.table(diagnostics)?.fields(diagnostics, ["sum"]);
    let sum = diagnostics.required(sum, "sum", &span)?;
    let value = expression(&sum, scope, diagnostics)?;
    Some(Column { value, is_sum: true })
}

/// Returns the column that contains the value of a declared name.
fn column_of(name: &str, scope: &Scope) -> Option<Column> {
    let value = parse_number(name, scope).ok()?;
    Some(Column { value, is_sum: false })
}

/// Computation of rows, with the sums and the number of rows so far.
#[derive(Debug)]
pub(super) struct RowMaker {
    names: Vec<String>,
    pub(super) tape: Tape,
    is_sum: Vec<bool>,
    row: Vec<f64>,
    recorded: Recorded,
    /// Time of the first row \[s\]; earlier rows are skipped.
    from: f64,
    every: u64,
}

impl RowMaker {
    /// Returns the names of the columns; the first column is the time `t`.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the time of the last instant \[s\]; NaN before the first one.
    pub(super) fn last_time(&self) -> f64 {
        self.recorded.t
    }

    /// Returns the row just before an event. Its values are not added to the sums. Returns `None` if the row
    /// is earlier than `from` or skipped by `every`.
    pub(super) fn row_before(&mut self, t: f64, values: [&[f64]; 2]) -> Option<&[f64]> {
        if t < self.from {
            return None;
        }
        self.evaluate(t, values);
        for ((value, sum), is_sum) in self.row.iter_mut().zip(&self.recorded.sums).zip(&self.is_sum) {
            if *is_sum {
                *value = *sum;
            }
        }
        self.kept()
    }

    /// Ends an instant, which is the start, a step or an event. Adds the values of the instant to the sums
    /// and returns its row. Returns `None` if `is_written` is `false`, or if the row is earlier than `from`
    /// or skipped by `every`.
    pub(super) fn end_instant(&mut self, t: f64, values: [&[f64]; 2], is_written: bool) -> Option<&[f64]> {
        self.recorded.t = t;
        let is_read = is_written || self.has_sums();
        if t < self.from || !is_read {
            return None;
        }
        self.evaluate(t, values);
        for ((value, sum), is_sum) in self.row.iter_mut().zip(&mut self.recorded.sums).zip(&self.is_sum) {
            if *is_sum {
                *sum += *value;
                *value = *sum;
            }
        }
        if is_written { self.kept() } else { None }
    }

    fn evaluate(&mut self, t: f64, [parameters, values]: [&[f64]; 2]) {
        self.tape.evaluate(&[&[t], parameters, values], &mut self.row);
    }

    /// Counts the computed row. Returns the row unless it is skipped by `every`.
    fn kept(&mut self) -> Option<&[f64]> {
        let recorded = &mut self.recorded;
        let is_kept = recorded.candidates.is_multiple_of(self.every);
        // A modified snapshot can contain any counter, so the additions saturate.
        recorded.candidates = recorded.candidates.saturating_add(1);
        recorded.rows = recorded.rows.saturating_add(u64::from(is_kept));
        is_kept.then_some(&self.row)
    }

    /// Returns the progress of the outputs.
    pub(super) fn recorded(&self, is_begun: bool) -> Recorded {
        Recorded { is_begun, ..self.recorded.clone() }
    }

    /// Returns `true` if a column is a sum.
    pub(super) fn has_sums(&self) -> bool {
        self.is_sum.contains(&true)
    }

    /// Returns the number of rows so far.
    pub(super) fn count(&self) -> u64 {
        self.recorded.rows
    }

    /// Returns the row that was computed last.
    pub(super) fn last_row(&self) -> &[f64] {
        &self.row
    }

    /// Restores the recorded progress.
    pub(super) fn resume(&mut self, recorded: &Recorded) -> Result<(), ModelError> {
        if recorded.is_begun || !recorded.sums.is_empty() {
            let (recorded, found) = (recorded.sums.len(), self.row.len());
            if recorded != found {
                return Err(ModelError::RecordCountMismatch { what: "columns", recorded, found });
            }
        }
        recorded.check_rows(self.every)?;
        let sums = std::mem::take(&mut self.recorded.sums);
        self.recorded = recorded.clone();
        if self.recorded.sums.is_empty() {
            self.recorded.sums = sums;
            self.recorded.sums.fill(0.0);
        }
        Ok(())
    }
}
