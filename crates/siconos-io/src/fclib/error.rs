//! What can be wrong with a file of the FCLIB format, and in which dataset.

use std::fmt;
use std::path::{Path, PathBuf};

use siconos_numerics::ProblemError;

use crate::problem_class::ProblemClass;

/// An error in a file of the FCLIB format, with the dataset or group where it was found.
///
/// It prints as ``FILE: `fclib_local/W/p`: what is wrong``.
#[derive(Debug)]
pub struct FclibError {
    /// The file, where it is known.
    pub path: Option<PathBuf>,
    /// The dataset or group, from the root of the file; empty for the file as a whole.
    pub dataset: String,
    /// What is wrong there.
    pub kind: FclibErrorKind,
}

/// What is wrong with a file of the FCLIB format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FclibErrorKind {
    /// A group or data set is not there.
    #[error("it is missing")]
    Missing,
    /// The file holds no problem, or several.
    #[error(
        "a problem is in `fclib_local`, `fclib_global` or `fclib_global_rolling`; this file has {found} of them"
    )]
    NoProblem {
        /// How many it has.
        found: usize,
    },
    /// A data set holds something else.
    #[error("it must hold {expected}, it holds {found}")]
    WrongType {
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A data set has the wrong number of entries.
    #[error("it must have {expected} entries, it has {found}")]
    WrongLength {
        /// How many belong there, with the reason.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// A data set announces more entries than the file holds.
    #[error("it announces {announced} entries, but only {bytes} bytes of them are in the file")]
    TooLarge {
        /// How many entries there should be.
        announced: usize,
        /// What the file holds of them.
        bytes: u64,
    },
    /// An entry is not what it may be.
    #[error("entry {index} is {value}; it must be {must_be}")]
    OutOfRange {
        /// The entry, from 0.
        index: usize,
        /// Its value.
        value: String,
        /// What may be there.
        must_be: String,
    },
    /// The problem has a part that is not supported.
    #[error("problems with this part are not supported")]
    UnsupportedPart,
    /// The format has no place for problems of the class.
    #[error("the format is for contact with friction (fc2d, fc3d, gfc2d, gfc3d, grolling), not for {class}")]
    UnsupportedClass {
        /// The class of the problem.
        class: ProblemClass,
    },
    /// The data make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The HDF5 library complains: the file cannot be opened, is cut off or damaged.
    #[error("{message}")]
    Hdf5 {
        /// In its words.
        message: String,
    },
}

impl FclibError {
    pub(super) fn at(dataset: impl Into<String>, kind: FclibErrorKind) -> Self {
        Self { path: None, dataset: dataset.into(), kind }
    }

    /// What the HDF5 library says of a dataset, on one line.
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
