//! Lock on the path of the snapshots of one run.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{Snapshot, SnapshotError};
use crate::locked::Locked;
use crate::unfinished;

/// Exclusive lock on a path for the snapshots of one run.
///
/// Each snapshot is a new file, so the lock is on a separate, empty file with `.lock` appended to the name.
/// Dropping the lock removes this file; a program that is killed leaves the file behind, but unlocked.
///
/// ```
/// use siconos_io::snapshot::{SnapshotLock, SnapshotError};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.snapshot");
/// let lock = SnapshotLock::new(&path)?;
/// assert!(matches!(SnapshotLock::new(&path), Err(SnapshotError::InUse { .. })));
/// drop(lock);
/// SnapshotLock::new(&path)?.clear()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SnapshotLock {
    path: PathBuf,
    lock: PathBuf,
    _locked: Locked,
}

impl SnapshotLock {
    /// Locks a path for the snapshots of a run and removes the temporary files of killed runs.
    ///
    /// # Errors
    ///
    /// If this or another program has already locked the path ([`SnapshotError::InUse`]), or no file can be
    /// created next to it ([`SnapshotError::Io`]).
    pub fn new(path: impl AsRef<Path>) -> Result<Self, SnapshotError> {
        let path = path.as_ref().to_owned();
        let lock = path.with_added_extension("lock");
        let failed = |source| SnapshotError::Io { path: lock.clone(), action: "lock", source };
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&lock);
            let Some(locked) = Locked::new(file.map_err(failed)?).map_err(failed)? else {
                return Err(SnapshotError::InUse { path });
            };
            // The previous owner may have removed the lock file after it was opened and before it was locked.
            if locked.is_at(&lock).map_err(failed)? {
                unfinished::remove_left(&path);
                return Ok(Self { path, lock, _locked: locked });
            }
        }
    }

    /// Writes a snapshot with [`Snapshot::write`].
    ///
    /// # Errors
    ///
    /// As [`Snapshot::write`].
    pub fn write(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.write(&self.path)
    }

    /// Removes both snapshots of an earlier run: the newest and the previous one (`.before`).
    ///
    /// # Errors
    ///
    /// If a file cannot be removed ([`SnapshotError::Io`]).
    pub fn clear(&self) -> Result<(), SnapshotError> {
        for path in [super::file::before(&self.path), self.path.clone()] {
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(SnapshotError::Io { path, action: "remove", source });
                }
                _ => (),
            }
        }
        Ok(())
    }
}

impl Drop for SnapshotLock {
    fn drop(&mut self) {
        // The file is removed while it is locked, so that no other run can lock the path with it. On systems
        // that cannot check whether a path still names an open file, the lock file is kept.
        if cfg!(unix) {
            fs::remove_file(&self.lock).ok();
        }
    }
}
