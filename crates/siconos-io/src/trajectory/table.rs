//! Tables of named columns.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::{TableError, TableErrorKind, json_numbers};

/// Trajectory: named columns and rows of equal length, stored row by row.
///
/// The units of the columns can be stated with [`set_units`](Self::set_units). Two tables are equal if their
/// names, numbers and provenance are equal. A table that contains NaN is therefore not equal to any table,
/// including itself.
///
/// ```
/// use siconos_io::trajectory::Table;
///
/// let mut table = Table::new(["t", "q", "v"]);
/// for k in 0..1000 {
///     let t = 0.001 * f64::from(k);
///     table.push_row(&[t, 1.0 - 0.5 * 9.81 * t * t, -9.81 * t])?;
/// }
/// let lowest = table.column("q").expect("it was named above").fold(f64::INFINITY, f64::min);
/// assert!(lowest < -3.8);
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawTable")]
pub struct Table {
    columns: Vec<String>,
    /// Row-major, `len() * columns.len()` numbers.
    #[serde(serialize_with = "json_numbers::serialize")]
    data: Vec<f64>,
    /// Lines of text that state the origin of the numbers. Some formats do not store them, see the table of
    /// formats in [`trajectory`](super).
    pub provenance: Vec<String>,
}

impl Table {
    /// Creates an empty table with these columns.
    ///
    /// # Panics
    ///
    /// If no column is given, two columns have the same name, or a name is not allowed in a header line. A
    /// name is allowed if it is not empty, is not a number, does not start or end with white space, and does
    /// not contain a line break.
    #[track_caller]
    pub fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::with_capacity(columns, 0)
    }

    /// Creates an empty table with these columns and reserves memory for `rows` rows.
    ///
    /// # Panics
    ///
    /// In the same cases as [`Table::new`].
    #[track_caller]
    pub fn with_capacity(columns: impl IntoIterator<Item = impl Into<String>>, rows: usize) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        match Self::with_columns(columns) {
            Ok(mut table) => {
                table.data.reserve_exact(rows.saturating_mul(table.columns.len()));
                table
            }
            Err((_, kind)) => panic!("{kind}"),
        }
    }

    /// Creates an empty table. The error contains the index of the first invalid column name.
    pub(super) fn with_columns(columns: Vec<String>) -> Result<Self, (usize, TableErrorKind)> {
        check_columns(&columns)?;
        Ok(Self { columns, data: Vec::new(), provenance: Vec::new() })
    }

    /// Checks that these names are allowed for the columns of a table.
    ///
    /// # Errors
    ///
    /// If no column is given, two columns have the same name, or a name is not allowed in a header line, see
    /// [`Table::new`].
    pub fn check_columns(columns: &[String]) -> Result<(), TableError> {
        check_columns(columns).map_err(|(_, kind)| kind.into())
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// If the length of the row differs from the number of columns ([`TableErrorKind::ColumnCount`]); the
    /// table is then unchanged.
    pub fn push_row(&mut self, row: &[f64]) -> Result<(), TableError> {
        if row.len() != self.columns.len() {
            return Err(TableErrorKind::ColumnCount { expected: self.columns.len(), found: row.len() }.into());
        }
        self.data.extend_from_slice(row);
        Ok(())
    }

    /// Appends a number; the caller must complete the row.
    pub(super) fn push_entry(&mut self, value: f64) {
        self.data.push(value);
    }

    /// Appends the numbers of complete rows.
    pub(super) fn push_entries(&mut self, values: &[f64]) {
        self.data.extend_from_slice(values);
    }

    /// Appends rows, given as columns of equal length.
    pub(super) fn push_columns(&mut self, columns: &[Vec<f64>]) {
        let rows = columns.first().map_or(0, Vec::len);
        self.data.reserve_exact(rows.saturating_mul(columns.len()));
        for row in 0..rows {
            self.data.extend(columns.iter().map(|column| column[row]));
        }
    }

    /// Removes all rows without releasing their memory.
    pub(super) fn clear(&mut self) {
        self.data.clear();
    }

    /// Returns an empty table with the same columns and provenance.
    pub(super) fn without_rows(&self) -> Self {
        Self { columns: self.columns.clone(), data: Vec::new(), provenance: self.provenance.clone() }
    }

    /// Returns the names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.data.len() / self.columns.len()
    }

    /// Returns `true` if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns all rows, from first to last.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + DoubleEndedIterator {
        self.data.chunks_exact(self.columns.len())
    }

    /// Returns the row with index `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// If the table has fewer rows.
    #[track_caller]
    pub fn row(&self, index: usize) -> &[f64] {
        assert!(index < self.len(), "row {index} of a table of {} rows", self.len());
        let width = self.columns.len();
        &self.data[index * width..(index + 1) * width]
    }

    /// Returns the index of the column named `name`, counted from 0.
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Returns the numbers of the column named `name`, from the first row to the last.
    pub fn column<'a>(&'a self, name: &str) -> Option<impl ExactSizeIterator<Item = f64> + Clone + use<'a>> {
        let index = self.column_index(name)?;
        Some(self.data.chunks_exact(self.columns.len()).map(move |row| row[index]))
    }

    /// Returns a table of every `stride`-th row: rows 0, `stride`, 2 `stride`, .. with the same columns and
    /// provenance.
    pub fn thinned(&self, stride: NonZeroUsize) -> Self {
        let data = self.rows().step_by(stride.get()).flatten().copied().collect();
        Self { columns: self.columns.clone(), data, provenance: self.provenance.clone() }
    }

    /// Checks that the columns are exactly `expected`, in this order.
    ///
    /// # Errors
    ///
    /// If they differ ([`TableErrorKind::HeaderMismatch`], with both lists).
    pub fn require_columns(&self, expected: &[&str]) -> Result<(), TableError> {
        if self.columns.iter().map(String::as_str).eq(expected.iter().copied()) {
            return Ok(());
        }
        let expected = expected.iter().copied().map(str::to_owned).collect();
        Err(TableErrorKind::HeaderMismatch { expected, found: self.columns.clone() }.into())
    }

    /// Checks that the columns are equal to the columns of another table.
    pub(super) fn require_columns_of(&self, other: &Self) -> Result<(), TableError> {
        self.require_columns(&other.columns.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Table as stored in a file. Its names and lengths are not checked yet.
#[derive(Deserialize)]
struct RawTable {
    columns: Vec<String>,
    #[serde(deserialize_with = "json_numbers::deserialize")]
    data: Vec<f64>,
    #[serde(default)]
    provenance: Vec<String>,
}

impl TryFrom<RawTable> for Table {
    type Error = TableErrorKind;

    fn try_from(raw: RawTable) -> Result<Self, TableErrorKind> {
        let table = Self::with_columns(raw.columns).map_err(|(_, kind)| kind)?;
        let expected = table.columns.len();
        match raw.data.len() % expected {
            0 => Ok(Self { data: raw.data, provenance: raw.provenance, ..table }),
            found => Err(TableErrorKind::ColumnCount { expected, found }),
        }
    }
}

/// Checks the names of columns. The error contains the index of the first invalid name.
fn check_columns(columns: &[String]) -> Result<(), (usize, TableErrorKind)> {
    if columns.is_empty() {
        return Err((0, TableErrorKind::UnnamedColumn));
    }
    let mut before = BTreeSet::new();
    for (index, name) in columns.iter().enumerate() {
        check_name(name).map_err(|kind| (index, kind))?;
        if !before.insert(name) {
            return Err((index, TableErrorKind::DuplicateColumn { name: name.clone() }));
        }
    }
    Ok(())
}

/// Checks that a name is allowed for a column: it must be unchanged by a round trip through a header line,
/// and must not be a number.
pub(crate) fn check_name(name: &str) -> Result<(), TableErrorKind> {
    let named = || name.to_owned();
    if name.is_empty() {
        return Err(TableErrorKind::UnnamedColumn);
    }
    if name.trim() != name || name.contains(['\n', '\r']) {
        return Err(TableErrorKind::UntidyName { name: named() });
    }
    match name.parse::<f64>() {
        Ok(_) => Err(TableErrorKind::NumericName { name: named() }),
        Err(_) => Ok(()),
    }
}
