//! The points of a sweep that are done, in a log.

use std::collections::BTreeMap;
use std::path::Path;

use crate::trajectory::log::LogReader;
use crate::trajectory::{Table, TableError, TableWriter};

/// Points that are done, each with its rows.
pub type Points = BTreeMap<usize, Vec<Vec<f64>>>;

/// Columns in front of the rows of a point: which point, which of its rows, and how many it has.
const OF_POINT: [&str; 3] = ["point", "row of point", "rows of point"];

/// The points of a sweep that are done, each as soon as it is; what was half written when a sweep was stopped
/// is cut off.
///
/// The sweep is known by lines of text, its identity: a journal of another one is refused. Points may come in
/// any order, and may have any number of rows.
///
/// ```
/// use siconos_io::sweep::Journal;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("roots.slog");
/// let (columns, identity) = (["value", "root"].map(str::to_owned), ["square roots".to_owned()]);
/// let mut journal = Journal::open(&path, &columns, &identity)?;
/// journal.note(2, vec![vec![4.0, 2.0], vec![4.0, -2.0]])?;
/// drop(journal);
/// let journal = Journal::open(&path, &columns, &identity)?;
/// assert_eq!(journal.done()[&2].len(), 2);
/// assert!(Journal::points(&path, &["cubic roots".to_owned()]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    writer: TableWriter,
    done: Points,
}

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file is of another sweep.
    #[error("{file}: this is of another sweep: it has `{found}` where this one has `{expected}`")]
    Other {
        /// The file.
        file: String,
        /// What this sweep is known by.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl Journal {
    /// Begins a journal of points whose rows have these columns, or goes on with the one that is there.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn open(
        path: impl AsRef<Path>,
        columns: &[String],
        identity: &[String],
    ) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let mut head = Table::new(OF_POINT.into_iter().map(str::to_owned).chain(columns.iter().cloned()));
        head.provenance = identity.to_vec();
        if !path.exists() {
            return Ok(Self { writer: TableWriter::create(path, &head)?, done: BTreeMap::new() });
        }
        let (done, rows) = read(path, identity)?;
        Ok(Self { writer: TableWriter::resume(path, &head, rows)?, done })
    }

    /// The points that are done in a journal that nobody writes to any more.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn points(path: impl AsRef<Path>, identity: &[String]) -> Result<Points, JournalError> {
        read(path.as_ref(), identity).map(|(done, _)| done)
    }

    /// The points that are done, with their rows.
    #[must_use]
    pub fn done(&self) -> &Points {
        &self.done
    }

    /// Notes the rows of a point. When this returns, they are on the disk.
    ///
    /// # Errors
    ///
    /// [`JournalError::Table`].
    pub fn note(&mut self, point: usize, rows: Vec<Vec<f64>>) -> Result<(), JournalError> {
        // A point without rows is done as well.
        let count = rows.len();
        let empty = [vec![f64::NAN; self.writer.columns().len() - OF_POINT.len()]];
        for (place, row) in if rows.is_empty() { &empty[..] } else { &rows[..] }.iter().enumerate() {
            let front = [point as f64, place as f64, count as f64];
            self.writer.push_row(&[&front[..], row].concat())?;
        }
        self.writer.sync()?;
        self.done.insert(point, rows);
        Ok(())
    }
}

/// The points whose rows are all there, and how many rows these are.
fn read(path: &Path, identity: &[String]) -> Result<(Points, u64), JournalError> {
    let (table, _damage) = LogReader::open(path)?.whole_rows();
    for (expected, found) in identity.iter().zip(&table.provenance) {
        if expected != found {
            let file = path.display().to_string();
            return Err(JournalError::Other { file, expected: expected.clone(), found: found.clone() });
        }
    }
    let mut done = BTreeMap::new();
    let (mut complete, mut open): (u64, Vec<Vec<f64>>) = (0, Vec::new());
    for (place, row) in (1_u64..).zip(table.rows()) {
        let [point, row_of_point, rows, data @ ..] = row else { break };
        if *row_of_point != open.len() as f64 {
            break;
        }
        if *rows > 0.0 {
            open.push(data.to_vec());
        }
        if open.len() as f64 == *rows {
            done.insert(*point as usize, std::mem::take(&mut open));
            complete = place;
        }
    }
    Ok((done, complete))
}
