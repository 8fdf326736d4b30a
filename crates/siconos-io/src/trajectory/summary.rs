//! Summary of a trajectory: its number of rows, and the range of each column.

use super::Table;

/// Summary of the rows of a trajectory. It is updated row by row, and its size does not depend on the number
/// of rows.
///
/// ```
/// use siconos_io::trajectory::{TableReader, TableSummary};
///
/// let mut reader = TableReader::from_csv("t,q\n0,1\n0.5,nan\n1,-inf\n".as_bytes())?;
/// let mut summary = TableSummary::new(reader.head().columns().len());
/// while let Some(row) = reader.next_row()? {
///     summary.push_row(row);
/// }
/// let q = summary.columns()[1];
/// assert_eq!(summary.rows(), 3);
/// assert_eq!((q.minimum, q.maximum), (Some(f64::NEG_INFINITY), Some(1.0)));
/// assert_eq!((q.nan, q.infinite), (1, 1));
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TableSummary {
    rows: u64,
    columns: Vec<ColumnSummary>,
}

/// Summary of one column. Values have the unit of the column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnSummary {
    /// Value in the first row, which can be NaN; `None` if there are no rows.
    pub first: Option<f64>,
    /// Value in the last row, which can be NaN; `None` if there are no rows.
    pub last: Option<f64>,
    /// Minimum of all values except NaN; `None` if there is no other value. It can be infinite.
    pub minimum: Option<f64>,
    /// Maximum of all values except NaN; `None` if there is no other value. It can be infinite.
    pub maximum: Option<f64>,
    /// Number of values that are NaN.
    pub nan: u64,
    /// Number of values that are infinite, of either sign.
    pub infinite: u64,
}

impl TableSummary {
    /// Creates the summary of a table with `columns` columns and no rows.
    pub fn new(columns: usize) -> Self {
        Self { rows: 0, columns: vec![ColumnSummary::default(); columns] }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the length of the row differs from the number of columns.
    #[track_caller]
    pub fn push_row(&mut self, row: &[f64]) {
        let (expected, found) = (self.columns.len(), row.len());
        assert_eq!(expected, found, "a row of {found} values for {expected} columns");
        self.rows += 1;
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(*value);
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the summaries of the columns, in order.
    pub fn columns(&self) -> &[ColumnSummary] {
        &self.columns
    }
}

impl From<&Table> for TableSummary {
    fn from(table: &Table) -> Self {
        let mut summary = Self::new(table.columns().len());
        table.rows().for_each(|row| summary.push_row(row));
        summary
    }
}

impl ColumnSummary {
    fn push(&mut self, value: f64) {
        self.first = self.first.or(Some(value));
        self.last = Some(value);
        if value.is_nan() {
            self.nan += 1;
            return;
        }
        self.infinite += u64::from(value.is_infinite());
        // In the total order, -0 is less than 0, so that the result does not depend on the order of the rows.
        if self.minimum.is_none_or(|minimum| value.total_cmp(&minimum).is_lt()) {
            self.minimum = Some(value);
        }
        if self.maximum.is_none_or(|maximum| value.total_cmp(&maximum).is_gt()) {
            self.maximum = Some(value);
        }
    }
}
