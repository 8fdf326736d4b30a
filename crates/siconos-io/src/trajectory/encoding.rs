//! Conversion of rows to the bytes of a file, and the byte positions at which rows end.

use std::fs::File;
use std::io;

use super::csv_format::{write_provenance, write_row as write_csv_row};
use super::json_lines::{json_keys, write_json_row};
use super::json_numbers::Spelt;
use super::lines::NumberedLines;
use super::log::{LogReader, write_head as write_log_head, write_row as write_log_row};
use super::{Table, TableError, TableErrorKind};

/// File formats that support appending rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Appendable {
    Csv,
    JsonLines,
    Log,
}

/// Conversion of rows to bytes.
#[derive(Debug)]
pub(super) enum Encoding {
    Csv,
    JsonLines {
        keys: Vec<String>,
    },
    Plain,
    /// One JSON object with all numbers in one array.
    Json,
    Log {
        /// Checksum of the head.
        head: u32,
    },
}

impl Encoding {
    /// Appends the head of the file to `bytes`.
    pub(super) fn begin(format: Appendable, head: &Table, bytes: &mut Vec<u8>) -> io::Result<Self> {
        Ok(match format {
            Appendable::Csv => {
                head.write_csv_head(bytes)?;
                Self::Csv
            }
            Appendable::JsonLines => Self::JsonLines { keys: json_keys(head.columns())? },
            Appendable::Log => Self::Log { head: write_log_head(bytes, head)? },
        })
    }

    /// Appends the comments of a plain file.
    pub(super) fn begin_plain(head: &Table, bytes: &mut Vec<u8>) -> io::Result<Self> {
        write_provenance(bytes, &head.provenance)?;
        Ok(Self::Plain)
    }

    /// Appends the start of a JSON object, up to the first number.
    pub(super) fn begin_json(head: &Table, bytes: &mut Vec<u8>) -> io::Result<Self> {
        bytes.extend(b"{\"columns\":");
        serde_json::to_writer(&mut *bytes, head.columns())?;
        bytes.extend(b",\"data\":[");
        Ok(Self::Json)
    }

    /// Reads the first `rows` rows of a file, at least one, and returns the byte position at which they end.
    pub(super) fn resume(
        format: Appendable,
        file: &File,
        head: &Table,
        rows: u64,
    ) -> Result<(Self, u64), TableError> {
        match format {
            Appendable::Csv => {
                let mut lines = NumberedLines::new(file);
                let found = Table::read_csv_head(&mut lines)?;
                found.require_columns_of(head)?;
                let end = end_of_lines(lines, found, rows, Table::read_csv_row)?;
                Ok((Self::Csv, end))
            }
            Appendable::JsonLines => {
                let lines = NumberedLines::new(file);
                let end = end_of_lines(lines, head.clone(), rows, Table::read_json_row)?;
                let keys = json_keys(head.columns()).map_err(TableErrorKind::Io)?;
                Ok((Self::JsonLines { keys }, end))
            }
            Appendable::Log => {
                let mut reader = LogReader::new(file)?;
                reader.head().require_columns_of(head)?;
                while reader.rows() < rows {
                    if reader.next_row()?.is_none() {
                        return Err(TableErrorKind::TooFewRows { asked: rows, found: reader.rows() }.into());
                    }
                }
                Ok((Self::Log { head: reader.checksum_of_head() }, reader.byte()))
            }
        }
    }

    /// Appends `row`, the row with the index `number`, to `bytes`.
    pub(super) fn write_row(&self, bytes: &mut Vec<u8>, number: u64, row: &[f64]) -> io::Result<()> {
        match self {
            Self::Csv => write_csv_row(bytes, row, ","),
            Self::JsonLines { keys } => write_json_row(bytes, keys, row),
            Self::Plain => write_csv_row(bytes, row, " "),
            Self::Json => {
                for (index, value) in row.iter().enumerate() {
                    if number > 0 || index > 0 {
                        bytes.push(b',');
                    }
                    serde_json::to_writer(&mut *bytes, &Spelt(*value))?;
                }
                Ok(())
            }
            Self::Log { head } => {
                write_log_row(bytes, *head, number, row);
                Ok(())
            }
        }
    }

    /// Appends the end of the file, after the last row.
    pub(super) fn end(&self, head: &Table, bytes: &mut Vec<u8>) -> io::Result<()> {
        if let Self::Json = self {
            bytes.extend(b"],\"provenance\":");
            serde_json::to_writer(&mut *bytes, &head.provenance)?;
            bytes.extend(b"}\n");
        }
        Ok(())
    }
}

/// Returns the byte position at which the first `rows` rows of a text file end. `read` appends one row to the
/// table, which is cleared before each row.
fn end_of_lines<'f>(
    mut lines: NumberedLines<&'f File>,
    mut row: Table,
    rows: u64,
    read: impl Fn(&mut Table, &mut NumberedLines<&'f File>) -> Result<bool, TableError>,
) -> Result<u64, TableError> {
    for found in 0..rows {
        row.clear();
        let is_there = read(&mut row, &mut lines);
        // If the last line has no line end, it may be incomplete.
        if !lines.is_whole() || matches!(is_there, Ok(false)) {
            return Err(TableErrorKind::TooFewRows { asked: rows, found }.into());
        }
        is_there?;
    }
    Ok(lines.byte())
}
