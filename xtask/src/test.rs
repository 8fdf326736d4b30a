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

/// Runs all tests except those of the benches and fuzz targets, which have no tests and many dependencies. If
/// a test fails, the others still run.
///
/// Tests that need other programs or their files are skipped without them and are counted
/// (`siconos_testkit::skip`). If the folder of reference files exists on this machine, missing files are
/// failures (`siconos_testkit::reference`).
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
            "{count} tests were skipped, at least in part; {} lists them with the reasons",
            workspace::shown(&skipped)
        );
    }
    done
}

/// Returns `true` if reference data of other programs are in the folder that the tests use.
fn has_references() -> bool {
    let usual = || workspace::root().join("../shared/reference");
    env::var_os("SICONOS_REFERENCE").map_or_else(usual, PathBuf::from).is_dir()
}

/// Runs the tests of matrices and the unit tests of the solvers again, without OpenBLAS. Checks that
/// `siconos-io` compiles without the kernel.
pub(crate) fn portable() -> Result<(), Error> {
    let io = ["check", "--no-default-features", "--package", "siconos-io"];
    command::run(&mut command::cargo(io))?;
    run_tests(&mut without_openblas(&["siconos-linalg", "siconos-numerics"]), &[])
}

/// Runs all tests of solvers and tables without OpenBLAS.
pub(crate) fn all_portable() -> Result<(), Error> {
    let packages = ["siconos-linalg", "siconos-numerics", "siconos-numerics-tests", "siconos-io"];
    run_tests(without_openblas(&packages).arg("--release"), &[])
}

fn without_openblas(packages: &[&str]) -> Command {
    let mut tests = command::cargo(["test", "--no-fail-fast", "--no-default-features", "--lib", "--tests"]);
    tests.args(packages.iter().flat_map(|package| ["--package", package]));
    tests
}

/// Runs the examples in doc comments. Cargo runs them only if no other tests are selected.
pub(crate) fn documentation() -> Result<(), Error> {
    run_tests(cargo_test().arg("--doc"), &[])
}

/// Runs a `cargo test` command with options for the test programs. The error contains the names of the failed
/// tests.
pub(crate) fn run_tests(tests: &mut Command, options: &[&str]) -> Result<(), Error> {
    // The test programs write to a pipe and would omit colours.
    let colour = if terminal::wants_colour() { "always" } else { "never" };
    tests.args(["--", "--color", colour]).args(options);
    let (status, failed) = command::status_and_failures(tests, failed_test)?;
    if status.success() { Ok(()) } else { Err(Error::Exit { line: command::line(tests), status, failed }) }
}

/// Returns the name of the test in a line of the form `test module::name ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    let name = line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?;
    Some(name.strip_suffix(" - should panic").unwrap_or(name))
}

/// Returns a `cargo test` command for all packages with tests. It always has the same packages, so that their
/// features agree and nothing is built twice.
pub(crate) fn cargo_test() -> Command {
    let packages = ["--workspace", "--exclude", "siconos-benches", "--exclude", "siconos-fuzz"];
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
