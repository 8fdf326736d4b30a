//! Runs a model of systems and interactions: rows into a file as they come, snapshots on the way.

mod checkpoint;
mod output;
mod report;

use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use siconos_io::document::Override;
use siconos_io::model::{BuiltModel, ModelFile, RunError};
use siconos_io::trajectory::TableError;

use crate::arguments::RunArguments;
use crate::{overseer, plot};
use checkpoint::Checkpoints;
use output::Output;

pub(super) use report::write;

/// What a run came to, to be printed.
pub(crate) struct Run {
    title: Option<String>,
    /// How far it came \[s\].
    t: f64,
    /// Steps that were taken, and how many there are.
    steps: (usize, usize),
    rows: u64,
    output: Option<String>,
    end: End,
    /// What has to be told beside the answer.
    pub(super) complaints: Vec<String>,
    /// The columns with their values at the end.
    columns: Vec<(String, f64)>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Reached,
    /// With the command that goes on.
    Interrupted(String),
    /// A step failed.
    Failed,
    /// Rows or snapshots could not be written.
    Unwritten,
}

impl Run {
    pub(super) fn code(&self) -> u8 {
        match self.end {
            End::Reached if self.complaints.is_empty() => 0,
            End::Reached | End::Unwritten => crate::BAD_INPUT,
            End::Interrupted(_) => overseer::Stopped::Interrupt.code(),
            End::Failed => crate::NOT_CONVERGED,
        }
    }
}

/// Simulates the model of a file. An error is bad input.
pub(super) fn run(file: &ModelFile, overrides: &[Override], arguments: &RunArguments) -> Result<Run, String> {
    if arguments.to.is_some() {
        return Err("--to is for hybrid models; set `simulation.end` for this one".to_owned());
    }
    plot::check(arguments.plot.as_deref())?;
    let mut built = file.build().map_err(|error| error.to_string())?;
    let mut checkpoints = Checkpoints::new(file, overrides, arguments)?;
    let recorded = checkpoints.resume(&mut built)?;
    let output = Output::open(&checkpoints, &built, &recorded, arguments)?;
    let mut simulated = Simulated { built, output, checkpoints, complaints: Vec::new() };
    let end = overseer::interruptible(|| simulated.go_on());
    simulated.finish(file, end, arguments)
}

/// A run on its way.
struct Simulated<'r> {
    built: BuiltModel,
    output: Output,
    checkpoints: Checkpoints<'r>,
    complaints: Vec<String>,
}

/// Between two looks of the bar at how far the run is.
const TICK: Duration = Duration::from_millis(100);

impl Simulated<'_> {
    fn go_on(&mut self) -> End {
        let bar = bar(self.built.steps());
        let end = loop {
            match self.step() {
                Ok(true) => (),
                Ok(false) => break End::Reached,
                Err(end) => break end,
            }
            bar.set_position(self.built.state.step() as u64);
            if overseer::is_interrupted() {
                break self.interrupted();
            }
        };
        bar.finish_and_clear();
        end
    }

    /// Takes a step; false at the end.
    fn step(&mut self) -> Result<bool, End> {
        let Self { built, output, complaints, .. } = self;
        match built.advance(|row| output.push(row)) {
            Ok(false) => return Ok(false),
            Ok(true) => (),
            Err(RunError::Step(error)) => {
                complaints.push(error.to_string());
                return Err(End::Failed);
            }
            Err(RunError::Control(error)) => {
                complaints.push(error.to_string());
                return Err(End::Failed);
            }
            Err(RunError::Row(error)) => return Err(self.unwritten(&error)),
        }
        if self.checkpoints.is_due() {
            self.save()?;
        }
        Ok(true)
    }

    /// What has been written is on the disk before a snapshot says so.
    fn save(&mut self) -> Result<(), End> {
        if let Err(error) = self.output.sync() {
            return Err(self.unwritten(&error));
        }
        if let Err(message) = self.checkpoints.save(&self.built) {
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

    fn draw(&self, path: &Path, title: &str) -> Result<(), String> {
        plot::over_time(path, title, &self.output.table().map_err(|error| error.to_string())?)
    }

    fn finish(mut self, file: &ModelFile, mut end: End, arguments: &RunArguments) -> Result<Run, String> {
        if end == End::Reached
            && let Err(error) = self.output.finish()
        {
            end = self.unwritten(&error);
        }
        if let (Some(path), End::Reached) = (&arguments.plot, &end)
            && let Err(message) = self.draw(path, file.title().unwrap_or_default())
        {
            self.complaints.push(message);
        }
        let Self { built, output, complaints, .. } = self;
        let names = built.recorder.names().iter().cloned();
        Ok(Run {
            title: file.title().map(str::to_owned),
            t: built.state.t,
            steps: (built.state.step(), built.steps()),
            rows: built.recorder.rows(),
            output: output.path().map(|path| path.display().to_string()),
            end,
            complaints,
            columns: names.zip(built.recorder.last_row().iter().copied()).collect(),
        })
    }
}

/// A bar on a terminal, and nothing elsewhere.
fn bar(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("[{bar:40}] {pos}/{len} steps, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(TICK);
    bar
}
