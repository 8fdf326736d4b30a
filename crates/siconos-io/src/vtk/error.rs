//! What can be wrong with what is written for VTK.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error in points, cells, or the file that they go to.
///
/// It prints as `FILE: what is wrong`.
#[derive(Debug)]
pub struct VtkError {
    /// The file, where it is known.
    pub path: Option<PathBuf>,
    /// What is wrong.
    pub kind: VtkErrorKind,
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VtkErrorKind {
    /// Numbers at the points are too many or too few.
    #[error("`{name}` has {found} numbers; {components} for each of {points} points expected")]
    WrongLength {
        /// The array.
        name: String,
        /// How many numbers there are at a point.
        components: usize,
        /// How many points there are.
        points: usize,
        /// How many numbers the array has.
        found: usize,
    },
    /// Two arrays share a name.
    #[error("two arrays are named {name:?}; names must differ")]
    DuplicateName {
        /// The name that occurs twice.
        name: String,
    },
    /// XML has no place for a name.
    #[error("the name {name:?} is empty or has control characters, which XML cannot hold")]
    Unwritable {
        /// The name.
        name: String,
    },
    /// A cell joins a point that is not there.
    #[error("cell {cell} of the {kind} has point {point}, but there are only {points} points")]
    NoSuchPoint {
        /// Vertices, lines or polygons.
        kind: &'static str,
        /// The cell, from 0.
        cell: usize,
        /// The point, from 0.
        point: usize,
        /// How many points there are.
        points: usize,
    },
    /// A coordinate of a point is NaN or infinite.
    #[error("point {point} is at {value:?}; finite coordinates expected")]
    NotFinite {
        /// The point, from 0.
        point: usize,
        /// Its coordinates.
        value: [f64; 3],
    },
    /// A point has no coordinates, or more than space has.
    #[error("a point with {found} coordinates; 1 to 3 expected")]
    Coordinates {
        /// How many columns were named.
        found: usize,
    },
    /// The table has no such column.
    #[error("the table has no column {name:?}; it has [{}]", columns.join(", "))]
    NoSuchColumn {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        columns: Vec<String>,
    },
    /// A name of a file has no place in a collection.
    #[error("{path:?} is no name of a file that can be written in UTF-8")]
    NoFileName {
        /// The path.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
}

impl VtkError {
    pub(super) fn in_file(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.to_owned());
        self
    }
}

impl From<VtkErrorKind> for VtkError {
    fn from(kind: VtkErrorKind) -> Self {
        Self { path: None, kind }
    }
}

impl From<io::Error> for VtkError {
    fn from(source: io::Error) -> Self {
        VtkErrorKind::Io(source).into()
    }
}

impl fmt::Display for VtkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for VtkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            VtkErrorKind::Io(source) => Some(source),
            _ => None,
        }
    }
}
