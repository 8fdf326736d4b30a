//! Writer of rows to a file during a run.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::encoding::Encoding;
use super::exclusive;
use super::file::appendable;
use super::{Table, TableError, TableErrorKind};
use crate::folder::sync_folder_of;
use crate::locked::Locked;

/// Maximum size of the pending rows \[bytes\]. If they are larger, they are written to the file.
const PENDING: usize = 1 << 16;

/// Writer of a trajectory, row by row, in bounded memory.
///
/// The extension selects the format: CSV (`.csv`), JSON lines (`.jsonl`) or a [`log`](super::log) (`.slog`).
/// The bytes of the file depend only on the head and the rows. They do not depend on the time of writing or
/// on interruptions of the run. The writer locks the file, so that a second run cannot write to it.
///
/// ```
/// use siconos_io::trajectory::{Table, TableWriter};
///
/// # let path = std::env::temp_dir().join(format!("siconos_writer_{}.slog", std::process::id()));
/// # let path = path.as_path();
/// let head = Table::new(["t", "q"]);
/// let mut writer = TableWriter::create(path, &head)?;
/// writer.push_row(&[0.0, 1.0])?;
/// writer.push_row(&[0.1, 0.9])?;
/// writer.sync()?; // All rows pushed so far now survive even a loss of power.
/// writer.push_row(&[0.2, 0.7])?;
/// drop(writer); // The run is interrupted here. Its snapshot was taken when there were two rows.
///
/// let mut writer = TableWriter::resume(path, &head, 2)?;
/// writer.push_row(&[0.2, 0.7])?;
/// assert_eq!(writer.rows(), 3);
/// writer.finish()?;
/// assert_eq!(Table::read(path)?.row(2), [0.2, 0.7]);
/// # std::fs::remove_file(path).ok();
/// # Ok::<(), siconos_io::trajectory::TableError>(())
/// ```
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    file: Locked,
    encoding: Encoding,
    columns: Vec<String>,
    rows: u64,
    /// Bytes that are not in the file yet. They can start in the middle of a row.
    pending: Vec<u8>,
    /// `true` if the directory entry of the file is known to be on the disk.
    is_named: bool,
}

impl TableWriter {
    /// Creates a new file with the columns and the provenance of `head`; the rows of `head` are ignored.
    ///
    /// # Errors
    ///
    /// If the file exists ([`TableErrorKind::Exists`]), is locked by another writer
    /// ([`TableErrorKind::InUse`]), has an unsupported extension ([`TableErrorKind::NotAppendable`]) or
    /// cannot be written ([`TableErrorKind::Io`]). The [`TableError`] states the path.
    pub fn create(path: impl AsRef<Path>, head: &Table) -> Result<Self, TableError> {
        Self::begin(path.as_ref(), head, exclusive::create)
    }

    /// Creates a file as [`TableWriter::create`] does, and empties an existing file.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::create`], except [`TableErrorKind::Exists`].
    pub fn replace(path: impl AsRef<Path>, head: &Table) -> Result<Self, TableError> {
        Self::begin(path.as_ref(), head, exclusive::replace)
    }

    /// Resumes a file after its first `rows` rows. Everything after these rows is removed: further complete
    /// rows, and a partial row of an interrupted run. If `rows` is 0, the file is replaced, whatever its
    /// content is.
    ///
    /// The rows to keep are read and checked one at a time. In a log, their checksums are checked; in a text
    /// file, their numbers. The file is truncated only if all checks pass.
    ///
    /// # Errors
    ///
    /// If the file is locked by another writer ([`TableErrorKind::InUse`]), its columns differ from `head`
    /// ([`TableErrorKind::HeaderMismatch`]), it has too few rows ([`TableErrorKind::TooFewRows`]), a row is
    /// damaged ([`TableErrorKind::DamagedRow`]), or the reader of the format returns another error. Also if
    /// the extension is not supported ([`TableErrorKind::NotAppendable`]), or the file cannot be read or
    /// written ([`TableErrorKind::Io`]). The [`TableError`] states the path, and the file is unchanged.
    pub fn resume(path: impl AsRef<Path>, head: &Table, rows: u64) -> Result<Self, TableError> {
        let path = path.as_ref();
        if rows == 0 {
            return Self::replace(path, head);
        }
        let resume = || -> Result<Self, TableError> {
            let format = appendable(path)?;
            let file = exclusive::resume(path)?;
            let (encoding, kept) = Encoding::resume(format, &file, head, rows)?;
            file.set_len(kept).map_err(TableErrorKind::Io)?;
            (&*file).seek(SeekFrom::Start(kept)).map_err(TableErrorKind::Io)?;
            Ok(Self::new(path, file, encoding, head, rows))
        };
        resume().map_err(|error| error.in_file(path))
    }

    fn begin(path: &Path, head: &Table, open: Open) -> Result<Self, TableError> {
        let begin = || -> Result<Self, TableError> {
            let format = appendable(path)?;
            // The head is encoded before the existing file is emptied.
            let mut pending = Vec::with_capacity(PENDING);
            let encoding = Encoding::begin(format, head, &mut pending).map_err(TableErrorKind::Io)?;
            let mut writer = Self::new(path, open(path)?, encoding, head, 0);
            writer.pending = pending;
            writer.write_pending().map_err(TableErrorKind::Io)?;
            Ok(writer)
        };
        begin().map_err(|error| error.in_file(path))
    }

    fn new(path: &Path, file: Locked, encoding: Encoding, head: &Table, rows: u64) -> Self {
        Self {
            path: path.to_owned(),
            file,
            encoding,
            columns: head.columns().to_vec(),
            rows,
            pending: Vec::with_capacity(PENDING),
            is_named: false,
        }
    }

    /// Returns the names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the number of rows, including those not written to the file yet.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a row. Rows are written to the file in blocks of about 64 KiB.
    ///
    /// # Errors
    ///
    /// If the number of values is wrong ([`TableErrorKind::ColumnCount`]), or the file cannot be written
    /// ([`TableErrorKind::Io`]), for instance because the disk is full. The row is then not appended. Earlier
    /// rows are kept, and the next call tries again to write them.
    pub fn push_row(&mut self, row: &[f64]) -> Result<(), TableError> {
        let (expected, found) = (self.columns.len(), row.len());
        if expected != found {
            return Err(self.error(TableErrorKind::ColumnCount { expected, found }));
        }
        if self.pending.len() >= PENDING {
            self.write_pending().map_err(|source| self.error(TableErrorKind::Io(source)))?;
        }
        let written = self.encoding.write_row(&mut self.pending, self.rows, row);
        written.map_err(|source| self.error(TableErrorKind::Io(source)))?;
        self.rows += 1;
        Ok(())
    }

    /// Passes all rows to the operating system, so that other programs can read them and they survive the end
    /// of this program.
    ///
    /// # Errors
    ///
    /// If the file cannot be written ([`TableErrorKind::Io`]); the next call continues at the failed byte.
    pub fn flush(&mut self) -> Result<(), TableError> {
        self.write_pending().map_err(|source| self.error(TableErrorKind::Io(source)))
    }

    /// Writes all rows to the disk, so that they survive a loss of power.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, see [`TableWriter::flush`].
    pub fn sync(&mut self) -> Result<(), TableError> {
        let mut sync = || {
            self.write_pending()?;
            self.file.sync_data()?;
            if !self.is_named {
                sync_folder_of(&self.path)?;
                self.is_named = true;
            }
            Ok(())
        };
        sync().map_err(|source| self.error(TableErrorKind::Io(source)))
    }

    /// Writes all rows to the disk, as [`TableWriter::sync`] does, and unlocks the file. Dropping a writer
    /// only passes the rows to the operating system, and ignores errors.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, see [`TableWriter::flush`].
    pub fn finish(mut self) -> Result<(), TableError> {
        self.sync()
    }

    /// Writes the pending bytes to the file. If this fails, the bytes that were not written stay pending.
    fn write_pending(&mut self) -> io::Result<()> {
        let mut done = 0;
        let written = loop {
            if done == self.pending.len() {
                break Ok(());
            }
            match self.file.write(&self.pending[done..]) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(more) => done += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        self.pending.drain(..done);
        written
    }

    fn error(&self, kind: TableErrorKind) -> TableError {
        TableError::from(kind).in_file(&self.path)
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        // Errors are ignored here; `finish` returns them.
        self.write_pending().ok();
    }
}

/// Function that opens a file for writing from its start.
type Open = fn(&Path) -> Result<Locked, TableErrorKind>;
