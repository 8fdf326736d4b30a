//! Runs the regression scenarios and compares each with its reference, column by column, row by row.
//!
//! The scenarios are simulations of `siconos_examples::scenario`; `manifest.toml` defines the references and
//! tolerances. The program also runs every method of the complementarity and contact classes over reference
//! files and random problems, and checks that every reported result is correct. The results go to the
//! terminal and to `report.json` and `report.html` in the folder `regress` of cargo's target directory. The
//! results of a filtered run go to `part.json` and `part.html`, so that the complete report is kept.
//!
//! | file | contents |
//! | --- | --- |
//! | `arguments.rs` | command line |
//! | `manifest.rs` | the manifest and its checks |
//! | `reference.rs` | folders of references |
//! | `scenarios.rs` | simulations |
//! | `compare.rs` | comparison of two tables within tolerances |
//! | `run.rs` | run of all scenarios of the manifest |
//! | `complementarity/` | survey of the methods of the complementarity classes |
//! | `contact/` | survey of the methods of the contact classes |
//! | `battery/` | batteries of random problems, with required numbers of solved problems |
//! | `bless.rs` | a new reference, with a reason |
//! | `workers.rs` | work that is shared by all processors |
//! | `progress.rs`, `table.rs`, `json.rs`, `html.rs`, `plots.rs` | output |
//! | `stamp.rs` | date and version |
//!
//! Exit codes: 0 all passed, 1 a scenario failed, 2 wrong usage or a wrong manifest, 4 the filter matches
//! nothing.

mod arguments;
mod battery;
mod bless;
mod compare;
mod complementarity;
mod contact;
mod html;
mod json;
mod manifest;
mod plots;
mod progress;
mod reference;
mod run;
mod scenarios;
mod stamp;
mod table;
mod workers;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use crate::arguments::{Command, USAGE};
use crate::bless::BlessError;
use crate::manifest::{Manifest, Scenario};
use crate::progress::Progress;
use crate::reference::Folders;
use crate::run::{Record, Runner};
use crate::scenarios::Scenarios;
use crate::stamp::Stamp;
use crate::workers::in_parallel;

/// Exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Passed = 0,
    Failed = 1,
    Refused = 2,
    NothingMatches = 4,
}

fn main() -> ExitCode {
    let exit =
        Command::parse(env::args().skip(1)).map_err(Into::into).and_then(execute).unwrap_or_else(|error| {
            eprintln!("error: {}", with_causes(error.as_ref()));
            Exit::Refused
        });
    ExitCode::from(exit as u8)
}

fn execute(command: Command) -> Result<Exit, Box<dyn Error>> {
    if command == Command::Help {
        print!("{USAGE}");
        return Ok(Exit::Passed);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scenarios = Scenarios::of_the_examples();
    let manifest = Manifest::read(&folder.join("manifest.toml"), scenarios.names)?;
    let folders = Folders::new(folder);
    match command {
        Command::Help => Ok(Exit::Passed),
        Command::List { filter } => {
            let filter = filter.as_deref();
            Ok(list(&Selected::matching(&manifest, filter)))
        }
        Command::Run { filter, fail_fast, whole } => {
            let selected = Selected::matching(&manifest, filter.as_deref());
            run(&selected, Runner::new(scenarios, folders), fail_fast, whole, filter)
        }
        Command::Bless { name, reason } if battery::named(&name).is_some() => {
            print!("{}", battery::bless(folder, &reason)?);
            Ok(Exit::Passed)
        }
        Command::Bless { name, reason } => bless(&manifest, &name, &reason, Runner::new(scenarios, folders)),
    }
}

/// Scenarios, classes and batteries that the filter selects.
struct Selected<'a> {
    scenarios: Vec<&'a Scenario>,
    classes: Vec<complementarity::Class>,
    batteries: Vec<battery::Battery>,
}

impl<'a> Selected<'a> {
    fn matching(manifest: &'a Manifest, filter: Option<&str>) -> Self {
        Self {
            scenarios: manifest.matching(filter),
            classes: complementarity::matching(filter),
            batteries: battery::matching(filter),
        }
    }
}

fn list(selected: &Selected<'_>) -> Exit {
    let of_scenarios =
        selected.scenarios.iter().map(|scenario| (scenario.name.as_str(), scenario.description.as_str()));
    let of_classes = selected.classes.iter().map(|class| (class.name, class.description));
    let of_batteries = selected.batteries.iter().map(|battery| (battery.name, battery.description));
    let lines: Vec<(&str, &str)> = of_scenarios.chain(of_classes).chain(of_batteries).collect();
    let width = lines.iter().map(|(name, _)| name.chars().count()).max();
    let Some(width) = width else { return nothing_matches() };
    for (name, description) in lines {
        println!("{name:width$}  {description}");
    }
    Exit::Passed
}

fn run(
    selected: &Selected<'_>,
    mut runner: Runner,
    fail_fast: bool,
    whole_batteries: bool,
    filter: Option<String>,
) -> Result<Exit, Box<dyn Error>> {
    let total = selected.scenarios.len() + selected.classes.len() + selected.batteries.len();
    if total == 0 {
        return Ok(nothing_matches());
    }
    let mut progress = Progress::new(total);
    let mut report = Report {
        stamp: Stamp::now(),
        filter,
        records: Vec::new(),
        surveys: Vec::new(),
        batteries: Vec::new(),
    };
    let mut stop = false;
    for scenario in &selected.scenarios {
        if stop {
            break;
        }
        progress.begin(&scenario.name);
        let record = runner.run(scenario);
        progress.end(&scenario.name, &record.verdict(), record.run_time);
        stop = record.has_failed() && fail_fast;
        report.records.push(record);
    }
    let (told, external) = (Mutex::new(progress), runner.folders.external());
    let has_stopped = AtomicBool::new(stop);
    let surveys = in_parallel(&selected.classes, |class| {
        if has_stopped.load(Ordering::Relaxed) {
            return None;
        }
        let told = || told.lock().unwrap_or_else(PoisonError::into_inner);
        told().begin(class.name);
        let outcome = complementarity::run(*class, external);
        told().end(class.name, outcome.verdict(), outcome.run_time());
        has_stopped.fetch_or(outcome.has_failed() && fail_fast, Ordering::Relaxed);
        Some(outcome)
    });
    report.surveys.extend(surveys.into_iter().flatten());
    let mut progress = told.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut stop = has_stopped.into_inner();
    for battery in &selected.batteries {
        if stop {
            break;
        }
        progress.begin(battery.name);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let outcome = battery::run(*battery, whole_batteries, folder);
        progress.end(battery.name, outcome.verdict(), outcome.run_time());
        stop = outcome.has_failed() && fail_fast;
        report.batteries.push(outcome);
    }
    progress.finish();

    let reports = target_directory().join("regress");
    fs::create_dir_all(&reports)?;
    let reports = reports.canonicalize()?;
    let name = if report.filter.is_some() { "part" } else { "report" };
    json::write(&reports.join(name).with_extension("json"), &report)?;
    html::write(&reports.join(name).with_extension("html"), &report)?;

    if !report.records.is_empty() {
        print!("{}", table::summary(&report.records));
    }
    for outcome in &report.surveys {
        if let Some(survey) = &outcome.survey {
            print!("{}", complementarity::table(outcome.name, survey));
        }
    }
    for outcome in &report.batteries {
        print!("{}", battery::table(outcome));
    }
    print!("{}", table::failures(&report));
    match total - report.records.len() - report.surveys.len() - report.batteries.len() {
        0 => {}
        left => println!("stopped at the first failure, {left} not run"),
    }
    println!("report: {}", reports.join(name).with_extension("html").display());
    let Counts { passed, failed, skipped } = report.counts();
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(if failed == 0 { Exit::Passed } else { Exit::Failed })
}

/// Results of a run.
struct Report {
    stamp: Stamp,
    /// Filter by name, if not everything was run.
    filter: Option<String>,
    records: Vec<Record>,
    surveys: Vec<complementarity::Outcome>,
    batteries: Vec<battery::Outcome>,
}

/// Numbers of passed, failed and skipped scenarios, surveys and batteries.
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Report {
    fn counts(&self) -> Counts {
        let others = || {
            let of_surveys = self.surveys.iter().map(complementarity::Outcome::has_failed);
            of_surveys.chain(self.batteries.iter().map(battery::Outcome::has_failed))
        };
        let failed = self.records.iter().filter(|record| record.has_failed()).count()
            + others().filter(|has_failed| *has_failed).count();
        let passed = self.records.iter().filter(|record| record.has_passed()).count()
            + others().filter(|has_failed| !has_failed).count();
        Counts { passed, failed, skipped: self.records.len() + others().count() - passed - failed }
    }
}

fn bless(manifest: &Manifest, name: &str, reason: &str, mut runner: Runner) -> Result<Exit, Box<dyn Error>> {
    let scenario = manifest.named(name)?;
    match bless::bless(scenario, reason, &mut runner, &Stamp::now()) {
        Ok(changes) => {
            print!("{changes}");
            Ok(Exit::Passed)
        }
        Err(error @ (BlessError::Run { .. } | BlessError::NotANumber { .. })) => {
            eprintln!("error: {}", with_causes(&error));
            Ok(Exit::Failed)
        }
        Err(error) => Err(error.into()),
    }
}

fn nothing_matches() -> Exit {
    eprintln!("error: no scenario of the manifest matches the filter; --list shows all");
    Exit::NothingMatches
}

/// Returns cargo's target directory: the caller's choice, or the one of the workspace.
fn target_directory() -> PathBuf {
    let of_workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    env::var_os("CARGO_TARGET_DIR").map_or_else(of_workspace, PathBuf::from)
}

/// Returns the message of an error followed by the messages of its causes, without repetitions.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}
