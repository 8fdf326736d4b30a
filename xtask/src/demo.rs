//! `demo`: runs the demonstration of the examples package, which prints a table and the folder of its
//! figures.

use crate::command;
use crate::error::Error;
use crate::setup;
use crate::workspace;

pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    let folder = workspace::target().join("demo");
    let arguments = ["run", "--release", "--package", "siconos-examples", "--", "demo", "--output"];
    command::run(command::cargo(arguments).arg(workspace::shown(&folder)))
}
