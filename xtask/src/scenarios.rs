//! The runner of the regression scenarios, which is a program of its own (package `siconos-regression`).

use crate::command;
use crate::error::Error;
use crate::hdf5;

/// What the runner says by its exit code when its filter matches no scenario.
const NOTHING_MATCHES: i32 = 4;

/// Whether the runner had anything to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    Some,
    Nothing,
}

/// Runs the scenarios whose name contains `filter`, all without one.
pub(crate) fn run(filter: Option<&str>, keep_going: bool) -> Result<Matched, Error> {
    let keep_going = keep_going.then_some("--keep-going");
    start(filter_words(filter).into_iter().chain(keep_going))
}

/// Runs the whole of the standing batteries that the runner has.
pub(crate) fn batteries() -> Result<Matched, Error> {
    start(["--filter", "battery", "--whole", "--keep-going"].into_iter())
}

/// Prints the names of the scenarios.
pub(crate) fn list(filter: Option<&str>) -> Result<Matched, Error> {
    start(["--list"].into_iter().chain(filter_words(filter)))
}

/// Stores the present result of a scenario as its reference.
pub(crate) fn bless(name: &str, because: &str) -> Result<Matched, Error> {
    start(["--bless", name, "--because", because].into_iter())
}

fn filter_words(filter: Option<&str>) -> Vec<&str> {
    filter.map_or_else(Vec::new, |filter| vec!["--filter", filter])
}

fn start<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<Matched, Error> {
    let mut runner = command::cargo(["run", "--release", "--package", "siconos-regression"]);
    if hdf5::ensure() {
        runner.args(["--features", "hdf5"]);
    }
    runner.arg("--").args(arguments);
    match command::status(&mut runner)? {
        status if status.success() => Ok(Matched::Some),
        status if status.code() == Some(NOTHING_MATCHES) => Ok(Matched::Nothing),
        status => Err(Error::Exit { line: command::line(&runner), status }),
    }
}
