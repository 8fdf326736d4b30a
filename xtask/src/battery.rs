//! `battery`: the standing batteries of random problems and models, all of them.
//!
//! Batteries of tests are ignored tests with `battery` in their names, beside a test of a tenth that is not
//! ignored. The one of contact problems belongs to the regression program, which prints what was solved by
//! family and compares it with its floors.

use crate::command;
use crate::error::Error;
use crate::scenarios;
use crate::setup;
use crate::test;

/// The packages with batteries among their tests.
const PACKAGES: [&str; 5] = [
    "siconos-numerics-tests",
    "siconos-kernel-tests",
    "siconos-hybrid",
    "siconos-expression-tests",
    "siconos-cli",
];

/// Runs all of them, also after a failure.
pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    let mut tests = command::cargo(["test", "--release", "--no-fail-fast", "--tests"]);
    tests.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    let of_tests = test::run_tests(&mut tests, &["--ignored", "battery", "--nocapture"]);
    scenarios::batteries()?;
    of_tests
}
