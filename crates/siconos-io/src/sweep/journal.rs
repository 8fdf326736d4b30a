//! The points of a sweep that are done, in a log.

use std::collections::BTreeMap;
use std::path::Path;

use super::Sweep;
use crate::trajectory::log::LogReader;
use crate::trajectory::{Table, TableError, TableWriter};

/// Points that are done, each with its rows.
pub type Points = BTreeMap<usize, Vec<Vec<f64>>>;

/// Columns in front of the rows of a point: which point, which of its rows, and how many it has.
const OF_POINT: [&str; 3] = ["point", "row of point", "rows of point"];

/// The points that are done, each as soon as it is; what was half written when a sweep was stopped is cut
/// off.
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
    /// Begins a journal, or goes on with the one that is there.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn open(path: impl AsRef<Path>, sweep: &Sweep) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let head = head(sweep);
        if !path.exists() {
            return Ok(Self { writer: TableWriter::create(path, &head)?, done: BTreeMap::new() });
        }
        let (done, rows) = read(path, sweep)?;
        Ok(Self { writer: TableWriter::resume(path, &head, rows)?, done })
    }

    /// The points that are done in a journal that nobody writes to any more.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn points(path: impl AsRef<Path>, sweep: &Sweep) -> Result<Points, JournalError> {
        read(path.as_ref(), sweep).map(|(done, _)| done)
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

fn head(sweep: &Sweep) -> Table {
    let columns = OF_POINT.into_iter().map(str::to_owned).chain(sweep.columns().iter().cloned());
    let mut head = Table::new(columns);
    head.provenance = sweep.identity();
    head
}

/// The points whose rows are all there, and how many rows these are.
fn read(path: &Path, sweep: &Sweep) -> Result<(Points, u64), JournalError> {
    let (table, _damage) = LogReader::open(path)?.whole_rows();
    for (expected, found) in sweep.identity().iter().zip(&table.provenance) {
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
