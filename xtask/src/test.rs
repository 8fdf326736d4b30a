//! `test`: unit, integration and documentation tests of all crates.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::setup;
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
    let done = command::run(&mut tests);
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

/// The examples in doc comments: cargo runs them only when asked for nothing else.
pub(crate) fn documentation() -> Result<(), Error> {
    command::run(cargo_test().arg("--doc"))
}

/// Of the same packages for all, that features agree and nothing is built twice.
pub(crate) fn cargo_test() -> Command {
    let packages = ["--workspace", "--exclude", "siconos-benches"];
    let mut tests = command::cargo(["test", "--no-fail-fast"]);
    hdf5::with_features(tests.args(packages));
    tests
}
