//! Errors of tables and their files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::text_file;

/// Error in a table, with its location in the file.
///
/// It is displayed as `FILE:LINE:COLUMN: message`, so that an editor or a terminal can open the location.
/// Unknown items are omitted.
#[derive(Debug)]
pub struct TableError {
    /// Path of the file; `None` if the table came from memory or from a stream.
    pub path: Option<PathBuf>,
    /// Line in the (uncompressed) text, counted from 1.
    pub line: Option<u64>,
    /// Index of the field in its line, counted from 1.
    pub column: Option<usize>,
    /// Kind of the error.
    pub kind: TableErrorKind,
}

/// Returns what would be right instead of a field that is not a number.
fn expected_number(token: &str) -> &'static str {
    if token.contains(';') {
        "separate columns by commas instead of semicolons, and write decimals with a point"
    } else {
        "expected a decimal number, `nan`, `inf` or `-inf`"
    }
}

/// Kind of an error of a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The text ends before the table is complete.
    #[error("the file is truncated: expected {expected}, found the end of the file")]
    Truncated {
        /// Text that is expected next.
        expected: String,
    },
    /// A line is too long for a row. Most likely the file is not text, or it has no line breaks.
    #[error("the line has more than {limit} bytes; expected one row per line")]
    LongLine {
        /// Maximum length \[bytes\].
        limit: usize,
    },
    /// A line has too few or too many fields.
    #[error("wrong number of columns: expected {expected}, found {found}")]
    ColumnCount {
        /// Number of columns of the table.
        expected: usize,
        /// Number of fields on the line, or of values in an appended row.
        found: usize,
    },
    /// A field is not a number.
    #[error("not a number: {token:?}; {}", expected_number(token))]
    NotANumber {
        /// Field as written in the file.
        token: String,
    },
    /// A number is too large for a double.
    #[error("{token} is too large for a double; write `inf` if it is meant to be infinite")]
    TooLarge {
        /// Field as written in the file.
        token: String,
    },
    /// The first line of a reference file is not `rows cols`.
    #[error("not a header: {found:?}; expected the number of rows and the number of columns, as in `2001 5`")]
    MalformedHeader {
        /// Line as written in the file.
        found: String,
    },
    /// The columns of the table differ from the required columns.
    #[error("the columns are [{}]; expected [{}]", found.join(", "), expected.join(", "))]
    HeaderMismatch {
        /// Required columns, in order.
        expected: Vec<String>,
        /// Columns of the table.
        found: Vec<String>,
    },
    /// A column name is empty, or a table has no columns.
    #[error("a column has no name; at least one column is required, and every column must have a name")]
    UnnamedColumn,
    /// The name of a column is a number. Most likely the header line is missing.
    #[error("a column is named {name:?}, which is a number; expected a header line with names")]
    NumericName {
        /// The name.
        name: String,
    },
    /// A column name would change if it were written to a header line and read back.
    #[error("the column name {name:?} has white space at its ends or a line break in it")]
    UntidyName {
        /// The name.
        name: String,
    },
    /// Two columns have the same name.
    #[error("two columns are named {name:?}; names must differ")]
    DuplicateColumn {
        /// The name that occurs twice.
        name: String,
    },
    /// The file has more rows than the header declares.
    #[error("the header declares {rows} rows, but more text follows: {found:?}")]
    TrailingText {
        /// Declared number of rows.
        rows: usize,
        /// First line after the declared rows.
        found: String,
    },
    /// The extension of the file name does not belong to a known format.
    #[error(
        "unknown file extension; use .csv, .json, .jsonl, .ref, .dat or .txt, each also with the suffix .gz, or .slog, .npz, {}",
        if cfg!(feature = "hdf5") { ".h5" } else { "(.h5 requires the feature `hdf5`)" }
    )]
    UnknownExtension,
    /// Rows cannot be appended to files of this format.
    #[error(
        "rows cannot be appended to a file of this format; use .csv, .jsonl or .slog, and convert it at the end"
    )]
    NotAppendable,
    /// The file exists, and replacing it was not requested.
    #[error("the file already exists")]
    Exists,
    /// Another program, or another writer of this program, has the file open for writing.
    #[error("another run is writing to the file")]
    InUse,
    /// A run is to be resumed, but the file has fewer rows than required.
    #[error("cannot continue from row {asked}: the file has {found} complete rows")]
    TooFewRows {
        /// Required number of rows.
        asked: u64,
        /// Number of complete rows in the file.
        found: u64,
    },
    /// A line is not a JSON object of numbers with the right keys.
    #[error("not a row: {message}; {}", r#"expected an object, as in `{"t": 0.0, "q": 1.5}`"#)]
    NotARow {
        /// Description of the error.
        message: String,
    },
    /// The file is not a log.
    #[error("not a log: the file does not begin with the magic bytes")]
    NotALog,
    /// The file has a newer version of the format than this program.
    #[error("the log has format {found}; this version reads formats up to {known}")]
    NewerFormat {
        /// Format version of the file.
        found: u32,
        /// Newest format version that this program reads.
        known: u32,
    },
    /// The head of a log is damaged or incomplete, so that no rows can be read.
    #[error("the header of the log is damaged: {what}")]
    DamagedHead {
        /// Description of the damage.
        what: String,
    },
    /// The checksum of a row of a log is wrong.
    #[error("row {row}, which begins at byte {byte}, is damaged; the {row} rows before it are complete")]
    DamagedRow {
        /// Index of the row from 0, which is also the number of complete rows before it.
        row: u64,
        /// Start of the row \[bytes from the start of the file\].
        byte: u64,
    },
    /// A log ends within a row.
    #[error(
        "the file ends within row {row}, which begins at byte {byte}; the {row} rows before it are complete"
    )]
    IncompleteRow {
        /// Index of the row from 0, which is also the number of complete rows before it.
        row: u64,
        /// Start of the row \[bytes from the start of the file\].
        byte: u64,
    },
    /// A NumPy archive (`.npz`) is damaged or has unexpected content.
    #[error("{}{what}", if entry.is_empty() { String::new() } else { format!("`{entry}`: ") })]
    Npz {
        /// Name of the array; empty for the file as a whole.
        entry: String,
        /// Description of the error, including the expected content.
        what: String,
    },
    /// An HDF5 file is damaged, has unexpected content, or cannot be written.
    #[error("{message}")]
    Hdf5 {
        /// Description of the error, including the dataset.
        message: String,
    },
    /// The decompressed text of a gzip file is longer than the limit.
    #[error(
        "the gzip file expands to more than {limit} bytes of text; decompress it, or raise the limit in the `ReadOptions`"
    )]
    ExpandsTooFar {
        /// Limit \[bytes\].
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

    /// Returns the error for a failed read. If the stream ends early, as a truncated gzip file does, the
    /// error states that the file is truncated.
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
