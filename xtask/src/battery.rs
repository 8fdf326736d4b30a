//! `battery`: all batteries of random problems and models, and the tests of the solvers without OpenBLAS.
//!
//! A battery of tests is an ignored test with `battery` in its name. A test of a tenth of its size is not
//! ignored. The battery of contact problems belongs to the regression program, which prints the numbers of
//! solved problems by family and compares them with the required numbers.

use crate::command;
use crate::error::Error;
use crate::scenarios;
use crate::setup;
use crate::test;

/// Packages with batteries among their tests.
const PACKAGES: [&str; 5] = [
    "siconos-numerics-tests",
    "siconos-kernel-tests",
    "siconos-hybrid",
    "siconos-expression-tests",
    "siconos-cli",
];

/// Runs all batteries, even if one fails.
pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    let mut tests = command::cargo(["test", "--release", "--no-fail-fast", "--tests"]);
    tests.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    let of_tests = test::run_tests(&mut tests, &["--ignored", "battery", "--nocapture"]);
    let portable = test::all_portable();
    scenarios::batteries()?;
    of_tests.and(portable)
}
