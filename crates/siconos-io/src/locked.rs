//! Files that one program at a time has to itself.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::ops::Deref;

/// A file that is locked until this is dropped.
#[derive(Debug)]
pub(crate) struct Locked(File);

impl Locked {
    /// Locks a file; nothing where it is locked already. The end of a program unlocks it, however that ends.
    pub(crate) fn new(file: File) -> io::Result<Option<Self>> {
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            // Some file systems of clusters have no locks. Who runs there sees to it that outputs differ.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Some(Self(file))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // To close the file is not enough: a program that another thread starts has it open as well, from
        // when it branches off to when it begins. What cannot be unlocked was not locked.
        self.0.unlock().ok();
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Write for Locked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
