//! Runner of the regression scenarios, a separate program (package `siconos-regression`).

use std::env::consts::EXE_SUFFIX;
use std::process::Command;

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::test;
use crate::workspace;

/// Exit code of the runner if its filter matches no scenario.
const NOTHING_MATCHES: i32 = 4;

/// Result of the filter of the runner: `Some` if it matched a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    Some,
    Nothing,
}

/// Build of the runner. Apart from times, the output of both builds is bit-identical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// The build of the tests. Its dependencies are already compiled, which saves more minutes than the
    /// slower run costs.
    AsTests,
    Optimised,
}

/// Runs the scenarios with names that contain `filter`, or all scenarios without a filter.
pub(crate) fn run(filter: Option<&str>, fail_fast: bool) -> Result<Matched, Error> {
    let fail_fast = fail_fast.then_some("--fail-fast");
    start(Build::AsTests, filter_words(filter).into_iter().chain(fail_fast))
}

/// Runs the complete batteries of the runner.
pub(crate) fn batteries() -> Result<Matched, Error> {
    start(Build::Optimised, ["--filter", "battery", "--whole"].into_iter())
}

/// Prints the names of the scenarios.
pub(crate) fn list(filter: Option<&str>) -> Result<Matched, Error> {
    start(Build::AsTests, ["--list"].into_iter().chain(filter_words(filter)))
}

/// Stores the current result of a scenario as its reference.
pub(crate) fn bless(name: &str, because: &str) -> Result<Matched, Error> {
    start(Build::Optimised, ["--bless", name, "--because", because].into_iter())
}

fn filter_words(filter: Option<&str>) -> Vec<&str> {
    filter.map_or_else(Vec::new, |filter| vec!["--filter", filter])
}

fn start<'a>(build: Build, arguments: impl Iterator<Item = &'a str>) -> Result<Matched, Error> {
    let mut runner = match build {
        Build::AsTests => {
            // The runner is built as a dependency of one of its tests, so that it has the features of all
            // tests.
            command::run(test::cargo_test().args(["--no-run", "--test", "regression_program"]))?;
            let name = format!("siconos-regression{EXE_SUFFIX}");
            let mut runner = Command::new(workspace::target().join("debug").join(name));
            runner.current_dir(workspace::root());
            runner
        }
        Build::Optimised => {
            let mut cargo = command::cargo(["run", "--release", "--bin", "siconos-regression"]);
            hdf5::with_features(&mut cargo).arg("--");
            cargo
        }
    };
    match command::status_and_failures(runner.args(arguments), failed_scenario)? {
        (status, _) if status.success() => Ok(Matched::Some),
        (status, _) if status.code() == Some(NOTHING_MATCHES) => Ok(Matched::Nothing),
        (status, failed) => Err(Error::Exit { line: command::line(&runner), status, failed }),
    }
}

/// Returns the name of the scenario in a line of the form `FAILED name: the reason`.
fn failed_scenario(line: &str) -> Option<&str> {
    line.strip_prefix("FAILED ")?.split_once(": ").map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::failed_scenario;

    #[test]
    fn failed_scenarios_are_named() {
        assert_eq!(failed_scenario("FAILED ball: row 3, column \"q\": off by 1e-3"), Some("ball"));
        assert_eq!(failed_scenario("ball: the reason"), None);
    }
}
