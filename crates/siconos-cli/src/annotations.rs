//! Lines with the origin and the units of a table, above the header of a .csv file.

use std::path::Path;

use siconos_io::trajectory::Table;

/// Removes these lines from a table that is written to a .csv file, unless the user requests them. Programs
/// that read the file need no option then.
pub(crate) fn remove_for(path: &Path, table: &mut Table, are_wanted: bool) {
    if !are_kept(path, are_wanted) {
        table.provenance.clear();
    }
}

/// Returns `true` if the lines are written to a file with this path.
pub(crate) fn are_kept(path: &Path, are_wanted: bool) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    are_wanted || !(name.ends_with(".csv") || name.ends_with(".csv.gz"))
}
