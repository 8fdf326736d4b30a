//! Plain text of the reference trajectories of Siconos: a line `rows cols`, then one row per line.

use std::io::{self, BufWriter, Read, Write};

use super::csv_format::write_row;
use super::lines::NumberedLines;
use super::{Table, TableError, TableErrorKind};

/// Maximum number of columns of a table without rows. In such a table, no row confirms the number of columns
/// in the header.
const MOST_WITHOUT_ROWS: usize = 1 << 16;

impl Table {
    /// Reads a reference trajectory. The columns are named `c0`, `c1`, ..
    ///
    /// Blank lines after the last row are ignored.
    ///
    /// # Errors
    ///
    /// If the first line is not `rows cols`, there are fewer or more rows than it states, a line has the
    /// wrong length, a field is not a number, or the reader fails. The [`TableError`] states the line and the
    /// field.
    pub fn from_reference(reader: impl Read) -> Result<Self, TableError> {
        let mut lines = NumberedLines::new(reader);
        let (mut table, rows) = Self::read_reference_head(&mut lines)?;
        while table.read_reference_row(&mut lines, table.len(), rows)? {}
        Ok(table)
    }

    /// Reads the header and the first row, if there is one. Returns the table and the declared number of
    /// rows.
    pub(super) fn read_reference_head(
        lines: &mut NumberedLines<impl Read>,
    ) -> Result<(Self, usize), TableError> {
        let Some(header) = lines.next()? else {
            let expected = "the header line `rows cols`".to_owned();
            return Err(TableError::at(1, TableErrorKind::Truncated { expected }));
        };
        match parse_header(&header) {
            Some((rows @ 1.., cols)) => {
                let text = next_reference_line(lines, 0, rows)?;
                let found = text.split_whitespace().count();
                // The number of columns is checked before memory is allocated, because a header can declare
                // any number.
                if found != cols {
                    let kind = TableErrorKind::ColumnCount { expected: cols, found };
                    return Err(TableError::at(lines.line(), kind));
                }
                let mut table = unnamed(cols);
                table.push_fields(lines.line(), text.split_whitespace(), found)?;
                Ok((table, rows))
            }
            Some((0, cols)) if cols <= MOST_WITHOUT_ROWS => Ok((unnamed(cols), 0)),
            _ => Err(TableError::at(1, TableErrorKind::MalformedHeader { found: header })),
        }
    }

    /// Appends the row with index `row` of `rows` rows; returns `false` after the last row, if no text
    /// follows it.
    pub(super) fn read_reference_row(
        &mut self,
        lines: &mut NumberedLines<impl Read>,
        row: usize,
        rows: usize,
    ) -> Result<bool, TableError> {
        if row == rows {
            return match lines.next_filled()? {
                None => Ok(false),
                Some(found) => {
                    Err(TableError::at(lines.line(), TableErrorKind::TrailingText { rows, found }))
                }
            };
        }
        let text = next_reference_line(lines, row, rows)?;
        self.push_fields(lines.line(), text.split_whitespace(), text.split_whitespace().count())?;
        Ok(true)
    }

    /// Writes a reference trajectory. The names of the columns and the provenance are not written.
    ///
    /// # Errors
    ///
    /// If the writer fails ([`TableErrorKind::Io`]).
    pub fn to_reference(&self, writer: impl Write) -> Result<(), TableError> {
        self.write_reference(&mut BufWriter::new(writer)).map_err(|source| TableErrorKind::Io(source).into())
    }

    fn write_reference(&self, writer: &mut dyn Write) -> io::Result<()> {
        write_reference_head(writer, self.len() as u64, self.columns().len())?;
        for row in self.rows() {
            write_row(writer, row, " ")?;
        }
        writer.flush()
    }
}

/// Writes the line with the number of rows and the number of columns.
pub(super) fn write_reference_head(writer: &mut dyn Write, rows: u64, columns: usize) -> io::Result<()> {
    writeln!(writer, "{rows} {columns}")
}

/// Returns the line of the row with index `row` of `rows` rows.
fn next_reference_line(
    lines: &mut NumberedLines<impl Read>,
    row: usize,
    rows: usize,
) -> Result<String, TableError> {
    lines.next()?.ok_or_else(|| {
        let expected = format!("{} more of {rows} rows", rows - row);
        TableError::at(lines.line() + 1, TableErrorKind::Truncated { expected })
    })
}

fn unnamed(columns: usize) -> Table {
    Table::new((0..columns).map(|index| format!("c{index}")))
}

/// Returns the numbers in a header `rows cols`, with at least one column.
fn parse_header(line: &str) -> Option<(usize, usize)> {
    let mut tokens = line.split_whitespace();
    let rows = tokens.next()?.parse().ok()?;
    let cols = tokens.next()?.parse().ok().filter(|&cols| cols > 0)?;
    tokens.next().is_none().then_some((rows, cols))
}
