//! Conversion of tables to logs and back.

use std::io::{BufWriter, Read, Write};

use super::log::{LogReader, write_head, write_row};
use super::{Table, TableError, TableErrorKind};

impl Table {
    /// Reads a log; the format is described in [`log`](super::log).
    ///
    /// # Errors
    ///
    /// If a row is damaged or incomplete, or if [`LogReader::new`] or [`LogReader::next_row`] returns another
    /// error. Use [`LogReader::whole_rows`] to read the rows before the error.
    pub fn from_log(reader: impl Read) -> Result<Self, TableError> {
        match LogReader::new(reader)?.whole_rows() {
            (table, None) => Ok(table),
            (_, Some(error)) => Err(error),
        }
    }

    /// Writes a log. The bytes are the same as those written by a [`TableWriter`](super::TableWriter).
    ///
    /// # Errors
    ///
    /// If the writer fails ([`TableErrorKind::Io`]).
    pub fn to_log(&self, writer: impl Write) -> Result<(), TableError> {
        let mut writer = BufWriter::new(writer);
        let mut write = || {
            let head = write_head(&mut writer, self)?;
            let mut bytes = Vec::new();
            for (number, row) in (0..).zip(self.rows()) {
                bytes.clear();
                write_row(&mut bytes, head, number, row);
                writer.write_all(&bytes)?;
            }
            writer.flush()
        };
        write().map_err(|source| TableErrorKind::Io(source).into())
    }
}
