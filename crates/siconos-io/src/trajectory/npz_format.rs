//! NumPy archives with one vector for each column.

use std::io::{self, BufWriter, Read, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::npz_columns::{self, ENDING};
use super::{ByColumn, Table, TableError, TableErrorKind, write_numbers};
use crate::ReadOptions;
use crate::numpy::vector_header;

impl Table {
    /// Reads a NumPy archive (`.npz`). Each array is a column, in the order of the archive.
    ///
    /// The arrays are vectors of real numbers of equal length, as `numpy.savez` and `numpy.savez_compressed`
    /// write them.
    ///
    /// # Errors
    ///
    /// If the archive is damaged, an array is not a vector of real numbers, the lengths of the arrays differ,
    /// the arrays are larger than the file by more than [`ReadOptions::largest_expansion`] bytes, a name is
    /// not allowed for a column, or the reader fails. [`TableErrorKind::Npz`] states the array.
    pub fn from_npz(reader: impl Read + Seek, options: ReadOptions) -> Result<Self, TableError> {
        npz_columns::open(reader, options)?.1.table()
    }

    /// Writes a NumPy archive (`.npz`): a vector of doubles for each column, under its name and in order. The
    /// provenance is not written.
    ///
    /// In Python, `numpy.load("run.npz")["q"]` returns the column q, and `numpy.load("run.npz").files`
    /// returns all names.
    ///
    /// # Errors
    ///
    /// If the writer fails, or a name has more than 65 000 bytes ([`TableErrorKind::Io`]).
    pub fn to_npz(&self, writer: impl Write) -> Result<(), TableError> {
        write(self, writer)
    }
}

/// Writes a NumPy archive, see [`Table::to_npz`].
pub(super) fn write(table: &dyn ByColumn, writer: impl Write) -> Result<(), TableError> {
    let failed = |source: io::Error| TableError::from(TableErrorKind::Io(source));
    let mut archive = ZipWriter::new_stream(BufWriter::new(writer));
    for (place, name) in table.head().columns().iter().enumerate() {
        // The date is always the earliest possible one, so that equal tables give identical files.
        let options = SimpleFileOptions::DEFAULT
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::DEFAULT)
            .large_file(true);
        archive.start_file(format!("{name}{ENDING}"), options).map_err(|error| failed(error.into()))?;
        archive.write_all(&vector_header(table.rows())).map_err(failed)?;
        table.read_column(place, &mut |numbers| write_numbers(&mut archive, numbers).map_err(failed))?;
    }
    let finish = || archive.finish()?.into_inner().flush();
    finish().map_err(failed)
}
