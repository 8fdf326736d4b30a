//! Errors of reading and writing snapshots.

use std::io;
use std::path::PathBuf;

/// Error in reading or writing a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A file cannot be read, written, locked or removed.
    #[error("{}: cannot {action} the snapshot: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read`, `write`, `lock` or `remove`.
        action: &'static str,
        /// Error from the operating system.
        source: io::Error,
    },
    /// Another run uses the path for its snapshots.
    #[error("{}: another run writes its snapshots to this file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a snapshot.
    #[error("{}: this is not a snapshot file", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// The file has a different format version.
    #[error("{}: this is format {found}; this program reads format {known}", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Format version of the file.
        found: u32,
        /// Format version that this program reads.
        known: u32,
    },
    /// The file has been truncated or changed.
    #[error("{}: the snapshot is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        what: String,
    },
    /// The snapshot belongs to a different model.
    #[error(
        "the snapshot belongs to another model: {place} is {given} in the model, but {kept} in the snapshot"
    )]
    OtherModel {
        /// Path of the earliest differing value in the file: keys separated by dots.
        place: String,
        /// Value in the model.
        given: String,
        /// Value in the snapshot.
        kept: String,
    },
}
