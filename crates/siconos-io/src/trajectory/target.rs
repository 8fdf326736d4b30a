//! Destination of a table that is written in one call. An existing file remains until the new one is
//! complete.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{TableErrorKind, exclusive};
use crate::folder::folder_of;
use crate::locked::Locked;
use crate::unfinished::{self, Unfinished};

/// Destination of a table that is written in one call.
#[derive(Debug)]
pub(super) enum Target {
    /// Temporary file. The file that it replaces, if there is one, is locked.
    File { new: Unfinished, path: PathBuf, old: Option<Locked> },
    /// Device, pipe or dangling link, which a new file cannot replace.
    Other(Locked),
}

impl Target {
    pub(super) fn begin(path: &Path) -> Result<Self, TableErrorKind> {
        let begin_other = || Ok(Self::Other(exclusive::replace(path)?));
        let (path, old) = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                // A symbolic link is kept and the file it points to is replaced.
                let path = fs::canonicalize(path).map_err(TableErrorKind::Io)?;
                let old = OpenOptions::new().write(true).open(&path).map_err(TableErrorKind::Io)?;
                let old = exclusive::lock(old, &path)?;
                (path, Some((old, metadata.permissions())))
            }
            Ok(_) => return begin_other(),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(TableErrorKind::Io(error)),
            Err(_) if path.is_symlink() => return begin_other(),
            Err(_) => (path.to_owned(), None),
        };
        unfinished::remove_left(&path);
        let new = Unfinished::beside(&path).map_err(TableErrorKind::Io)?;
        let old = match old {
            None => None,
            Some((old, permissions)) => {
                new.set_permissions(permissions).map_err(TableErrorKind::Io)?;
                Some(old)
            }
        };
        Ok(Self::File { new, path, old })
    }

    /// Returns the file to which the table is written.
    pub(super) fn file(&self) -> &File {
        match self {
            Self::File { new, .. } => new.file(),
            Self::Other(file) => file,
        }
    }

    /// Returns a folder for temporary files. A file has its folder on the same file system.
    pub(super) fn folder(&self) -> PathBuf {
        match self {
            Self::File { path, .. } => folder_of(path).to_owned(),
            Self::Other(_) => env::temp_dir(),
        }
    }

    /// Unlocks the file to which the table is written, because the HDF5 library locks it itself. Returns its
    /// path, given the final path.
    #[cfg(feature = "hdf5")]
    pub(super) fn unlocked<'t>(&'t self, path: &'t Path) -> &'t Path {
        unfinished::unlock(self.file());
        match self {
            Self::File { new, .. } => new.path(),
            Self::Other(_) => path,
        }
    }

    /// Renames the complete file to its final path.
    pub(super) fn finish(self) -> Result<(), TableErrorKind> {
        let finished = match self {
            Self::File { new, path, old: Some(_lock) } => new.replace(&path),
            Self::File { new, path, old: None } => new.finish_new(&path),
            Self::Other(_) => Ok(()),
        };
        finished.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => TableErrorKind::Exists,
            _ => TableErrorKind::Io(error),
        })
    }
}
