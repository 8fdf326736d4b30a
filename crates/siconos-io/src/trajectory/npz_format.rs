//! Archives of NumPy: a vector for each column.

use std::io::{BufWriter, Error, Read, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Table, TableError, TableErrorKind};
use crate::ReadOptions;
use crate::numpy::{NumpyError, array_of, array_to};

const ENDING: &str = ".npy";

impl Table {
    /// Reads an archive of NumPy (`.npz`): its arrays are the columns, in the order of the archive.
    ///
    /// Vectors of real numbers are read, as `numpy.savez` and `numpy.savez_compressed` write them, of one
    /// length.
    ///
    /// # Errors
    ///
    /// [`TableErrorKind::Npz`] with the array that is wrong: damage, another type or shape, another length,
    /// [`ReadOptions::largest_expansion`] more bytes than the file; a name that cannot be that of a column; a
    /// failing reader.
    pub fn from_npz(mut reader: impl Read + Seek, options: ReadOptions) -> Result<Self, TableError> {
        let length = reader.seek(SeekFrom::End(0)).map_err(TableErrorKind::Io)?;
        let mut archive = ZipArchive::new(reader).map_err(|error| of_numpy("", error.into()))?;
        let name_of = |name: &str| name.strip_suffix(ENDING).unwrap_or(name).to_owned();
        if archive.has_duplicate_names() {
            return Err(of_numpy("", "two of its arrays have one name".into()));
        }
        let names = archive.file_names().map(|name| name.map(|name| name_of(&name)));
        let names: Vec<_> = names.collect::<Result<_, _>>().map_err(|error| of_numpy("", error.into()))?;
        let mut table = Self::with_columns(names).map_err(|(_, kind)| kind)?;
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(table.columns().len());
        // What is stored is in the file already, but several entries may claim the same bytes of it.
        let mut left = length.saturating_add(options.largest_expansion);
        for (number, name) in table.columns().iter().enumerate() {
            let wrong = |error| of_numpy(name, error);
            let bytes = contents(&mut archive, number, left).map_err(wrong)?;
            left -= bytes.len() as u64;
            let (shape, column) = array_of(&bytes).map_err(wrong)?;
            if shape.len() != 1 {
                return Err(wrong(format!("its shape is {shape:?}; a vector expected").into()));
            }
            if let Some(first) = columns.first().filter(|first| first.len() != column.len()) {
                let message = format!("it has {} numbers, the first array has {}", column.len(), first.len());
                return Err(wrong(message.into()));
            }
            columns.push(column);
        }
        table.push_columns(&columns);
        Ok(table)
    }

    /// Writes an archive of NumPy (`.npz`): a vector of doubles for each column, under its name and in order.
    /// Provenance has no place in it.
    ///
    /// In Python, `numpy.load("run.npz")["q"]` is the column q, and `numpy.load("run.npz").files` are all
    /// names.
    ///
    /// # Errors
    ///
    /// [`TableErrorKind::Io`] when the writer fails, or a name has more than 65 000 bytes.
    pub fn to_npz(&self, writer: impl Write) -> Result<(), TableError> {
        let write = || -> Result<(), Error> {
            let mut archive = ZipWriter::new_stream(BufWriter::new(writer));
            for (place, name) in self.columns().iter().enumerate() {
                // The first day that there is: equal tables have equal files.
                let options = SimpleFileOptions::DEFAULT
                    .compression_method(CompressionMethod::Stored)
                    .last_modified_time(zip::DateTime::DEFAULT)
                    .large_file(true);
                archive.start_file(format!("{name}{ENDING}"), options)?;
                array_to(&mut archive, self.rows().map(|row| row[place]))?;
            }
            archive.finish()?.into_inner().flush()
        };
        write().map_err(|source| TableErrorKind::Io(source).into())
    }
}

fn of_numpy(entry: &str, error: NumpyError) -> TableError {
    match error {
        NumpyError::Io(source) => TableErrorKind::Io(source),
        NumpyError::Form(what) => TableErrorKind::Npz { entry: entry.to_owned(), what },
    }
    .into()
}

/// The contents of an entry, of at most `limit` bytes.
fn contents(
    archive: &mut ZipArchive<impl Read + Seek>,
    number: usize,
    limit: u64,
) -> Result<Vec<u8>, NumpyError> {
    let entry = archive.by_index(number)?;
    let size = entry.size();
    if size > limit {
        return Err(format!("it has {size} bytes, more than the limit of {limit}").into());
    }
    let mut contents = Vec::new();
    // One byte more shows that there is more.
    entry.take(size.saturating_add(1)).read_to_end(&mut contents)?;
    if contents.len() as u64 != size {
        return Err(format!("it should have {size} bytes, and has not").into());
    }
    Ok(contents)
}
