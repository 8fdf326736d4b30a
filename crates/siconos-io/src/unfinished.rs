//! Temporary files that receive their final name when they are complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::path::Path;

use tempfile::{NamedTempFile, PersistError};

use crate::folder::{folder_of, sync_folder_of};
use crate::locked::is_named;

/// Temporary file that replaces another file in the same folder once it is complete. If this value is dropped
/// earlier, the temporary file is removed.
///
/// Its name is `.NAME.LETTERS.unfinished`, where NAME is the name of the other file and LETTERS are random. A
/// program that is killed leaves its temporary file behind. Each temporary file is locked while its program
/// runs, so [`remove_left`] can recognise and remove the files of programs that have ended.
#[derive(Debug)]
pub(crate) struct Unfinished(NamedTempFile);

/// Suffix of the names of temporary files.
const SUFFIX: &str = ".unfinished";

/// Returns the prefix of the names of the temporary files for a path.
fn prefix_of(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes the temporary files for a path, except those that a program is writing. Failures are ignored,
/// because leftover files do no harm.
pub(crate) fn remove_left(path: &Path) {
    let prefix = prefix_of(path);
    let is_one = |name: &OsStr| {
        let letters = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let letters = letters.and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()));
        letters.is_some_and(|letters| letters.iter().all(u8::is_ascii_alphanumeric))
    };
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    for entry in entries.flatten().filter(|entry| is_one(&entry.file_name())) {
        let path = entry.path();
        // A file that can be locked belongs to a program that has ended, because a running program keeps its
        // file locked. On a file system without locks, no file can be locked, so no file is removed.
        let is_pending = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if is_pending {
            fs::remove_file(&path).ok();
        }
    }
}

impl Unfinished {
    /// Creates a temporary file for `path` with the default permissions of new files.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let prefix = prefix_of(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        loop {
            let file = builder.tempfile_in(folder_of(path))?;
            // On a file system without locks, the files of killed programs are never removed.
            file.as_file().try_lock().ok();
            // Before the file was locked, another program may have removed it as a leftover.
            if is_named(file.as_file(), file.path())? {
                return Ok(Self(file));
            }
        }
    }

    /// Returns the path of the temporary file.
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

    /// Writes the file to the disk and renames it to `path`, replacing any file there.
    pub(crate) fn replace(self, path: &Path) -> io::Result<()> {
        self.file().sync_all()?;
        unlock(&self.0.persist(path).map_err(|error| error.error)?);
        sync_folder_of(path)
    }

    /// Like [`replace`](Self::replace), but returns an error if `path` exists.
    pub(crate) fn finish_new(self, path: &Path) -> io::Result<()> {
        self.file().sync_all()?;
        match self.0.persist_noclobber(path) {
            Ok(file) => {
                unlock(&file);
                sync_folder_of(path)
            }
            Err(PersistError { error, .. }) if error.kind() == ErrorKind::AlreadyExists => Err(error),
            // Some file systems can only rename with replacement.
            Err(PersistError { file, .. }) => Self(file).replace(path),
        }
    }
}

/// Unlocks a file. Closing it is not enough while a child process that is being started has it open.
pub(crate) fn unlock(file: &File) {
    file.unlock().ok();
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::{Unfinished, remove_left};

    #[test]
    fn files_of_programs_that_have_ended_are_removed_and_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.csv.snapshot");
        let living = Unfinished::beside(&path).expect("a file");
        living.file().write_all(b"half").expect("a file");
        let left = [".run.csv.snapshot.Ab3dEf.unfinished", ".run.csv.snapshot.000000.unfinished"];
        let others = [
            ".run.csv.snapshot.backup",
            ".run.csv.snapshot.a.unfinished.csv",
            ".run.csv.snapshot.a.b.unfinished",
            ".run.csv.Ab3dEf.unfinished",
            "run.csv.snapshot",
            "run.csv.snapshot.before",
        ];
        for name in left.iter().chain(&others) {
            fs::write(folder.path().join(name), "x").expect("a file");
        }
        remove_left(&path);
        for name in left {
            assert!(!folder.path().join(name).exists(), "{name}");
        }
        for name in others {
            assert!(folder.path().join(name).exists(), "{name}");
        }
        living.replace(&path).expect("it is there still");
        assert_eq!(fs::read(&path).expect("a file"), b"half");
        let names = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, others.len());
    }
}
