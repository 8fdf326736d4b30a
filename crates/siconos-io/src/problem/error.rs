//! What can be wrong with a problem file, and where.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use siconos_numerics::ProblemError;

use super::ProblemClass;
use crate::text_file;

/// An error in a problem or its file, with the place where it was found.
///
/// It prints as `FILE:LINE:COLUMN: what is wrong`, so that an editor or a terminal can jump to the place, or
/// as `line 3, column 17: what is wrong` without a file.
#[derive(Debug)]
pub struct ProblemFileError {
    /// The file; `None` when the problem came from memory or from a stream.
    pub path: Option<PathBuf>,
    /// The place in the (uncompressed) text; `None` when the problem as a whole is wrong.
    pub place: Option<Place>,
    /// What is wrong there.
    pub kind: ProblemFileErrorKind,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
}

/// What is wrong with a problem or its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemFileErrorKind {
    /// The text ends before the problem does.
    #[error("the file ends where {expected} should be")]
    Truncated {
        /// What should have come next.
        expected: String,
    },
    /// A token is not a number.
    #[error("expected a number, {expected}; found `{token}`")]
    NotANumber {
        /// What the number stands for.
        expected: String,
        /// The token as it stands in the file.
        token: String,
    },
    /// A number is NaN, infinite, or too large for a double.
    #[error("expected a finite number, {expected}; found `{token}`")]
    NotFinite {
        /// What the number stands for.
        expected: String,
        /// The token as it stands in the file.
        token: String,
    },
    /// A token is no size: negative, broken, or no number at all.
    #[error("expected a whole number that is not negative, {expected}; found `{token}`")]
    NotASize {
        /// What the number stands for.
        expected: String,
        /// The token as it stands in the file.
        token: String,
    },
    /// A word of the format is not where it should be.
    #[error("expected {expected}, found `{token}`")]
    NotTheWord {
        /// What should have been there.
        expected: String,
        /// The token as it stands in the file.
        token: String,
    },
    /// A number contradicts one before it.
    #[error("{what} is {found}; it must be {must_be}")]
    Inconsistent {
        /// What the number stands for.
        what: String,
        /// The number.
        found: String,
        /// What would fit.
        must_be: String,
    },
    /// The file announces more than it can hold.
    #[error("{what} needs more numbers than the rest of the file, {bytes_left} bytes, can hold")]
    TooLarge {
        /// What was announced.
        what: String,
        /// Length of what is left of the text.
        bytes_left: usize,
    },
    /// The data fit the grammar, but make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The text fits more than one class.
    #[error(
        "this can be read as {}; say which it is (`--class` on the command line)",
        classes.iter().map(|class| class.name()).collect::<Vec<_>>().join(" and as ")
    )]
    Ambiguous {
        /// The classes it fits.
        classes: Vec<ProblemClass>,
    },
    /// The text fits no class.
    #[error("this is no problem of a known class; read as {class}: {kind}")]
    NoClass {
        /// The class that fits longest.
        class: ProblemClass,
        /// What is wrong where that class fits no more.
        kind: Box<ProblemFileErrorKind>,
    },
    /// The file names its class, and it is not the one that was asked for.
    #[error("the class is {found}, but {expected} was asked for")]
    WrongClass {
        /// The class that was asked for.
        expected: ProblemClass,
        /// The class of the file.
        found: ProblemClass,
    },
    /// The text is not the JSON of a problem.
    #[error("{message}")]
    Json {
        /// What is wrong.
        message: String,
    },
    /// The format has no form for this storage.
    #[error("{storage} has no form in the .dat format; the .json format takes it")]
    UnsupportedStorage {
        /// The storage of the matrix.
        storage: &'static str,
    },
    /// The end of the file name says nothing about the format.
    #[error("unknown file extension; use .dat, .dat.gz, .json, .json.gz or .hdf5")]
    UnknownExtension,
    /// An HDF5 file, but this program was built without the HDF5 library.
    #[error(
        "reading and writing .hdf5 files needs the cargo feature `hdf5`, without which this program was built \
         (`cargo install --path crates/siconos-cli --features hdf5`)"
    )]
    NeedsHdf5,
    /// Something is wrong with an HDF5 file.
    #[cfg(feature = "hdf5")]
    #[error("{0}")]
    Fclib(#[source] Box<crate::fclib::FclibError>),
    /// The text in a gzip file is longer than it may be.
    #[error(
        "the gzip file holds more than {limit} bytes of text; unpack it, or allow for more (`--gzip-limit` on the command \
         line, `ReadOptions` in a program)"
    )]
    ExpandsTooFar {
        /// How many it may be.
        limit: u64,
    },
    /// The file or the stream cannot be read or written.
    #[error("cannot read or write: {0}")]
    Io(#[source] io::Error),
}

impl ProblemFileError {
    pub(super) fn at(place: Place, kind: ProblemFileErrorKind) -> Self {
        Self { path: None, place: Some(place), kind }
    }

    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// An error while reading: a stream that ends early (a cut gzip file) is a truncated file, not a failing
    /// disk.
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
        // The path is told once.
        let path = error.path.take();
        Self { path, place: None, kind: ProblemFileErrorKind::Fclib(Box::new(error)) }
    }
}

impl fmt::Display for ProblemFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.place) {
            (Some(path), Some(Place { line, column })) => write!(f, "{}:{line}:{column}: ", path.display())?,
            (Some(path), None) => write!(f, "{}: ", path.display())?,
            (None, Some(Place { line, column })) => write!(f, "line {line}, column {column}: ")?,
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
            ProblemFileErrorKind::Fclib(source) => Some(source),
            _ => None,
        }
    }
}
