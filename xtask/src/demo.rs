//! `demo`: runs the demonstration of the examples package and says where its figures are.

use std::fs;

use crate::command;
use crate::error::Error;
use crate::setup;
use crate::workspace;

pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    let folder = workspace::target().join("demo");
    let arguments = ["run", "--release", "--package", "siconos-examples", "--", "demo", "--output"];
    command::run(command::cargo(arguments).arg(workspace::shown(&folder)))?;

    println!("\nFiles in {}:", workspace::shown(&folder));
    for file in workspace::files_below(&folder, |_| false)? {
        let bytes = fs::metadata(&file).map_err(Error::file("read", &file))?.len();
        println!("  {}  ({} kB)", workspace::shown(&file), bytes.div_ceil(1000));
    }
    Ok(())
}
