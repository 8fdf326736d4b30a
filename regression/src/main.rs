//! Runs the regression scenarios and compares each with its reference, column by column, row by row.
//!
//! The scenarios are simulations of `siconos_examples::scenario`; `manifest.toml` says what each is compared with
//! and how closely. The outcome goes to the terminal and to `report.json` and `report.html` in the folder
//! `regress` of cargo's target directory.
//!
//! | file | idea |
//! | --- | --- |
//! | `arguments.rs` | the command line |
//! | `manifest.rs` | what is compared with what, and which manifests are refused |
//! | `reference.rs` | where references lie |
//! | `scenarios.rs` | the simulations |
//! | `compare.rs` | two tables and their tolerances |
//! | `run.rs` | one pass through the manifest |
//! | `bless.rs` | a new reference, with a reason |
//! | `progress.rs`, `table.rs`, `json.rs`, `html.rs`, `plots.rs` | what one sees of it |
//! | `stamp.rs` | when and by which version |
//!
//! Exit codes: 0 all passed, 1 a scenario failed, 2 wrong usage or a wrong manifest, 4 the filter matches nothing.

mod arguments;
mod bless;
mod compare;
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

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use crate::arguments::{Command, USAGE};
use crate::bless::BlessError;
use crate::manifest::{Manifest, Scenario};
use crate::progress::Progress;
use crate::reference::Folders;
use crate::run::Runner;
use crate::scenarios::Scenarios;
use crate::stamp::Stamp;

/// What the program tells its caller.
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
        Command::List { filter } => Ok(list(&manifest.matching(filter.as_deref()))),
        Command::Run { filter, keep_going } => {
            run(&manifest.matching(filter.as_deref()), Runner::new(scenarios, folders), keep_going)
        }
        Command::Bless { name, reason } => bless(&manifest, &name, &reason, Runner::new(scenarios, folders)),
    }
}

fn list(scenarios: &[&Scenario]) -> Exit {
    let width = scenarios.iter().map(|scenario| scenario.name.chars().count()).max();
    let Some(width) = width else { return nothing_matches() };
    for scenario in scenarios {
        println!("{:width$}  {}", scenario.name, scenario.description);
    }
    Exit::Passed
}

fn run(scenarios: &[&Scenario], mut runner: Runner, keep_going: bool) -> Result<Exit, Box<dyn Error>> {
    if scenarios.is_empty() {
        return Ok(nothing_matches());
    }
    let mut progress = Progress::new(scenarios.len());
    let mut records = Vec::with_capacity(scenarios.len());
    for scenario in scenarios {
        progress.begin(&scenario.name);
        let record = runner.run(scenario);
        progress.end(&record);
        let stop = record.has_failed() && !keep_going;
        records.push(record);
        if stop {
            break;
        }
    }
    progress.finish();

    let stamp = Stamp::now();
    let reports = target_directory().join("regress");
    fs::create_dir_all(&reports)?;
    let reports = reports.canonicalize()?;
    json::write(&reports.join("report.json"), &records, &stamp)?;
    html::write(&reports.join("report.html"), &records, &stamp)?;

    print!("{}", table::summary(&records));
    print!("{}", table::failures(&records));
    match scenarios.len() - records.len() {
        0 => {}
        left => println!("stopped at the first failure, {left} not run (--keep-going runs all)"),
    }
    println!("report: {}", reports.join("report.html").display());
    let passed = records.iter().filter(|record| record.has_passed()).count();
    let failed = records.iter().filter(|record| record.has_failed()).count();
    println!("{passed} passed, {failed} failed, {} skipped", records.len() - passed - failed);
    Ok(if failed == 0 { Exit::Passed } else { Exit::Failed })
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

/// Cargo's target directory: the one that the caller chose, or the one of the workspace.
fn target_directory() -> PathBuf {
    let of_workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    env::var_os("CARGO_TARGET_DIR").map_or_else(of_workspace, PathBuf::from)
}

/// The message of an error and those of its causes, without repeating what was already said.
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
