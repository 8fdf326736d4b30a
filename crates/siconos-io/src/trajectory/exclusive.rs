//! Files that one writer has to itself.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::ops::Deref;
use std::path::Path;

use super::TableErrorKind;

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub(super) struct Exclusive(File);

impl Drop for Exclusive {
    fn drop(&mut self) {
        // To close the file is not enough: a program that another thread starts has it open as well, from
        // when it branches off to when it begins. What cannot be unlocked was not locked.
        self.0.unlock().ok();
    }
}

impl Deref for Exclusive {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Write for Exclusive {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Opens a new file to write to it; refuses a name that is there.
pub(super) fn create(path: &Path) -> Result<Exclusive, TableErrorKind> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => TableErrorKind::Exists,
        _ => TableErrorKind::Io(error),
    })?;
    lock(file)
}

/// Opens a file to write to it from its start, and empties it once it is known that nobody else writes to it.
pub(super) fn replace(path: &Path) -> Result<Exclusive, TableErrorKind> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let file = lock(file.map_err(TableErrorKind::Io)?)?;
    // A device has no length that could be changed.
    if file.metadata().map_err(TableErrorKind::Io)?.len() > 0 {
        file.set_len(0).map_err(TableErrorKind::Io)?;
    }
    Ok(file)
}

/// Opens a file that is there, to read it and to write to it.
pub(super) fn resume(path: &Path) -> Result<Exclusive, TableErrorKind> {
    lock(OpenOptions::new().read(true).write(true).open(path).map_err(TableErrorKind::Io)?)
}

/// Locks a file. The end of a program unlocks it, however that ends.
fn lock(file: File) -> Result<Exclusive, TableErrorKind> {
    match file.try_lock() {
        Ok(()) => Ok(Exclusive(file)),
        Err(TryLockError::WouldBlock) => Err(TableErrorKind::InUse),
        // Some file systems of clusters have no locks. Who runs there sees to it that outputs differ.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Exclusive(file)),
        Err(TryLockError::Error(error)) => Err(TableErrorKind::Io(error)),
    }
}
