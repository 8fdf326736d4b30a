//! Files that only one program at a time can lock.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::ops::Deref;
use std::path::Path;

/// File that stays locked until this value is dropped.
#[derive(Debug)]
pub(crate) struct Locked(File);

impl Locked {
    /// Locks a file; returns `None` if it is locked already. The lock also ends when the program ends.
    pub(crate) fn new(file: File) -> io::Result<Option<Self>> {
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            // Some file systems of clusters do not support locks. There, users must give each run its own
            // output file.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Some(Self(file))),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns `true` if `path` still names this file. Another program may have replaced it between opening
    /// and locking. Systems that cannot check this return `true`.
    pub(crate) fn is_at(&self, path: &Path) -> io::Result<bool> {
        is_named(&self.0, path)
    }
}

/// Returns `true` if a path names an open file. Systems that cannot check this return `true`.
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
        // Closing the file is not enough: a child process that another thread is starting has it open as
        // well, between fork and exec. A file that cannot be unlocked was not locked.
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
