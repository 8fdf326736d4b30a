//! NumPy archives with one vector for each column.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{ByColumn, Table, TableError, TableErrorKind, write_numbers};
use crate::ReadOptions;
use crate::numpy::{NumpyError, array_of, vector_header};

const ENDING: &str = ".npy";

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
    pub fn from_npz(mut reader: impl Read + Seek, options: ReadOptions) -> Result<Self, TableError> {
        let length = reader.seek(SeekFrom::End(0)).map_err(TableErrorKind::Io)?;
        let mut archive = ZipArchive::new(reader).map_err(|error| of_numpy("", error.into()))?;
        let name_of = |name: &str| name.strip_suffix(ENDING).unwrap_or(name).to_owned();
        if archive.has_duplicate_names() {
            return Err(of_numpy("", "two of its arrays have the same name".into()));
        }
        let names = archive.file_names().map(|name| name.map(|name| name_of(&name)));
        let names: Vec<_> = names.collect::<Result<_, _>>().map_err(|error| of_numpy("", error.into()))?;
        let mut table = Self::with_columns(names).map_err(|(_, kind)| kind)?;
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(table.columns().len());
        // The bytes of an uncompressed entry are limited by the length of the file. However, several entries
        // can refer to the same bytes, so the total is limited as well.
        let mut left = length.saturating_add(options.largest_expansion);
        for (number, name) in table.columns().iter().enumerate() {
            let wrong = |error| of_numpy(name, error);
            let bytes = contents(&mut archive, number, left).map_err(wrong)?;
            left -= bytes.len() as u64;
            let (shape, column) = array_of(&bytes).map_err(wrong)?;
            if shape.len() != 1 {
                return Err(wrong(format!("expected a vector, found shape {shape:?}").into()));
            }
            if let Some(first) = columns.first().filter(|first| first.len() != column.len()) {
                let message =
                    format!("it has {} numbers, but the first array has {}", column.len(), first.len());
                return Err(wrong(message.into()));
            }
            columns.push(column);
        }
        table.push_columns(&columns);
        Ok(table)
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

fn of_numpy(entry: &str, error: NumpyError) -> TableError {
    match error {
        NumpyError::Io(source) => TableErrorKind::Io(source),
        NumpyError::Form(what) => TableErrorKind::Npz { entry: entry.to_owned(), what },
    }
    .into()
}

/// Returns the content of an entry; returns an error if it has more than `limit` bytes.
fn contents(
    archive: &mut ZipArchive<impl Read + Seek>,
    number: usize,
    limit: u64,
) -> Result<Vec<u8>, NumpyError> {
    let entry = archive.by_index(number)?;
    let size = entry.size();
    if size > limit {
        return Err(format!("it has {size} bytes; the limit is {limit}").into());
    }
    let mut contents = Vec::new();
    // Reading one more byte detects a longer entry.
    entry.take(size.saturating_add(1)).read_to_end(&mut contents)?;
    if contents.len() as u64 != size {
        return Err(format!("it does not have its declared size of {size} bytes").into());
    }
    Ok(contents)
}
