//! `bench`: the criterion benchmarks.

use crate::command;
use crate::error::Error;
use crate::setup;

/// `quick` stops sampling as soon as a figure is stable and draws no plots.
pub(crate) fn run(quick: bool) -> Result<(), Error> {
    setup::ensure()?;
    let mut bench = command::cargo(["bench", "--package", "siconos-benches"]);
    if quick {
        bench.args(["--", "--quick", "--noplot"]);
    }
    command::run(&mut bench)
}
