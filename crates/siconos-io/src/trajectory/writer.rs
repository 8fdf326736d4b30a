//! Rows into a file, as they come.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::encoding::Encoding;
use super::exclusive;
use super::file::appendable;
use super::{Table, TableError, TableErrorKind};
use crate::folder::sync_folder_of;
use crate::locked::Locked;

/// Rows are collected up to this many bytes before they go to the file.
const PENDING: usize = 1 << 16;

/// A trajectory that goes to its file row by row, in memory that does not grow.
///
/// By the end of the name the file is CSV (`.csv`), JSON lines (`.jsonl`) or a [`log`](super::log) (`.slog`).
/// Its bytes depend on the head and the rows alone: not on when they were written out, and not on whether the
/// run was interrupted and went on. The file is locked while the writer is there, so that a second run into
/// it is refused.
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
/// writer.sync()?; // What has been pushed so far survives whatever comes, a loss of power included.
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
    /// What is not in the file yet; its first bytes may complete a row of which a part is.
    pending: Vec<u8>,
    /// Whether the name of the file is on the disk for certain.
    is_named: bool,
}

impl TableWriter {
    /// A new file with the columns and the provenance of `head`, whose rows do not count.
    ///
    /// # Errors
    ///
    /// [`TableError`] with the path: [`TableErrorKind::Exists`], [`TableErrorKind::InUse`],
    /// [`TableErrorKind::NotAppendable`] for another ending, [`TableErrorKind::Io`].
    pub fn create(path: impl AsRef<Path>, head: &Table) -> Result<Self, TableError> {
        Self::begin(path.as_ref(), head, exclusive::create)
    }

    /// As [`TableWriter::create`], but a file that is there is emptied first.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::create`], without [`TableErrorKind::Exists`].
    pub fn replace(path: impl AsRef<Path>, head: &Table) -> Result<Self, TableError> {
        Self::begin(path.as_ref(), head, exclusive::replace)
    }

    /// Goes on with a file behind its first `rows` rows. Whatever follows these is cut off: further rows, and
    /// half a row that an interrupted run has left. With 0 rows the file is begun anew, whatever is in it.
    ///
    /// The rows that stay are read, in memory for one of them, and each has to be right: its checksum in a
    /// log, its numbers in a text. Nothing is cut before all of them are.
    ///
    /// # Errors
    ///
    /// [`TableError`] with the path, and the file is as it was: [`TableErrorKind::InUse`],
    /// [`TableErrorKind::HeaderMismatch`] where the columns are not those of `head`,
    /// [`TableErrorKind::TooFewRows`], [`TableErrorKind::DamagedRow`] and what else the readers of the
    /// formats refuse; [`TableErrorKind::NotAppendable`] for another ending, [`TableErrorKind::Io`].
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
            // Before the file that is there is lost.
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

    /// Names of the columns, in order.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// How many rows the file has, with those that are still to be written out.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a row. Rows go to the file some 64 KiB at a time.
    ///
    /// # Errors
    ///
    /// [`TableErrorKind::ColumnCount`], or [`TableErrorKind::Io`], a full disk for instance. The row has not
    /// been appended then. Those before it are kept, and once there is place again the next call writes them.
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

    /// Hands all rows to the system, so that other programs see them, and they survive the end of this one
    /// however it ends.
    ///
    /// # Errors
    ///
    /// [`TableErrorKind::Io`]; another call goes on where this one failed.
    pub fn flush(&mut self) -> Result<(), TableError> {
        self.write_pending().map_err(|source| self.error(TableErrorKind::Io(source)))
    }

    /// Sees to it that all rows are on the disk, and survive a loss of power.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::flush`].
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

    /// As [`TableWriter::sync`], and gives the file free. A writer that is dropped does so without `sync`,
    /// and keeps an error to itself.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::flush`].
    pub fn finish(mut self) -> Result<(), TableError> {
        self.sync()
    }

    /// Writes what is pending. Where that fails, the part that is not in the file stays.
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
        // Whoever wants to know of a failure calls `finish`.
        self.write_pending().ok();
    }
}

/// Opens a file to write to it from its start.
type Open = fn(&Path) -> Result<Locked, TableErrorKind>;
