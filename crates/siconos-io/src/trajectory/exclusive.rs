//! Files with a single writer.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::Path;

use super::TableErrorKind;
use crate::locked::Locked;

/// Creates a file and opens it for writing; returns an error if the file exists.
pub(super) fn create(path: &Path) -> Result<Locked, TableErrorKind> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => TableErrorKind::Exists,
        _ => TableErrorKind::Io(error),
    })?;
    lock(file, path)
}

/// Opens a file for writing from its start. The file is emptied after it has been locked.
pub(super) fn replace(path: &Path) -> Result<Locked, TableErrorKind> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = lock(file.map_err(TableErrorKind::Io)?, path)?;
    // A device has length 0 and need not be emptied.
    if file.metadata().map_err(TableErrorKind::Io)?.len() > 0 {
        file.set_len(0).map_err(TableErrorKind::Io)?;
    }
    Ok(file)
}

/// Opens an existing file for reading and writing.
pub(super) fn resume(path: &Path) -> Result<Locked, TableErrorKind> {
    lock(OpenOptions::new().read(true).write(true).open(path).map_err(TableErrorKind::Io)?, path)
}

/// Locks a file that is opened for writing and checks that `path` still names it.
pub(super) fn lock(file: File, path: &Path) -> Result<Locked, TableErrorKind> {
    let locked = Locked::new(file).map_err(TableErrorKind::Io)?.ok_or(TableErrorKind::InUse)?;
    if locked.is_at(path).map_err(TableErrorKind::Io)? { Ok(locked) } else { Err(TableErrorKind::InUse) }
}
