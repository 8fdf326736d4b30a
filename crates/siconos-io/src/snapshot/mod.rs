//! Snapshots: single files with everything that a run needs to resume in another process.
//!
//! A [`Snapshot`] holds the model file with its overrides, the state, the progress of the outputs, and the
//! names of the program and the machine that wrote it. [`Snapshot::write`] never leaves an incomplete file:
//! the new file is complete on the disk before it replaces the existing one, which is kept under another
//! name. If the newest snapshot cannot be read, [`Snapshot::read`] returns this previous snapshot together
//! with the error.
//!
//! A run that writes snapshots [locks](SnapshotLock) the path, so that no second run writes to it.
//!
//! | bytes | |
//! | --- | --- |
//! | 16 | `siconos snapshot` |
//! | 4 | format version, little-endian |
//! | 8 | length of the content, little-endian |
//! | | content, in the `postcard` format |
//! | 4 | CRC-32 of all preceding bytes, little-endian |
//!
//! Numbers are stored bit for bit. A file with a different version of the format is rejected; the error
//! states both version numbers.

pub(crate) mod content;
mod error;
mod file;
mod lock;

pub use content::{Recorded, RunState, Snapshot};
pub use error::SnapshotError;
pub use file::Found;
pub use lock::SnapshotLock;
