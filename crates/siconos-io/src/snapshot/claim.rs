//! The name of the snapshots of one run.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{Snapshot, SnapshotError};
use crate::locked::Locked;
use crate::unfinished;

/// A name for snapshots that no other run can have while this is there.
///
/// Each snapshot is a new file, so what is locked is a file of its own, empty, with `.lock` behind the name.
/// It goes with the claim; a program that is killed leaves it behind, and unlocked.
///
/// ```
/// use siconos_io::snapshot::{Claim, SnapshotError};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.snapshot");
/// let claim = Claim::new(&path)?;
/// assert!(matches!(Claim::new(&path), Err(SnapshotError::InUse { .. })));
/// drop(claim);
/// Claim::new(&path)?.clear()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    lock: PathBuf,
    _locked: Locked,
}

impl Claim {
    /// Claims a path for the snapshots of a run, and removes the temporary files of runs that were killed.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::InUse`] while another claim to it is there, in this program or another;
    /// [`SnapshotError::Io`] where no file can be made beside it.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, SnapshotError> {
        let path = path.as_ref().to_owned();
        let lock = path.with_added_extension("lock");
        let failed = |source| SnapshotError::Io { path: lock.clone(), action: "lock", source };
        loop {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&lock);
            let Some(locked) = Locked::new(file.map_err(failed)?).map_err(failed)? else {
                return Err(SnapshotError::InUse { path });
            };
            // Whoever had it may have removed it, between being opened and being locked.
            if locked.is_at(&lock).map_err(failed)? {
                unfinished::remove_left(&path);
                return Ok(Self { path, lock, _locked: locked });
            }
        }
    }

    /// Writes a snapshot, see [`Snapshot::write`].
    ///
    /// # Errors
    ///
    /// As [`Snapshot::write`].
    pub fn write(&self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.write(&self.path)
    }

    /// Removes the snapshots that an earlier run has left, the one before included.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Io`].
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

impl Drop for Claim {
    fn drop(&mut self) {
        // While it is locked, so that nobody else has claimed the path by it. Where that is not seen, it
        // stays.
        if cfg!(unix) {
            fs::remove_file(&self.lock).ok();
        }
    }
}
