//! `run`: runs a model of any kind, writes its rows during the run, and takes snapshots.

mod checkpoint;
mod output;
mod report;
mod simulated;

use std::path::Path;

use serde_json::Value;
use siconos_io::document::{Diagnostic, Override};
use siconos_io::model::{AnyModel, StartError, Unconverged};

use crate::answer::Answer;
use crate::arguments::RunArguments;
use crate::{plot, signals};
use checkpoint::Checkpoints;
use output::Output;
use simulated::Simulated;

/// Result of a run, to be printed.
pub(crate) struct Run {
    title: Option<String>,
    /// Time that the run reached \[s\].
    t: f64,
    /// `halted` or `ended`, and the reason, if the solution of a hybrid model ended early.
    stopped: Option<(&'static str, String)>,
    /// Steps that did not converge.
    unconverged: Unconverged,
    /// Number of steps taken, and the total number if it is known.
    steps: (usize, Option<usize>),
    rows: u64,
    output: Option<String>,
    /// Picture that was drawn.
    picture: Option<String>,
    end: End,
    /// Messages that are printed on standard error.
    pub(crate) complaints: Vec<String>,
    /// Events of a hybrid model that fired.
    events: Option<Vec<Fired>>,
    /// Columns with their last values. The values have the types of the columns.
    columns: Vec<(String, Value)>,
}

/// End of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Reached,
    /// Interrupted, with the command that resumes the run.
    Interrupted(String),
    /// A step failed, or the solution ended early.
    Failed,
    /// Rows or snapshots could not be written.
    Unwritten,
}

/// Event that fired, with the number of times it fired.
struct Fired {
    event: usize,
    trigger: String,
    count: u64,
    /// Time at which it fired last \[s\].
    last: f64,
}

impl Run {
    pub(crate) fn answer(&self) -> Answer {
        report::answer(self)
    }

    /// Returns the exit code.
    pub(crate) fn code(&self) -> u8 {
        match self.end {
            End::Reached if self.complaints.is_empty() => match self.unconverged.steps {
                0 => 0,
                _ => crate::NOT_CONVERGED,
            },
            End::Reached | End::Unwritten => crate::BAD_INPUT,
            End::Interrupted(_) => signals::INTERRUPTED,
            End::Failed => crate::NOT_CONVERGED,
        }
    }
}

/// Runs the command. An error means bad input.
pub(crate) fn run(arguments: &RunArguments) -> Result<Run, String> {
    let overrides = overrides(&arguments.set)?;
    let model = AnyModel::read(&arguments.file, &overrides).map_err(|error| error.to_string())?;
    warn_of_oddities(&model);
    plot::check(arguments.plot.as_deref())?;
    let mut run = model.run(arguments.to).map_err(|error| match error {
        StartError::NoEnd { name } => {
            format!("{name}: no end time is given; use --to T, or set `end` in [time]")
        }
        StartError::End { end } => format!("--to is {end}; it must be a time in seconds"),
        error @ StartError::Fixed => format!("--to: {error}"),
        error => error.to_string(),
    })?;
    let mut checkpoints = Checkpoints::new(&model, &overrides, arguments)?;
    let recorded = checkpoints.resume(&mut run)?;
    let output = Output::open(&checkpoints, &mut run, &recorded, arguments)?;
    if arguments.resume.is_none() {
        // Old snapshots are removed only once the new run can start.
        checkpoints.clear()?;
    }
    let mut simulated = Simulated { run, output, checkpoints, complaints: Vec::new() };
    let end = signals::interruptible(|| simulated.run_to_end(arguments.quiet));
    Ok(simulated.finish(&model, end, arguments))
}

/// Prints the remarks about a model file as warnings.
fn warn_of_oddities(model: &AnyModel) {
    for Diagnostic { message, event, excerpt } in model.remarks() {
        let event = event.map_or_else(String::new, |event| format!("event {event}: "));
        let (line, column) = (excerpt.line, excerpt.column);
        crate::complain(&format!("{}:{line}:{column}: warning: {event}{message}", model.name()));
    }
}

/// Parses the arguments of `--set`.
pub(crate) fn overrides(set: &[String]) -> Result<Vec<Override>, String> {
    let one = |text: &String| text.parse().map_err(|error| format!("--set: {error}"));
    set.iter().map(one).collect()
}

/// Checks that the folder of an output file exists.
pub(crate) fn check_folder(path: &Path) -> Result<(), String> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => Err(format!("{}: there is no folder `{}`", path.display(), folder.display())),
    }
}

/// Returns an error if a table would replace an existing file without permission.
pub(crate) fn check_absent(path: Option<&Path>, may_replace: bool) -> Result<(), String> {
    match path.filter(|path| !may_replace && path.exists()) {
        None => Ok(()),
        Some(path) => Err(format!("{}: this file already exists; use --force to replace it", path.display())),
    }
}
