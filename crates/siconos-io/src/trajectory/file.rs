//! Table files. The extension selects the format and the compression.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::de::IgnoredAny;

use super::encoding::{Appendable, Encoding};
#[cfg(feature = "hdf5")]
use super::hdf5_format;
use super::npz_columns;
use super::npz_format;
use super::reader::LineFormat;
use super::reference_format::write_reference_head;
use super::target::Target;
use super::{ByColumn, ColumnStore, Table, TableError, TableErrorKind, TableReader};
use crate::ReadOptions;
#[cfg(feature = "hdf5")]
use crate::folder::folder_of;
use crate::text_file;

/// Format of a file.
#[derive(Clone, Copy)]
enum Format {
    Text {
        form: Text,
        is_compressed: bool,
    },
    Log,
    Npz,
    #[cfg(feature = "hdf5")]
    Hdf5,
}

#[derive(Clone, Copy)]
enum Text {
    Csv,
    Json,
    JsonLines,
    Reference,
    Plain,
}

impl Format {
    fn of(path: &Path) -> Result<Self, TableErrorKind> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (name, is_compressed) = name.strip_suffix(".gz").map_or((&*name, false), |name| (name, true));
        let form = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Text::Csv,
            Some("json") => Text::Json,
            Some("jsonl") => Text::JsonLines,
            Some("ref") => Text::Reference,
            Some("dat" | "txt") => Text::Plain,
            Some("slog") if !is_compressed => return Ok(Self::Log),
            Some("npz") if !is_compressed => return Ok(Self::Npz),
            #[cfg(feature = "hdf5")]
            Some("h5") if !is_compressed => return Ok(Self::Hdf5),
            _ => return Err(TableErrorKind::UnknownExtension),
        };
        Ok(Self::Text { form, is_compressed })
    }

    fn read(self, path: &Path, options: ReadOptions) -> Result<Table, TableError> {
        let open = || File::open(path).map_err(TableErrorKind::Io);
        match self {
            Self::Text { form, is_compressed } => {
                let reader = text_file::open(path, is_compressed, options).map_err(TableErrorKind::Io)?;
                match form {
                    Text::Csv => Table::from_csv(reader),
                    Text::Json => serde_json::from_reader(BufReader::new(reader))
                        .map_err(|error| TableErrorKind::Io(error.into()).into()),
                    Text::JsonLines => Table::from_json_lines(reader),
                    Text::Reference => Table::from_reference(reader),
                    Text::Plain => Table::from_plain(reader),
                }
            }
            Self::Log => Table::from_log(open()?),
            Self::Npz => Table::from_npz(open()?, options),
            #[cfg(feature = "hdf5")]
            Self::Hdf5 => hdf5_format::open(path)?.1.table(),
        }
    }

    /// Opens a file for reading row by row; a format without this is read as a whole.
    fn open(self, path: &Path, options: ReadOptions) -> Result<TableReader, TableError> {
        let open = || File::open(path).map_err(TableErrorKind::Io);
        match self {
            Self::Text { form, is_compressed } => match form.lines() {
                Some(form) => {
                    let reader = text_file::open(path, is_compressed, options).map_err(TableErrorKind::Io)?;
                    TableReader::from_lines(reader, form)
                }
                None => Ok(self.read(path, options)?.into()),
            },
            Self::Log => TableReader::from_log(open()?),
            Self::Npz => {
                let (head, rows) = npz_columns::open(open()?, options)?;
                Ok(TableReader::from_columns(head, rows))
            }
            #[cfg(feature = "hdf5")]
            Self::Hdf5 => {
                let (head, rows) = hdf5_format::open(path)?;
                Ok(TableReader::from_columns(head, rows))
            }
        }
    }

    /// Returns `true` if [`Format::open`] does not read the whole file.
    fn is_read_by_row(self) -> bool {
        match self {
            Self::Text { form, .. } => form.lines().is_some(),
            _ => true,
        }
    }

    /// Writes the remaining rows of a reader, and returns their number. Errors in the target state its path.
    fn write_rows(self, mut reader: TableReader, path: &Path) -> Result<u64, TableError> {
        let in_target = |error: TableError| error.in_file(path);
        let failed = |source| in_target(TableErrorKind::Io(source).into());
        let begin = || Target::begin(path).map_err(|kind| in_target(kind.into()));
        let (target, rows) = match self {
            Self::Text { form, is_compressed: false } => {
                let target = begin()?;
                let rows = form.write_rows(&mut reader, target.file(), &target, path)?;
                (target, rows)
            }
            Self::Text { form, is_compressed: true } => {
                let target = begin()?;
                let mut encoder = GzEncoder::new(BufWriter::new(target.file()), Compression::default());
                let rows = form.write_rows(&mut reader, &mut encoder, &target, path)?;
                let finish = || encoder.finish()?.flush();
                finish().map_err(failed)?;
                (target, rows)
            }
            Self::Log => {
                let target = begin()?;
                let encoding: Begin = |head, bytes| Encoding::begin(Appendable::Log, head, bytes);
                let rows = encode_all(encoding, &mut reader, target.file(), path)?;
                (target, rows)
            }
            Self::Npz => {
                let target = begin()?;
                let store = ColumnStore::of(&mut reader, &target.folder())?;
                npz_format::write(&store, target.file()).map_err(in_target)?;
                (target, store.rows() as u64)
            }
            #[cfg(feature = "hdf5")]
            Self::Hdf5 => {
                let store = ColumnStore::of(&mut reader, folder_of(path))?;
                // The reader can have the same file open, and the HDF5 library locks open files.
                drop(reader);
                let target = begin()?;
                hdf5_format::write(&store, target.unlocked(path)).map_err(in_target)?;
                (target, store.rows() as u64)
            }
        };
        target.finish().map_err(|kind| in_target(kind.into()))?;
        Ok(rows)
    }

    fn write(self, table: &Table, path: &Path) -> Result<(), TableError> {
        let target = Target::begin(path)?;
        match self {
            Self::Text { form, is_compressed: false } => form.write(table, target.file())?,
            Self::Text { form, is_compressed: true } => {
                let mut encoder = GzEncoder::new(BufWriter::new(target.file()), Compression::default());
                form.write(table, &mut encoder)?;
                let finish = || encoder.finish()?.flush();
                finish().map_err(TableErrorKind::Io)?;
            }
            Self::Log => table.to_log(target.file())?,
            Self::Npz => table.to_npz(target.file())?,
            #[cfg(feature = "hdf5")]
            Self::Hdf5 => hdf5_format::write(table, target.unlocked(path))?,
        }
        Ok(target.finish()?)
    }
}

impl Text {
    /// Returns the format of the lines, if the text has one row per line.
    fn lines(self) -> Option<LineFormat> {
        match self {
            Self::Csv => Some(LineFormat::Csv),
            Self::Json => None,
            Self::JsonLines => Some(LineFormat::JsonLines),
            Self::Reference => Some(LineFormat::Reference),
            Self::Plain => Some(LineFormat::Plain),
        }
    }

    /// Writes the remaining rows of a reader, and returns their number. `target` is the file to which
    /// `writer` writes.
    fn write_rows(
        self,
        reader: &mut TableReader,
        mut writer: impl Write,
        target: &Target,
        path: &Path,
    ) -> Result<u64, TableError> {
        let begin: Begin = match self {
            Self::Csv => |head, bytes| Encoding::begin(Appendable::Csv, head, bytes),
            Self::JsonLines => |head, bytes| Encoding::begin(Appendable::JsonLines, head, bytes),
            Self::Json => Encoding::begin_json,
            Self::Plain => Encoding::begin_plain,
            Self::Reference => {
                // The head contains the number of rows, which is not known yet.
                let columns = reader.head().columns().len();
                let failed = |source| TableError::from(TableErrorKind::Io(source)).in_file(path);
                let mut body = tempfile::tempfile_in(target.folder()).map_err(failed)?;
                let rows = encode_all(|_, _| Ok(Encoding::Plain), reader, &body, path)?;
                let mut join = || {
                    body.rewind()?;
                    write_reference_head(&mut writer, rows, columns)?;
                    io::copy(&mut body, &mut writer)
                };
                join().map_err(failed)?;
                return Ok(rows);
            }
        };
        encode_all(begin, reader, writer, path)
    }

    fn write(self, table: &Table, writer: impl Write) -> Result<(), TableError> {
        match self {
            Self::Csv => table.to_csv(writer),
            Self::Json => write_json(table, writer),
            Self::JsonLines => table.to_json_lines(writer),
            Self::Reference => table.to_reference(writer),
            Self::Plain => table.to_plain(writer),
        }
    }
}

/// Writes the table as one JSON object, with all numbers in one array.
fn write_json(table: &Table, writer: impl Write) -> Result<(), TableError> {
    let mut writer = BufWriter::new(writer);
    let written = serde_json::to_writer(&mut writer, table).map_err(io::Error::from);
    let ended = written.and_then(|()| writeln!(writer)).and_then(|()| writer.flush());
    ended.map_err(|source| TableErrorKind::Io(source).into())
}

/// Function that appends the head of a file to the bytes.
type Begin = fn(&Table, &mut Vec<u8>) -> io::Result<Encoding>;

/// Writes a file with the remaining rows of a reader, and returns their number. Errors of the writer state
/// `path`.
fn encode_all(
    begin: Begin,
    reader: &mut TableReader,
    writer: impl Write,
    path: &Path,
) -> Result<u64, TableError> {
    let failed = |source| TableError::from(TableErrorKind::Io(source)).in_file(path);
    let mut writer = BufWriter::new(writer);
    let mut bytes = Vec::new();
    let encoding = begin(reader.head(), &mut bytes).map_err(failed)?;
    let mut rows = 0;
    while let Some(row) = reader.next_row()? {
        encoding.write_row(&mut bytes, rows, row).map_err(failed)?;
        rows += 1;
        writer.write_all(&bytes).map_err(failed)?;
        bytes.clear();
    }
    encoding.end(reader.head(), &mut bytes).map_err(failed)?;
    writer.write_all(&bytes).and_then(|()| writer.flush()).map_err(failed)?;
    Ok(rows)
}

/// Opens a file for reading row by row.
pub(super) fn open(path: &Path, options: ReadOptions) -> Result<TableReader, TableError> {
    Format::of(path)?.open(path, options)
}

/// Writes the remaining rows of a reader to a file, and returns their number.
pub(super) fn write_rows(reader: TableReader, path: &Path) -> Result<u64, TableError> {
    let format = Format::of(path).map_err(|kind| TableError::from(kind).in_file(path))?;
    format.write_rows(reader, path)
}

/// Returns the format of the file if rows can be appended to it.
pub(super) fn appendable(path: &Path) -> Result<Appendable, TableErrorKind> {
    match Format::of(path)? {
        Format::Text { form: Text::Csv, is_compressed: false } => Ok(Appendable::Csv),
        Format::Text { form: Text::JsonLines, is_compressed: false } => Ok(Appendable::JsonLines),
        Format::Log => Ok(Appendable::Log),
        _ => Err(TableErrorKind::NotAppendable),
    }
}

impl Table {
    /// Reads the file at `path`, in the format given by its extension (see [`trajectory`](super)).
    ///
    /// # Errors
    ///
    /// If the extension is unknown, the file cannot be read, it is longer than the default limit of
    /// [`ReadOptions`] after decompression, or the reader of the format returns an error
    /// ([`Table::from_csv`], [`Table::from_json_lines`], [`Table::from_reference`], [`Table::from_plain`],
    /// [`Table::from_log`], [`Table::from_npz`]). The [`TableError`] states the path.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, TableError> {
        Self::read_with(path, ReadOptions::default())
    }

    /// Reads the file at `path` with options, see [`Table::read`].
    ///
    /// # Errors
    ///
    /// As [`Table::read`].
    pub fn read_with(path: impl AsRef<Path>, options: ReadOptions) -> Result<Self, TableError> {
        let path = path.as_ref();
        let read = || Format::of(path)?.read(path, options);
        read().map_err(|error| error.in_file(path))
    }

    /// Returns `true` if the file at `path` contains a table in JSON, which is an object with the keys
    /// `columns` and `data`. Model files in JSON have the same extension, but neither key.
    pub fn is_json_table(path: impl AsRef<Path>) -> bool {
        #[derive(serde::Deserialize)]
        struct Keys {
            #[serde(rename = "columns")]
            _columns: IgnoredAny,
            #[serde(rename = "data")]
            _data: IgnoredAny,
        }
        let path = path.as_ref();
        let is_json = matches!(Format::of(path), Ok(Format::Text { form: Text::Json, .. }));
        let is_compressed = path.extension().is_some_and(|ending| ending == "gz");
        let open = || text_file::open(path, is_compressed, ReadOptions::default()).map(BufReader::new).ok();
        is_json && open().is_some_and(|text| serde_json::from_reader::<_, Keys>(text).is_ok())
    }

    /// Returns `true` if a [`TableWriter`](super::TableWriter) supports the format of this extension, so that
    /// rows can be appended one at a time.
    ///
    /// # Errors
    ///
    /// If the extension is unknown ([`TableErrorKind::UnknownExtension`]).
    pub fn is_appendable(path: impl AsRef<Path>) -> Result<bool, TableError> {
        let path = path.as_ref();
        Format::of(path).map_err(|kind| TableError::from(kind).in_file(path))?;
        Ok(appendable(path).is_ok())
    }

    /// Returns `true` if a [`TableReader`] reads the format of this extension row by row, so that it does not
    /// need all rows in memory.
    ///
    /// # Errors
    ///
    /// If the extension is unknown ([`TableErrorKind::UnknownExtension`]).
    pub fn is_read_by_row(path: impl AsRef<Path>) -> Result<bool, TableError> {
        let path = path.as_ref();
        let format = Format::of(path).map_err(|kind| TableError::from(kind).in_file(path))?;
        Ok(format.is_read_by_row())
    }

    /// Writes the file at `path`, in the format given by its extension (see [`trajectory`](super)), and
    /// replaces an existing file. The existing file remains until the new file is complete and on the disk:
    /// an interrupted program or a full disk does not leave an incomplete table. Devices and pipes are
    /// written to directly.
    ///
    /// # Errors
    ///
    /// If the extension is unknown, the file cannot be written, or a [`TableWriter`](super::TableWriter) is
    /// writing to it ([`TableErrorKind::InUse`]). Also if the file did not exist at the start of the call and
    /// another program has created it since then ([`TableErrorKind::Exists`]). The [`TableError`] states the
    /// path.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), TableError> {
        let path = path.as_ref();
        let write = || Format::of(path)?.write(self, path);
        write().map_err(|error| error.in_file(path))
    }
}
