//! Reading and conversion of tables of any length, row by row.

use std::path::Path;

use siconos_io::ReadOptions;
use siconos_io::trajectory::{Table, TableError, TableReader};

use crate::annotations;

/// Opens a table. If its rows are not stored, the size of a compressed text is not limited.
pub(crate) fn open(path: &Path) -> Result<TableReader, TableError> {
    let options = match Table::is_read_by_row(path)? {
        true => ReadOptions { largest_expansion: u64::MAX },
        false => ReadOptions::default(),
    };
    TableReader::open_with(path, options)
}

/// Converts a table, and returns the number of its rows.
pub(crate) fn convert(from: &Path, to: &Path, is_annotated: bool) -> Result<u64, TableError> {
    let mut reader = open(from)?;
    if !annotations::are_kept(to, is_annotated) {
        reader.drop_provenance();
    }
    reader.write(to)
}
