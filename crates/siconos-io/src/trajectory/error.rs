//! What can be wrong with a table or its file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::text_file;

/// An error in a table, with the place where it was found.
///
/// It prints as `FILE:LINE:COLUMN: what is wrong`, without the parts that are not known, so that an editor or
/// a terminal can jump to the place.
#[derive(Debug)]
pub struct TableError {
    /// The file; `None` when the table came from memory or from a stream.
    pub path: Option<PathBuf>,
    /// Line in the (uncompressed) text, from 1.
    pub line: Option<u64>,
    /// Field within the line, from 1.
    pub column: Option<usize>,
    /// What is wrong there.
    pub kind: TableErrorKind,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The text ends before the table does.
    #[error("the file is truncated: {expected} expected, found the end of the file")]
    Truncated {
        /// What should have come next.
        expected: String,
    },
    /// A line holds too few or too many numbers.
    #[error("wrong number of columns: {expected} expected, found {found}")]
    ColumnCount {
        /// Number of columns of the table.
        expected: usize,
        /// Number of fields on the line (or of numbers in a pushed row).
        found: usize,
    },
    /// A field is not a number.
    #[error("not a number: {token:?}; a decimal number, `nan`, `inf` or `-inf` expected")]
    NotANumber {
        /// The field as it stands in the file.
        token: String,
    },
    /// A number is too large for a double.
    #[error("{token} is too large for a double; write `inf` if it is meant to be infinite")]
    TooLarge {
        /// The field as it stands in the file.
        token: String,
    },
    /// The first line of a reference file is not `rows cols`.
    #[error("not a header: {found:?}; the number of rows and the number of columns expected, as in `2001 5`")]
    MalformedHeader {
        /// The line as it stands in the file.
        found: String,
    },
    /// The columns are not those that were asked for.
    #[error("the columns are [{}], but [{}] are expected", found.join(", "), expected.join(", "))]
    HeaderMismatch {
        /// The columns that were asked for, in order.
        expected: Vec<String>,
        /// The columns of the table.
        found: Vec<String>,
    },
    /// A column has no name, or there is no column.
    #[error("a column has no name; at least one column is needed, and every column needs a name")]
    UnnamedColumn,
    /// A column is named by a number: most likely the header line is missing.
    #[error("a column is named {name:?}, which is a number; a header line with names expected")]
    NumericName {
        /// The name.
        name: String,
    },
    /// A name that would not survive a header line.
    #[error("the column name {name:?} has white space at its ends or a line break in it")]
    UntidyName {
        /// The name.
        name: String,
    },
    /// Two columns share a name.
    #[error("two columns are named {name:?}; names must differ")]
    DuplicateColumn {
        /// The name that occurs twice.
        name: String,
    },
    /// There is text after the last row that the header announced.
    #[error("the header announces {rows} rows, but there is more: {found:?}")]
    TrailingText {
        /// Number of rows announced.
        rows: usize,
        /// The first line too many.
        found: String,
    },
    /// The end of the file name says nothing about the format.
    #[error(
        "unknown file extension; use .csv, .json, .jsonl, .ref, .dat or .txt, each also with .gz behind, or .slog, .npz, {}",
        if cfg!(feature = "hdf5") { ".h5" } else { "(.h5 is there with the feature `hdf5`)" }
    )]
    UnknownExtension,
    /// Rows cannot be appended to files of this kind.
    #[error("rows cannot be appended to such a file; use .csv, .jsonl or .slog, and convert it at the end")]
    NotAppendable,
    /// There is a file of this name, and nobody said that it may go.
    #[error("there is a file of this name already")]
    Exists,
    /// Another program, or another writer of this one, has the file open to write to it.
    #[error("another run is writing to the file")]
    InUse,
    /// A file is to go on from a row that it does not have.
    #[error("it is to go on from row {asked}, but has {found} whole rows")]
    TooFewRows {
        /// How many rows the file should have.
        asked: u64,
        /// How many whole ones there are.
        found: u64,
    },
    /// A line is no JSON object of numbers with the right names.
    #[error("not a row: {message}; {}", r#"an object as in `{"t": 0.0, "q": 1.5}` expected"#)]
    NotARow {
        /// What is wrong with it.
        message: String,
    },
    /// The file is no log.
    #[error("not a log: the file does not begin with the mark of one")]
    NotALog,
    /// The file is in a newer form of the format.
    #[error("the log is of format {found}; this version reads up to format {known}")]
    NewerFormat {
        /// The number in the file.
        found: u32,
        /// The highest number that is known here.
        known: u32,
    },
    /// The head of a log is damaged or cut, so that nothing behind it can be read.
    #[error("the head of the log is damaged: {what}")]
    DamagedHead {
        /// What is wrong with it.
        what: String,
    },
    /// A row of a log does not fit its checksum.
    #[error("row {row}, which begins at byte {byte}, is damaged; the {row} rows before it are whole")]
    DamagedRow {
        /// The row, from 0, and so the number of whole rows before it.
        row: u64,
        /// Where it begins, from 0.
        byte: u64,
    },
    /// A log ends within a row.
    #[error(
        "the file ends within row {row}, which begins at byte {byte}; the {row} rows before it are whole"
    )]
    IncompleteRow {
        /// The row, from 0, and so the number of whole rows before it.
        row: u64,
        /// Where it begins, from 0.
        byte: u64,
    },
    /// A file of arrays (`.npz`) is damaged, or holds something else.
    #[error("{}{what}", if entry.is_empty() { String::new() } else { format!("`{entry}`: ") })]
    Npz {
        /// The array; empty for the file as a whole.
        entry: String,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// An HDF5 file is damaged, holds something else, or cannot be written.
    #[error("{message}")]
    Hdf5 {
        /// What is wrong, with the dataset.
        message: String,
    },
    /// The text in a gzip file is longer than it may be.
    #[error(
        "the gzip file holds more than {limit} bytes of text; unpack it, or allow for more in the `ReadOptions`"
    )]
    ExpandsTooFar {
        /// How many it may be.
        limit: u64,
    },
    /// The file or the stream cannot be read or written.
    #[error("cannot read or write: {0}")]
    Io(#[source] io::Error),
}

impl TableError {
    pub(super) fn at(line: u64, kind: TableErrorKind) -> Self {
        Self { path: None, line: Some(line), column: None, kind }
    }

    pub(super) fn at_field(line: u64, column: usize, kind: TableErrorKind) -> Self {
        Self { path: None, line: Some(line), column: Some(column), kind }
    }

    /// An error while reading: a stream that ends early (a cut gzip file) is a truncated file, not a failing
    /// disk.
    pub(super) fn reading(line: u64, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::UnexpectedEof {
            return Self::at(line, TableErrorKind::Truncated { expected: "more compressed data".to_owned() });
        }
        match text_file::met_limit(&source) {
            Some(limit) => Self::at(line, TableErrorKind::ExpandsTooFar { limit }),
            None => Self::at(line, TableErrorKind::Io(source)),
        }
    }

    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }
}

impl From<TableErrorKind> for TableError {
    fn from(kind: TableErrorKind) -> Self {
        Self { path: None, line: None, column: None, kind }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.line) {
            (Some(path), _) => write!(f, "{}", path.display())?,
            (None, Some(_)) => f.write_str("line ")?,
            (None, None) => {}
        }
        if let Some(line) = self.line {
            let colon = if self.path.is_some() { ":" } else { "" };
            write!(f, "{colon}{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        if self.path.is_some() || self.line.is_some() {
            f.write_str(": ")?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            TableErrorKind::Io(source) => Some(source),
            _ => None,
        }
    }
}
