//! Paths: the root of the tree, the target folder, and the files below a folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::Error;

/// Returns the root of the tree, regardless of the working folder.
pub(crate) fn root() -> &'static Path {
    // `xtask` is directly below the root; a manifest folder always has a parent.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Returns the target folder chosen by the caller, as an absolute path.
///
/// It is computed once, so that every child process uses the same folder.
pub(crate) fn given_target() -> Option<&'static Path> {
    static GIVEN: OnceLock<Option<PathBuf>> = OnceLock::new();
    GIVEN
        .get_or_init(|| {
            let folder = env::var_os("CARGO_TARGET_DIR").or_else(|| env::var_os("CARGO_BUILD_TARGET_DIR"))?;
            std::path::absolute(folder).ok()
        })
        .as_deref()
}

/// Returns the folder for builds, figures and reports.
pub(crate) fn target() -> PathBuf {
    given_target().map_or_else(|| root().join("target"), Path::to_owned)
}

/// Returns a path for display. If the path is inside the tree, it is relative to the root and has forward
/// slashes.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Copies a file and creates missing folders. Symbolic links are followed.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    }
    fs::copy(from, to).map_err(Error::file("copy", from))?;
    Ok(())
}

/// Returns all files below `folder`, sorted by path. Folders for which `skip` returns `true` are not entered.
pub(crate) fn files_below(folder: &Path, skip: fn(&Path) -> bool) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::file("list", &folder))? {
            let path = entry.map_err(Error::file("list", &folder))?.path();
            // `is_dir` follows symbolic links, and a link to a folder could lead out of the tree or into a
            // cycle.
            if path.is_symlink() {
                continue;
            }
            if !path.is_dir() {
                files.push(path);
            } else if !skip(&path) {
                open.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{files_below, root, shown};

    #[test]
    fn the_root_holds_the_workspace_manifest() {
        assert!(root().join("Cargo.toml").is_file());
        assert_eq!(shown(&root().join("xtask").join("Cargo.toml")), "xtask/Cargo.toml");
    }

    #[test]
    fn files_come_sorted_and_skipped_folders_stay_out() {
        let files =
            files_below(&root().join("xtask"), |folder| folder.ends_with("tidy")).expect("xtask is readable");
        assert!(files.is_sorted());
        assert!(files.contains(&root().join("xtask/src/workspace.rs")));
        assert!(!files.iter().any(|file| file.starts_with(root().join("xtask/src/tidy"))));
    }
}
