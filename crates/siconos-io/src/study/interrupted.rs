//! Points of a parameter study that were interrupted, and the files that store them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::ParameterStudy;
use crate::snapshot::{Recorded, RunState, Snapshot, SnapshotError};
use crate::trajectory::{Table, TableError};

/// Point of a parameter study whose run was interrupted. The run can be resumed bit for bit.
///
/// Created by [`PointRunner::run_while`](super::PointRunner::run_while).
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptedPoint {
    pub(super) state: RunState,
    pub(super) recorded: Recorded,
    /// Rows that the study keeps, up to the recorded state.
    pub(super) rows: Vec<Vec<f64>>,
}

/// Error in writing or reading an interrupted point.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterruptedPointError {
    /// The snapshot cannot be read or written, or belongs to another model.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The rows cannot be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The rows belong to a different study.
    #[error("{path}: this belongs to another parameter study")]
    Other {
        /// The file.
        path: String,
    },
    /// A file cannot be removed.
    #[error("{path}: cannot remove: {source}")]
    Remove {
        /// The file.
        path: String,
        /// Cause.
        source: io::Error,
    },
}

/// Files of an interrupted point: a snapshot, and a log with the rows so far.
///
/// ```
/// use siconos_io::study::{InterruptedPointFiles, ParameterStudy, PointEnd};
///
/// let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n[parameters]\nk = 1\n\
///             [variables]\nx = { initial = 1, equation = \"x' = -k * x\" }\n";
/// let study = ParameterStudy::new((text, "decay.toml"), None, &[], &["k=1:3:1".parse()?])?;
/// # let folder = tempfile::tempdir()?;
/// # let output = folder.path().join("decay.csv");
/// let files = InterruptedPointFiles::of(&output, 1);
/// let PointEnd::Interrupted(point) = study.worker().run_while(1, None, || false)? else { panic!("early") };
/// files.write(&study, 1, &point)?;
/// let point = files.read(&study, 1)?;
/// let PointEnd::Finished(rows) = study.worker().run_while(1, point, || true)? else { panic!("late") };
/// assert_eq!(rows, study.worker().run(1)?);
/// files.remove()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptedPointFiles {
    snapshot: PathBuf,
    rows: PathBuf,
}

impl InterruptedPointFiles {
    /// Returns the files of a point next to the table `output` of its study.
    #[must_use]
    pub fn of(output: &Path, point: usize) -> Self {
        let path = |ending: &str| output.with_added_extension(format!("point-{point}.{ending}"));
        Self { snapshot: path("snapshot"), rows: path("slog") }
    }

    /// Writes a point of a study to its files.
    ///
    /// # Errors
    ///
    /// [`InterruptedPointError`] if a file cannot be written.
    pub fn write(
        &self,
        study: &ParameterStudy,
        point: usize,
        interrupted: &InterruptedPoint,
    ) -> Result<(), InterruptedPointError> {
        let mut table = Table::new(study.columns().to_vec());
        table.provenance = study.identity();
        for row in &interrupted.rows {
            table.push_row(row)?;
        }
        // A snapshot without its rows would lose them, so the rows are written first.
        table.write(&self.rows)?;
        let InterruptedPoint { state, recorded, .. } = interrupted;
        study.snapshot(point, state.clone(), recorded.clone()).write(&self.snapshot)?;
        Ok(())
    }

    /// Reads a point of a study from its files. Returns `None` if there are no files.
    ///
    /// # Errors
    ///
    /// [`InterruptedPointError`] if a file cannot be read, or if it belongs to another study.
    pub fn read(
        &self,
        study: &ParameterStudy,
        point: usize,
    ) -> Result<Option<InterruptedPoint>, InterruptedPointError> {
        if !self.snapshot.exists() {
            return Ok(None);
        }
        let snapshot = Snapshot::read(&self.snapshot)?.snapshot;
        let (text, overrides) = study.text_at(point);
        snapshot.check_model(text, &overrides)?;
        let table = Table::read(&self.rows)?;
        if table.provenance != study.identity() {
            return Err(InterruptedPointError::Other { path: self.rows.display().to_string() });
        }
        let rows = table.rows().map(<[f64]>::to_vec).collect();
        Ok(Some(InterruptedPoint { state: snapshot.state, recorded: snapshot.recorded, rows }))
    }

    /// Removes the files, if they exist.
    ///
    /// # Errors
    ///
    /// [`InterruptedPointError::Remove`] if a file cannot be removed.
    pub fn remove(&self) -> Result<(), InterruptedPointError> {
        for path in [&self.snapshot, &self.rows] {
            match fs::remove_file(path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(InterruptedPointError::Remove { path: path.display().to_string(), source });
                }
                _ => (),
            }
        }
        Ok(())
    }
}
