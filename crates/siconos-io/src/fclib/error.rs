//! Errors in FCLIB files, with the dataset that caused them.

use std::fmt;
use std::path::{Path, PathBuf};

use siconos_numerics::ProblemError;

use crate::problem_class::ProblemClass;

/// Error of an FCLIB file, with the dataset or group that caused it.
///
/// It is displayed as ``FILE: `fclib_local/W/p`: message``.
#[derive(Debug)]
pub struct FclibError {
    /// Path of the file, if it is known.
    pub path: Option<PathBuf>,
    /// Path of the dataset or group, from the root of the file. Empty if the error concerns the whole file.
    pub dataset: String,
    /// Kind of the error.
    pub kind: FclibErrorKind,
}

/// Kind of an error of an FCLIB file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FclibErrorKind {
    /// A group or dataset is missing.
    #[error("it is missing")]
    Missing,
    /// The file contains no problem, or more than one.
    #[error(
        "the file must have exactly one of `fclib_local`, `fclib_global` and `fclib_global_rolling`; it has {found}"
    )]
    NoProblem {
        /// Number of problems.
        found: usize,
    },
    /// A dataset has the wrong type.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// Expected type.
        expected: &'static str,
        /// Type in the file.
        found: String,
    },
    /// A dataset has the wrong number of entries.
    #[error("it has {found} entries; expected {expected}")]
    WrongLength {
        /// Description of the expected number of entries.
        expected: String,
        /// Number of entries in the file.
        found: usize,
    },
    /// A dataset declares more entries than the file contains.
    #[error("it declares {announced} entries, but the file has only {bytes} bytes for them")]
    TooLarge {
        /// Declared number of entries.
        announced: usize,
        /// Stored size of the entries in the file \[bytes\].
        bytes: u64,
    },
    /// An entry is outside its range.
    #[error("entry {index} is {value}; it must be {must_be}")]
    OutOfRange {
        /// Index of the entry, counted from 0.
        index: usize,
        /// Value of the entry.
        value: String,
        /// Description of the range.
        must_be: String,
    },
    /// The problem contains data that this crate does not support.
    #[error("problems with this part are not supported")]
    UnsupportedPart,
    /// The format does not support the class of the problem.
    #[error("the format supports contact with friction (fc2d, fc3d, gfc2d, gfc3d, grolling), not {class}")]
    UnsupportedClass {
        /// Class of the problem.
        class: ProblemClass,
    },
    /// The data do not define a valid problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The HDF5 library returned an error: the file cannot be opened, is truncated, or is damaged.
    #[error("{message}")]
    Hdf5 {
        /// Message of the library.
        message: String,
    },
}

impl FclibError {
    pub(super) fn at(dataset: impl Into<String>, kind: FclibErrorKind) -> Self {
        Self { path: None, dataset: dataset.into(), kind }
    }

    /// Returns the error of the HDF5 library for a dataset, with its message on one line.
    pub(crate) fn of_library(dataset: impl Into<String>, error: &hdf5::Error) -> Self {
        let message = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Self::at(dataset, FclibErrorKind::Hdf5 { message })
    }

    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for FclibError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        if !self.dataset.is_empty() {
            write!(f, "`{}`: ", self.dataset)?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for FclibError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            FclibErrorKind::Problem(source) => Some(source),
            _ => None,
        }
    }
}
