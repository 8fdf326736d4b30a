//! Parameter study: runs a model for many values and writes one table. Its rows do not depend on the number
//! of threads or machines.

mod shard;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::json;
use siconos_io::study::{
    FinishedPoints, InterruptedPoint, InterruptedPointFiles, Journal, ParameterStudy, PointEnd,
    PointsWithoutResult, VariedValue,
};
use siconos_io::trajectory::Table;

use crate::answer::{Answer, PROGRAM};
use crate::arguments::StudyArguments;
use crate::progress::Progress;
use crate::{annotations, run, signals, warnings};
use shard::Shard;

/// Result of a parameter study, to be printed.
pub(crate) struct StudyResult {
    points: usize,
    done: usize,
    output: PathBuf,
    /// Points without a result.
    failed: Vec<Failed>,
    /// Descriptions of the missing parts, if this is a merge.
    missing: Vec<String>,
    is_interrupted: bool,
    /// `true` if the table was written.
    is_written: bool,
}

/// Points that were run.
struct Points {
    done: FinishedPoints,
    unanswered: PointsWithoutResult,
}

/// Point without a result.
struct Failed {
    point: usize,
    /// Values of the point, as text.
    values: String,
    why: String,
}

/// Maximum number of points without a result that are listed in the text output.
const MOST_NAMED: usize = 10;

impl StudyResult {
    pub(crate) fn answer(&self) -> Answer {
        let mut answer = Answer::new("study");
        let (done, points) = (self.done, self.points);
        answer.add("points", format!("{done} of {points}"), json!({ "done": done, "of": points }));
        let path = self.output.display().to_string();
        match (self.is_written, self.missing.is_empty()) {
            (true, _) => answer.add("table", &path, path.as_str()),
            (false, true) => answer.add("kept in", &path, path.as_str()),
            (false, false) => (),
        }
        let failed = self.failed.iter();
        let failed = failed
            .map(|Failed { point, values, why }| json!({ "point": point, "values": values, "error": why }));
        answer.add_for_programs("without answer", failed.collect::<Vec<_>>());
        for Failed { values, why, .. } in self.failed.iter().take(MOST_NAMED) {
            answer.add_for_people("no result", format!("{values}: {why}"));
        }
        if let Some(more) = self.failed.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            answer.add_for_people("no result", format!("{more} more points"));
        }
        answer.list("missing", self.missing.iter().map(|part| (part.clone(), part.as_str().into())));
        if self.is_interrupted {
            answer.add_for_people("interrupted", "resume with the same command");
        }
        answer.add_for_programs("interrupted", self.is_interrupted);
        answer
    }

    /// Returns the exit code.
    pub(crate) fn code(&self) -> u8 {
        if self.is_interrupted {
            signals::INTERRUPTED
        } else if !self.missing.is_empty() {
            crate::BAD_INPUT
        } else if self.failed.is_empty() {
            0
        } else {
            crate::NOT_CONVERGED
        }
    }
}

/// Runs the command. An error means bad input.
pub(crate) fn run(arguments: &StudyArguments) -> Result<StudyResult, String> {
    let shown = arguments.file.display();
    let overrides = run::overrides(&arguments.set)?;
    let mut vary = Vec::new();
    for own in &arguments.vary {
        vary.push(own.parse::<VariedValue>().map_err(|error| format!("--vary: {error}"))?);
    }
    if let Some(points) = &arguments.points {
        let table = Table::read(points).map_err(|error| error.to_string())?;
        let of_table = VariedValue::of_table(&table);
        vary.extend(of_table.map_err(|error| format!("{}: {error}", points.display()))?);
    }
    let study =
        ParameterStudy::read(&arguments.file, &overrides, &vary).map_err(|error| error.to_string())?;
    let study = study.with_rows(arguments.rows.into());
    let shard: Shard = arguments.shard.as_deref().map(str::parse).transpose()?.unwrap_or_default();
    Table::check_columns(study.columns())
        .map_err(|error| format!("{shown}: {error}; rename the variable"))?;
    Table::is_appendable(&arguments.output).map_err(|error| error.to_string())?;
    run::check_folder(&arguments.output)?;
    run::check_absent(Some(&arguments.output), arguments.force)?;
    if arguments.merge {
        return merge(&study, arguments);
    }
    let path = shard.journal(&arguments.output);
    let journal =
        Journal::open(&path, study.columns(), &study.identity()).map_err(|error| error.to_string())?;
    let ours: Vec<usize> = (0..study.len()).filter(|point| shard.has(*point)).collect();
    let mut failed = failed_before(&study, journal.unanswered());
    let left = ours.iter().copied().filter(|point| journal.is_pending(*point)).collect();
    let (journal, failed_now) = work(&study, journal, left, arguments)?;
    failed.extend(failed_now);
    failed.sort_by_key(|failed| failed.point);
    let points = Points { done: journal.done().clone(), unanswered: journal.unanswered().clone() };
    drop(journal);
    let is_interrupted = signals::is_interrupted();
    let is_written = shard.is_all() && !is_interrupted;
    if is_written {
        write_table(&arguments.output, &study, &points, arguments.annotate)?;
        // The journal is no longer needed, because the table has all its rows.
        let _left = fs::remove_file(&path);
    }
    Ok(StudyResult {
        points: ours.len(),
        done: points.done.len(),
        output: if is_written { arguments.output.clone() } else { path },
        failed,
        missing: Vec::new(),
        is_interrupted,
        is_written,
    })
}

/// Returns the values of a point as text.
fn values(study: &ParameterStudy, point: usize) -> String {
    let values = study.columns().iter().zip(study.values(point));
    values.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

/// Returns the points for which an earlier run of the command found no result. A journal does not store the
/// reasons.
fn failed_before(study: &ParameterStudy, unanswered: &PointsWithoutResult) -> Vec<Failed> {
    let failed = |point| Failed {
        point,
        values: values(study, point),
        why: "it had no result when it was computed; `siconos-rs run` with these values shows the reason"
            .to_owned(),
    };
    unanswered.iter().copied().map(failed).collect()
}

/// Computes points in parallel. Each thread takes the next remaining point when it has finished one.
fn work(
    study: &ParameterStudy,
    journal: Journal,
    left: Vec<usize>,
    arguments: &StudyArguments,
) -> Result<(Journal, Vec<Failed>), String> {
    let shown = Progress::new("study", Some(left.len() as u64), "points", arguments.quiet);
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((journal, Vec::new(), None::<String>));
    let compute = || {
        let mut worker = study.worker();
        while let Some(&point) = left.get(next.fetch_add(1, Relaxed)) {
            if signals::is_interrupted() {
                return;
            }
            let files = InterruptedPointFiles::of(&arguments.output, point);
            let interrupted = resumed(&files, study, point);
            let end = worker.run_while(point, interrupted, || !signals::is_interrupted());
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (journal, failed, unwritten) = &mut *shared;
            let noted = match end {
                Ok(PointEnd::Finished(rows)) => journal.note(point, rows).map_err(|error| error.to_string()),
                Ok(PointEnd::Interrupted(interrupted)) => {
                    if let Err(error) = files.write(study, point, &interrupted) {
                        *unwritten = Some(error.to_string());
                    }
                    return;
                }
                Err(error) => {
                    failed.push(Failed { point, values: values(study, point), why: error.to_string() });
                    journal.record_no_result(point).map_err(|error| error.to_string())
                }
            };
            let noted = noted.and_then(|()| files.remove().map_err(|error| error.to_string()));
            if let Err(error) = noted {
                *unwritten = Some(error);
                // After this line, no thread starts another point.
                next.store(left.len(), Relaxed);
            }
            shown.advance();
            warnings::tell(|write| shown.suspend(write));
        }
    };
    let jobs = arguments.jobs.map_or(1, NonZeroUsize::get);
    signals::interruptible(|| {
        thread::scope(|scope| {
            for _ in 1..jobs {
                scope.spawn(compute);
            }
            compute();
        });
    });
    shown.finish();
    let (journal, failed, unwritten) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    unwritten.map_or(Ok((journal, failed)), Err)
}

/// Reads the state in which a point was interrupted. If it cannot be read, the point is computed from its
/// start.
fn resumed(files: &InterruptedPointFiles, study: &ParameterStudy, point: usize) -> Option<InterruptedPoint> {
    files.read(study, point).unwrap_or_else(|error| {
        crate::complain(&format!("{error}; computing this point from its start"));
        None
    })
}

/// Joins the parts that were computed separately.
fn merge(study: &ParameterStudy, arguments: &StudyArguments) -> Result<StudyResult, String> {
    let parts = shard::parts(&arguments.output)?;
    let mut points = Points { done: FinishedPoints::new(), unanswered: PointsWithoutResult::new() };
    for (_, path) in &parts {
        let part = Journal::points(path, &study.identity()).map_err(|error| error.to_string())?;
        points.done.extend(part.0);
        points.unanswered.extend(part.1);
    }
    let is_pending = |point: &usize| !points.done.contains_key(point) && !points.unanswered.contains(point);
    let missing = shard::missing(&parts, (0..study.len()).filter(is_pending));
    let is_written = missing.is_empty();
    if is_written {
        write_table(&arguments.output, study, &points, arguments.annotate)?;
    }
    Ok(StudyResult {
        points: study.len(),
        done: points.done.len(),
        output: arguments.output.clone(),
        failed: failed_before(study, &points.unanswered),
        missing,
        is_interrupted: false,
        is_written,
    })
}

/// Writes the rows of all points, in the order of the points. A point without a result has one row, in which
/// only the values of the point are numbers.
fn write_table(
    path: &Path,
    study: &ParameterStudy,
    Points { done, unanswered }: &Points,
    is_annotated: bool,
) -> Result<(), String> {
    let mut table = Table::new(study.columns().to_vec());
    table.provenance = vec![PROGRAM.to_owned()];
    table.provenance.extend(study.identity());
    for point in 0..study.len() {
        let pushed = match done.get(&point) {
            Some(rows) => rows.iter().try_for_each(|row| table.push_row(row)),
            None if unanswered.contains(&point) => {
                let mut row = study.values(point);
                row.resize(study.columns().len(), f64::NAN);
                table.push_row(&row)
            }
            None => Ok(()),
        };
        pushed.map_err(|error| error.to_string())?;
    }
    annotations::remove_for(path, &mut table, is_annotated);
    table.write(path).map_err(|error| error.to_string())
}
