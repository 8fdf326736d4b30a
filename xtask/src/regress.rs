//! `regress`: every check of the project, in the order in which a failure is cheapest to find.

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
use crate::workspace;

/// One check with a name to filter by.
struct Step {
    name: &'static str,
    what: &'static str,
    /// Without OpenBLAS it cannot pass, so there is no use in trying.
    links: bool,
    run: fn() -> Result<(), Error>,
}

/// The steps between `setup`, which always comes first, and the scenarios, which take the filter themselves.
static STEPS: [Step; 8] = [
    Step { name: "format", what: "all sources are formatted", links: false, run: format },
    Step { name: "clippy", what: "no lint has anything to say", links: false, run: clippy },
    Step { name: "fuzz", what: "the programs for fuzzing compile", links: false, run: fuzz },
    Step { name: "tidy", what: "the rules of the house are kept", links: false, run: tidy::run },
    Step { name: "test", what: "unit and integration tests", links: true, run: test::unit_and_integration },
    Step { name: "portable", what: "the solvers without OpenBLAS", links: false, run: test::portable },
    Step { name: "doctest", what: "the examples in doc comments", links: true, run: test::documentation },
    Step {
        name: "doc",
        what: "the documentation builds without warnings, of the public items that are listed",
        links: false,
        run: doc::check,
    },
];

impl Step {
    /// The steps that the filter selects, all without one.
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
        // rustfmt colours its differences even where nobody sees a colour.
        check.args(["--", "--color", "never"]);
    }
    command::run(&mut check)
}

fn clippy() -> Result<(), Error> {
    let mut clippy = command::cargo(["clippy", "--workspace", "--all-targets"]);
    command::run(hdf5::with_features(&mut clippy).args(["--", "-D", "warnings"]))
}

/// Checks the fuzzing programs, which are a workspace of their own, in the folder of the others: they share
/// most dependencies.
fn fuzz() -> Result<(), Error> {
    let mut check = command::cargo(["check", "--manifest-path", "fuzz/Cargo.toml"]);
    command::run(check.arg("--target-dir").arg(workspace::target()))
}

/// Runs what the filter selects and prints the table.
///
/// `setup` is a condition rather than a choice: it runs whatever the filter says. Only the runner knows the
/// scenarios, so it is asked each time, and its step vanishes when the filter leaves it nothing.
fn run_steps(filter: Option<&str>, fail_fast: bool) -> Result<ExitCode, Error> {
    let mut run = Run { rows: Vec::new(), fail_fast, stopped: false };
    let can_link = run.step(SETUP, true, || setup::ensure().map(|_| ()));
    for step in Step::selected(filter) {
        run.step(step.name, can_link || !step.links, step.run);
    }

    // The name of the step itself means all scenarios.
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

/// A run under way.
struct Run {
    rows: Vec<Row>,
    fail_fast: bool,
    stopped: bool,
}

impl Run {
    /// Runs one step, unless the run has stopped or the step is not `possible`, and notes the outcome.
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
                    // Printed next to the output of the step, and again in the summary.
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

/// Prints the steps and the scenarios. The runner can be built for its list only where OpenBLAS is; nothing
/// is installed for the sake of a list.
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
        println!("  listed after `cargo xtask setup`, since OpenBLAS cannot be used yet: {unusable}");
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
