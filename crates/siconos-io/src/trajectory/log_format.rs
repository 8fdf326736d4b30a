//! A table as a log, and back.

use std::io::{BufWriter, Read, Write};

use super::log::{LogReader, write_head, write_row};
use super::{Table, TableError, TableErrorKind};

impl Table {
    /// Reads a log, see [`log`](super::log) for its form.
    ///
    /// # Errors
    ///
    /// As [`LogReader::new`] and [`LogReader::next_row`]: nothing is read where a row is damaged or cut.
    /// [`LogReader::whole_rows`] has the rows before it.
    pub fn from_log(reader: impl Read) -> Result<Self, TableError> {
        match LogReader::new(reader)?.whole_rows() {
            (table, None) => Ok(table),
            (_, Some(error)) => Err(error),
        }
    }

    /// Writes a log, byte for byte as a [`TableWriter`](super::TableWriter) does.
    ///
    /// # Errors
    ///
    /// [`TableErrorKind::Io`] when the writer fails.
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
