//! Reader of the rows of a trajectory file, one at a time.

use std::fmt;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use super::file;
use super::lines::NumberedLines;
use super::log::LogReader;
use super::rows_of_columns::RowsOfColumns;
use super::{Table, TableError, TableErrorKind};
use crate::ReadOptions;

/// Reader of a trajectory file, row by row.
///
/// Logs, `.csv`, `.jsonl`, `.ref`, `.dat` and `.txt` files, also with `.gz`, are read one row at a time, and
/// `.npz` and `.h5` files, which store one column after the other, in blocks of rows. The memory does not
/// depend on the number of rows. The checksums of an `.npz` file are compared after its last row. A `.json`
/// file is read as a whole when it is opened, because it can store the columns after the numbers.
///
/// ```
/// use siconos_io::trajectory::TableReader;
///
/// let mut reader = TableReader::from_csv("t,q\n0,1\n0.5,-2\n".as_bytes())?;
/// assert_eq!(reader.head().columns(), ["t", "q"]);
/// let mut lowest = f64::INFINITY;
/// while let Some(row) = reader.next_row()? {
///     lowest = lowest.min(row[1]);
/// }
/// assert_eq!((reader.rows(), lowest), (2, -2.0));
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
pub struct TableReader {
    path: Option<PathBuf>,
    head: Table,
    source: Source,
    rows: u64,
    /// Only the rows whose index is a multiple of this number are returned.
    stride: NonZeroU64,
    has_failed: bool,
    /// `true` if a log ends within a row.
    is_cut: bool,
}

/// Origin of the rows.
enum Source {
    Text {
        lines: Lines,
        format: LineFormat,
        /// Row read last. Before the first row is returned, it is the first row, if the head contains it.
        row: Table,
        /// Number of rows that the header of a reference file declares; 0 for the other formats.
        declared: usize,
    },
    Log(LogReader<Box<dyn Read>>),
    Columns(RowsOfColumns<'static>),
    Whole(Table),
}

type Lines = NumberedLines<Box<dyn Read>>;

/// Text format with one row per line.
#[derive(Clone, Copy)]
pub(super) enum LineFormat {
    Csv,
    JsonLines,
    Plain,
    Reference,
}

impl TableReader {
    /// Opens the file at `path`, in the format given by its extension, and reads its head.
    ///
    /// # Errors
    ///
    /// If the extension is unknown, the file cannot be read, or the reader of the format rejects the head of
    /// the file. For the formats that are read as a whole, as [`Table::read`]. The [`TableError`] states the
    /// path.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::open_with(path, ReadOptions::default())
    }

    /// Opens the file at `path` with options, see [`TableReader::open`].
    ///
    /// A program that does not store the rows can raise [`ReadOptions::largest_expansion`] to [`u64::MAX`],
    /// because the reader keeps only one row of a compressed text, or one block of rows of a `.npz` file.
    ///
    /// # Errors
    ///
    /// As [`TableReader::open`].
    pub fn open_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<Self, TableError> {
        let path = path.as_ref();
        let reader = file::open(path, options).map_err(|error| error.in_file(path))?;
        Ok(Self { path: Some(path.to_owned()), ..reader })
    }

    /// Reads the head of a text in the format of [`Table::from_csv`].
    ///
    /// # Errors
    ///
    /// If the head is missing or names the columns wrongly, or the reader fails.
    pub fn from_csv(reader: impl Read + 'static) -> Result<Self, TableError> {
        Self::from_lines(Box::new(reader), LineFormat::Csv)
    }

    /// Reads the head of a log, as [`LogReader::new`] does.
    ///
    /// # Errors
    ///
    /// As [`LogReader::new`].
    pub fn from_log(reader: impl Read + 'static) -> Result<Self, TableError> {
        let reader = LogReader::new(Box::new(reader) as Box<dyn Read>)?;
        Ok(Self::new(reader.head().clone(), Source::Log(reader)))
    }

    /// Reads the head of a text.
    pub(super) fn from_lines(reader: Box<dyn Read>, format: LineFormat) -> Result<Self, TableError> {
        let mut lines = NumberedLines::new(reader);
        let (row, declared) = match format {
            LineFormat::Csv => (Table::read_csv_head(&mut lines)?, 0),
            LineFormat::JsonLines => (Table::read_json_head(&mut lines)?, 0),
            LineFormat::Plain => (Table::read_plain_head(&mut lines)?, 0),
            LineFormat::Reference => Table::read_reference_head(&mut lines)?,
        };
        Ok(Self::new(row.without_rows(), Source::Text { lines, format, row, declared }))
    }

    /// Returns a reader of the rows of columns.
    pub(super) fn from_columns(head: Table, rows: RowsOfColumns<'static>) -> Self {
        Self::new(head, Source::Columns(rows))
    }

    fn new(head: Table, source: Source) -> Self {
        let stride = NonZeroU64::MIN;
        Self { path: None, head, source, rows: 0, stride, has_failed: false, is_cut: false }
    }

    /// Returns the columns and the provenance, as a table without rows.
    pub fn head(&self) -> &Table {
        &self.head
    }

    /// Removes the lines that state the origin of the numbers, so that [`write`](Self::write) does not write
    /// them.
    pub fn drop_provenance(&mut self) {
        self.head.provenance.clear();
    }

    /// Skips all rows except rows 0, `stride`, 2 `stride`, .. of the file, as [`Table::thinned`] does.
    #[must_use]
    pub fn thinned(self, stride: NonZeroU64) -> Self {
        Self { stride, ..self }
    }

    /// Returns the number of rows read so far, including skipped rows, which is the index of the next row.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns `true` if the file ends within a row, as after an interrupted run, or while a run is writing
    /// the file. It can be called after [`TableReader::next_row`] has returned an error or `None`.
    ///
    /// A line of text without a line break at its end counts as incomplete. If [`TableReader::next_row`] has
    /// returned such a line as a row, digits of its last number can be missing.
    pub fn ends_within_row(&self) -> bool {
        match &self.source {
            Source::Text { lines, .. } => !lines.is_whole(),
            Source::Log(_) | Source::Columns(_) | Source::Whole(_) => self.is_cut,
        }
    }

    /// Returns the next row, or `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If the row is damaged, incomplete or not a row of numbers. The [`TableError`] states the path, and the
    /// line or the index of the row. Every later call also returns an error. Also if the reader fails.
    pub fn next_row(&mut self) -> Result<Option<&[f64]>, TableError> {
        while !self.rows.is_multiple_of(self.stride.get()) {
            if self.next_row_of_file()?.is_none() {
                return Ok(None);
            }
        }
        self.next_row_of_file()
    }

    fn next_row_of_file(&mut self) -> Result<Option<&[f64]>, TableError> {
        let next = match &mut self.source {
            _ if self.has_failed => {
                let message = "an earlier row cannot be read; open the file again to read the rows before it";
                Err(TableErrorKind::Io(io::Error::other(message)).into())
            }
            Source::Text { lines, format, row, declared } => {
                next_line(lines, *format, *declared, row, self.rows)
            }
            Source::Log(reader) => reader.next_row(),
            Source::Columns(rows) => rows.next_row(),
            Source::Whole(table) => Ok(usize::try_from(self.rows).ok().and_then(|row| table.rows().nth(row))),
        };
        match next {
            Ok(row) => {
                self.rows += u64::from(row.is_some());
                Ok(row)
            }
            Err(error) => {
                self.has_failed = true;
                self.is_cut |= matches!(error.kind, TableErrorKind::IncompleteRow { .. });
                Err(match &self.path {
                    Some(path) => error.in_file(path),
                    None => error,
                })
            }
        }
    }

    /// Writes the remaining rows to the file at `path`, as [`Table::write`] does, and returns their number.
    /// An existing file is replaced when the new file is complete. If reading fails, it is not replaced.
    ///
    /// The memory does not depend on the number of rows. The formats `.ref`, `.npz` and `.h5` need a
    /// temporary file with the size of all rows, in the folder of the new file: a `.ref` file starts with the
    /// number of rows, and `.npz` and `.h5` files store one column after the other.
    ///
    /// # Errors
    ///
    /// As [`TableReader::next_row`] and [`Table::write`]. The [`TableError`] states the path of the file that
    /// cannot be read or written.
    pub fn write(self, path: impl AsRef<Path>) -> Result<u64, TableError> {
        file::write_rows(self, path.as_ref())
    }

    /// Returns a table of all remaining rows.
    ///
    /// # Errors
    ///
    /// As [`TableReader::next_row`].
    pub fn remaining(mut self) -> Result<Table, TableError> {
        if let (Source::Whole(table), 0, NonZeroU64::MIN) = (&mut self.source, self.rows, self.stride) {
            return Ok(std::mem::replace(table, self.head));
        }
        let mut table = self.head.clone();
        while let Some(row) = self.next_row()? {
            table.push_entries(row);
        }
        Ok(table)
    }
}

impl From<Table> for TableReader {
    /// Returns a reader of the rows of a table.
    fn from(table: Table) -> Self {
        Self::new(table.without_rows(), Source::Whole(table))
    }
}

/// Returns the row with index `number`. `row` is the row read last, or the first row if the head contains it.
fn next_line<'r>(
    lines: &mut Lines,
    format: LineFormat,
    declared: usize,
    row: &'r mut Table,
    number: u64,
) -> Result<Option<&'r [f64]>, TableError> {
    if number > 0 || row.is_empty() {
        row.clear();
        let is_there = match format {
            LineFormat::Csv => row.read_csv_row(lines),
            LineFormat::JsonLines => row.read_json_row(lines),
            LineFormat::Plain => row.read_plain_row(lines),
            LineFormat::Reference => {
                row.read_reference_row(lines, usize::try_from(number).unwrap_or(declared), declared)
            }
        }?;
        if !is_there {
            return Ok(None);
        }
    }
    Ok(Some(row.row(0)))
}

impl fmt::Debug for TableReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("TableReader");
        shown.field("path", &self.path).field("head", &self.head).field("rows", &self.rows);
        shown.finish_non_exhaustive()
    }
}
