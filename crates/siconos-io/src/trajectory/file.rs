//! Files: the format and the compression follow from the end of the name.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Table, TableError, TableErrorKind};
use crate::ReadOptions;
use crate::text_file;

#[derive(Clone, Copy)]
enum Format {
    Csv,
    Reference,
    Plain,
}

impl Format {
    /// The format, and whether it is compressed.
    fn of(path: &Path) -> Result<(Self, bool), TableError> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (name, compressed) = name.strip_suffix(".gz").map_or((&*name, false), |name| (name, true));
        match name.rsplit_once('.') {
            Some((_, "csv")) => Ok((Self::Csv, compressed)),
            Some((_, "ref")) => Ok((Self::Reference, compressed)),
            Some((_, "dat" | "txt")) => Ok((Self::Plain, compressed)),
            _ => Err(TableError::from(TableErrorKind::UnknownExtension).in_file(path)),
        }
    }

    fn read(self, reader: impl Read) -> Result<Table, TableError> {
        match self {
            Self::Csv => Table::from_csv(reader),
            Self::Reference => Table::from_reference(reader),
            Self::Plain => Table::from_plain(reader),
        }
    }

    fn write(self, table: &Table, writer: impl Write) -> Result<(), TableError> {
        match self {
            Self::Csv => table.to_csv(writer),
            Self::Reference => table.to_reference(writer),
            Self::Plain => table.to_plain(writer),
        }
    }
}

impl Table {
    /// Reads the file at `path`, in the format that the end of its name says (see [`trajectory`](super)).
    ///
    /// # Errors
    ///
    /// [`TableError`] with the path: an unknown extension, a file that cannot be read, a gzip file that
    /// expands beyond the default of [`ReadOptions`], and whatever [`Table::from_csv`],
    /// [`Table::from_reference`] and [`Table::from_plain`] refuse.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::read_with(path, ReadOptions::default())
    }

    /// As [`Table::read`], with options.
    ///
    /// # Errors
    ///
    /// As [`Table::read`].
    pub fn read_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<Self, TableError> {
        let path = path.as_ref();
        let (format, compressed) = Format::of(path)?;
        let reader = text_file::open(path, compressed, options).map_err(|source| io_error(path, source))?;
        format.read(reader).map_err(|error| error.in_file(path))
    }

    /// Writes the file at `path`, in the format that the end of its name says (see [`trajectory`](super)),
    /// and replaces what was there.
    ///
    /// # Errors
    ///
    /// [`TableError`] with the path: an unknown extension, or a file that cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), TableError> {
        let path = path.as_ref();
        let (format, compressed) = Format::of(path)?;
        let file = File::create(path).map_err(|source| io_error(path, source))?;
        let mut file = BufWriter::new(file);
        if compressed {
            let mut encoder = GzEncoder::new(file, Compression::default());
            format.write(self, &mut encoder).map_err(|error| error.in_file(path))?;
            file = encoder.finish().map_err(|source| io_error(path, source))?;
        } else {
            format.write(self, &mut file).map_err(|error| error.in_file(path))?;
        }
        file.flush().map_err(|source| io_error(path, source))
    }
}

fn io_error(path: &Path, source: std::io::Error) -> TableError {
    TableError::from(TableErrorKind::Io(source)).in_file(path)
}
