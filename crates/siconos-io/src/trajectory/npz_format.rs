//! Archives of NumPy: a vector for each column.

use std::io::{BufWriter, Read, Seek, Write};

use super::{Table, TableError, TableErrorKind};
use crate::ReadOptions;
use crate::numpy::{Archive, ArchiveWriter, Entry, NumpyError, array_length, array_of, array_to};

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
    pub fn from_npz(reader: impl Read + Seek, options: ReadOptions) -> Result<Self, TableError> {
        let mut archive = Archive::new(reader).map_err(|error| of_numpy("", error))?;
        let name_of = |entry: &Entry| entry.name.strip_suffix(ENDING).unwrap_or(&entry.name).to_owned();
        let names: Vec<_> = archive.entries.iter().map(name_of).collect();
        let mut table = Self::with_columns(names).map_err(|(_, kind)| kind)?;
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(table.columns().len());
        // What is stored is in the file already, but several entries may claim the same bytes of it.
        let mut left = archive.length.saturating_add(options.largest_expansion);
        for (number, name) in table.columns().iter().enumerate() {
            let wrong = |error| of_numpy(name, error);
            let bytes = archive.contents(number, left).map_err(wrong)?;
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
        let write = || {
            let mut archive = ArchiveWriter::new(BufWriter::new(writer));
            for (place, name) in self.columns().iter().enumerate() {
                let column = || self.rows().map(|row| row[place]);
                let file = format!("{name}{ENDING}");
                archive.add(&file, array_length(self.len()), |writer| array_to(writer, column()))?;
            }
            archive.finish()?.flush()
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
