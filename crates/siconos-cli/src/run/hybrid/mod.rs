//! Runs a hybrid model: integrates it, writes the trajectory and a picture of it.

mod report;
mod samples;
mod table;

use std::path::PathBuf;

use siconos_io::hybrid::HybridModel;
use siconos_kernel::hybrid::{Answer, EventNumber, HybridError, HybridSolution, VariableType};

use crate::arguments::RunArguments;
use crate::plot;
use samples::Samples;

pub(super) use report::write;

/// What a run came to, to be printed.
pub(crate) struct Run {
    title: Option<String>,
    /// How far the solution has been computed \[s\].
    t: f64,
    /// How it ended; nothing where an error did.
    answer: Option<Answer>,
    /// Why it could not go on, if that was an error.
    pub(crate) error: Option<HybridError>,
    /// Why a table or a picture could not be written.
    pub(crate) unwritten: Vec<String>,
    steps: usize,
    firings: Vec<Firings>,
    /// All variables with their values at the end, as their types show them.
    variables: Vec<(String, String)>,
}

/// How often an event fired.
struct Firings {
    event: EventNumber,
    trigger: String,
    count: usize,
    /// When it did last \[s\].
    last: f64,
}

impl Run {
    /// Whether the solution ended where the model says: at the time asked for, or at a halt.
    pub(crate) fn is_good(&self) -> bool {
        matches!(self.answer, Some(Answer::Reached | Answer::Halted { .. }))
    }
}

/// Integrates the model of a file. An error is bad input.
pub(super) fn run(model: HybridModel, arguments: &RunArguments) -> Result<Run, String> {
    let shown = arguments.file.display();
    let Some(end) = arguments.to.or(model.end) else {
        return Err(format!("{shown}: say up to when, by --to T or by `end` in [time]"));
    };
    if !end.is_finite() {
        return Err(format!("--to is {end}; it must be a time in seconds"));
    }
    let mut solution = model.solution().map_err(|error| format!("{shown}: {error}"))?;
    // Nobody wants to hear that at the end of a long run.
    if arguments.output.is_some() || arguments.plot.is_some() {
        table::check_names(samples::variables(&solution).map(|(name, _)| name), &shown.to_string())?;
    }
    table::check(arguments.output.as_deref())?;
    crate::run::check_absent(arguments.output.as_deref(), arguments.force)?;
    plot::check(arguments.plot.as_deref())?;
    let (answer, error) = match solution.at(end) {
        Ok(answer) => (Some(answer), None),
        Err(error) => (None, Some(error)),
    };
    let mut unwritten = Vec::new();
    if arguments.output.is_some() || arguments.plot.is_some() {
        let samples = Samples::of(&solution).map_err(|error| format!("{shown}: {error}"))?;
        let write_table = |path: &PathBuf| table::write(path, &samples.table(&shown.to_string())?);
        unwritten.extend(arguments.output.as_ref().and_then(|path| write_table(path).err()));
        let title = model.title.as_deref().unwrap_or_default();
        let draw = |path: &PathBuf| plot::over_time(path, title, &samples.dense_table(&shown.to_string())?);
        unwritten.extend(arguments.plot.as_ref().and_then(|path| draw(path).err()));
    }
    Ok(Run {
        t: solution.t(),
        answer,
        error,
        unwritten,
        steps: solution.statistics().steps,
        firings: firings(&model, &solution),
        variables: variables(&solution),
        title: model.title,
    })
}

/// The events that fired, in the order of their numbers.
fn firings(model: &HybridModel, solution: &HybridSolution) -> Vec<Firings> {
    let mut all: Vec<_> = (1..)
        .zip(&model.triggers)
        .map(|(event, trigger)| Firings { event, trigger: trigger.clone(), count: 0, last: f64::NAN })
        .collect();
    for mark in solution.trajectory().events() {
        for event in mark.events {
            if let Some(firings) = event.checked_sub(1).and_then(|place| all.get_mut(place)) {
                firings.count += 1;
                firings.last = mark.t;
            }
        }
    }
    all.retain(|firings| firings.count > 0);
    all
}

fn variables(solution: &HybridSolution) -> Vec<(String, String)> {
    let values = solution.x().iter().chain(solution.discrete());
    let shown = |kind, value: f64| match kind {
        VariableType::Float => format!("{value:?}"),
        VariableType::Integer => value.to_string(),
        VariableType::Boolean => (value != 0.0).to_string(),
    };
    let variables = samples::variables(solution).zip(values);
    variables.map(|((name, kind), value)| (name.to_owned(), shown(kind, *value))).collect()
}
