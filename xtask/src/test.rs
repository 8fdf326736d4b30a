//! `test`: unit, integration and documentation tests of all crates.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::setup;
use crate::terminal;
use crate::workspace;

pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    unit_and_integration()?;
    documentation()
}

/// All but the benches, which have no tests and would bring the crates that they measure with. Every failure
/// is wanted, not only the first.
///
/// Tests against other programs, and files of these, skip themselves where there are none; they are counted
/// (`siconos_testkit::skip`). Where the folder of reference files is on this machine, there is no such excuse
/// (`siconos_testkit::reference`).
pub(crate) fn unit_and_integration() -> Result<(), Error> {
    let mut tests = cargo_test();
    tests.args(["--lib", "--bins", "--tests", "--examples"]);
    let skipped = workspace::target().join("skipped-tests.txt");
    fs::remove_file(&skipped).ok();
    tests.env("SICONOS_SKIPPED", &skipped);
    if has_references() {
        tests.env("SICONOS_REFERENCE_REQUIRED", "1");
    }
    let done = run_tests(&mut tests, &[]);
    let count = fs::read_to_string(&skipped).map_or(0, |text| text.lines().count());
    if count > 0 {
        eprintln!(
            "{count} tests were skipped, at least in part; {} says which and why",
            workspace::shown(&skipped)
        );
    }
    done
}

/// Whether reference data of other programs are where the tests look for them.
fn has_references() -> bool {
    let usual = || workspace::root().join("../shared/reference");
    env::var_os("SICONOS_REFERENCE").map_or_else(usual, PathBuf::from).is_dir()
}

/// The tests of matrices and solvers once more, without OpenBLAS.
pub(crate) fn portable() -> Result<(), Error> {
    let packages = ["siconos-linalg", "siconos-numerics", "siconos-numerics-tests"];
    let mut tests = command::cargo(["test", "--no-fail-fast", "--no-default-features", "--lib", "--tests"]);
    tests.args(packages.iter().flat_map(|package| ["--package", package]));
    run_tests(&mut tests, &[])
}

/// The examples in doc comments: cargo runs them only when asked for nothing else.
pub(crate) fn documentation() -> Result<(), Error> {
    run_tests(cargo_test().arg("--doc"), &[])
}

/// Runs a `cargo test` command with options for the test programs; the error names the tests that failed.
pub(crate) fn run_tests(tests: &mut Command, options: &[&str]) -> Result<(), Error> {
    // The programs write to a pipe, and would omit colours.
    let colour = if terminal::wants_colour() { "always" } else { "never" };
    tests.args(["--", "--color", colour]).args(options);
    let (status, failed) = command::status_and_failures(tests, failed_test)?;
    if status.success() { Ok(()) } else { Err(Error::Exit { line: command::line(tests), status, failed }) }
}

/// The name of the test in a line such as `test module::name ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
    Some(name.strip_suffix(" - should panic").unwrap_or(name))
}

/// Of the same packages for all, that features agree and nothing is built twice.
pub(crate) fn cargo_test() -> Command {
    let packages = ["--workspace", "--exclude", "siconos-benches"];
    let mut tests = command::cargo(["test", "--no-fail-fast"]);
    hdf5::with_features(tests.args(packages));
    tests
}

#[cfg(test)]
mod tests {
    use super::failed_test;

    #[test]
    fn failed_tests_are_named() {
        assert_eq!(failed_test("test module::name ... FAILED"), Some("module::name"));
        let example = "test crates/siconos-io/src/lib.rs - (line 12) ... FAILED";
        assert_eq!(failed_test(example), Some("crates/siconos-io/src/lib.rs - (line 12)"));
        assert_eq!(failed_test("test name - should panic ... FAILED"), Some("name"));
        for line in ["test name ... ok", "test result: FAILED. 1 passed; 1 failed", "    name"] {
            assert_eq!(failed_test(line), None, "{line}");
        }
    }
}
