//! The folder that a file is in.

use std::fs::File;
use std::io;
use std::path::Path;

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Sees to it that the name of a file is on the disk, which the file being there does not ensure.
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    // Other systems do not open folders as files.
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}
