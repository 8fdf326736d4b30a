//! Files that one program at a time has to itself.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::ops::Deref;
use std::path::Path;

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

    /// Whether it is the file of a name still: between being opened and being locked another may have taken
    /// its place. Where that is not seen, it is.
    pub(crate) fn is_at(&self, path: &Path) -> io::Result<bool> {
        is_named(&self.0, path)
    }
}

/// Returns `true` if a path leads to an open file. Where that cannot be seen, it does.
pub(crate) fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(named) => Ok(is_same(&file.metadata()?, &named)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
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
