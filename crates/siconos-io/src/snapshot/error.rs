//! Why there is no snapshot, or none that fits.

use std::io;
use std::path::PathBuf;

/// What is wrong with a snapshot.
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
        /// What the system says.
        source: io::Error,
    },
    /// Another run keeps its snapshots there.
    #[error("{}: another run keeps its snapshots under this name", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is no snapshot.
    #[error("{}: this is no snapshot", path.display())]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// A program with another format wrote it.
    #[error("{}: this is format {found}; this program reads format {known}", path.display())]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that is read.
        known: u32,
    },
    /// The file has been cut or changed.
    #[error("{}: the snapshot is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// The run belongs to another model.
    #[error("the snapshot is of another model: {place} is {given} in the model, {kept} in the snapshot")]
    OtherModel {
        /// The keys, with dots between.
        place: String,
        /// What the model has there.
        given: String,
        /// What the snapshot has there.
        kept: String,
    },
}
