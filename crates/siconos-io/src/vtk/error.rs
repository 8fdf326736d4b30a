//! Errors of writing files for VTK.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::trajectory::{TableError, TableErrorKind};

/// Error in points or cells, or in writing them to a file.
///
/// It is displayed as `FILE: message`.
#[derive(Debug)]
pub struct VtkError {
    /// Path of the file, if it is known.
    pub path: Option<PathBuf>,
    /// Kind of the error.
    pub kind: VtkErrorKind,
}

/// Kind of a [`VtkError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VtkErrorKind {
    /// An array has the wrong number of values.
    #[error("`{name}` has {found} numbers; expected {components} for each of {points} points")]
    WrongLength {
        /// Name of the array.
        name: String,
        /// Number of values at each point.
        components: usize,
        /// Number of points.
        points: usize,
        /// Number of values of the array.
        found: usize,
    },
    /// The extension of a mesh file is unknown.
    #[error("unknown file extension of a mesh; use .stl or .obj")]
    UnknownMesh,
    /// Two arrays have the same name.
    #[error("two arrays are named {name:?}; names must differ")]
    DuplicateName {
        /// The name that occurs twice.
        name: String,
    },
    /// XML cannot represent a name.
    #[error("the name {name:?} is empty or has control characters, which XML cannot contain")]
    Unwritable {
        /// The name.
        name: String,
    },
    /// A cell contains a point that does not exist.
    #[error("cell {cell} of the {kind} has point {point}, but there are only {points} points")]
    NoSuchPoint {
        /// Vertices, lines or polygons.
        kind: &'static str,
        /// Index of the cell, counted from 0.
        cell: usize,
        /// Index of the point, from 0.
        point: usize,
        /// Number of points.
        points: usize,
    },
    /// A coordinate of a point is NaN or infinite.
    #[error("the coordinates of point {point} are {value:?}; they must be finite")]
    NotFinite {
        /// Index of the point, from 0.
        point: usize,
        /// Coordinates of the point.
        value: [f64; 3],
    },
    /// The number of coordinates is not 1, 2 or 3.
    #[error("a point has {found} coordinates; expected 1 to 3")]
    Coordinates {
        /// Number of coordinates given.
        found: usize,
    },
    /// The table does not have a requested column.
    #[error("the table has no column {name:?}; it has [{}]", columns.join(", "))]
    NoSuchColumn {
        /// Requested name.
        name: String,
        /// Names of the columns of the table.
        columns: Vec<String>,
    },
    /// A path has no file name, or its file name is not valid UTF-8.
    #[error("{path:?} is not a file name that can be written in UTF-8")]
    NoFileName {
        /// The path.
        path: PathBuf,
    },
    /// A row of the trajectory cannot be read.
    #[error(transparent)]
    Rows(Box<TableError>),
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

impl From<TableError> for VtkError {
    fn from(error: TableError) -> Self {
        match error {
            // An error without a path occurs where the rows are written.
            TableError { path: None, kind: TableErrorKind::Io(source), .. } => source.into(),
            error => VtkErrorKind::Rows(Box::new(error)).into(),
        }
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
            VtkErrorKind::Rows(source) => source.source(),
            VtkErrorKind::Io(source) => Some(source),
            _ => None,
        }
    }
}
