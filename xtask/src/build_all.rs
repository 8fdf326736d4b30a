//! `build`: all targets of all crates, optimised.

use crate::command;
use crate::error::Error;
use crate::setup;

/// Builds with all cargo features: none of them needs more than [`setup`] provides.
pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    command::run(&mut command::cargo([
        "build",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--release",
    ]))?;
    println!("Built all targets of all crates with all cargo features");
    Ok(())
}
