//! `test`: unit, integration and documentation tests of all crates.

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::setup;

pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    unit_and_integration()?;
    documentation()
}

/// All but the benches, which `--all-targets` would run as tests too. Every failure is wanted, not only the first.
pub(crate) fn unit_and_integration() -> Result<(), Error> {
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    command::run(
        hdf5::with_features(&mut command::cargo(["test", "--workspace", "--no-fail-fast"])).args(targets),
    )
}

/// The examples in doc comments: cargo runs them only when asked for nothing else.
pub(crate) fn documentation() -> Result<(), Error> {
    command::run(hdf5::with_features(&mut command::cargo(["test", "--workspace", "--no-fail-fast", "--doc"])))
}
