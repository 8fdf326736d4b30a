//! Folders of files.

use std::fs::File;
use std::io;
use std::path::Path;

/// Returns the folder that contains a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Syncs the folder that contains a file to the disk. Without this, a new or renamed file can be missing from
/// its folder after a crash, even if the file itself has been synced.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    // Only Unix can open a folder as a file.
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}
