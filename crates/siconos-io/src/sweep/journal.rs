//! The points of a sweep that are done, in a log.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::trajectory::log::LogReader;
use crate::trajectory::{Table, TableError, TableWriter};

/// Points that are done, each with its rows.
pub type Points = BTreeMap<usize, Vec<Vec<f64>>>;

/// Points that have been looked at and have no answer.
pub type Unanswered = BTreeSet<usize>;

/// Columns in front of the rows of a point: which point, which of its rows, and how many it has,
/// [`NO_ANSWER`] where it has none.
const OF_POINT: [&str; 3] = ["point", "row of point", "rows of point"];

/// What stands in place of a number of rows.
const NO_ANSWER: f64 = -1.0;

/// The points of a sweep that are done, each as soon as it is; what was half written when a sweep was stopped
/// is cut off.
///
/// The sweep is known by lines of text, its identity: a journal of another one is refused. Points may come in
/// any order, and may have any number of rows; a point that has no answer is noted as well, so that nobody
/// looks for it again.
///
/// ```
/// use siconos_io::sweep::Journal;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("roots.slog");
/// let (columns, identity) = (["value", "root"].map(str::to_owned), ["square roots".to_owned()]);
/// let mut journal = Journal::open(&path, &columns, &identity)?;
/// journal.note(2, vec![vec![4.0, 2.0], vec![4.0, -2.0]])?;
/// journal.note_unanswered(3)?;
/// drop(journal);
/// let journal = Journal::open(&path, &columns, &identity)?;
/// assert_eq!(journal.done()[&2].len(), 2);
/// assert!(journal.unanswered().contains(&3) && !journal.is_left(3) && journal.is_left(4));
/// assert!(Journal::points(&path, &["cubic roots".to_owned()]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    writer: TableWriter,
    done: Points,
    unanswered: Unanswered,
}

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file is of another sweep.
    #[error(
        "{file}: this is of another sweep: it has `{found}` where this one has `{expected}`; remove it to begin anew"
    )]
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
            let writer = TableWriter::create(path, &head)?;
            return Ok(Self { writer, done: Points::new(), unanswered: Unanswered::new() });
        }
        let Noted { done, unanswered, rows } = read(path, identity)?;
        Ok(Self { writer: TableWriter::resume(path, &head, rows)?, done, unanswered })
    }

    /// The points that are done, and those without an answer, in a journal that nobody writes to any more.
    ///
    /// # Errors
    ///
    /// [`JournalError`].
    pub fn points(path: impl AsRef<Path>, identity: &[String]) -> Result<(Points, Unanswered), JournalError> {
        read(path.as_ref(), identity).map(|noted| (noted.done, noted.unanswered))
    }

    /// The points that are done, with their rows.
    #[must_use]
    pub fn done(&self) -> &Points {
        &self.done
    }

    /// The points that have no answer.
    #[must_use]
    pub fn unanswered(&self) -> &Unanswered {
        &self.unanswered
    }

    /// Whether nothing has been noted of a point.
    #[must_use]
    pub fn is_left(&self, point: usize) -> bool {
        !self.done.contains_key(&point) && !self.unanswered.contains(&point)
    }

    /// Notes the rows of a point. When this returns, they are on the disk.
    ///
    /// # Errors
    ///
    /// [`JournalError::Table`].
    pub fn note(&mut self, point: usize, rows: Vec<Vec<f64>>) -> Result<(), JournalError> {
        // A point without rows is done as well.
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

    /// Notes that a point has no answer. When this returns, that is on the disk.
    ///
    /// # Errors
    ///
    /// [`JournalError::Table`].
    pub fn note_unanswered(&mut self, point: usize) -> Result<(), JournalError> {
        self.push_empty(point, NO_ANSWER)?;
        self.writer.sync()?;
        self.unanswered.insert(point);
        Ok(())
    }

    /// A row without data, of a point with this number of rows.
    fn push_empty(&mut self, point: usize, rows: f64) -> Result<(), TableError> {
        let mut row = vec![f64::NAN; self.writer.columns().len()];
        row[..OF_POINT.len()].copy_from_slice(&[point as f64, 0.0, rows]);
        self.writer.push_row(&row)
    }
}

/// What a journal holds.
#[derive(Default)]
struct Noted {
    done: Points,
    unanswered: Unanswered,
    /// How many rows that is.
    rows: u64,
}

/// The first line of an identity that a journal has otherwise, or lacks, or has besides.
fn first_difference<'t>(identity: &'t [String], found: &'t [String]) -> Option<(&'t str, &'t str)> {
    let line = |lines: &'t [String], place: usize| lines.get(place).map_or("nothing", String::as_str);
    let mut places = 0..identity.len().max(found.len());
    let place = places.find(|place| identity.get(*place) != found.get(*place))?;
    Some((line(identity, place), line(found, place)))
}

/// The points whose rows are all there, and those that have no answer.
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
