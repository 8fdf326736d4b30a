//! `test`: unit, integration and documentation tests of all crates.

use std::env;
use std::fs;
use std::path::PathBuf;

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

/// All but the benches, which `--all-targets` would run as tests too. Every failure is wanted, not only the
/// first.
///
/// Tests against files of other programs skip themselves where there are none; they are counted, and have no
/// such excuse where the folder is on this machine (`siconos_testkit::reference`).
pub(crate) fn unit_and_integration() -> Result<(), Error> {
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    let mut tests = command::cargo(["test", "--workspace", "--no-fail-fast"]);
    hdf5::with_features(&mut tests).args(targets);
    let skipped = workspace::target().join("skipped-tests.txt");
    fs::remove_file(&skipped).ok();
    tests.env("SICONOS_SKIPPED", &skipped);
    if has_references() {
        tests.env("SICONOS_REFERENCE_REQUIRED", "1");
    }
    let done = command::run(&mut tests);
    let count = fs::read_to_string(&skipped).map_or(0, |text| text.lines().count());
    if count > 0 {
        eprintln!("{count} tests were skipped, at least in part: there are no reference data");
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
    command::run(hdf5::with_features(&mut command::cargo(["test", "--workspace", "--no-fail-fast", "--doc"])))
}
