//! Output of the rows of a run.

use std::fs;
use std::path::{Path, PathBuf};

use siconos_io::model::AnyRun;
use siconos_io::snapshot::Recorded;
use siconos_io::trajectory::{Table, TableError, TableWriter};

use super::checkpoint::Checkpoints;
use crate::annotations;
use crate::answer::PROGRAM;
use crate::arguments::RunArguments;
use crate::plot::{self, Run};
use crate::tables;

/// Destination of the rows of a run.
pub(super) enum Output {
    /// The rows are discarded.
    Dropped,
    /// The envelope of the rows, for a picture.
    Kept(Run),
    /// A file. If its format permits this, it is written row by row. Otherwise, the rows are written to a
    /// log next to the file, and the log is converted at the end of the run.
    Written { writer: Option<TableWriter>, path: PathBuf, log: Option<PathBuf>, is_annotated: bool },
}

impl Output {
    /// Opens the output. If the run resumes, the file keeps the rows before the snapshot.
    pub(super) fn open(
        checkpoints: &Checkpoints<'_>,
        run: &mut AnyRun,
        recorded: &Recorded,
        arguments: &RunArguments,
    ) -> Result<Self, String> {
        let model = arguments.file.display();
        if checkpoints.output().is_none() && arguments.plot.is_none() {
            return Ok(Self::Dropped);
        }
        Table::check_columns(run.names())
            .map_err(|error| format!("{model}: {error}; rename the variable"))?;
        let has_curve = match run {
            AnyRun::Hybrid(run) if arguments.plot.is_some() && arguments.resume.is_none() => {
                run.keep_curve();
                true
            }
            _ => false,
        };
        let mut head = head(run, &arguments.file);
        let Some(path) = checkpoints.output() else {
            tell_what_is_missing(recorded, arguments);
            return Ok(if has_curve { Self::Dropped } else { Self::Kept(Run::without_rows(head, 0)) });
        };
        let is_appendable = Table::is_appendable(path).map_err(|error| error.to_string())?;
        crate::run::check_folder(path)?;
        let log = (!is_appendable).then(|| log_of(path));
        let target = log.as_deref().unwrap_or(path);
        annotations::remove_for(target, &mut head, arguments.annotate);
        for path in [path, target] {
            crate::run::check_absent(Some(path), arguments.force || arguments.resume.is_some())?;
        }
        let writer = if arguments.resume.is_some() {
            TableWriter::resume(target, &head, recorded.rows)
        } else if arguments.force {
            TableWriter::replace(target, &head)
        } else {
            TableWriter::create(target, &head)
        };
        let writer = writer.map_err(|error| error.to_string())?;
        Ok(Self::Written {
            writer: Some(writer),
            path: path.to_owned(),
            log,
            is_annotated: arguments.annotate,
        })
    }

    pub(super) fn push(&mut self, row: &[f64]) -> Result<(), TableError> {
        match self {
            Self::Dropped => Ok(()),
            Self::Kept(run) => {
                run.push_row(row);
                Ok(())
            }
            Self::Written { writer, .. } => writer.as_mut().map_or(Ok(()), |writer| writer.push_row(row)),
        }
    }

    /// Writes all rows so far to the disk.
    pub(super) fn sync(&mut self) -> Result<(), TableError> {
        match self {
            Self::Written { writer: Some(writer), .. } => writer.sync(),
            _ => Ok(()),
        }
    }

    /// Writes the remaining rows and completes the file.
    pub(super) fn finish(&mut self) -> Result<(), TableError> {
        let Self::Written { writer, path, log, is_annotated } = self else { return Ok(()) };
        if let Some(writer) = writer.take() {
            writer.finish()?;
        }
        if let Some(log) = log {
            tables::convert(log, path, *is_annotated)?;
            // The log is no longer needed, because the file has all its rows.
            let _left = fs::remove_file(log);
        }
        Ok(())
    }

    /// Returns the path of the file, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Written { path, .. } => Some(path),
            Self::Dropped | Self::Kept(_) => None,
        }
    }

    /// Returns all rows, for a picture. The file must have been completed by [`finish`](Self::finish).
    pub(super) fn rows(&self) -> Result<Run, String> {
        match self {
            Self::Written { path, .. } => plot::rows_of(path),
            Self::Kept(run) => Ok(run.clone()),
            Self::Dropped => Ok(Run::without_rows(Table::new(["t"]), 0)),
        }
    }
}

/// Returns the path of the log for an output file whose format does not permit appending rows.
pub(super) fn log_of(path: &Path) -> PathBuf {
    path.with_added_extension("slog")
}

/// Warns that the picture of a resumed run lacks the rows before the snapshot, because no file has them.
fn tell_what_is_missing(recorded: &Recorded, arguments: &RunArguments) {
    if let Some(plot) = arguments.plot.as_deref().filter(|_| recorded.rows > 0) {
        let (plot, t) = (plot.display(), recorded.t);
        crate::complain(&format!(
            "{plot}: the picture begins after t = {t:?}; the rows before this time were not stored, since the run had no --output"
        ));
    }
}

/// Returns an empty table for the rows of a run.
pub(super) fn head(run: &AnyRun, model: &Path) -> Table {
    let mut head = Table::new(run.names().to_vec());
    head.provenance = vec![format!("{PROGRAM}: {}", model.display())];
    set_units(&mut head, run);
    head
}

/// Sets the units of the columns: seconds for the time, and the units in the model for all others.
pub(super) fn set_units(table: &mut Table, run: &AnyRun) {
    let given = run.names().iter().zip(run.units()).map(|(name, unit)| (&**name, &**unit));
    table.set_units([("t", "s")].into_iter().chain(given.skip(1)));
}
