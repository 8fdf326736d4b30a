//! Snapshots: all that a run needs to go on in another process, in one file.
//!
//! A [`Snapshot`] holds the model file with what was set in it, the state, how far the outputs have come, and
//! which program and machine made it. [`Snapshot::write`] never leaves half a file: the new one is complete
//! on the disk before it takes the place of the last one, which is kept beside it. [`Snapshot::read`] goes
//! back to that one where the newest cannot be read, and says so.
//!
//! A run that keeps snapshots [claims](Claim) the name for them, so that no second run writes to it.
//!
//! | bytes | |
//! | --- | --- |
//! | 16 | `siconos snapshot` |
//! | 4 | the number of the format, little endian |
//! | 8 | the length of the content |
//! | | the content, in the form of `postcard` |
//! | 4 | CRC-32 of all before |
//!
//! Numbers survive bit for bit. A file of another format is refused with both numbers.

mod claim;
pub(crate) mod content;
mod error;
mod file;

pub use claim::Claim;
pub use content::{Recorded, RunState, Snapshot};
pub use error::SnapshotError;
pub use file::Found;
