//! `regress`: all checks of the project, in order of increasing cost.

use std::process::ExitCode;
use std::time::Instant;

use crate::cli::RegressAction;
use crate::command;
use crate::doc;
use crate::error::Error;
use crate::hdf5;
use crate::openblas;
use crate::scenarios::{self, Matched};
use crate::setup;
use crate::summary::{self, Outcome, Row};
use crate::terminal;
use crate::test;
use crate::tidy;

/// Check with a name, by which a filter selects it.
struct Step {
    name: &'static str,
    what: &'static str,
    /// `true` if the check requires OpenBLAS.
    links: bool,
    run: fn() -> Result<(), Error>,
}

/// Checks after `setup`, which always comes first, and before the scenarios, which have their own filter.
static STEPS: [Step; 7] = [
    Step { name: "format", what: "all sources are formatted", links: false, run: format },
    Step { name: "clippy", what: "clippy reports nothing", links: false, run: clippy },
    Step { name: "tidy", what: "the rules of the project are kept", links: false, run: tidy::run },
    Step { name: "test", what: "unit and integration tests", links: true, run: test::unit_and_integration },
    Step {
        name: "portable",
        what: "matrices and solvers without OpenBLAS",
        links: false,
        run: test::portable,
    },
    Step { name: "doctest", what: "the examples in doc comments", links: true, run: test::documentation },
    Step {
        name: "doc",
        what: "the documentation builds without warnings, and the lists of public items are current",
        links: false,
        run: doc::check,
    },
];

impl Step {
    /// Returns the steps that the filter selects, or all steps without a filter.
    fn selected(filter: Option<&str>) -> impl Iterator<Item = &'static Self> {
        STEPS.iter().filter(move |step| filter.is_none_or(|filter| step.name.contains(filter)))
    }
}

const SETUP: &str = "setup";
const SCENARIOS: &str = "scenarios";

pub(crate) fn run(action: RegressAction) -> Result<ExitCode, Error> {
    match action {
        RegressAction::List { filter } => list(filter.as_deref()),
        RegressAction::Bless { name, because } => {
            setup::ensure()?;
            match scenarios::bless(&name, &because)? {
                Matched::Some => Ok(ExitCode::SUCCESS),
                Matched::Nothing => Err(Error::NothingMatches { filter: name }),
            }
        }
        RegressAction::Run { filter, fail_fast } => run_steps(filter.as_deref(), fail_fast),
    }
}

fn format() -> Result<(), Error> {
    let mut check = command::cargo(["fmt", "--all", "--check"]);
    if !terminal::wants_colour() {
        // By default rustfmt colours its differences even if standard output is not a terminal.
        check.args(["--", "--color", "never"]);
    }
    command::run(&mut check)
}

/// Checks all targets of all packages, also the fuzz targets, which no other step compiles.
fn clippy() -> Result<(), Error> {
    let mut clippy = command::cargo(["clippy", "--workspace", "--all-targets"]);
    if hdf5::ensure() {
        clippy.args(["--features", "siconos-fuzz/hdf5"]);
    }
    command::run(hdf5::with_features(&mut clippy).args(["--", "-D", "warnings"]))
}

/// Runs the selected steps and prints the table.
///
/// `setup` always runs. The runner is always called, because only it has the list of scenarios. Its step is
/// removed if the filter matches no scenario.
fn run_steps(filter: Option<&str>, fail_fast: bool) -> Result<ExitCode, Error> {
    let mut run = Run { rows: Vec::new(), fail_fast, stopped: false };
    let can_link = run.step(SETUP, true, || setup::ensure().map(|_| ()));
    for step in Step::selected(filter) {
        run.step(step.name, can_link || !step.links, step.run);
    }

    // The name of the step of the scenarios selects all of them.
    let scenario_filter = filter.filter(|&filter| filter != SCENARIOS);
    let mut matched = Matched::Some;
    run.step(SCENARIOS, can_link, || {
        matched = scenarios::run(scenario_filter, fail_fast)?;
        match (matched, scenario_filter) {
            (Matched::Nothing, None) => Err(Error::NoScenarios),
            _ => Ok(()),
        }
    });
    if let (Matched::Nothing, Some(filter)) = (matched, scenario_filter) {
        run.rows.pop();
        let only_setup = run.rows.len() == 1;
        if only_setup && !SETUP.contains(filter) {
            return Err(Error::NothingMatches { filter: filter.to_owned() });
        }
    }

    summary::print(&run.rows);
    let failed = run.rows.iter().any(|row| row.outcome == Outcome::Failed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// State of a run.
struct Run {
    rows: Vec<Row>,
    fail_fast: bool,
    stopped: bool,
}

impl Run {
    /// Runs one step and records its outcome, unless the run has stopped or `possible` is `false`.
    fn step(&mut self, name: &'static str, possible: bool, run: impl FnOnce() -> Result<(), Error>) -> bool {
        let start = Instant::now();
        let mut failures = Vec::new();
        let outcome = if self.stopped || !possible {
            Outcome::NotRun
        } else {
            eprintln!("\n==> {name}");
            match run() {
                Ok(()) => Outcome::Passed,
                Err(error) => {
                    // Printed after the output of the step, and again in the summary.
                    eprintln!("error: {error}");
                    failures = error.failures();
                    self.stopped = self.fail_fast;
                    Outcome::Failed
                }
            }
        };
        self.rows.push(Row { step: name, outcome, took: start.elapsed(), failures });
        outcome == Outcome::Passed
    }
}

/// Prints the steps and the scenarios. The scenarios are listed only if OpenBLAS is present, because this
/// function installs nothing.
fn list(filter: Option<&str>) -> Result<ExitCode, Error> {
    let selected: Vec<&Step> = Step::selected(filter).collect();
    println!("Steps:");
    println!("  {SETUP:<12} OpenBLAS can be linked (always runs)");
    for step in &selected {
        println!("  {:<12} {}", step.name, step.what);
    }
    println!("  {SCENARIOS:<12} the scenarios below agree with their references");
    println!("\nScenarios:");
    if let Err(unusable) = openblas::find()? {
        println!("  listed after `cargo xtask setup`, because OpenBLAS cannot be used yet: {unusable}");
        return Ok(ExitCode::SUCCESS);
    }
    match scenarios::list(filter.filter(|&filter| filter != SCENARIOS))? {
        Matched::Nothing if selected.is_empty() => {
            Err(Error::NothingMatches { filter: filter.unwrap_or_default().to_owned() })
        }
        Matched::Nothing => {
            println!("  none");
            Ok(ExitCode::SUCCESS)
        }
        Matched::Some => Ok(ExitCode::SUCCESS),
    }
}
