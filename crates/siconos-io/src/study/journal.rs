//! Journal of the finished points of a parameter study, in a log file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::trajectory::log::LogReader;
use crate::trajectory::{Table, TableError, TableWriter};

/// Finished points of a parameter study: the index of each point, and the table rows of the point.
pub type FinishedPoints = BTreeMap<usize, Vec<Vec<f64>>>;

/// Indices of the points of a parameter study that were run but have no result.
pub type PointsWithoutResult = BTreeSet<usize>;

/// Columns that precede the columns of the study: the index of the study point, the index of the row within
/// this point, and the number of rows of this point or [`NO_ANSWER`].
const OF_POINT: [&str; 3] = ["point", "row of point", "rows of point"];

/// Value that is written as the number of rows of a study point without a result.
const NO_ANSWER: f64 = -1.0;

/// Journal of a parameter study. Each point is written to the journal when it is finished. If an interrupted
/// study has left an incomplete record, it is removed when the journal is opened.
///
/// The journal contains lines of text that identify its study. The journal of a different study is rejected.
/// Points can be recorded in any order and can have any number of rows. Points without a result are recorded
/// as well, so that they are not run again.
///
/// ```
/// use siconos_io::study::Journal;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("roots.slog");
/// let (columns, identity) = (["value", "root"].map(str::to_owned), ["square roots".to_owned()]);
/// let mut journal = Journal::open(&path, &columns, &identity)?;
/// journal.note(2, vec![vec![4.0, 2.0], vec![4.0, -2.0]])?;
/// journal.record_no_result(3)?;
/// drop(journal);
/// let journal = Journal::open(&path, &columns, &identity)?;
/// assert_eq!(journal.done()[&2].len(), 2);
/// assert!(journal.unanswered().contains(&3) && !journal.is_pending(3) && journal.is_pending(4));
/// assert!(Journal::points(&path, &["cubic roots".to_owned()]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    writer: TableWriter,
    done: FinishedPoints,
    unanswered: PointsWithoutResult,
}

/// Error of a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file belongs to a different study.
    #[error(
        "{file}: this belongs to another parameter study: it has `{found}`, but this study has `{expected}`; remove it to start over"
    )]
    Other {
        /// The file.
        file: String,
        /// First line of this study's identity that differs from the file.
        expected: String,
        /// Line of the file at the same position.
        found: String,
    },
}

impl Journal {
    /// Creates a journal, or resumes an existing journal. `columns` are the columns of the study, and
    /// `identity` contains the lines that identify it, see
    /// [`ParameterStudy::identity`](super::ParameterStudy::identity).
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or belongs to a different study.
    pub fn open(
        path: impl AsRef<Path>,
        columns: &[String],
        identity: &[String],
    ) -> Result<Self, JournalError> {
        let path = path.as_ref();
        let mut head = Table::new(OF_POINT.into_iter().map(str::to_owned).chain(columns.iter().cloned()));
        head.provenance = identity.to_vec();
        if !path.exists() {
            let writer = TableWriter::create(path, &head)?;
            return Ok(Self { writer, done: FinishedPoints::new(), unanswered: PointsWithoutResult::new() });
        }
        let Noted { done, unanswered, rows } = read(path, identity)?;
        Ok(Self { writer: TableWriter::resume(path, &head, rows)?, done, unanswered })
    }

    /// Reads a journal: the finished points with their rows, and the points without a result. Other processes
    /// can write to the journal at the same time.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or belongs to a different study.
    pub fn points(
        path: impl AsRef<Path>,
        identity: &[String],
    ) -> Result<(FinishedPoints, PointsWithoutResult), JournalError> {
        read(path.as_ref(), identity).map(|noted| (noted.done, noted.unanswered))
    }

    /// Returns the finished points with their rows.
    #[must_use]
    pub fn done(&self) -> &FinishedPoints {
        &self.done
    }

    /// Returns the points without a result.
    #[must_use]
    pub fn unanswered(&self) -> &PointsWithoutResult {
        &self.unanswered
    }

    /// Returns `true` if nothing has been recorded for a point.
    #[must_use]
    pub fn is_pending(&self, point: usize) -> bool {
        !self.done.contains_key(&point) && !self.unanswered.contains(&point)
    }

    /// Records the rows of a point. When the function returns, the rows are on the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a row has the wrong number of columns ([`JournalError::Table`]).
    pub fn note(&mut self, point: usize, rows: Vec<Vec<f64>>) -> Result<(), JournalError> {
        // A point without rows is recorded by a row without data.
        if rows.is_empty() {
            self.push_empty(point, 0.0)?;
        }
        for (place, row) in rows.iter().enumerate() {
            let front = [point as f64, place as f64, rows.len() as f64];
            self.writer.push_row(&[&front[..], row].concat())?;
        }
        self.writer.sync()?;
        self.done.insert(point, rows);
        Ok(())
    }

    /// Records that a point has no result. When the function returns, the record is on the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be written ([`JournalError::Table`]).
    pub fn record_no_result(&mut self, point: usize) -> Result<(), JournalError> {
        self.push_empty(point, NO_ANSWER)?;
        self.writer.sync()?;
        self.unanswered.insert(point);
        Ok(())
    }

    /// Writes a row without data for a point. `rows` is the number of rows of the point.
    fn push_empty(&mut self, point: usize, rows: f64) -> Result<(), TableError> {
        let mut row = vec![f64::NAN; self.writer.columns().len()];
        row[..OF_POINT.len()].copy_from_slice(&[point as f64, 0.0, rows]);
        self.writer.push_row(&row)
    }
}

/// Contents of a journal.
#[derive(Default)]
struct Noted {
    done: FinishedPoints,
    unanswered: PointsWithoutResult,
    /// Number of rows of the file up to the last complete point.
    rows: u64,
}

/// Returns the first pair of lines that differ between two identities.
fn first_difference<'t>(identity: &'t [String], found: &'t [String]) -> Option<(&'t str, &'t str)> {
    let line = |lines: &'t [String], place: usize| lines.get(place).map_or("nothing", String::as_str);
    let mut places = 0..identity.len().max(found.len());
    let place = places.find(|place| identity.get(*place) != found.get(*place))?;
    Some((line(identity, place), line(found, place)))
}

/// Reads the points with all their rows, and the points without a result.
fn read(path: &Path, identity: &[String]) -> Result<Noted, JournalError> {
    let (table, _damage) = LogReader::open(path)?.whole_rows();
    if let Some((expected, found)) = first_difference(identity, &table.provenance) {
        let file = path.display().to_string();
        return Err(JournalError::Other { file, expected: expected.to_owned(), found: found.to_owned() });
    }
    let mut noted = Noted::default();
    let mut open: Vec<Vec<f64>> = Vec::new();
    for (place, row) in (1_u64..).zip(table.rows()) {
        let [point, row_of_point, rows, data @ ..] = row else { break };
        if *row_of_point != open.len() as f64 {
            break;
        }
        if *rows == NO_ANSWER {
            noted.unanswered.insert(*point as usize);
            noted.rows = place;
            continue;
        }
        if *rows > 0.0 {
            open.push(data.to_vec());
        }
        if open.len() as f64 == *rows {
            noted.done.insert(*point as usize, std::mem::take(&mut open));
            noted.rows = place;
        }
    }
    Ok(noted)
}
