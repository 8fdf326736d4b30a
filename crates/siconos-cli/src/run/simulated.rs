//! Run in progress: its steps, rows and snapshots, and its result.

use std::path::Path;

use serde_json::Value;
use siconos_hybrid::{IntegrationOutcome, VariableType};
use siconos_io::hybrid::HybridRun;
use siconos_io::model::{AnyModel, AnyRun, BuiltModel, RunError};
use siconos_io::trajectory::TableError;

use super::checkpoint::Checkpoints;
use super::output::{Output, head, set_units};
use super::{End, Fired, Run};
use crate::answer::number;
use crate::arguments::RunArguments;
use crate::progress::Progress;
use crate::{plot, signals, warnings};

/// Run in progress.
pub(super) struct Simulated<'r> {
    pub(super) run: AnyRun,
    pub(super) output: Output,
    pub(super) checkpoints: Checkpoints<'r>,
    pub(super) complaints: Vec<String>,
}

impl Simulated<'_> {
    pub(super) fn run_to_end(&mut self, is_quiet: bool) -> End {
        let shown = begun(&self.run, is_quiet);
        let end = loop {
            match self.step() {
                Ok(true) => (),
                Ok(false) => break End::Reached,
                Err(end) => break end,
            }
            shown.set(progress(&self.run), || detail(&self.run));
            warnings::tell(|write| shown.suspend(write));
            if signals::is_interrupted() {
                break self.interrupted();
            }
        };
        shown.finish();
        end
    }

    /// Takes a step. Returns `false` at the end.
    fn step(&mut self) -> Result<bool, End> {
        let Self { run, output, complaints, .. } = self;
        match run.advance(|row| output.push(row)) {
            Ok(false) => return Ok(false),
            Ok(true) => (),
            Err(RunError::Row(error)) => return Err(self.unwritten(&error)),
            // The report contains the reason.
            Err(RunError::Ended(_)) => return Err(End::Failed),
            Err(error) => {
                complaints.push(error.to_string());
                return Err(End::Failed);
            }
        }
        if self.checkpoints.is_due() {
            self.save()?;
        }
        Ok(true)
    }

    /// Syncs all rows to the disk, then takes a snapshot.
    fn save(&mut self) -> Result<(), End> {
        if let Err(error) = self.output.sync() {
            return Err(self.unwritten(&error));
        }
        if let Err(message) = self.checkpoints.save(&self.run) {
            self.complaints.push(message);
            return Err(End::Unwritten);
        }
        Ok(())
    }

    fn unwritten(&mut self, error: &TableError) -> End {
        self.complaints.push(error.to_string());
        End::Unwritten
    }

    fn interrupted(&mut self) -> End {
        match self.save() {
            Ok(()) => End::Interrupted(self.checkpoints.command()),
            Err(end) => end,
        }
    }

    fn draw(&self, path: &Path, title: &str, model: &Path) -> Result<(), String> {
        let curve = match &self.run {
            AnyRun::Hybrid(run) => run.curve(),
            AnyRun::Model(_) | AnyRun::Inclusion(_) => None,
        };
        let rows = match curve {
            None => self.output.rows()?,
            Some(curve) => {
                let mut rows = plot::Run::without_rows(head(&self.run, model), 0);
                curve.iter().for_each(|row| rows.push_row(row));
                rows
            }
        };
        // A .csv file does not contain the units.
        plot::over_time(path, title, rows.with_units(|table| set_units(table, &self.run)))
    }

    /// Finishes the files, and returns the result.
    pub(super) fn finish(mut self, model: &AnyModel, mut end: End, arguments: &RunArguments) -> Run {
        let mut picture = None;
        // If a step failed, the rows computed before it are still valid.
        if matches!(end, End::Reached | End::Failed) {
            if let Err(error) = self.output.finish() {
                end = self.unwritten(&error);
            } else if let Some(path) = &arguments.plot {
                match self.draw(path, model.title().unwrap_or_default(), &arguments.file) {
                    Ok(()) => picture = Some(path.display().to_string()),
                    Err(message) => self.complaints.push(message),
                }
            }
        }
        let Self { run, output, complaints, .. } = self;
        let names = run.names().iter().cloned();
        let values = run.last_row().iter();
        let (steps, stopped, events, types) = match &run {
            AnyRun::Model(built) => ((built.state.step(), built.steps()), condition(built), None, Vec::new()),
            AnyRun::Inclusion(run) => ((run.step(), run.steps()), None, None, Vec::new()),
            AnyRun::Hybrid(run) => {
                let steps = run.solution().statistics().steps;
                ((steps, None), stopped(run), Some(fired(model, run)), run.types().collect())
            }
        };
        let types = types.into_iter().chain(std::iter::repeat(VariableType::Float));
        Run {
            title: model.title().map(str::to_owned),
            t: run.t(),
            stopped,
            unconverged: run.unconverged().unwrap_or_default(),
            steps,
            rows: run.rows(),
            output: output.path().map(|path| path.display().to_string()),
            picture,
            end,
            complaints,
            events,
            columns: names.zip(values.zip(types).map(|(value, kind)| typed(kind, *value))).collect(),
        }
    }
}

/// Returns the reason if the solution of a hybrid model ended early.
fn stopped(run: &HybridRun) -> Option<(&'static str, String)> {
    match run.answer()? {
        IntegrationOutcome::Reached => None,
        answer @ IntegrationOutcome::Halted { .. } => Some(("halted", answer.to_string())),
        answer => Some(("ended", answer.to_string())),
    }
}

/// Returns the reason if the condition `stop_when` ended the run of a model.
fn condition(built: &BuiltModel) -> Option<(&'static str, String)> {
    built.is_stopped().then(|| ("stopped", "the condition `stop_when` holds".to_owned()))
}

/// Returns the events that fired, in the order of their numbers.
fn fired(model: &AnyModel, run: &HybridRun) -> Vec<Fired> {
    let AnyModel::Hybrid(model) = model else { return Vec::new() };
    let all = (1..).zip(&model.triggers).zip(run.solution().firings());
    all.filter_map(|((event, trigger), firings)| {
        let trigger = trigger.clone();
        Some(Fired { event, trigger, count: firings.count, last: firings.last? })
    })
    .collect()
}

/// Converts a value to its type. An integer that is too large for the integer type remains a float.
fn typed(kind: VariableType, value: f64) -> Value {
    match kind {
        VariableType::Integer if value.abs() < 2.0_f64.powi(63) => (value as i64).into(),
        VariableType::Float | VariableType::Integer => number(value),
        VariableType::Boolean => (value != 0.0).into(),
    }
}

/// Returns the progress of a run: the number of steps, or the percentage of the time span.
fn progress(run: &AnyRun) -> u64 {
    match run {
        AnyRun::Model(built) => built.state.step() as u64,
        AnyRun::Hybrid(own) if is_endless(run) => own.solution().statistics().steps as u64,
        AnyRun::Hybrid(run) => (100.0 * run.part_done()) as u64,
        AnyRun::Inclusion(own) if own.steps().is_some() || is_endless(run) => own.step() as u64,
        AnyRun::Inclusion(run) => (100.0 * run.part_done()) as u64,
    }
}

/// Describes the current state of a run: the time, the contacts, and the largest solver error.
fn detail(run: &AnyRun) -> String {
    let contacts = match run {
        AnyRun::Model(built) => built.contacts(),
        AnyRun::Hybrid(_) | AnyRun::Inclusion(_) => None,
    };
    let contacts = contacts.map_or_else(String::new, |contacts| {
        format!(", active relations {}, worst error {:.1e}", contacts.active, contacts.worst_error)
    });
    format!("; t = {} s{contacts}", run.t())
}

/// Returns `true` if a run has no end.
fn is_endless(run: &AnyRun) -> bool {
    match run {
        AnyRun::Model(built) => built.steps().is_none(),
        AnyRun::Hybrid(run) => run.span().1.is_infinite(),
        AnyRun::Inclusion(run) => run.span().1.is_infinite(),
    }
}

/// Begins the progress of a run.
fn begun(run: &AnyRun, is_quiet: bool) -> Progress {
    let steps = match run {
        AnyRun::Model(built) => built.steps(),
        AnyRun::Inclusion(run) => run.steps(),
        AnyRun::Hybrid(_) => None,
    };
    match steps {
        Some(steps) => Progress::new("run", Some(steps as u64), "steps", is_quiet),
        None if is_endless(run) => Progress::new("run", None, "steps", is_quiet),
        None => Progress::new("run", Some(100), "% of the time", is_quiet),
    }
}
