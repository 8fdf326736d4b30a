//! Files that one writer has to itself.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::Path;

use super::TableErrorKind;
use crate::locked::Locked;

/// Opens a new file to write to it; refuses a name that is there.
pub(super) fn create(path: &Path) -> Result<Locked, TableErrorKind> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => TableErrorKind::Exists,
        _ => TableErrorKind::Io(error),
    })?;
    lock(file, path)
}

/// Opens a file to write to it from its start, and empties it once it is known that nobody else writes to it.
pub(super) fn replace(path: &Path) -> Result<Locked, TableErrorKind> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = lock(file.map_err(TableErrorKind::Io)?, path)?;
    // A device has no length that could be changed.
    if file.metadata().map_err(TableErrorKind::Io)?.len() > 0 {
        file.set_len(0).map_err(TableErrorKind::Io)?;
    }
    Ok(file)
}

/// Opens a file that is there, to read it and to write to it.
pub(super) fn resume(path: &Path) -> Result<Locked, TableErrorKind> {
    lock(OpenOptions::new().read(true).write(true).open(path).map_err(TableErrorKind::Io)?, path)
}

/// Locks a file that is to be written to, and is the one of its name still.
pub(super) fn lock(file: File, path: &Path) -> Result<Locked, TableErrorKind> {
    let locked = Locked::new(file).map_err(TableErrorKind::Io)?.ok_or(TableErrorKind::InUse)?;
    if locked.is_at(path).map_err(TableErrorKind::Io)? { Ok(locked) } else { Err(TableErrorKind::InUse) }
}
