//! Reader of the rows of a log, one at a time.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::head::{Head, read_head};
use super::row::{read_row, row_length};
use crate::trajectory::{Table, TableError, TableErrorKind};

/// Reader of a log, row by row. It needs memory for only one row, however large the file is.
///
/// A row is returned after its checksum has been verified. The first damaged or incomplete row gives an error
/// with its position, and no later row is read.
///
/// ```
/// use siconos_io::trajectory::log::LogReader;
/// use siconos_io::trajectory::{Table, TableErrorKind};
///
/// let mut table = Table::new(["t", "q"]);
/// table.push_row(&[0.0, 1.0])?;
/// table.push_row(&[0.1, 0.9])?;
/// let mut bytes = Vec::new();
/// table.to_log(&mut bytes)?;
///
/// // The file was cut within its last row.
/// let mut reader = LogReader::new(&bytes[..bytes.len() - 1])?;
/// assert_eq!(reader.head().columns(), ["t", "q"]);
/// assert_eq!(reader.next_row()?, Some(&[0.0, 1.0][..]));
/// let error = reader.next_row().expect_err("half a row");
/// assert!(matches!(error.kind, TableErrorKind::IncompleteRow { row: 1, .. }));
///
/// // All complete rows, and the error that follows them.
/// let (whole, error) = LogReader::new(&bytes[..bytes.len() - 1])?.whole_rows();
/// assert_eq!((whole.len(), error.is_some()), (1, true));
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
#[derive(Debug)]
pub struct LogReader<R> {
    reader: BufReader<R>,
    path: Option<PathBuf>,
    head: Table,
    checksum: u32,
    length_of_head: u64,
    rows: u64,
    has_failed: bool,
    /// Bytes of the row read last; `row` has its numbers.
    bytes: Vec<u8>,
    row: Vec<f64>,
}

impl LogReader<File> {
    /// Opens the log at `path` and reads its head.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or if [`LogReader::new`] returns an error. The [`TableError`] states the
    /// path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref();
        let open = || Self::new(File::open(path).map_err(TableErrorKind::Io)?);
        let reader = open().map_err(|error| error.in_file(path))?;
        Ok(Self { path: Some(path.to_owned()), ..reader })
    }
}

impl<R: Read> LogReader<R> {
    /// Reads the head of a log.
    ///
    /// # Errors
    ///
    /// If the data are not a log ([`TableErrorKind::NotALog`]), have a newer format
    /// ([`TableErrorKind::NewerFormat`]) or a damaged head ([`TableErrorKind::DamagedHead`]), if a [`Table`]
    /// does not allow the name of a column, or if the reader fails.
    pub fn new(reader: R) -> Result<Self, TableError> {
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let Head { table, checksum, length } = read_head(&mut reader)?;
        let columns = table.columns().len();
        Ok(Self {
            reader,
            path: None,
            head: table,
            checksum,
            length_of_head: length,
            rows: 0,
            has_failed: false,
            bytes: Vec::with_capacity(row_length(columns)),
            row: Vec::with_capacity(columns),
        })
    }

    /// Returns the columns and the provenance, as a table without rows.
    pub fn head(&self) -> &Table {
        &self.head
    }

    /// Returns the number of rows read so far, which is the index of the next row.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the position of the next row \[bytes from the start of the file\].
    pub fn byte(&self) -> u64 {
        let length = row_length(self.head.columns().len()) as u64;
        self.length_of_head.saturating_add(self.rows.saturating_mul(length))
    }

    /// Returns the next row, or `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the row is damaged or incomplete ([`TableErrorKind::DamagedRow`],
    /// [`TableErrorKind::IncompleteRow`], with the index of the row and the byte at which it starts). Every
    /// later call also returns an error. Also if the reader fails.
    pub fn next_row(&mut self) -> Result<Option<&[f64]>, TableError> {
        let length = row_length(self.head.columns().len());
        let (row, byte) = (self.rows, self.byte());
        if self.has_failed {
            return Err(self.error(TableErrorKind::DamagedRow { row, byte }));
        }
        self.bytes.clear();
        let read = self.reader.by_ref().take(length as u64).read_to_end(&mut self.bytes);
        let failure = match read.map_err(TableErrorKind::Io) {
            Ok(0) => return Ok(None),
            Ok(read) if read < length => TableErrorKind::IncompleteRow { row, byte },
            Ok(_) => match read_row(&self.bytes, self.checksum, row, &mut self.row) {
                Some(()) => {
                    self.rows += 1;
                    return Ok(Some(&self.row));
                }
                None => TableErrorKind::DamagedRow { row, byte },
            },
            Err(failure) => return Err(self.error(failure)),
        };
        self.has_failed = true;
        Err(self.error(failure))
    }

    /// Returns all remaining complete rows, and the error of the row that follows them, if there is one.
    pub fn whole_rows(mut self) -> (Table, Option<TableError>) {
        let mut table = self.head.clone();
        loop {
            match self.next_row() {
                Ok(Some(row)) => table.push_entries(row),
                Ok(None) => return (table, None),
                Err(error) => return (table, Some(error)),
            }
        }
    }

    /// Returns the checksum of the head, from which the checksum of each row is continued.
    pub(in crate::trajectory) fn checksum_of_head(&self) -> u32 {
        self.checksum
    }

    fn error(&self, kind: TableErrorKind) -> TableError {
        let error = TableError::from(kind);
        match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        }
    }
}
