//! Reference files of one class.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::problem::{Problem, ProblemClass};

/// Problems in a folder with their names, and a message for each file that cannot be read.
pub(crate) struct Files {
    pub(crate) problems: Vec<(String, Problem)>,
    pub(crate) unreadable: Vec<String>,
}

impl Files {
    /// Reads every `.dat` file, compressed or not, and with the feature `hdf5` every `.hdf5` file of the
    /// folder with the name of the class, sorted by name. Returns `None` if the folder does not exist.
    pub(crate) fn read(references: Option<&Path>, class: ProblemClass) -> Option<Self> {
        let folder = references?.join(class.to_string());
        let entries = fs::read_dir(folder).ok()?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        let mut files = Self { problems: Vec::new(), unreadable: Vec::new() };
        for path in paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let in_hdf5 = if cfg!(feature = "hdf5") { name.strip_suffix(".hdf5") } else { None };
            let Some(stem) = name.trim_end_matches(".gz").strip_suffix(".dat").or(in_hdf5) else { continue };
            match Problem::read(&path, Some(class)) {
                Ok(problem) => files.problems.push((stem.to_owned(), problem)),
                Err(error) => files.unreadable.push(crate::with_causes(&error)),
            }
        }
        Some(files)
    }
}
