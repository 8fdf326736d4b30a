//! Folders of references.

use std::path::{Path, PathBuf};

use siconos_io::trajectory::{Table, TableError};

use crate::manifest::Reference;

/// The two folders of references.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    /// References made by this project, in the folder of the package.
    own: PathBuf,
    /// References made by other programs, outside the repository.
    external: PathBuf,
}

/// Result of a search for a reference.
#[derive(Debug)]
pub(crate) enum Found {
    Table(Table),
    /// The folder of external references does not exist on this machine.
    NoFolder,
    Missing(PathBuf),
    Unreadable(TableError),
}

impl Folders {
    pub(crate) fn new(package: &Path) -> Self {
        Self { own: package.to_owned(), external: siconos_testkit::reference::place() }
    }

    #[cfg(test)]
    pub(crate) fn at(own: &Path, external: &Path) -> Self {
        Self { own: own.to_owned(), external: external.to_owned() }
    }

    /// Returns the folder of external references, if it exists on this machine.
    pub(crate) fn external(&self) -> Option<&Path> {
        self.external.is_dir().then_some(&*self.external)
    }

    pub(crate) fn path(&self, reference: &Reference) -> PathBuf {
        match reference {
            Reference::Own { file, .. } => self.own.join(file),
            Reference::External { file } => self.external.join(file),
        }
    }

    pub(crate) fn read(&self, reference: &Reference) -> Found {
        if matches!(reference, Reference::External { .. }) && !self.external.is_dir() {
            return Found::NoFolder;
        }
        let path = self.path(reference);
        if !path.is_file() {
            return Found::Missing(path);
        }
        match Table::read(&path) {
            Ok(table) => Found::Table(table),
            Err(error) => Found::Unreadable(error),
        }
    }
}
