//! Files that are whole before they have their name.

use std::ffi::OsString;
use std::fs::{File, Permissions};
use std::io::{self, ErrorKind};
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

use crate::folder::{folder_of, sync_folder_of};

/// A new file in the folder of another, whose place it takes once it is finished; dropped before, it is
/// removed. A program that is killed leaves it behind, with the name of the other, a dot before and some
/// letters behind it.
#[derive(Debug)]
pub(crate) struct Unfinished(NamedTempFile);

impl Unfinished {
    /// Begins one, with the permissions that any new file has.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(folder_of(path)).map(Self)
    }

    /// Where it is.
    #[cfg(feature = "hdf5")]
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self) -> &File {
        self.0.as_file()
    }

    pub(crate) fn set_permissions(&self, permissions: Permissions) -> io::Result<()> {
        self.file().set_permissions(permissions)
    }

    /// Sees to it that what has been written is on the disk, under its name.
    pub(crate) fn replace(self, path: &Path) -> io::Result<()> {
        self.file().sync_all()?;
        self.0.persist(path).map_err(|error| error.error)?;
        sync_folder_of(path)
    }

    /// As [`replace`](Self::replace), where nothing has the name yet.
    pub(crate) fn finish_new(self, path: &Path) -> io::Result<()> {
        self.file().sync_all()?;
        match self.0.persist_noclobber(path) {
            Ok(_file) => sync_folder_of(path),
            Err(PersistError { error, .. }) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            // Some file systems can only replace.
            Err(PersistError { file, .. }) => Self(file).replace(path),
        }
    }
}
