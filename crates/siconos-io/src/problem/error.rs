//! Errors of problem files, with their positions.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use siconos_numerics::ProblemError;

use super::ProblemClass;
use crate::text_file;

/// Error in a problem or its file, with its position.
///
/// It is displayed as `FILE:LINE:COLUMN: message`, which editors and terminals can open, or as
/// `line 3, column 17: message` without a file.
#[derive(Debug)]
pub struct ProblemFileError {
    /// Path of the file; `None` if the problem came from memory or from a stream.
    pub path: Option<PathBuf>,
    /// Position in the (uncompressed) text; `None` if the error concerns the problem as a whole.
    pub place: Option<TextPosition>,
    /// Kind of the error.
    pub kind: ProblemFileErrorKind,
}

/// Position in the text of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// Line number, counted from 1.
    pub line: usize,
    /// Index of the character in its line, counted from 1.
    pub column: usize,
}

/// Kind of an error of a problem or its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemFileErrorKind {
    /// The text ends before the problem is complete.
    #[error("the file ends where {expected} should be")]
    Truncated {
        /// Text that is expected next.
        expected: String,
    },
    /// A token is not a number.
    #[error("expected a number ({expected}), found `{token}`")]
    NotANumber {
        /// Meaning of the number.
        expected: String,
        /// Token as written in the file.
        token: String,
    },
    /// A token is NaN, infinite, or a number too large for a double.
    #[error("expected a finite number ({expected}), found `{token}`")]
    NotFinite {
        /// Meaning of the number.
        expected: String,
        /// Token as written in the file.
        token: String,
    },
    /// A token is not a size: it is negative, not an integer, or not a number.
    #[error("expected a nonnegative whole number ({expected}), found `{token}`")]
    NotASize {
        /// Meaning of the number.
        expected: String,
        /// Token as written in the file.
        token: String,
    },
    /// A keyword of the format is missing.
    #[error("expected {expected}, found `{token}`")]
    NotTheWord {
        /// Expected keyword.
        expected: String,
        /// Token as written in the file.
        token: String,
    },
    /// A number contradicts an earlier number in the file.
    #[error("{what} is {found}; it must be {must_be}")]
    Inconsistent {
        /// Meaning of the number.
        what: String,
        /// Number in the file.
        found: String,
        /// Description of valid numbers.
        must_be: String,
    },
    /// The file declares more data than it can contain.
    #[error("{what} requires more numbers than the remaining {bytes_left} bytes of the file can contain")]
    TooLarge {
        /// Description of the declared data.
        what: String,
        /// Length of the remaining text \[bytes\].
        bytes_left: usize,
    },
    /// The data match the grammar, but do not define a valid problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The text matches more than one class.
    #[error(
        "this can be read as {}; give the class (`--class` on the command line)",
        classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(" and as ")
    )]
    Ambiguous {
        /// Matching classes.
        classes: Vec<ProblemClass>,
    },
    /// The text matches no class.
    #[error("this is not a problem of a known class; read as {class}: {kind}")]
    NoClass {
        /// Class whose grammar matches the longest beginning of the text.
        class: ProblemClass,
        /// Error of this class.
        kind: Box<ProblemFileErrorKind>,
    },
    /// The class of the file differs from the requested class.
    #[error("the class is {found}, but {expected} was requested")]
    WrongClass {
        /// Requested class.
        expected: ProblemClass,
        /// Class of the file.
        found: ProblemClass,
    },
    /// The text is not valid JSON, or does not have the fields of a problem.
    #[error("{message}")]
    Json {
        /// Description of the error.
        message: String,
    },
    /// The format does not support a law or the storage of a matrix.
    #[error("{storage} cannot be written in the .dat format; use the .json format")]
    UnsupportedStorage {
        /// Storage of the matrix, or the law.
        storage: &'static str,
    },
    /// The extension of the file name does not belong to a known format.
    #[error("unknown file extension; use .dat, .dat.gz, .json, .json.gz or .hdf5")]
    UnknownExtension,
    /// The file is an HDF5 file, but this program was built without the HDF5 library.
    #[error(
        "reading and writing .hdf5 files requires the cargo feature `hdf5`, which this program was built without \
         (`cargo install --path crates/siconos-cli --features hdf5`)"
    )]
    NeedsHdf5,
    /// Error of an HDF5 file.
    #[cfg(feature = "hdf5")]
    #[error("{0}")]
    FclibFile(#[source] Box<crate::fclib::FclibError>),
    /// The decompressed text of a gzip file is longer than the limit.
    #[error(
        "the gzip file expands to more than {limit} bytes of text; decompress it, or raise the limit (`--gzip-limit` on the command \
         line, `ReadOptions` in a program)"
    )]
    ExpandsTooFar {
        /// Limit \[bytes\].
        limit: u64,
    },
    /// The file or the stream cannot be read or written.
    #[error("cannot read or write: {0}")]
    Io(#[source] io::Error),
}

impl ProblemFileError {
    pub(super) fn at(place: TextPosition, kind: ProblemFileErrorKind) -> Self {
        Self { path: None, place: Some(place), kind }
    }

    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Returns the error for a failed read. If the stream ends early, as a truncated gzip file does, the
    /// error states that the file is truncated.
    pub(super) fn reading(source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::UnexpectedEof {
            return ProblemFileErrorKind::Truncated { expected: "more compressed data".to_owned() }.into();
        }
        match text_file::met_limit(&source) {
            Some(limit) => ProblemFileErrorKind::ExpandsTooFar { limit }.into(),
            None => ProblemFileErrorKind::Io(source).into(),
        }
    }
}

impl From<ProblemFileErrorKind> for ProblemFileError {
    fn from(kind: ProblemFileErrorKind) -> Self {
        Self { path: None, place: None, kind }
    }
}

impl From<io::Error> for ProblemFileError {
    fn from(source: io::Error) -> Self {
        ProblemFileErrorKind::Io(source).into()
    }
}

#[cfg(feature = "hdf5")]
impl From<crate::fclib::FclibError> for ProblemFileError {
    fn from(mut error: crate::fclib::FclibError) -> Self {
        // The path is displayed only once.
        let path = error.path.take();
        Self { path, place: None, kind: ProblemFileErrorKind::FclibFile(Box::new(error)) }
    }
}

impl fmt::Display for ProblemFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.place) {
            (Some(path), Some(TextPosition { line, column })) => {
                write!(f, "{}:{line}:{column}: ", path.display())?;
            }
            (Some(path), None) => write!(f, "{}: ", path.display())?,
            (None, Some(TextPosition { line, column })) => write!(f, "line {line}, column {column}: ")?,
            (None, None) => {}
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for ProblemFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ProblemFileErrorKind::Io(source) => Some(source),
            ProblemFileErrorKind::Problem(source) => Some(source),
            #[cfg(feature = "hdf5")]
            ProblemFileErrorKind::FclibFile(source) => Some(source),
            _ => None,
        }
    }
}
